"""Elementwise ops of two operands."""

from collections.abc import Callable, Mapping

from .....dialects.npu import binary as ops
from .....dialects.npu.elementwise import BinaryOp
from ...bindings import Operation, Type, Value, tosa
from ..arithmetic import add, mul, sub, tosa_elementwise
from ..elements import BOOL, F32, I32
from ..loops import element_by_element
from ..registry import lowers
from ..scalars import Scalar, select
from ..tensors import Tensor


def _power(base: Scalar, exponent: Scalar) -> Scalar:
    """Integers wrap; for negative exponents the result is truncated."""
    if base.element.is_float:
        return base.power(exponent)
    if base.element.kind == "u":
        return _repeated_product(base, exponent)
    power = _repeated_product(base, exponent.maximum(0))
    # Only 1 and -1 have an integer inverse.
    odd_or_even = select((exponent & 1) == 0, base.literal(1), base)
    fraction = select(base.abs() == 1, odd_or_even, base.literal(0))
    return select(exponent >= 0, power, fraction)


def _repeated_product(base: Scalar, exponent: Scalar) -> Scalar:
    """One square per bit of the exponent."""
    result = base.literal(1)
    for _ in range(base.element.width):
        result = select((exponent & 1) == 0, result, result * base)
        base, exponent = base * base, exponent.half()
    return result


FUNCTIONS: Mapping[type[BinaryOp], Callable[[Scalar, Scalar], Scalar]] = {
    ops.DivOp: Scalar.__truediv__,
    ops.PowOp: _power,
    ops.MaxOp: Scalar.maximum,
    ops.MinOp: Scalar.minimum,
    ops.PreluOp: lambda x, slope: select(x < 0, x * slope, x),
    ops.AndOp: Scalar.__and__,
    ops.OrOp: Scalar.__or__,
    ops.XorOp: Scalar.__xor__,
}

IN_TOSA: Mapping[type[BinaryOp], Callable[..., object]] = {
    ops.MaxOp: tosa.MaximumOp,
    ops.MinOp: tosa.MinimumOp,
}
"""Ops with a TOSA equivalent for f32 and i32; tosa.pow is for f32 only."""

OF_BITS: Mapping[type[BinaryOp], Callable[..., object]] = {
    ops.AndOp: tosa.BitwiseAndOp,
    ops.OrOp: tosa.BitwiseOrOp,
    ops.XorOp: tosa.BitwiseXorOp,
}

OF_TRUTH: Mapping[type[BinaryOp], Callable[..., object]] = {
    ops.AndOp: tosa.LogicalAndOp,
    ops.OrOp: tosa.LogicalOrOp,
    ops.XorOp: tosa.LogicalXorOp,
}

COMPARISONS: Mapping[type[BinaryOp], Callable[[Scalar, Scalar], Scalar]] = {
    ops.EqualOp: Scalar.__eq__,
    ops.NotEqualOp: Scalar.__ne__,
    ops.LessOp: Scalar.__lt__,
    ops.LessEqualOp: Scalar.__le__,
    ops.GreaterOp: Scalar.__gt__,
    ops.GreaterEqualOp: Scalar.__ge__,
}


@lowers(ops.AddOp)
def sum_of(op: ops.AddOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    return add(lhs, rhs)


@lowers(ops.SubOp)
def difference(op: ops.SubOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    return sub(lhs, rhs)


@lowers(ops.MulOp)
def product(op: ops.MulOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    return mul(lhs, rhs)


@lowers(*FUNCTIONS)
def binary(op: BinaryOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.element.is_computed_by_tosa and type(op) in IN_TOSA:
        return tosa_elementwise(IN_TOSA[type(op)], lhs, rhs)
    if lhs.element == F32 and isinstance(op, ops.PowOp):
        return tosa_elementwise(tosa.PowOp, lhs, rhs)
    if lhs.element == I32 and type(op) in OF_BITS:
        return tosa_elementwise(OF_BITS[type(op)], lhs, rhs)
    if lhs.element == BOOL and type(op) in OF_TRUTH:
        return tosa_elementwise(OF_TRUTH[type(op)], lhs, rhs)
    return element_by_element(FUNCTIONS[type(op)], lhs, rhs)


@lowers(*COMPARISONS)
def comparison(op: BinaryOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    if not lhs.element.is_computed_by_tosa:
        return element_by_element(COMPARISONS[type(op)], lhs, rhs, element=BOOL)
    match op:
        case ops.GreaterOp():
            return tosa_elementwise(tosa.GreaterOp, lhs, rhs, element=BOOL)
        case ops.GreaterEqualOp():
            return tosa_elementwise(tosa.GreaterEqualOp, lhs, rhs, element=BOOL)
        case ops.LessOp():
            return tosa_elementwise(tosa.GreaterOp, rhs, lhs, element=BOOL)
        case ops.LessEqualOp():
            return tosa_elementwise(tosa.GreaterEqualOp, rhs, lhs, element=BOOL)
        case _:
            equal = tosa_elementwise(_equal, lhs, rhs, element=BOOL)
            return equal if isinstance(op, ops.EqualOp) else tosa_elementwise(tosa.LogicalNotOp, equal)


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
