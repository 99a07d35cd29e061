"""Ops whose sizes and positions are numbers of the run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .....dialects.notes.node_kinds import was
from .....dialects.npu import dynamic as ops
from .....dialects.npu.binary import AddOp, MaxOp
from .....dialects.npu.never_negative import is_never_negative
from .....dialects.npu.source import written_integers
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC, invert, permute
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import MOST_PADDED_AXES, LiteGraph, LiteTensor
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
    axes, rank, known = op.axes.get_values(), len(x.shape), graph.known(starts)
    by = None if steps is None else graph.known(steps)
    if steps is not None and (by is None or min(by) < 1):
        raise NotExportable(f"'{op.name}' backward, or by computed steps, has no counterpart in LiteRT")
    if was(op, "SLICE") and (sizes := _counted(op, limits)) is not None and axes == tuple(range(rank)):
        return graph.node("SLICE", [x, starts, sizes], shape_of(op.result))
    if by is None and known is not None and not known.any() and is_never_negative(op.limits):
        return _first(graph, x, _in_32_bits(graph, limits), axes, shape_of(op.result))
    bounds = [_positions(graph, _in_32_bits(graph, each), axes, rank) for each in (starts, limits)]
    strides = graph.ints(*[1] * rank) if steps is None else _by_axis(graph, _in_32_bits(graph, steps), axes, rank, 1)
    whole = sum(1 << axis for axis in range(rank) if axis not in axes)
    masks: dict[str, Any] = {
        "beginMask": whole,
        "endMask": whole,
        "ellipsisMask": 0,
        "newAxisMask": 0,
        "shrinkAxisMask": 0,
    }
    return graph.node("STRIDED_SLICE", [x, *bounds, strides], shape_of(op.result), **masks)


def _counted(op: ops.DynamicSliceOp, limits: LiteTensor) -> LiteTensor | None:
    """The numbers of elements that were added to the starts, with -1 for all that follow; None if there are none."""
    added, node = op.limits.owner, limits.node
    if isinstance(added, MaxOp):
        ends, added = written_integers(added.rhs), added.lhs.owner
        counts = written_integers(added.rhs) if isinstance(added, AddOp) else None
        least, most = np.iinfo(np.int32).min, np.iinfo(np.int32).max
        if counts is None or min(counts) < -1 or ends != [most if each == -1 else least for each in counts]:
            return None
        node = None if node is None or node.kind != "MAXIMUM" or node.inputs[0] is None else node.inputs[0].node
    elif not isinstance(added, AddOp) or not is_never_negative(added.rhs):
        return None
    is_sum = isinstance(added, AddOp) and added.lhs is op.starts and node is not None and node.kind == "ADD"
    return node.inputs[1] if is_sum and node is not None else None


def _positions(graph: LiteGraph, numbers: LiteTensor, axes: Sequence[int], rank: int) -> LiteTensor:
    """One number for each axis; those for axes that are taken whole may be any, as masks cover them."""
    picked = numbers.node
    if picked is not None and picked.kind == "GATHER" and (source := picked.inputs[0]) is not None:
        places = None if picked.inputs[1] is None else graph.known(picked.inputs[1])
        if source.shape == (rank,) and places is not None and places.tolist() == list(axes):
            return source
    return _by_axis(graph, numbers, axes, rank, 0)


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
    """One number for each axis; a neutral one for those that are not named."""
    if tuple(places) == tuple(range(rank)):
        return numbers
    if (known := graph.known(numbers)) is not None:
        whole = [int(known[places.index(axis)]) if axis in places else neutral for axis in range(rank)]
        return graph.numbers(whole, numbers.element)
    if len(places) == rank:
        picked = graph.ints(*(places.index(axis) for axis in range(rank)))
        return graph.node("GATHER", [numbers, picked], (rank,), axis=0, batchDims=0)
    other = graph.numbers([neutral], numbers.element)
    parts = [graph.slice(numbers, [places.index(axis)], [1]) if axis in places else other for axis in range(rank)]
    return graph.concat(parts, 0)


@moves(ops.DynamicTileOp)
def dynamic_tile(op: ops.DynamicTileOp, graph: LiteGraph, x: LiteTensor, repeats: LiteTensor) -> LiteTensor:
    counts = _by_axis(graph, graph.cast(repeats, LiteElement.I32), op.axes.get_values(), len(x.shape), 1)
    return graph.node("TILE", [x, counts], shape_of(op.result))


@moves(ops.DynamicSplitOp)
def dynamic_split(
    op: ops.DynamicSplitOp, graph: LiteGraph, x: LiteTensor, sizes: LiteTensor | None
) -> tuple[LiteTensor, ...]:
    """A SPLIT_V, unless the parts are equal; LiteRT's SPLIT has no smaller last part."""
    place, count = op.axis.value.data, op.parts.value.data
    shapes = [shape_of(part) for part in op.outputs]
    if op.equal is not None:
        return graph.split_node("SPLIT", [graph.numbers(place, LiteElement.I32), x], shapes, numSplits=count)
    if sizes is None:
        whole = graph.slice(graph.shape_of(x), [place], [1])
        up = graph.binary("ADD", whole, graph.like(whole, count - 1))
        each = graph.binary("DIV", up, graph.like(whole, count))
        rest = graph.binary("SUB", whole, graph.binary("MUL", each, graph.like(whole, count - 1)))
        sizes = graph.concat([*[each] * (count - 1), rest], 0)
    inputs = [x, graph.cast(sizes, LiteElement.I32), graph.numbers(place, LiteElement.I32)]
    return graph.split_node("SPLIT_V", inputs, shapes, numSplits=count)


