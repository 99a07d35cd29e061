"""Pooling of quantised numbers."""

from .....dialects.npu import quantized_pooling as ops
from ..registry import lowers
from ..steps import in_steps
from ..tensors import Tensor


@lowers(ops.QuantAvgPoolOp, ops.QuantGlobalAvgPoolOp)
def in_floats(op: ops.QuantizedPoolingOp, *operands: Tensor) -> Tensor:
    return in_steps(op, *operands)
