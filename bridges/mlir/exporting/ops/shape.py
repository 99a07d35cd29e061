"""Reshapes, broadcasts, transposes and relabels."""

from .....dialects.npu import shape as ops
from .....dialects.npu.values import shape_of
from .. import arrange
from ..registry import lowers
from ..tensors import Tensor


@lowers(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, x: Tensor) -> Tensor:
    """A reshape of the stored elements, which keep their order."""
    return arrange.reshape(x, shape_of(op.result))


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
