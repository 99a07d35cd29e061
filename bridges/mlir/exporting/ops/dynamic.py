"""Ops whose sizes and positions are numbers of the run: only sizes that are known have a counterpart."""

from .....dialects.npu import dynamic as ops
from .....dialects.npu.base import NpuOp
from ...errors import NotLowerable
from ..elements import I64
from ..registry import lowers
from ..tensors import Tensor, numbers


@lowers(ops.ShapeOfOp)
def shape_of_value(op: ops.ShapeOfOp, x: Tensor) -> Tensor:
    return numbers([x.shape[axis] for axis in op.axes.get_values()], I64)


@lowers(
    ops.DynamicSliceOp,
    ops.DynamicPadOp,
    ops.DynamicSplitOp,
    ops.DynamicTileOp,
    ops.DynamicResizeOp,
    ops.DynamicInterpolateOp,
)
def refused(op: NpuOp, *_: Tensor) -> Tensor:
    raise NotLowerable(f"'{op.name}' has sizes that are known at run time only")
