"""Programs in blocks, compiled by MLIR: padding that may be anything is NaN, and never in the results."""

from pathlib import Path
from random import Random

import pytest
from support import optional_tools
from support.closeness import LAYERS, assert_close

if optional_tools.mlir_bindings().location is None:
    pytest.skip(optional_tools.mlir_bindings().note, allow_module_level=True)

from npu_opt.bridges.mlir.engine import Compiled
from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, signature
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.layout_optimal import LayoutOptimal
from support.campaign import amount
from support.garbage import make_padding_dirty
from support.generators.block_programs import TARGETS, block_program, block_target, mixed_program
from support.generators.cuts import in_random_blocks
from support.ir_text import context
from support.oracles.running import main_of
from xdsl.dialects.builtin import ModuleOp

PLACED = amount(3, 300)
RANDOM = amount(6, 1000)


def assert_same(before: ModuleOp, module: ModuleOp, seed: int) -> int:
    """Check what a program in blocks computes with dirty padding; returns the number of values with it."""
    count = make_padding_dirty(module)
    module.verify()
    inputs = random_inputs(main_of(before), seed)
    with mlir_context():
        found = Compiled(lowered(module), "main", signature(main_of(module))).run(inputs)
    for one, other in zip(found, run(before, inputs=inputs), strict=True):
        assert_close(one, other, LAYERS, f"seed {seed}\n{module}")
    return count


@pytest.mark.parametrize("name", TARGETS)
def test_placed_programs(name: str, tmp_path: Path):
    block_target(name, tmp_path)
    dirty = 0
    for seed in range(1, PLACED + 1):
        before = mixed_program(seed).module()
        module = before.clone()
        LayoutOptimal(target=str(tmp_path / f"{name}.toml")).apply(context(), module)
        dirty += assert_same(before, module, seed) > 0
    print({"programs": PLACED, "with padding that may be anything": dirty})
    assert dirty >= 0.1 * PLACED


def test_programs_in_random_blocks():
    dirty = 0
    for seed in range(RANDOM):
        before = block_program(seed, has_bytes=seed % 2 == 1).module()
        module = before.clone()
        in_random_blocks(module, Random(seed), 0.9)
        dirty += assert_same(before, module, seed)
    assert dirty > RANDOM
