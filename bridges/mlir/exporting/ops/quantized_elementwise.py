"""Elementwise ops on quantised numbers."""

from .....dialects.npu import quantized_elementwise as ops
from ..registry import lowers
from ..steps import in_steps
from ..tensors import Tensor


@lowers(ops.QuantAddOp, ops.QuantMulOp)
def in_floats(op: ops.QuantizedBinaryOp, *operands: Tensor) -> Tensor:
    return in_steps(op, *operands)
