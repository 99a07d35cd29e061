"""Programs compiled by MLIR compute the same as in the interpreter: single ops, and random programs."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from support import optional_tools

if optional_tools.mlir_bindings().location is None:
    pytest.skip(optional_tools.mlir_bindings().note, allow_module_level=True)

from npu_opt.bridges.mlir.engine import Compiled
from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, signature
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import layout_of
from npu_opt.interpreter import evaluate, random_inputs, run
from support.campaign import one_by_one, seeds
from support.generators.placed_programs import placed_on_random_target
from support.generators.programs import random_program
from support.generators.samples import sample
from support.ir_text import parse
from support.oracles.nearness import Array, all_values_returned, difference, steps_of, wobble
from support.oracles.running import main_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

WITHOUT = {
    *("npu.opaque", "npu.vendor_any_order", "npu.vendor_elementwise", "npu.vendor_pool"),
    *("npu.dynamic_interpolate", "npu.dynamic_pad", "npu.dynamic_resize", "npu.dynamic_slice", "npu.dynamic_split"),
    *("npu.dynamic_tile", "npu.compress", "npu.range", "npu.non_zero", "npu.unique", "npu.non_max_suppression"),
    *("npu.rnn", "npu.gru", "npu.lstm", "npu.dft", "npu.grid_sample", "npu.roi_align", "npu.deform_conv"),
    "npu.matmul_nbits",
}
"""Ops that MLIR lacks: of other systems, of sizes of the run, of steps or samples, and packed ones."""
OPS = [op for op in NPU.operations if issubclass(op, NpuOp) and op.name not in WITHOUT]


def executed(module: ModuleOp, inputs: Sequence[Array]) -> list[Array]:
    """The results of @main, compiled."""
    with mlir_context():
        return Compiled(lowered(module), "main", signature(main_of(module))).run(inputs)


@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_every_op_computes_the_same(op: type[NpuOp]):
    for seed in seeds(2, 60):
        made = sample(op, Random(seed), coloured=seed % 2 == 0)
        if made.has_narrow_floats:
            continue
        inputs = made.inputs(seed)
        of_operand = dict(zip(made.op.operands, inputs, strict=True))
        found = executed(made.module, [of_operand[argument] for argument in main_of(made.module).body.block.args])
        for array, right, value in zip(found, evaluate(made.op, inputs), made.op.results, strict=True):
            problem = difference(array, right, value, steps_of(made.op))
            assert problem is None, f"seed {seed}: {problem}\n{made.op}"


def test_one_element_of_higher_rank_than_the_result():
    types = "(tensor<1x1xf32>, tensor<1xf32>) -> tensor<1xf32>"
    module = parse(
        f"""func.func @main(%x: tensor<1x1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {{
          %z = npu.sub %x, %y : {types}
          func.return %z : tensor<1xf32>
        }}"""
    )
    inputs = random_inputs(main_of(module), 0)
    np.testing.assert_array_equal(executed(module, inputs)[0], run(module, inputs=inputs)[0])


@pytest.mark.parametrize("element", ["i8", "ui16", "i32", "ui32", "i64", "ui64"])
def test_floats_that_do_not_fit_in_integers(element: str):
    ends = [sign * (2.0**bits) for bits in (7, 31, 32, 63, 64) for sign in (1, -1)]
    numbers = np.array([*ends, -2.5, 2.0**64 - 2048, 2.0**31 - 0.5, np.inf, -np.inf, np.nan])
    module = parse(f"""func.func @main(%x: tensor<16xf64>) -> tensor<16x{element}> {{
      %y = npu.cast %x : (tensor<16xf64>) -> tensor<16x{element}>
      func.return %y : tensor<16x{element}>
    }}""")
    np.testing.assert_array_equal(executed(module, [numbers])[0], run(module, inputs=[numbers])[0])


@pytest.mark.parametrize("op", ["max_pool", "avg_pool"])
def test_windows_in_the_padding(op: str):
    """TOSA's pools require some data in each window."""
    types = "(tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>"
    module = parse(
        f"""func.func @main(%x: tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32> {{
          %y = npu.{op} %x window = [1, 1] strides = [3, 1] pads = [1, 0, 0, 0] data_layout = <NCHW> : {types}
          func.return %y : tensor<1x2x1x4xf32>
        }}"""
    )
    inputs = random_inputs(main_of(module), 0)
    np.testing.assert_array_equal(executed(module, inputs)[0], run(module, inputs=inputs)[0])


@pytest.mark.parametrize("window", [2, 3, 4])
def test_averages_of_integers_below_zero(window: int):
    """MLIR divides toward zero."""
    types = f"(tensor<1x1x1x24xi8>) -> tensor<1x1x1x{24 // window}xi8>"
    module = parse(
        f"""func.func @main(%x: tensor<1x1x1x24xi8>) -> tensor<1x1x1x{24 // window}xi8> {{
          %y = npu.avg_pool %x window = [1, {window}] strides = [1, {window}] data_layout = <NCHW> : {types}
          func.return %y : tensor<1x1x1x{24 // window}xi8>
        }}"""
    )
    inputs = [np.arange(-20, 4, dtype=np.int8).reshape(1, 1, 1, 24)]
    np.testing.assert_array_equal(executed(module, inputs)[0], run(module, inputs=inputs)[0])


def test_random_programs_compute_the_same(capsys: pytest.CaptureFixture[str]):
    """Op by op, on the results so far: a small difference before a rounding is large behind it."""
    counts: Counter[str] = Counter()
    for seed in one_by_one(seeds(5, 500), capsys):
        module = random_program(seed, (8, 15, 30)[seed % 3], coloured=seed % 4 != 0, functions=0)
        if seed % 2:
            module = placed_on_random_target(module, seed)
        ops = all_values_returned(module)
        function = main_of(module)
        inputs = random_inputs(function, seed)
        found = iter(executed(module, inputs))
        arrays: dict[SSAValue, Array] = dict(zip(function.body.block.args, inputs, strict=True))
        for op in ops:
            operands = [arrays[operand] for operand in op.operands]
            is_finite = all(np.isfinite(each).all() for each in operands)
            for right, value in zip(evaluate(op, operands), op.results, strict=True):
                arrays[value] = next(found)
                if not is_finite:
                    # The sign and payload of NaN depend on the order of additions.
                    continue
                problem = difference(arrays[value], right, value, steps_of(op))
                if problem is not None:
                    (room,) = wobble(op, operands, [right])
                    problem = difference(arrays[value], right, value, steps_of(op), room)
                    counts["sensitive"] += 1
                assert problem is None, f"seed {seed}: {problem}\n{op}"
            counts["ops"] += is_finite and not isinstance(op, ConstantOp)
            counts["coloured"] += layout_of(op.results[0]) is not None
        counts["programs"] += 1
    with capsys.disabled():
        print(f"\ncompiled and run, op by op: {dict(counts)}")
