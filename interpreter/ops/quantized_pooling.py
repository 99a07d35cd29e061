"""Pooling of quantised numbers."""

from ...dialects.npu import quantized_pooling as ops
from ..elements import Array
from ..registry import meaning
from ..steps import in_steps


@meaning(ops.QuantAvgPoolOp, ops.QuantGlobalAvgPoolOp)
def in_floats(op: ops.QuantizedPoolingOp, *operands: Array) -> Array:
    return in_steps(op, *operands)
