"""Elements or slices at positions along one axis."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .....dialects.npu import indexing as ops
from .....dialects.npu.values import element_type_of, shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..elements import LiteElement, element_of
from ..graph import LiteGraph, LiteTensor
from ..registry import exports, moves
from .movement import from_start, gathered

MOST_PAIRS = 1 << 22
"""The most pairs of a place and an update that are compared."""


@moves(ops.GatherElementsOp)
def gather_elements(op: ops.GatherElementsOp, graph: LiteGraph, x: LiteTensor, indices: LiteTensor) -> LiteTensor:
    """A GATHER of the flattened elements."""
    axis, size = op.axis.value.data, x.shape[op.axis.value.data]
    places = from_start(graph, x, graph.cast(indices, LiteElement.I32), axis)
    if size != DYNAMIC and prod(each for place, each in enumerate(x.shape) if place != axis) == 1:
        return gathered(graph, graph.reshape(x, (size,)), places, 0)
    if DYNAMIC in (*x.shape, *indices.shape):
        raise NotExportable(f"'{op.name}' of unknown sizes has no counterpart in LiteRT")
    return gathered(graph, graph.reshape(x, (prod(x.shape),)), _flat(graph, x, places, axis), 0)


def _flat(graph: LiteGraph, x: LiteTensor, places: LiteTensor, axis: int) -> LiteTensor:
    """The places among the flattened elements: those along the axis plus those of the other axes."""
    strides = np.array([prod(x.shape[place + 1 :]) for place in range(len(x.shape))])
    grid = np.indices(places.shape)
    grid[axis] = 0
    others = graph.numbers(np.tensordot(strides, grid, 1), LiteElement.I32)
    scaled = graph.binary("MUL", places, graph.like(places, strides[axis]))
    return graph.binary("ADD", scaled, others)


@exports(ops.ScatterElementsOp)
def scatter_elements(
    op: ops.ScatterElementsOp, graph: LiteGraph, x: LiteTensor, indices: LiteTensor, updates: LiteTensor
) -> LiteTensor:
    """A GATHER of the flattened elements and updates at known places."""
    axis, known = op.axis.value.data, graph.known(indices)
    if op.reduction.data != "none" or known is None or DYNAMIC in x.shape:
        raise NotExportable(f"'{op.name}' at places of the run, or with a reduction, has no counterpart in LiteRT")
    where = np.indices(known.shape)
    where[axis] = known % x.shape[axis]
    flat = np.ravel_multi_index(tuple(where), x.shape).reshape(-1)
    both = [graph.reshape(each, (prod(each.shape),)) for each in (x, updates)]
    return graph.reshape(_replaced(graph, both[0], both[1], flat, 0), x.shape)


def _replaced(graph: LiteGraph, x: LiteTensor, updates: LiteTensor, known: NDArray[Any], axis: int) -> LiteTensor:
    """The slices at known places are those of the updates, which are behind the others."""
    size = x.shape[axis]
    places = np.arange(size)
    places[known] = size + np.arange(len(known))
    return gathered(graph, graph.concat([x, updates], axis), graph.numbers(places, LiteElement.I32), axis)


@exports(ops.ScatterOp)
def scatter(op: ops.ScatterOp, graph: LiteGraph, x: LiteTensor, indices: LiteTensor, updates: LiteTensor) -> LiteTensor:
    """A GATHER of slices and updates; for each place the last update that is for it is found by comparisons."""
    axis, known, reduction = op.axis.value.data, graph.known(indices), op.reduction.data
    size, (count,) = x.shape[axis], indices.shape
    if DYNAMIC in (size, count):
        raise NotExportable(f"'{op.name}' along an axis of unknown size has no counterpart in LiteRT")
    if reduction == "add" and axis == 0 and DYNAMIC not in x.shape:
        places = graph.reshape(from_start(graph, x, graph.cast(indices, LiteElement.I32), axis), (count, 1))
        return graph.binary(
            "ADD", x, graph.node("SCATTER_ND", [places, updates, graph.ints(*x.shape)], x.shape, x.element)
        )
    if reduction != "none":
        raise NotExportable(f"'{op.name}' with reduction \"{reduction}\" has no counterpart in LiteRT")
    if count == 0:
        return x
    if known is not None:
        return _replaced(graph, x, updates, known % size, axis)
    if size * count > MOST_PAIRS:
        raise NotExportable(f"'{op.name}' of {count} slices among {size} has no counterpart in LiteRT")
    places = graph.reshape(from_start(graph, x, graph.cast(indices, LiteElement.I32), axis), (count, 1))
    own = graph.numbers(np.arange(size)[None], LiteElement.I32)
    news = graph.numbers(size + np.arange(count)[:, None], LiteElement.I32)
    is_meant = graph.binary("EQUAL", places, own, LiteElement.BOOL)
    chosen = graph.reduce(
        "REDUCE_MAX", graph.elementwise("SELECT_V2", (is_meant, news, own), LiteElement.I32), [0], False
    )
    return gathered(graph, graph.concat([x, updates], axis), chosen, axis)


@exports(ops.TopKOp)
def top_k(op: ops.TopKOp, graph: LiteGraph, x: LiteTensor, count: LiteTensor | None) -> tuple[LiteTensor, LiteTensor]:
    """TOPK_V2 takes the largest elements along the last axis, the lower index first if they are equal."""
    axis, rank = op.axis.value.data, len(x.shape)
    order = (*(place for place in range(rank) if place != axis), axis)
    back = tuple(map(order.index, range(rank)))
    data = x if op.smallest is None else _turned(graph, x)
    shape = tuple(shape_of(op.found)[place] for place in order)
    if count is None:
        most = graph.numbers(shape[-1], LiteElement.I32)
    else:
        most = graph.reshape(graph.cast(count, LiteElement.I32), ())
    found, places = graph.split_node("TOPK_V2", [graph.transpose(data, order), most], [shape, shape])
    places.change(element=LiteElement.I32)
    found = graph.transpose(found, back)
    places = graph.cast(graph.transpose(places, back), element_of(element_type_of(op.places)))
    return found if op.smallest is None else _turned(graph, found), places


def _turned(graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """The numbers in the opposite order: no integer is without its counterpart."""
    return graph.unary("NEG", x) if x.element.is_float else graph.binary("SUB", graph.like(x, -1), x)


@moves(ops.ReverseSequenceOp)
def reverse_sequence(op: ops.ReverseSequenceOp, graph: LiteGraph, x: LiteTensor, lengths: LiteTensor) -> LiteTensor:
    axes = {"seqDim": op.axis.value.data, "batchDim": op.batch.value.data}
    return graph.node("REVERSE_SEQUENCE", [x, lengths], x.shape, None, **axes)