@moves(ops.DynamicPadOp)
def dynamic_pad(
    op: ops.DynamicPadOp, graph: LiteGraph, x: LiteTensor, pads: LiteTensor, fill: LiteTensor | None
) -> LiteTensor:
    """PAD, PADV2 or MIRROR_PAD, and a slice if there is less instead of more; edges are gathered along each axis."""
    axes, rank, mode = op.axes.get_values(), len(x.shape), op.mode.data
    if rank > MOST_PADDED_AXES:
        raise NotExportable(f"LiteRT's PAD does not take {rank} axes at run time")
    result, are_added = shape_of(op.result), any(was(op, kind) for kind in PADS) or is_never_negative(op.pads)
    numbers = pads if are_added else _in_32_bits(graph, pads)
    if mode == "edge":
        return _with_edges(graph, x, _in_32_bits(graph, pads), axes, result)
    widths = _widths(graph, numbers, axes, rank)
    if are_added:
        return _padded(op, graph, x, widths, fill, result)
    more, less = (graph.binary(kind, widths, graph.like(widths, 0)) for kind in ("MAXIMUM", "MINIMUM"))
    cut = graph.unary("NEG", less)
    between = tuple(DYNAMIC if axis in axes else size for axis, size in enumerate(x.shape))
    if mode == "constant":
        return _without_ends(graph, _padded(op, graph, x, more, fill, between), cut, result)
    return _padded(op, graph, _without_ends(graph, x, cut, between), more, fill, result)


PADS = ("PAD", "PADV2", "MIRROR_PAD")
"""The kinds that fail for negative numbers."""


def _widths(graph: LiteGraph, pads: LiteTensor, axes: Sequence[int], rank: int) -> LiteTensor:
    """The numbers of elements in front of each axis and behind it, as pairs."""
    count = len(axes)
    columns = graph.reshape(pads, (2, count))
    if tuple(axes) != tuple(range(rank)):
        halves = [graph.slice(pads, [start], [count]) for start in (0, count)]
        columns = graph.concat([graph.reshape(_by_axis(graph, each, axes, rank, 0), (1, rank)) for each in halves], 0)
    return graph.transpose(columns, (1, 0))


