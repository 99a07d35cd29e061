"""Conversions between layouts with blocks, and others."""

from .....dialects.npu import packing as ops
from ..blocks import to_logical, to_stored
from ..registry import lowers
from ..tensors import Tensor


@lowers(ops.PackOp, ops.UnpackOp)
def packing(op: ops.PackingOp, x: Tensor) -> Tensor:
    """The logical tensor, stored anew."""
    return to_stored(to_logical(x, op.input), op.result)
