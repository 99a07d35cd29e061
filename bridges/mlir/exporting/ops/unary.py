"""Elementwise ops of one operand."""

from .....dialects.npu import unary as ops
from .....dialects.npu.elementwise import UnaryOp
from ...bindings import tosa
from ...counterparts import UNARY
from ..arithmetic import tosa_elementwise
from ..registry import lowers, lowers_rest
from ..tensors import Tensor, tosa_number
from .elementwise import one_op


@lowers(ops.NegOp)
def neg(op: ops.NegOp, x: Tensor) -> Tensor:
    """tosa.negate also takes zero points."""
    if not x.element.is_computed_by_tosa:
        return one_op(op, x)
    return tosa_elementwise(tosa.NegateOp, x, rest=[tosa_number(0, x.element), tosa_number(0, x.element)])


@lowers_rest(row.op for row in UNARY)
def unary(op: UnaryOp, x: Tensor) -> Tensor:
    return one_op(op, x)