def _padded(
    op: ops.DynamicPadOp,
    graph: LiteGraph,
    x: LiteTensor,
    widths: LiteTensor,
    fill: LiteTensor | None,
    shape: tuple[int, ...],
) -> LiteTensor:
    if op.mode.data == "reflect":
        return graph.node("MIRROR_PAD", [x, widths], shape, mode=0)
    if fill is not None:
        return graph.node("PADV2", [x, widths, graph.reshape(fill, ())], shape)
    return graph.padded(x, widths, shape, op.value.value.data)


def _without_ends(graph: LiteGraph, x: LiteTensor, cut: LiteTensor, shape: tuple[int, ...]) -> LiteTensor:
    """The elements of each axis without so many in front and so many behind."""
    rank = len(x.shape)
    low, high = (graph.reshape(graph.slice(cut, [0, end], [rank, 1]), (rank,)) for end in (0, 1))
    left = graph.binary("SUB", graph.binary("SUB", graph.shape_of(x), low), high)
    return graph.node("SLICE", [x, low, left], shape)


def _element(graph: LiteGraph, vector: LiteTensor, place: int) -> LiteTensor:
    return graph.reshape(graph.slice(vector, [place], [1]), ())


def _counted_up(graph: LiteGraph, start: LiteTensor, limit: LiteTensor) -> LiteTensor:
    return graph.node("RANGE", [start, limit, graph.like(start, 1)], (DYNAMIC,), start.element)


def _on_axis(graph: LiteGraph, places: LiteTensor, size: LiteTensor) -> LiteTensor:
    """Places of which those behind either end are those of the last element there."""
    last = graph.binary("SUB", size, graph.like(size, 1))
    return graph.binary("MINIMUM", graph.binary("MAXIMUM", places, graph.like(places, 0)), last)


def _gathered(graph: LiteGraph, x: LiteTensor, places: LiteTensor, axis: int, size: int) -> LiteTensor:
    shape = (*x.shape[:axis], size, *x.shape[axis + 1 :])
    return graph.node("GATHER", [x, places], shape, axis=axis, batchDims=0)


def _with_edges(
    graph: LiteGraph, x: LiteTensor, pads: LiteTensor, axes: Sequence[int], shape: Sequence[int]
) -> LiteTensor:
    for place, axis in enumerate(axes):
        low, high = (_element(graph, pads, index) for index in (place, place + len(axes)))
        size = graph.size(x, axis)
        places = _counted_up(graph, graph.unary("NEG", low), graph.binary("ADD", size, high))
        x = _gathered(graph, x, _on_axis(graph, places, size), axis, shape[axis])
    return x


@moves(ops.DynamicResizeOp)
def dynamic_resize(
    op: ops.DynamicResizeOp, graph: LiteGraph, x: LiteTensor, numbers: LiteTensor, roi: LiteTensor | None
) -> LiteTensor:
    """RESIZE_NEAREST_NEIGHBOR for its own positions, else a GATHER along each axis of places that are computed."""
    axes, coordinates, shape = op.axes.get_values(), op.coordinates.data, shape_of(op.result)
    if roi is not None:
        raise NotExportable(f"'{op.name}' of a region has no counterpart in LiteRT")
    if coordinates in op.LITE_COORDINATES:
        return _resized_image(op, graph, x, numbers)
    befores = [graph.size(x, axis) for axis in axes]
    each = [_element(graph, numbers, place) for place in range(len(axes))]
    pairs = [_size_and_scale(graph, *pair) for pair in zip(each, befores, strict=True)]
    alike = [graph.binary("EQUAL", size, before, LiteElement.BOOL) for (size, _), before in zip(pairs, befores)]
    is_same = alike[0]
    for other in alike[1:]:
        is_same = graph.binary("LOGICAL_AND", is_same, other, LiteElement.BOOL)
    for axis, before, (size, scale) in zip(axes, befores, pairs, strict=True):
        counted = _counted_up(graph, graph.like(size, 0), size)
        places = _origins(graph, coordinates, counted, before, size, scale)
        rounded = _on_axis(graph, graph.cast(_rounded(graph, op.rounding.data, places), LiteElement.I32), before)
        chosen = graph.node("SELECT_V2", [is_same, counted, rounded], (DYNAMIC,), LiteElement.I32)
        x = _gathered(graph, x, chosen, axis, shape[axis])
    return x


