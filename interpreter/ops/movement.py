"""Ops that move elements along axes named by physical positions."""

from itertools import accumulate

import numpy as np

from ...dialects.npu import movement as ops
from ..elements import Array
from ..errors import InterpreterError
from ..registry import meaning


@meaning(ops.ConcatOp)
def concat(op: ops.ConcatOp, inputs: tuple[Array, ...]) -> Array:
    return np.concatenate(inputs, op.axis.value.data)


@meaning(ops.SplitOp)
def split(op: ops.SplitOp, x: Array) -> tuple[Array, ...]:
    axis, ends = op.axis.value.data, list(accumulate(op.sizes.get_values()))
    if x.shape[axis] != ends[-1]:
        raise InterpreterError(f"'{op.name}': the sizes {op.sizes.get_values()} do not add up to {x.shape[axis]}")
    return tuple(np.split(x, ends[:-1], axis))


@meaning(ops.PadOp)
def pad(op: ops.PadOp, x: Array) -> Array:
    widths = list(zip(op.low.get_values(), op.high.get_values(), strict=True))
    match op.mode.data:
        case "constant":
            # Converted by way of an array: numpy does not convert a float to an integer here.
            return np.pad(x, widths, constant_values=np.asarray(op.value.value.data).astype(x.dtype))
        case "edge":
            return np.pad(x, widths, "edge")
        case mode:
            repeated = mode == "symmetric"
            for axis, width in enumerate(map(max, widths)):
                if width > max(x.shape[axis] - (not repeated), 0):
                    raise InterpreterError(f"'{op.name}': axis {axis} has too few elements to mirror {width} of them")
            return np.pad(x, widths, "symmetric" if repeated else "reflect")


@meaning(ops.SliceOp)
def slice_of(op: ops.SliceOp, x: Array) -> Array:
    steps = op.steps.get_values() if op.steps else (1,) * x.ndim
    return x[tuple(map(slice, op.starts.get_values(), op.limits.get_values(), steps))]


@meaning(ops.ReverseOp)
def reverse(op: ops.ReverseOp, x: Array) -> Array:
    return np.flip(x, op.axes.get_values())


@meaning(ops.TileOp)
def tile(op: ops.TileOp, x: Array) -> Array:
    return np.tile(x, op.repeats.get_values())


@meaning(ops.GatherOp)
def gather(op: ops.GatherOp, x: Array, indices: Array) -> Array:
    # An element of one axis is a number to numpy.
    return np.asarray(np.take(x, indices.astype(np.int64), op.axis.value.data))
