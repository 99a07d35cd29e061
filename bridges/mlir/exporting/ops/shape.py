"""Reshapes, broadcasts, transposes and relabels."""

from .....dialects.npu import shape as ops
from .....dialects.npu.attrs import OperandDim
from .....dialects.npu.values import shape_of, shapes_agree
from .....layout import DYNAMIC
from .. import arrange
from ..registry import lowers
from ..tensors import Tensor


@lowers(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, x: Tensor) -> Tensor:
    """A reshape of the stored elements, which keep their order; one that only forgets sizes is a cast of the type."""
    return x if _keeps_sizes(op) else arrange.reshape(x, shape_of(op.result))


def _keeps_sizes(op: ops.ReshapeOp) -> bool:
    """True if each axis stays, and at most one of them is not known to, whose size follows from the others."""
    given, sizes = shape_of(op.input), shape_of(op.result)
    if op.dims is None or not shapes_agree(given, sizes):
        return False
    pairs = zip(given, sizes, strict=True)
    kept = [
        before == size != DYNAMIC or op.dims.data[axis] == OperandDim(axis) for axis, (before, size) in enumerate(pairs)
    ]
    return kept.count(False) <= 1


@lowers(ops.BroadcastOp)
def broadcast(op: ops.BroadcastOp, x: Tensor) -> Tensor:
    axes, shape = op.axes.get_values(), shape_of(op.result)
    ordered = arrange.transpose(x, sorted(range(x.rank), key=axes.__getitem__))
    missing = [axis for axis in range(len(shape)) if axis not in axes]
    return arrange.broadcast(arrange.with_axes(ordered, missing), shape)


@lowers(ops.TransposeOp)
def transpose(op: ops.TransposeOp, x: Tensor) -> Tensor:
    return arrange.transpose(x, op.permutation.get_values())


@lowers(ops.Nchw2NhwcOp, ops.Nhwc2NchwOp)
def fixed_transpose(op: ops.FixedTransposeOp, x: Tensor) -> Tensor:
    return arrange.transpose(x, op.PERMUTATION)


@lowers(ops.RelabelOp)
def relabel(op: ops.RelabelOp, x: Tensor) -> Tensor:
    return x
