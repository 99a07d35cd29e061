"""Elementwise ops of one operand."""

from .....dialects.npu import unary as ops
from ...counterparts import UNARY
from ..gelu import ERF
from ..graph import LiteGraph, LiteTensor
from ..registry import exports

KINDS = {row.op: row.kind for row in UNARY}


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
