"""Elementwise ops of one operand."""

from .....dialects.npu import unary as ops
from .....dialects.npu.elementwise import UnaryOp
from ...counterparts import UNARY
from ..elements import UNSIGNED
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports, exports_rest
from .elementwise import one_node


@exports(ops.AbsOp)
def absolute(op: ops.AbsOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return x if x.element in UNSIGNED else graph.op("Abs", x)


@exports(ops.RsqrtOp)
def rsqrt(op: ops.RsqrtOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Reciprocal of Sqrt."""
    return graph.op("Reciprocal", graph.op("Sqrt", x))


@exports_rest(row.op for row in UNARY)
def unary(op: UnaryOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return one_node(op, graph, x)
