"""Elementwise ops of one operand."""

from .....dialects.notes.node_kinds import ONNX_KIND, was
from .....dialects.npu import unary as ops
from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.reduction import ReduceSumOp
from ...counterparts import UNARY
from ..elements import UNSIGNED
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports, exports_rest
from .elementwise import one_node


@exports(ops.LogOp)
def logarithm(op: ops.LogOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """The logarithm of a sum that was a ReduceLogSum is one again."""
    before = op.input.owner
    if was(op, "ReduceLogSum", ONNX_KIND) and isinstance(before, ReduceSumOp) and x.node is not None:
        if x.node.kind == "ReduceSum" and (source := x.node.inputs[0]) is not None:
            return graph.reduce("ReduceLogSum", source, before.axes.get_values(), before.keep is not None)
    return one_node(op, graph, x)


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
