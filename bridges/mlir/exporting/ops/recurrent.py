"""Recurrent ops, which MLIR's dialects lack."""

from .....dialects.npu import recurrent as ops
from .....dialects.npu.base import NpuOp
from ...errors import NotLowerable
from ..registry import lowers
from ..tensors import Tensor


@lowers(ops.RnnOp, ops.GruOp, ops.LstmOp)
def refused(op: NpuOp, *_: Tensor | None) -> Tensor:
    raise NotLowerable(f"'{op.name}' has no counterpart in MLIR")
