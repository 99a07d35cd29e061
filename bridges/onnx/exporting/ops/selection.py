"""Ops whose results are as long as the numbers of the run say."""

from .....dialects.npu import selection as ops
from ..elements import F32, I64
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports


@exports(ops.RangeOp)
def range_of(op: ops.RangeOp, graph: OnnxGraph, start: OnnxTensor, limit: OnnxTensor, step: OnnxTensor) -> OnnxTensor:
    return graph.op("Range", start, limit, step)


@exports(ops.NonZeroOp)
def non_zero(op: ops.NonZeroOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op("NonZero", x, element=I64)


@exports(ops.UniqueOp)
def unique(op: ops.UniqueOp, graph: OnnxGraph, x: OnnxTensor) -> tuple[OnnxTensor, ...]:
    axis = {} if op.axis is None else {"axis": op.axis.value.data}
    order = {} if op.as_found is None else {"sorted": 0}
    found, *others = graph.split_node("Unique", [graph.computable_one("Unique", x)], 4, **axis, **order)
    for each in others:
        each.element = I64
    return found, *others


@exports(ops.NonMaxSuppressionOp)
def non_max_suppression(
    op: ops.NonMaxSuppressionOp,
    graph: OnnxGraph,
    boxes: OnnxTensor,
    scores: OnnxTensor,
    most: OnnxTensor,
    overlap: OnnxTensor,
    least: OnnxTensor,
) -> OnnxTensor:
    floats = (graph.cast(each, F32) for each in (boxes, scores, overlap, least))
    first, second, *limits = floats
    centers = {} if op.centers is None else {"center_point_box": 1}
    return graph.node("NonMaxSuppression", first, second, graph.cast(most, I64), *limits, element=I64, **centers)
