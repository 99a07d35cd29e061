"""Attention and what turns its queries and keys, in steps."""

from .....dialects.npu import attention as ops
from ..registry import lowers
from ..steps import in_steps
from ..tensors import Tensor


@lowers(ops.AttentionOp, ops.RotaryOp)
def heads(op: ops.HeadsOp, *operands: Tensor | None) -> Tensor:
    return in_steps(op, *(each for each in operands if each is not None))
