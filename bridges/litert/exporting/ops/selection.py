"""Ops whose results are as long as the numbers of the run say."""

from .....dialects.npu import selection as ops
from .....dialects.npu.values import shape_of
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports


@exports(ops.RangeOp)
def range_of(op: ops.RangeOp, graph: LiteGraph, start: LiteTensor, limit: LiteTensor, step: LiteTensor) -> LiteTensor:
    return graph.node("RANGE", [start, limit, step], shape_of(op.result))


@exports(ops.NonZeroOp)
def non_zero(op: ops.NonZeroOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """WHERE has a row for each element that is found."""
    if x.element is not LiteElement.BOOL:
        x = graph.binary("NOT_EQUAL", x, graph.like(x, 0), LiteElement.BOOL)
    rank, count = shape_of(op.result)
    return graph.transpose(graph.node("WHERE", [x], (count, rank), LiteElement.I64), (1, 0))
