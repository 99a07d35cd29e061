"""Ops whose results are as long as the numbers of the run say, which have no counterpart."""

from .....dialects.npu import selection as ops
from ...errors import NotLowerable
from ..registry import lowers
from ..tensors import Tensor


@lowers(ops.RangeOp, ops.NonZeroOp, ops.UniqueOp, ops.NonMaxSuppressionOp)
def refused(op: ops.SelectionOp, *_: Tensor) -> Tensor:
    raise NotLowerable(f"'{op.name}' has sizes that are known at run time only")