def _size_and_scale(graph: LiteGraph, number: LiteTensor, before: LiteTensor) -> tuple[LiteTensor, LiteTensor]:
    given = graph.cast(before, LiteElement.F32)
    if number.element.is_float:
        scale = graph.cast(number, LiteElement.F32)
        return graph.cast(graph.binary("MUL", given, scale), LiteElement.I32), scale
    size = graph.cast(number, LiteElement.I32)
    return size, graph.binary("DIV", graph.cast(size, LiteElement.F32), given)


def _origins(
    graph: LiteGraph, coordinates: str, counted: LiteTensor, before: LiteTensor, size: LiteTensor, scale: LiteTensor
) -> LiteTensor:
    """The positions in the input of those of the result, in f32 as ONNX Runtime computes them."""
    r, old, new = (graph.cast(each, LiteElement.F32) for each in (counted, before, size))
    one, half = graph.like(r, 1.0), graph.like(r, 0.5)
    if coordinates == "asymmetric":
        return graph.binary("DIV", r, scale)
    if coordinates == "align_corners":
        last, others = graph.binary("SUB", old, one), graph.binary("MAXIMUM", graph.binary("SUB", new, one), one)
        return graph.binary("DIV", graph.binary("MUL", r, last), others)
    centre = graph.binary("DIV", graph.binary("ADD", r, half), scale)
    if coordinates == "tf_half_pixel_for_nn":
        return centre
    if coordinates == "half_pixel_symmetric":
        ratio = graph.binary("DIV", new, graph.binary("MUL", scale, old))
        moved = graph.binary("MUL", graph.binary("MUL", old, half), graph.binary("SUB", one, ratio))
        return graph.binary("SUB", graph.binary("ADD", moved, centre), half)
    position = graph.binary("SUB", centre, half)
    if coordinates == "half_pixel":
        return position
    several = graph.binary("NOT_EQUAL", size, graph.like(size, 1), LiteElement.BOOL)
    return graph.binary("MUL", position, graph.cast(several, LiteElement.F32))


def _rounded(graph: LiteGraph, rounding: str, places: LiteTensor) -> LiteTensor:
    half = graph.like(places, 0.5)
    match rounding:
        case "floor":
            return graph.unary("FLOOR", places)
        case "ceil":
            return graph.unary("CEIL", places)
        case "round_prefer_ceil":
            below = graph.unary("FLOOR", places)
            is_up = graph.binary("GREATER_EQUAL", graph.binary("SUB", places, below), half, LiteElement.BOOL)
            return graph.binary("ADD", below, graph.cast(is_up, LiteElement.F32))
        case _:
            return graph.unary("CEIL", graph.binary("SUB", places, half))


def _resized_image(op: ops.DynamicResizeOp, graph: LiteGraph, x: LiteTensor, sizes: LiteTensor) -> LiteTensor:
    axes, coordinates, shape = op.axes.get_values(), op.coordinates.data, shape_of(op.result)
    is_aligned = coordinates == "lite_align_corners"
    if len(axes) != 2 or len(shape) != 4 or (op.rounding.data == "floor") == is_aligned:
        raise NotExportable(f"'{op.name}' with '{coordinates}' has no counterpart in LiteRT but for images")
    outer, inner = (axis for axis in range(4) if axis not in axes)
    order = (outer, *axes, inner)
    flags: dict[str, Any] = {"alignCorners": is_aligned, "halfPixelCenters": coordinates == "lite_half_pixel"}
    given = [graph.transpose(x, order), _in_32_bits(graph, sizes)]
    return graph.transpose(graph.node("RESIZE_NEAREST_NEIGHBOR", given, permute(shape, order), **flags), invert(order))
