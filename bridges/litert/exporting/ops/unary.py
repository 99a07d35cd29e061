"""Elementwise ops of one operand."""

from collections.abc import Mapping

from xdsl.ir import Operation

from .....dialects.npu import unary as ops
from ..gelu import ERF
from ..graph import LiteGraph, LiteTensor
from ..registry import exports

KINDS: Mapping[type[Operation], str] = {
    ops.AbsOp: "ABS",
    ops.NegOp: "NEG",
    ops.SignOp: "SIGN",
    ops.ExpOp: "EXP",
    ops.LogOp: "LOG",
    ops.SqrtOp: "SQRT",
    ops.RsqrtOp: "RSQRT",
    ops.SinOp: "SIN",
    ops.CosOp: "COS",
    ops.TanhOp: "TANH",
    ops.CeilOp: "CEIL",
    ops.FloorOp: "FLOOR",
    ops.RoundOp: "ROUND",
    ops.NotOp: "LOGICAL_NOT",
}


@exports(*KINDS)
def unary(op: ops.UnaryOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.unary(KINDS[type(op)], x)


@exports(ops.ReciprocalOp)
def reciprocal(op: ops.ReciprocalOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.binary("DIV", graph.like(x, 1), x)


@exports(ops.ErfOp)
def erf(op: ops.ErfOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """A node that stands for the function until the graph is finished: LiteRT has it as a part of GELU only."""
    return graph.unary(ERF, x)
