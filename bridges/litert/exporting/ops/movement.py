"""Data movement along physical axes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .....dialects.notes.node_kinds import was
from .....dialects.npu import movement as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..kernels import takes
from ..registry import exports, moves

MODES = {"reflect": 0, "symmetric": 1}
"""The modes of MIRROR_PAD."""
MOST_SLICED_AXES = 5
NO_SIZE = 1 << 31
"""No size is that large."""


@moves(ops.ConcatOp)
def concat(op: ops.ConcatOp, graph: LiteGraph, inputs: tuple[LiteTensor, ...]) -> LiteTensor:
    axis = op.axis.value.data
    if was(op, "PACK") and takes("PACK", inputs[0].element) and all(x.shape[axis] == 1 for x in inputs):
        parts = [graph.reshape(x, (*x.shape[:axis], *x.shape[axis + 1 :])) for x in inputs]
        return graph.node("PACK", parts, shape_of(op.result), valuesCount=len(parts), axis=axis)
    return graph.concat(inputs, axis)


@moves(ops.SplitOp)
def split(op: ops.SplitOp, graph: LiteGraph, x: LiteTensor) -> tuple[LiteTensor, ...]:
    sizes, shapes = op.sizes.get_values(), [shape_of(result) for result in op.results]
    place = op.axis.value.data
    if was(op, "UNPACK") and takes("UNPACK", x.element) and DYNAMIC not in x.shape and set(sizes) == {1}:
        short = (*x.shape[:place], *x.shape[place + 1 :])
        parts = graph.split_node("UNPACK", [x], [short] * len(sizes), x.element, num=len(sizes), axis=place)
        return tuple(graph.reshape(part, shape) for part, shape in zip(parts, shapes, strict=True))
    axis = graph.numbers(place, LiteElement.I32)
    if len(set(sizes)) == 1 and x.shape[place] != DYNAMIC:
        return graph.split_node("SPLIT", [axis, x], shapes, x.element, numSplits=len(sizes))
    return graph.split_node("SPLIT_V", [x, graph.ints(*sizes), axis], shapes, numSplits=len(sizes))


@exports(ops.PadOp)
def pad(op: ops.PadOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """PAD, PADV2 or MIRROR_PAD; the element at the edge is repeated by a GATHER for each padded axis."""
    low, high = op.low.get_values(), op.high.get_values()
    if op.mode.data == "constant":
        return graph.pad(x, low, high, op.value.value.data)
    if op.mode.data in MODES:
        if len(x.shape) > MOST_SLICED_AXES:
            raise NotExportable(f"LiteRT's MIRROR_PAD does not take {len(x.shape)} axes")
        widths = graph.numbers(np.stack([low, high], axis=1), LiteElement.I32)
        return graph.node("MIRROR_PAD", [x, widths], shape_of(op.result), mode=MODES[op.mode.data])
    for axis, (before, behind) in enumerate(zip(low, high, strict=True)):
        size = x.shape[axis]
        if not before and not behind:
            continue
        if size == DYNAMIC:
            raise NotExportable(f"'{op.name}' of an axis of unknown size")
        places = np.clip(np.arange(-before, size + behind), 0, size - 1)
        x = gathered(graph, x, graph.numbers(places, LiteElement.I32), axis)
    return x


def gathered(graph: LiteGraph, x: LiteTensor, indices: LiteTensor, axis: int) -> LiteTensor:
    """A GATHER."""
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    return graph.node("GATHER", [x, indices], shape, axis=axis, batchDims=0)


@moves(ops.SliceOp)
def slice_of(op: ops.SliceOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """SLICE, or STRIDED_SLICE if a step is not 1; axes that are taken whole are merged if there are many."""
    rank = len(x.shape)
    steps = op.steps.get_values() if op.steps else (1,) * rank
    bounds = list(zip(op.starts.get_values(), op.limits.get_values(), steps, x.shape, strict=True))
    if any(size == DYNAMIC and (start, limit, step) != (0, ops.END_OF_AXIS, 1) for start, limit, step, size in bounds):
        return _slice_of_unknown_sizes(op, graph, x, bounds)
    ranges = [range(*slice(start, limit, step).indices(max(size, 0))) for start, limit, step, size in bounds]
    if rank > MOST_SLICED_AXES:
        return _slice_of_fewer_axes(op, graph, x, ranges)
    return sliced(graph, x, ranges)


def _slice_of_unknown_sizes(
    op: ops.SliceOp, graph: LiteGraph, x: LiteTensor, bounds: Sequence[tuple[int, int, int, int]]
) -> LiteTensor:
    """SLICE counts from the beginning, to the end of an axis or as many elements as it takes."""
    result = shape_of(op.result)
    starts: list[int] = []
    sizes: list[int] = []
    for (start, limit, step, size), taken in zip(bounds, result, strict=True):
        first, *_ = (start,) if size == DYNAMIC else slice(start, limit, step).indices(size)
        is_counted = limit == ops.END_OF_AXIS or limit - start == taken
        if step != 1 or start < 0 or (size == DYNAMIC and not is_counted):
            return _strided_slice_of_unknown_sizes(op, graph, x, bounds)
        starts.append(first)
        sizes.append(-1 if size == DYNAMIC and limit == ops.END_OF_AXIS else taken)
    if len(starts) > MOST_SLICED_AXES:
        raise NotExportable(f"'{op.name}' of {len(starts)} axes, one of unknown size")
    return graph.node("SLICE", [x, graph.ints(*starts), graph.ints(*sizes)], result)


def _strided_slice_of_unknown_sizes(
    op: ops.SliceOp, graph: LiteGraph, x: LiteTensor, bounds: Sequence[tuple[int, int, int, int]]
) -> LiteTensor:
    """STRIDED_SLICE counts from either end of an axis, and takes what there is of it."""
    if len(bounds) > MOST_SLICED_AXES:
        raise NotExportable(f"'{op.name}' of {len(bounds)} axes, one of unknown size")
    ranges: list[tuple[int, int]] = []
    mask = 0
    for axis, (start, limit, step, size) in enumerate(bounds):
        if size != DYNAMIC:
            taken = range(*slice(start, limit, step).indices(size))
            start, limit = taken.start, max(taken.stop, 0)
        elif limit >= NO_SIZE:
            mask, limit = mask | 1 << axis, 0
        if not -NO_SIZE <= min(start, limit) <= max(start, limit) < NO_SIZE:
            raise NotExportable(f"'{op.name}' of an axis of unknown size, at places of more than 32 bits")
        ranges.append((start, limit))
    given = [*zip(*ranges, strict=True), [step for _, _, step, _ in bounds]]
    masks: dict[str, Any] = {"beginMask": 0, "endMask": mask, "ellipsisMask": 0, "newAxisMask": 0, "shrinkAxisMask": 0}
    return graph.node("STRIDED_SLICE", [x, *(graph.ints(*each) for each in given)], shape_of(op.result), **masks)


def _slice_of_fewer_axes(op: ops.SliceOp, graph: LiteGraph, x: LiteTensor, ranges: list[range]) -> LiteTensor:
    """A slice with neighbouring axes merged that are taken whole."""
    if DYNAMIC in x.shape:
        raise NotExportable(f"'{op.name}' of {len(x.shape)} axes, one of unknown size")
    sizes: list[int] = []
    merged: list[range] = []
    whole: list[bool] = []
    for size, taken in zip(x.shape, ranges, strict=True):
        is_whole = taken == range(size)
        if whole and whole[-1] and is_whole:
            sizes[-1] *= size
            merged[-1] = range(sizes[-1])
            continue
        sizes.append(size)
        merged.append(taken)
        whole.append(is_whole)
    if len(sizes) > MOST_SLICED_AXES:
        raise NotExportable(f"LiteRT does not slice {len(sizes)} axes")
    short = sliced(graph, graph.reshape(x, tuple(sizes)), merged)
    return graph.reshape(short, shape_of(op.result))


def sliced(graph: LiteGraph, x: LiteTensor, ranges: list[range]) -> LiteTensor:
    """The elements at these places of each axis; an axis of unknown size is taken whole."""
    shape = tuple(DYNAMIC if size == DYNAMIC else len(taken) for size, taken in zip(x.shape, ranges, strict=True))
    starts = [0 if size == DYNAMIC else taken.start for size, taken in zip(x.shape, ranges, strict=True)]
    if all(taken.step == 1 for taken in ranges):
        return graph.slice(x, starts, shape)
    steps = [1 if size == DYNAMIC else taken.step for size, taken in zip(x.shape, ranges, strict=True)]
    ends = [taken.start + len(taken) * taken.step for taken in ranges]
    # An end before the first element, or behind an axis of unknown size, is written as none.
    mask = sum(1 << axis for axis, end in enumerate(ends) if end < 0 or x.shape[axis] == DYNAMIC)
    given = [x, graph.ints(*starts), graph.ints(*(max(end, 0) for end in ends)), graph.ints(*steps)]
    masks: dict[str, Any] = {"beginMask": 0, "endMask": mask, "ellipsisMask": 0, "newAxisMask": 0, "shrinkAxisMask": 0}
    return graph.node("STRIDED_SLICE", given, shape, **masks)


@moves(ops.ReverseOp)
def reverse(op: ops.ReverseOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return reversed_along(graph, x, op.axes.get_values())


def reversed_along(graph: LiteGraph, x: LiteTensor, axes: tuple[int, ...] | list[int]) -> LiteTensor:
    """REVERSE_V2 for one run of axes after the other, as its kernel wants adjacent axes."""
    runs: list[list[int]] = []
    for axis in sorted(axes):
        if runs and axis == runs[-1][-1] + 1:
            runs[-1].append(axis)
        else:
            runs.append([axis])
    for run in runs:
        x = graph.node("REVERSE_V2", [x, graph.ints(*run)], x.shape)
    return x


@moves(ops.TileOp)
def tile(op: ops.TileOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.node("TILE", [x, graph.ints(*op.repeats.get_values())], shape_of(op.result))


@moves(ops.GatherOp)
def gather(op: ops.GatherOp, graph: LiteGraph, x: LiteTensor, indices: LiteTensor) -> LiteTensor:
    """GATHER, whose indices count from the start: constant ones are converted, others compared with 0.

    Those of a GATHER of a file are not negative.
    """
    axis = op.axis.value.data
    size, places = x.shape[axis], graph.known(indices)
    if places is not None and size != DYNAMIC:
        return gathered(graph, x, graph.numbers(np.where(places < 0, places + size, places), LiteElement.I32), axis)
    if indices.element not in (LiteElement.I32, LiteElement.I64):
        indices = graph.cast(indices, LiteElement.I32)
    if not was(op, "GATHER"):
        indices = from_start(graph, x, indices, axis)
    return gathered(graph, x, indices, axis)


def from_start(graph: LiteGraph, x: LiteTensor, indices: LiteTensor, axis: int) -> LiteTensor:
    """Indices along an axis without negative ones, which count from its end."""
    known = graph.known(indices)
    if known is not None and not (known < 0).any():
        return indices
    is_negative = graph.binary("LESS", indices, graph.like(indices, 0), LiteElement.BOOL)
    moved = graph.binary("ADD", indices, graph.size(x, axis, indices.element))
    return graph.elementwise("SELECT_V2", (is_negative, moved, indices), indices.element)
