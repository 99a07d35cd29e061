"""Random programs of TOSA compute the same when they are read, and after they were placed and written again."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from support import optional_tools
from support.closeness import Room, assert_close

if optional_tools.mlir_bindings().location is None:
    pytest.skip(optional_tools.mlir_bindings().note, allow_module_level=True)

from npu_opt.bridges.mlir.bindings import ir
from npu_opt.bridges.mlir.engine import Compiled
from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, signature
from npu_opt.bridges.mlir.importing.importer import read_module
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.program.symbols import verify
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.layout_optimal import LayoutOptimal
from support.campaign import one_by_one, seeds
from support.generators.placed_programs import placed_on_random_target
from support.generators.programs import random_program
from support.generators.tosa_programs import random_tosa
from support.oracles.nearness import TOLERANCE, Array
from support.oracles.running import main_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

ROOM = Room("programs of f32, in which LLVM and numpy add in other orders", TOLERANCE, TOLERANCE)


def opaque(module: ModuleOp) -> list[str]:
    return [op.op_name.data for op in module.walk() if isinstance(op, OpaqueOp)]


def executed(text: str, like: ModuleOp, inputs: Sequence[Array]) -> list[Array]:
    """The results of @main of a module in text, which has the signature of a program."""
    with mlir_context():
        return Compiled(ir.Module.parse(text), "main", signature(main_of(like))).run(inputs)


def assert_near(lefts: Sequence[Array], rights: Sequence[Array]) -> None:
    for left, right in zip(lefts, rights, strict=True):
        found, expected = left.astype(np.float64), right.astype(np.float64)
        scale = float(np.max(np.abs(expected[np.isfinite(expected)]), initial=0))
        assert_close(found, expected, ROOM.within(scale))


def test_mlir_computes_the_same_as_the_program_read(capsys: pytest.CaptureFixture[str]):
    for seed in one_by_one(seeds(12, 500), capsys):
        text = random_tosa(seed, size=12)
        read = read_module(text, f"{seed}.mlir")
        verify(read)
        assert opaque(read) == []
        inputs = random_inputs(main_of(read), seed)
        assert_near(executed(text, read, inputs), run(read, "main", inputs))


def test_placed_programs_compute_the_same_in_tosa(capsys: pytest.CaptureFixture[str]):
    for seed in one_by_one(seeds(8, 300), capsys):
        text = random_tosa(seed, size=16)
        read = read_module(text, f"{seed}.mlir")
        placed = placed_on_random_target(read, seed) if seed % 2 else read.clone()
        if seed % 2 == 0:
            LayoutOptimal(target="opu").apply(Context(), placed)
        CanonicalizePass().apply(Context(), placed)
        assert compare(read, placed).verdict is Verdict.PROVED
        with mlir_context():
            written = str(lowered(placed))
        inputs = random_inputs(main_of(read), seed)
        assert_near(executed(written, read, inputs), executed(text, read, inputs))


def test_random_programs_come_back_from_tosa(capsys: pytest.CaptureFixture[str]):
    """As ops if TOSA has them, and otherwise as the loops to which they were lowered."""
    kinds: Counter[str] = Counter()
    for seed in one_by_one(seeds(10, 300), capsys):
        program = random_program(seed, size=8)
        with mlir_context():
            text = str(lowered(program))
        again = read_module(text, f"{seed}.mlir")
        verify(again)
        with mlir_context():
            written = str(lowered(again))
        inputs = random_inputs(main_of(program), seed)
        assert_near(executed(written, program, inputs), executed(text, program, inputs))
        kinds.update(opaque(again) or ["none"])
    assert kinds["none"] > 0
    assert kinds["linalg.generic"] > 0
