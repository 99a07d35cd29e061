"""Ops whose sizes and positions are numbers of the run."""

from collections.abc import Sequence

import numpy as np

from ...dialects.npu import dynamic as ops
from ...dialects.npu.values import shape_of
from ...layout import DYNAMIC
from ..elements import Array
from ..errors import InterpreterError
from ..registry import meaning


def of_type(op: ops.ListedOp, found: Array) -> Array:
    """The result, which has the sizes that its type states."""
    if any(size not in (DYNAMIC, actual) for size, actual in zip(shape_of(op.result), found.shape, strict=True)):
        raise InterpreterError(f"'{op.name}': the numbers lead to shape {found.shape}, not to that of the result")
    return found


@meaning(ops.ShapeOfOp)
def shape_of_value(op: ops.ShapeOfOp, x: Array) -> Array:
    return np.array([x.shape[axis] for axis in op.axes.get_values()], np.int64)


@meaning(ops.DynamicSliceOp)
def dynamic_slice(op: ops.DynamicSliceOp, x: Array, starts: Array, limits: Array) -> Array:
    taken = [slice(None)] * x.ndim
    steps = op.steps.get_values() if op.steps else (1,) * x.ndim
    for axis, start, limit in zip(op.axes.get_values(), starts.tolist(), limits.tolist(), strict=True):
        taken[axis] = slice(start, limit, steps[axis])
    return of_type(op, x[tuple(taken)])


@meaning(ops.DynamicPadOp)
def dynamic_pad(op: ops.DynamicPadOp, x: Array, pads: Array) -> Array:
    axes = op.axes.get_values()
    for axis, low, high in zip(axes, pads.tolist()[: len(axes)], pads.tolist()[len(axes) :], strict=True):
        x = _padded(op, x, axis, low, high)
    return of_type(op, x)


def _padded(op: ops.DynamicPadOp, x: Array, axis: int, low: int, high: int) -> Array:
    size, mode = x.shape[axis], op.mode.data
    if size + low + high < 0:
        raise InterpreterError(f"'{op.name}': axis {axis} has less than {-low - high} elements")
    if mode == "constant":
        # What is cut off may be more than there was: it is then cut from what is added at the other end.
        places = np.arange(-low, size + high)
        return _constant(x, axis, places, np.asarray(op.value.value.data).astype(x.dtype))
    left = np.take(x, np.arange(max(-low, 0), size - max(-high, 0)), axis)
    widths = [(0, 0)] * x.ndim
    widths[axis] = max(low, 0), max(high, 0)
    least = max(widths[axis]) + 1 if mode == "reflect" else int(any(widths[axis]))
    if left.shape[axis] < least:
        raise InterpreterError(f"'{op.name}': axis {axis} has too few elements for pads of {low} and {high}")
    return np.pad(left, widths, "edge" if mode == "edge" else "reflect")


def _constant(x: Array, axis: int, places: Array, fill: Array) -> Array:
    """The elements at some places along an axis, or the fill where there is none."""
    size = x.shape[axis]
    shape: Sequence[int] = (*x.shape[:axis], len(places), *x.shape[axis + 1 :])
    result = np.full(shape, fill, x.dtype)
    inside = (places >= 0) & (places < size)
    target = (slice(None),) * axis + (np.flatnonzero(inside),)
    result[target] = np.take(x, places[inside], axis)
    return result


@meaning(ops.DynamicTileOp)
def dynamic_tile(op: ops.DynamicTileOp, x: Array, repeats: Array) -> Array:
    counts = [1] * x.ndim
    for axis, count in zip(op.axes.get_values(), repeats.tolist(), strict=True):
        if count < 0:
            raise InterpreterError(f"'{op.name}': {count} repeats of axis {axis}")
        counts[axis] = count
    return of_type(op, np.tile(x, counts))
