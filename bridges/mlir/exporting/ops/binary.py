"""Elementwise ops of two operands."""

from .....dialects.npu import binary as ops
from .....dialects.npu.elementwise import BinaryOp
from ...bindings import Operation, Type, Value, tosa
from ...counterparts import BINARY
from ..arithmetic import mul, tosa_elementwise
from ..elements import BOOL
from ..loops import element_by_element
from ..registry import lowers, lowers_rest
from ..scalars import Scalar, select
from ..tensors import Tensor
from .elementwise import one_op


@lowers(ops.MulOp)
def product(op: ops.MulOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    return mul(lhs, rhs)


@lowers(ops.LessOp, ops.LessEqualOp)
def less(op: ops.LessOp | ops.LessEqualOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    if not lhs.element.is_computed_by_tosa:
        return one_op(op, lhs, rhs)
    return tosa_elementwise(
        tosa.GreaterOp if isinstance(op, ops.LessOp) else tosa.GreaterEqualOp, rhs, lhs, element=BOOL
    )


@lowers(ops.EqualOp, ops.NotEqualOp)
def equal(op: ops.EqualOp | ops.NotEqualOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    if not lhs.element.is_computed_by_tosa:
        return one_op(op, lhs, rhs)
    found = tosa_elementwise(_equal, lhs, rhs, element=BOOL)
    return found if isinstance(op, ops.EqualOp) else tosa_elementwise(tosa.LogicalNotOp, found)


def _equal(type: Type, lhs: Value, rhs: Value) -> Operation:
    """Build tosa.equal, whose builder takes the result type last."""
    return tosa.EqualOp(lhs, rhs, results=[type])


@lowers(ops.ModOp)
def mod(op: ops.ModOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    """The remainder has the sign of lhs or of rhs."""

    def of_divisor(x: Scalar, y: Scalar) -> Scalar:
        remainder = x.remainder(y)
        if x.element.kind == "u":
            return remainder
        is_other_side = (remainder != 0) & ((remainder < 0) ^ (y < 0))
        return select(is_other_side, remainder + y, remainder)

    return element_by_element(Scalar.remainder if op.sign.data == "lhs" else of_divisor, lhs, rhs)


@lowers_rest(row.op for row in BINARY)
def binary(op: BinaryOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    return one_op(op, lhs, rhs)
