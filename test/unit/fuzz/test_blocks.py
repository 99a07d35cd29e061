"""Ops on values in blocks compute what they compute without: in the interpreter, and by proof."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.elementwise import AnyElementwiseOp
from npu_opt.dialects.npu.linear import GemmOp, MatmulOp
from npu_opt.dialects.npu.padding import is_padding
from npu_opt.dialects.npu.same_layout import KeepsZeros, SameLayoutOp
from npu_opt.dialects.npu.source import ForeignOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import evaluate, random_inputs, run
from npu_opt.interpreter.elements import Array, store
from npu_opt.passes import PASS_TABLE, get_all_passes
from support.campaign import amount, seeds
from support.generators.cuts import in_random_blocks, with_zeros
from support.generators.numbers import close, magnitude
from support.generators.programs import random_program
from support.generators.samples import sample
from support.ir_text import context
from support.oracles.running import main_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

OPS = [
    op for op in NPU.operations if issubclass(op, SameLayoutOp) and not issubclass(op, ForeignOp) and op.TAKES_BLOCKS
]
PRODUCTS = [MatmulOp, GemmOp]
WITHOUT_ZEROS = {
    *("npu.acos", "npu.acosh", "npu.cosh"),
    *("npu.cos", "npu.exp", "npu.log", "npu.not", "npu.reciprocal", "npu.rsqrt"),
    *("npu.hard_sigmoid", "npu.sigmoid", "npu.softplus", "npu.equal", "npu.less_equal", "npu.greater_equal", "npu.pow"),
    # These may be zeros: it depends on zero points, on attributes, or on what a division by zero gives.
    *("npu.quant_add", "npu.quant_mul", "npu.div", "npu.mod"),
}
"""Elementwise ops that do not compute zeros from zeros."""


def assert_zeros(module: ModuleOp, inputs: Sequence[Array]) -> None:
    """Check that padding is zeros where the types say so."""
    block = main_of(module).body.block
    known: dict[SSAValue, Array] = dict(zip(block.args, inputs, strict=True))
    for op in block.ops:
        if not isinstance(op, NpuOp):
            continue
        results = evaluate(op, [known[operand] for operand in op.operands])
        known |= zip(op.results, results, strict=True)
        for value, array in zip(op.results, results, strict=True):
            layout = layout_of(value)
            if layout is not None and layout.padded_axes and layout.has_zeros:
                assert not array[is_padding(layout, array.shape)].any(), f"{op}"


def assert_same(plain: ModuleOp, blocks: ModuleOp, seed: int) -> Verdict:
    """Check the numbers; the answer of the proof, which never is that the programs differ."""
    blocks.verify()
    inputs = random_inputs(main_of(plain), seed)
    scale = magnitude(inputs) ** 2
    results = main_of(plain).get_return_op()
    assert results is not None
    for right, found, value in zip(
        run(plain, inputs=inputs), run(blocks, inputs=inputs), results.operands, strict=True
    ):
        assert close(found, right, element_type_of(value), max(scale, magnitude([right]))), f"seed {seed}\n{blocks}"
    verdict = compare(plain, blocks).verdict
    assert verdict is not Verdict.DIFFERENT, f"seed {seed}\n{blocks}"
    return verdict


@pytest.mark.parametrize("op", OPS + PRODUCTS, ids=[op.name for op in OPS + PRODUCTS])
def test_every_op_computes_the_same_in_blocks(op: type[NpuOp]):
    found, wanted = 0, amount(2, 60)
    for seed in range(10 * wanted):
        plain = sample(op, Random(seed)).module
        with_zeros(plain, Random(seed))
        blocks = plain.clone()
        if in_random_blocks(blocks, Random(seed), 1.0):
            verdict = assert_same(plain, blocks, seed)
            assert_zeros(blocks, random_inputs(main_of(blocks), seed))
            assert verdict is Verdict.PROVED, f"seed {seed}\n{blocks}"
            found += 1
        if found == wanted:
            return
    raise AssertionError(f"few forms in blocks: {found}")


def test_random_programs_compute_the_same_in_blocks(capsys: pytest.CaptureFixture[str]):
    """Padding that may be anything is NaN in the interpreter, and never in the results."""
    count, ops, proved = amount(30, 2000), 0, 0
    for seed in range(count):
        plain = random_program(seed, (6, 12, 20)[seed % 3], functions=seed % 2)
        with_zeros(plain, Random(seed))
        blocks = plain.clone()
        ops += in_random_blocks(blocks, Random(seed))
        proved += assert_same(plain, blocks, seed) is Verdict.PROVED
    assert ops > count
    assert proved == count
    with capsys.disabled():
        print(f"\n{count} programs with {ops} ops in blocks, {proved} proved")


@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_zeros_stay_zeros(op: type[NpuOp]):
    """An op that says so computes zeros from zeros; an elementwise op that does not is listed."""
    are_zeros = True
    for seed in range(6):
        made = sample(op, Random(seed)).op
        assert isinstance(made, SameLayoutOp)
        if any(0 in shape_of(value) for value in made.operands):
            continue
        zeros = [store(np.zeros(shape_of(value)), element_type_of(value)) for value in made.operands]
        found = not any(array.any() for array in evaluate(made, zeros))
        are_zeros &= found
        assert found or not made.keeps_zeros(), f"{made}"
    if issubclass(op, AnyElementwiseOp) and not issubclass(op, KeepsZeros) and op.name != "npu.clip":
        assert op.name in WITHOUT_ZEROS, f"zeros: {are_zeros}"


NEED_OPTIONS = {"pin-layouts", "set-interface"}
INTO_CALLS = "convert-npu-to-fx"
"""Calls of PyTorch are no ops whose results are compared here; the tests of that format do."""


def test_every_pass_takes_programs_in_blocks():
    """A pass preserves the results; one says that it takes no blocks."""
    for seed in seeds(2, 200):
        plain = random_program(seed, 8)
        if not in_random_blocks(plain, Random(seed)):
            continue
        for name in sorted(PASS_TABLE.keys() - NEED_OPTIONS - {INTO_CALLS}):
            module = plain.clone()
            try:
                get_all_passes()[name]()().apply(context(), module)
            except DiagnosticException:
                assert name == "strip-layouts"
                continue
            module.verify()
            if str(module) != str(plain):
                assert compare(plain, module).verdict is Verdict.PROVED, f"{name}, seed {seed}\n{plain}\n{module}"
