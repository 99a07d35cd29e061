"""Elementwise ops on quantised numbers."""

from .....dialects.npu import quantized_elementwise as ops
from ..graph import OnnxGraph, OnnxTensor
from ..qlinear import in_steps
from ..registry import exports


@exports(ops.QuantAddOp, ops.QuantMulOp)
def in_floats(op: ops.QuantizedBinaryOp, graph: OnnxGraph, *operands: OnnxTensor) -> OnnxTensor:
    return in_steps(op, graph, *operands)
