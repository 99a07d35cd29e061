"""Elements or slices at positions along one axis."""

from .....dialects.npu import indexing as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..elements import BF16, F16, F32, I32, I64
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports

FIRST_WITH_EXTREMES = 18
"""The opset from which on scatters take the larger or the smaller one."""


def _positions(graph: OnnxGraph, indices: OnnxTensor) -> OnnxTensor:
    return indices if indices.element in (I32, I64) else graph.cast(indices, I64)


@exports(ops.GatherElementsOp)
def gather_elements(op: ops.GatherElementsOp, graph: OnnxGraph, x: OnnxTensor, indices: OnnxTensor) -> OnnxTensor:
    return graph.op("GatherElements", x, _positions(graph, indices), axis=op.axis.value.data)


@exports(ops.ScatterElementsOp)
def scatter_elements(
    op: ops.ScatterElementsOp, graph: OnnxGraph, x: OnnxTensor, indices: OnnxTensor, updates: OnnxTensor
) -> OnnxTensor:
    return _scattered(op, graph, "ScatterElements", x, _positions(graph, indices), updates, axis=op.axis.value.data)


def _scattered(
    op: ops.ScatterElementsOp | ops.ScatterOp,
    graph: OnnxGraph,
    kind: str,
    x: OnnxTensor,
    places: OnnxTensor,
    updates: OnnxTensor,
    **attributes: int,
) -> OnnxTensor:
    reduction = op.reduction.data
    if reduction == "none":
        return graph.op(kind, x, places, updates, **attributes)
    if reduction in ("max", "min") and graph.opset.number < FIRST_WITH_EXTREMES:
        raise NotExportable(f"'{op.name}' with reduction \"{reduction}\" before opset {FIRST_WITH_EXTREMES}")
    # ONNX Runtime combines no floats of 16 bits.
    wide = F32 if x.element in (F16, BF16) else x.element
    given = graph.cast(x, wide), places, graph.cast(updates, wide)
    return graph.cast(graph.op(kind, *given, reduction=reduction, **attributes), x.element)


@exports(ops.ScatterOp)
def scatter(op: ops.ScatterOp, graph: OnnxGraph, x: OnnxTensor, indices: OnnxTensor, updates: OnnxTensor) -> OnnxTensor:
    """ScatterND for slices along the first axis; along others each index counts for all elements of its slice."""
    axis, shape = op.axis.value.data, shape_of(op.updates)
    if axis == 0:
        return _scattered(op, graph, "ScatterND", x, graph.unsqueeze(graph.cast(indices, I64), [1]), updates)
    upright = graph.unsqueeze(_positions(graph, indices), [place for place in range(len(shape)) if place != axis])
    sizes = graph.size(updates, 0, len(shape)) if DYNAMIC in shape else graph.ints(*shape)
    return _scattered(op, graph, "ScatterElements", x, graph.op("Expand", upright, sizes), updates, axis=axis)


@exports(ops.TopKOp)
def top_k(op: ops.TopKOp, graph: OnnxGraph, x: OnnxTensor, count: OnnxTensor | None) -> tuple[OnnxTensor, ...]:
    axis = op.axis.value.data
    most = graph.ints(shape_of(op.found)[axis]) if count is None else graph.cast(count, I64)
    smallest = {"largest": 0} if op.smallest is not None else {}
    found, places = graph.split_node("TopK", [graph.computable_one("TopK", x), most], 2, axis=axis, **smallest)
    places.element = I64
    return found, places


@exports(ops.CompressOp)
def compress(op: ops.CompressOp, graph: OnnxGraph, x: OnnxTensor, condition: OnnxTensor) -> OnnxTensor:
    return graph.op("Compress", x, condition, axis=op.axis.value.data)


@exports(ops.ReverseSequenceOp)
def reverse_sequence(op: ops.ReverseSequenceOp, graph: OnnxGraph, x: OnnxTensor, lengths: OnnxTensor) -> OnnxTensor:
    """ReverseSequence has time and batch as the first two axes: others are transposed."""
    axis, batch = op.axis.value.data, op.batch.value.data
    order = (axis, batch, *(each for each in range(len(shape_of(op.input))) if each not in (axis, batch)))
    is_batch_first = order[:2] == (1, 0)
    first, second = (1, 0) if is_batch_first else (0, 1)
    moved = x if is_batch_first else graph.transpose(x, order)
    turned = graph.op("ReverseSequence", moved, graph.cast(lengths, I64), time_axis=first, batch_axis=second)
    return turned if is_batch_first else graph.transpose(turned, tuple(map(order.index, range(len(order)))))
