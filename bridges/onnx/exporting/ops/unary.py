"""Elementwise ops of one operand."""

from collections.abc import Mapping

from .....dialects.notes.written_forms import ONNX_KIND, was
from .....dialects.npu import unary as ops
from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.reduction import ReduceSumOp
from ..elements import BOOL, UNSIGNED
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports

SAME: Mapping[type[UnaryOp], str] = {
    ops.SignOp: "Sign",
    ops.ExpOp: "Exp",
    ops.LogOp: "Log",
    ops.SqrtOp: "Sqrt",
    ops.ReciprocalOp: "Reciprocal",
    ops.SinOp: "Sin",
    ops.CosOp: "Cos",
    ops.TanhOp: "Tanh",
    ops.TanOp: "Tan",
    ops.AsinOp: "Asin",
    ops.AcosOp: "Acos",
    ops.AtanOp: "Atan",
    ops.SinhOp: "Sinh",
    ops.CoshOp: "Cosh",
    ops.AsinhOp: "Asinh",
    ops.AcoshOp: "Acosh",
    ops.AtanhOp: "Atanh",
    ops.ErfOp: "Erf",
    ops.CeilOp: "Ceil",
    ops.FloorOp: "Floor",
    ops.RoundOp: "Round",
    ops.NegOp: "Neg",
}
"""Ops with an ONNX equivalent."""


@exports(*SAME)
def same(op: UnaryOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    kind, before = SAME[type(op)], op.input.owner
    if was(op, "ReduceLogSum", ONNX_KIND) and isinstance(before, ReduceSumOp) and x.node is not None:
        if x.node.kind == "ReduceSum" and (source := x.node.inputs[0]) is not None:
            return graph.reduce("ReduceLogSum", source, before.axes.get_values(), before.keep is not None)
    return graph.node(kind, x) if was(op, kind, ONNX_KIND) else graph.op(kind, x)


@exports(ops.AbsOp)
def absolute(op: ops.AbsOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return x if x.element in UNSIGNED else graph.op("Abs", x)


@exports(ops.RsqrtOp)
def rsqrt(op: ops.RsqrtOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Reciprocal of Sqrt."""
    return graph.op("Reciprocal", graph.op("Sqrt", x))


@exports(ops.NotOp)
def opposite(op: ops.NotOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op("Not" if x.element == BOOL else "BitwiseNot", x)
