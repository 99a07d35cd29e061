"""Ops whose sizes and positions are numbers of the run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .....dialects.never_negative import is_never_negative
from .....dialects.npu import dynamic as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports, moves
from .binary import is_a_size


@exports(ops.ShapeOfOp)
def shape_of_value(op: ops.ShapeOfOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """SHAPE, and a part of it, or a GATHER if the axes are in another order."""
    axes, rank = op.axes.get_values(), len(x.shape)
    whole = graph.node("SHAPE", [x], (rank,), LiteElement.I64, outType=int(LiteElement.I64))
    if axes == tuple(range(axes[0], axes[0] + len(axes))):
        return graph.slice(whole, [axes[0]], [len(axes)])
    return graph.node("GATHER", [whole, graph.ints(*axes)], (len(axes),), axis=0, batchDims=0)


@moves(ops.DynamicSliceOp)
def dynamic_slice(
    op: ops.DynamicSliceOp,
    graph: LiteGraph,
    x: LiteTensor,
    starts: LiteTensor,
    limits: LiteTensor,
    steps: LiteTensor | None,
) -> LiteTensor:
    """SLICE from the start on, or STRIDED_SLICE."""
    if steps is not None:
        raise NotExportable(f"'{op.name}' with steps has no counterpart in LiteRT")
    axes, rank, known = op.axes.get_values(), len(x.shape), graph.known(starts)
    if known is not None and not known.any() and is_never_negative(op.limits):
        return _first(graph, x, _in_32_bits(graph, limits), axes, shape_of(op.result))
    bounds = [_by_axis(graph, _in_32_bits(graph, each), axes, rank, 0) for each in (starts, limits)]
    whole = sum(1 << axis for axis in range(rank) if axis not in axes)
    masks: dict[str, Any] = {
        "beginMask": whole,
        "endMask": whole,
        "ellipsisMask": 0,
        "newAxisMask": 0,
        "shrinkAxisMask": 0,
    }
    return graph.node("STRIDED_SLICE", [x, *bounds, graph.ints(*[1] * rank)], shape_of(op.result), **masks)


def _in_32_bits(graph: LiteGraph, bounds: LiteTensor) -> LiteTensor:
    """Bounds in i32; those that do not fit are behind one of the ends, as the least and the largest number are."""
    known, limits = graph.known(bounds), np.iinfo(np.int32)
    if known is not None:
        return graph.numbers(np.clip(known, limits.min, limits.max), LiteElement.I32)
    if bounds.element == LiteElement.I64 and not is_a_size(bounds):
        bounds = graph.binary("MAXIMUM", bounds, graph.like(bounds, limits.min))
        bounds = graph.binary("MINIMUM", bounds, graph.like(bounds, limits.max))
    return graph.cast(bounds, LiteElement.I32)


def _first(
    graph: LiteGraph, x: LiteTensor, counts: LiteTensor, places: Sequence[int], shape: tuple[int, ...]
) -> LiteTensor:
    """So many of the first elements along some axes, or all if there are fewer."""
    sizes = [graph.ints(-1 if size == DYNAMIC else size) for size in x.shape]
    for index, axis in enumerate(places):
        sizes[axis] = graph.binary("MINIMUM", graph.slice(counts, [index], [1]), graph.size(x, axis))
    return graph.node("SLICE", [x, graph.ints(*[0] * len(x.shape)), graph.concat(sizes, 0)], shape)


def _by_axis(graph: LiteGraph, numbers: LiteTensor, places: Sequence[int], rank: int, neutral: int) -> LiteTensor:
    """One number in i32 for each axis; a neutral one for those that are not named."""
    if tuple(places) == tuple(range(rank)):
        return numbers
    if len(places) == rank:
        picked = graph.ints(*(places.index(axis) for axis in range(rank)))
        return graph.node("GATHER", [numbers, picked], (rank,), axis=0, batchDims=0)
    other = graph.ints(neutral)
    parts = [graph.slice(numbers, [places.index(axis)], [1]) if axis in places else other for axis in range(rank)]
    return graph.concat(parts, 0)


@moves(ops.DynamicTileOp)
def dynamic_tile(op: ops.DynamicTileOp, graph: LiteGraph, x: LiteTensor, repeats: LiteTensor) -> LiteTensor:
    counts = _by_axis(graph, graph.cast(repeats, LiteElement.I32), op.axes.get_values(), len(x.shape), 1)
    return graph.node("TILE", [x, counts], shape_of(op.result))
