"""Reshapes, broadcasts, transposes and relabels."""

from collections.abc import Sequence

from .....dialects.npu import shape as ops
from .....dialects.npu.attrs import OperandDim
from .....dialects.npu.values import Shape, shape_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..graph import LiteGraph, LiteTensor
from ..registry import exports, moves


@moves(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    shape = shape_of(op.result)
    if op.dims is None or shape.count(DYNAMIC) < 2:
        return graph.reshape(x, shape)
    places = [dim.position if isinstance(dim, OperandDim) else None for dim in op.dims.data]
    if x.shape == shape and all(size != DYNAMIC or places[axis] == axis for axis, size in enumerate(shape)):
        return x
    if (kept := _kept_axes(x.shape, shape, places)) is not None:
        added = [axis for axis, place in enumerate(kept) if place is None]
        dropped = sorted({*range(len(x.shape))} - {*kept})
        if len(added) == 1 and not dropped:
            return graph.node("EXPAND_DIMS", [x, graph.ints(*added)], shape)
        if dropped and not added:
            return graph.node("SQUEEZE", [x], shape, squeezeDims=dropped)
    sizes = graph.shape_of(x)
    parts = [
        graph.sizes(shape[start:end]) if place is None else graph.part(sizes, place, place + end - start)
        for start, end in _runs(x.shape, shape, places)
        for place in [places[start]]
    ]
    return graph.node("RESHAPE", [x, graph.concat(parts, 0)], shape)


def _kept_axes(given: Shape, shape: Shape, places: Sequence[int | None]) -> list[int | None] | None:
    """The axis of the operand for each axis of the result, None for a new one of size 1; None if that is not all."""
    kept: list[int | None] = []
    end = 0
    for place, size in zip(places, shape, strict=True):
        if place is None and end < len(given) and given[end] == size:
            place = end
        elif place is None and size != 1:
            return None
        if place is not None and place < end:
            return None
        kept.append(place)
        end = end if place is None else place + 1
    return kept if all(given[axis] == 1 for axis in {*range(len(given))} - {*kept}) else None


def _runs(given: Shape, shape: Shape, places: Sequence[int | None]) -> list[tuple[int, int]]:
    """The axes of the result in runs of numbers, and of sizes of neighbours in the operand."""
    runs: list[tuple[int, int]] = []
    for axis, place in enumerate(places):
        start = runs[-1][0] if runs else axis
        first = places[start]
        following = None if first is None else first + axis - start
        has_its_size = following is not None and following < len(given) and given[following] == shape[axis] != DYNAMIC
        if runs and (place == following or (place is None and has_its_size)):
            runs[-1] = start, axis + 1
        else:
            runs.append((axis, axis + 1))
    return runs


@exports(ops.BroadcastOp)
def broadcast(op: ops.BroadcastOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    axes, sizes = op.axes.get_values(), shape_of(op.result)
    if DYNAMIC in sizes:
        raise NotExportable(f"'{op.name}' to an unknown size")
    ranks = sorted(axes)
    ordered = graph.transpose(x, invert(tuple(ranks.index(axis) for axis in axes)))
    own = iter(ordered.shape)
    wide = graph.reshape(ordered, tuple(next(own) if axis in axes else 1 for axis in range(len(sizes))))
    return wide if wide.shape == sizes else graph.node("BROADCAST_TO", [wide, graph.ints(*sizes)], sizes)


@moves(ops.TransposeOp)
def transpose(op: ops.TransposeOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """Two in a row stay two: a target may want them so."""
    permutation = op.moved()
    is_second = isinstance(op.input.owner, ops.TransposeOp)
    return graph.new_transpose(x, permutation) if is_second else graph.transpose(x, permutation)


@moves(ops.Nchw2NhwcOp, ops.Nhwc2NchwOp)
def fixed_transpose(op: ops.FixedTransposeOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.transpose(x, op.PERMUTATION)


@moves(ops.RelabelOp)
def relabel(op: ops.RelabelOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """The operand, because LiteRT has no layouts."""
    return x
