"""Pooling of quantised numbers."""

from .....dialects.npu import quantized_pooling as ops
from ..graph import OnnxGraph, OnnxTensor
from ..qlinear import in_steps
from ..registry import exports


@exports(ops.QuantAvgPoolOp, ops.QuantGlobalAvgPoolOp)
def in_floats(op: ops.QuantizedPoolingOp, graph: OnnxGraph, *operands: OnnxTensor) -> OnnxTensor:
    return in_steps(op, graph, *operands)
