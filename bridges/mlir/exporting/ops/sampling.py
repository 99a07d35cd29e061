"""Ops that read a feature map at places, which MLIR's dialects lack."""

from .....dialects.npu import sampling as ops
from .....dialects.npu.base import NpuOp
from ...errors import NotLowerable
from ..registry import lowers
from ..tensors import Tensor


@lowers(ops.GridSampleOp, ops.RoiAlignOp, ops.DeformConvOp)
def refused(op: NpuOp, *_: Tensor) -> Tensor:
    raise NotLowerable(f"'{op.name}' has no counterpart in MLIR")
