"""Comparison of another engine's results with those of the interpreter."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.linear import QuantGemmOp, QuantMatmulOp
from npu_opt.dialects.npu.quantization import QuantizeOp
from npu_opt.dialects.npu.quantized_convolution import QuantConv2dOp
from npu_opt.dialects.npu.quantized_elementwise import QuantAddOp, QuantMulOp
from npu_opt.dialects.npu.quantized_pooling import QuantAvgPoolOp, QuantGlobalAvgPoolOp
from npu_opt.dialects.npu.values import element_type_of
from npu_opt.interpreter import evaluate
from xdsl.dialects.builtin import BFloat16Type, Float16Type, ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, SSAValue

from support.oracles.running import main_of

Array = npt.NDArray[Any]

TOLERANCE = 1e-4
"""Relative to the largest number: engines add in another order, and in f32."""
SMALLEST = 1e-7
"""The least loss with intermediate numbers near 1, as in exp(x) - 1."""
COARSE: Mapping[type[Attribute], float] = {Float16Type: 2.0**-9, BFloat16Type: 2.0**-6}
"""Numbers of few bits may differ by two steps if they are rounded to different sides."""

ROUNDED = (
    *(QuantizeOp, QuantAddOp, QuantConv2dOp, QuantMatmulOp, QuantMulOp, QuantGemmOp),
    *(QuantAvgPoolOp, QuantGlobalAvgPoolOp),
)
"""Ops that round a quotient: others compute it in f32, the interpreter in f64, and a half may go either way.

ONNX Runtime rounds sums, products and means behind the zero point, which turns the halves if it is odd.
"""


def steps_of(op: NpuOp) -> int:
    return 1 if isinstance(op, ROUNDED) else 0


def wobble(op: NpuOp, operands: Sequence[Array], expected: Sequence[Array]) -> list[float]:
    """The sensitivity of each result to the last digits of the operands: no f32 computation can be closer."""
    generator = np.random.default_rng(0)
    moved = [
        each
        if each.dtype.kind != "f"
        else each * (1 + 2.0**-22 * generator.choice([-1, 1], each.shape)).astype(each.dtype)
        for each in operands
    ]
    found = evaluate(op, moved)
    with np.errstate(all="ignore"):
        gaps = [
            np.abs(left.astype(np.float64) - right.astype(np.float64))
            for left, right in zip(found, expected, strict=True)
        ]
    return [float(np.max(gap[np.isfinite(gap)], initial=0)) for gap in gaps]


def difference(found: Array, expected: Array, value: SSAValue, steps: int = 0, room: float = 0) -> str | None:
    """The difference of a result from the expected one. Integers may differ by some `steps`, floats by some `room`."""
    if found.shape != expected.shape:
        return f"shape {found.shape} and not {expected.shape}"
    if expected.dtype.kind != "f":
        most = np.max(np.abs(found.astype(np.float64) - expected.astype(np.float64)), initial=0)
        return None if most <= steps else f"{most} apart"
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=0)
    allowed = SMALLEST + 4 * room + COARSE.get(type(element_type_of(value)), TOLERANCE) * scale
    if np.allclose(found, expected, rtol=0, atol=allowed, equal_nan=True):
        return None
    with np.errstate(all="ignore"):
        return f"{np.max(np.abs(found - expected), initial=0)} apart, where {allowed} is allowed"


def all_values_returned(module: ModuleOp) -> list[NpuOp]:
    """Make @main return the results of each of its ops."""
    function = main_of(module)
    block = function.body.block
    ops = [op for op in block.ops if isinstance(op, NpuOp)]
    assert isinstance(block.last_op, ReturnOp)
    block.erase_op(block.last_op)
    values = [result for op in ops for result in op.results]
    block.add_op(ReturnOp(*values))
    function.update_function_type()
    return ops
