"""Elementwise ops on quantised numbers."""

from ...dialects.npu import quantized_elementwise as ops
from ..elements import Array
from ..registry import meaning
from ..steps import in_steps


@meaning(ops.QuantAddOp, ops.QuantMulOp)
def in_floats(op: ops.QuantizedBinaryOp, *operands: Array) -> Array:
    return in_steps(op, *operands)
