"""Ops that change the shape, the order or the layout of a tensor but none of its numbers."""

from math import prod

import numpy as np

from ...dialects.npu import shape as ops
from ...dialects.npu.attrs import OperandDim
from ...dialects.npu.values import order_of_value, shape_of
from ...layout import DYNAMIC, unpermute
from ..elements import Array
from ..errors import InterpreterError
from ..registry import meaning
from ..storage import to_logical, to_stored


@meaning(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, x: Array) -> Array:
    order = order_of_value(op.result)
    logical = to_logical(x, order_of_value(op.input)).reshape(unpermute(_result_sizes(op, x), order))
    return to_stored(logical, order)


def _result_sizes(op: ops.ReshapeOp, x: Array) -> tuple[int, ...]:
    """The physical shape of the result; one open size follows from the number of elements."""
    sizes = list(shape_of(op.result))
    for axis, dim in enumerate(op.dims.data if op.dims else ()):
        if isinstance(dim, OperandDim):
            sizes[axis] = x.shape[dim.position]
    unknown = [axis for axis, size in enumerate(sizes) if size == DYNAMIC]
    known = prod(size for size in sizes if size != DYNAMIC)
    if len(unknown) == 1 and known:
        sizes[unknown[0]] = x.size // known
    elif unknown:
        raise InterpreterError(f"'{op.name}': the sizes {unknown} of the result are unknown")
    if prod(sizes) != x.size:
        raise InterpreterError(f"'{op.name}': {x.size} elements do not fit shape {sizes}")
    return tuple(sizes)


@meaning(ops.BroadcastOp)
def broadcast(op: ops.BroadcastOp, x: Array) -> Array:
    sizes = list(shape_of(op.result))
    axes = op.axes.get_values()
    for axis, found, size in zip(axes, x.shape, shape_of(op.input), strict=True):
        if sizes[axis] == DYNAMIC and size != 1:
            sizes[axis] = found
    if DYNAMIC in sizes:
        raise InterpreterError(f"'{op.name}': the size {sizes.index(DYNAMIC)} of the result is unknown")
    missing = [axis for axis in range(len(sizes)) if axis not in axes]
    return np.broadcast_to(np.expand_dims(np.transpose(x, np.argsort(axes)), missing), sizes)


@meaning(ops.TransposeOp)
def transpose(op: ops.TransposeOp, x: Array) -> Array:
    return np.transpose(x, op.permutation.get_values())


@meaning(ops.Nchw2NhwcOp, ops.Nhwc2NchwOp)
def fixed_transpose(op: ops.FixedTransposeOp, x: Array) -> Array:
    return np.transpose(x, op.PERMUTATION)


@meaning(ops.RelabelOp)
def relabel(op: ops.RelabelOp, x: Array) -> Array:
    return x
