"""Ops on signals, which MLIR's dialects lack."""

from .....dialects.npu import signal as ops
from .....dialects.npu.base import NpuOp
from ...errors import NotLowerable
from ..registry import lowers
from ..tensors import Tensor


@lowers(ops.DftOp)
def refused(op: NpuOp, *_: Tensor) -> Tensor:
    raise NotLowerable(f"'{op.name}' has no counterpart in MLIR")
