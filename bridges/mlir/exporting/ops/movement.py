"""Data movement."""

from itertools import accumulate

from .....dialects.npu import movement as ops
from .....dialects.npu.values import shape_of
from .. import arrange
from ..arithmetic import converted
from ..elements import I64
from ..loops import take
from ..registry import lowers
from ..tensors import Tensor, numbers


@lowers(ops.ConcatOp)
def concat(op: ops.ConcatOp, inputs: tuple[Tensor, ...]) -> Tensor:
    return arrange.concat(inputs, op.axis.value.data)


@lowers(ops.SplitOp)
def split(op: ops.SplitOp, x: Tensor) -> tuple[Tensor, ...]:
    axis, sizes = op.axis.value.data, op.sizes.get_values()
    pieces: list[Tensor] = []
    for end, size in zip(accumulate(sizes), sizes, strict=True):
        starts = [end - size if other == axis else 0 for other in range(x.rank)]
        shape = [size if other == axis else found for other, found in enumerate(x.shape)]
        pieces.append(arrange.slice_of(x, starts, shape) if size else arrange.empty(shape, x.element))
    return tuple(pieces)


@lowers(ops.PadOp)
def pad(op: ops.PadOp, x: Tensor) -> Tensor:
    low, high = op.low.get_values(), op.high.get_values()
    if op.mode.data == "constant":
        return arrange.pad(x, low, high, op.value.value.data)
    for axis, (before, behind) in enumerate(zip(low, high, strict=True)):
        if before or behind:
            x = _extended(x, axis, before, behind, op.mode.data)
    return x


def _extended(x: Tensor, axis: int, before: int, behind: int, mode: str) -> Tensor:
    """Pad an axis in another mode than `constant`."""
    last = x.shape[axis] - 1
    if mode == "edge":
        places = [0] * before + [*range(last + 1)] + [last] * behind
    else:
        places = [*range(last + 1)]
        # The element at the edge is repeated in mode `symmetric`.
        inner = places if mode == "symmetric" else places[1:], places if mode == "symmetric" else places[:-1]
        places = [*reversed(inner[0][:before]), *places, *reversed(inner[1][len(inner[1]) - behind :])]
    return take(x, numbers(places, I64), axis)


@lowers(ops.SliceOp)
def slice_of(op: ops.SliceOp, x: Tensor) -> Tensor:
    steps = op.steps.get_values() if op.steps else (1,) * x.rank
    asked = map(slice, op.starts.get_values(), op.limits.get_values(), steps)
    starts = [each.indices(size)[0] for each, size in zip(asked, x.shape, strict=True)]
    return arrange.slice_of(x, starts, shape_of(op.result), steps)


@lowers(ops.ReverseOp)
def reverse(op: ops.ReverseOp, x: Tensor) -> Tensor:
    return arrange.reverse(x, op.axes.get_values())


@lowers(ops.TileOp)
def tile(op: ops.TileOp, x: Tensor) -> Tensor:
    return arrange.tile(x, op.repeats.get_values())


@lowers(ops.GatherOp)
def gather(op: ops.GatherOp, x: Tensor, indices: Tensor) -> Tensor:
    return take(x, converted(indices, I64), op.axis.value.data)
