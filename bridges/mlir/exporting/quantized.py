"""Scales, zero points, and requantisation of i32 sums."""

from ..bindings import math
from .arithmetic import I8, converted, div, mul
from .arrange import reshape
from .elements import F64, I32, I64, Element
from .loops import element_by_element
from .scalars import Scalar
from .tensors import Tensor


def centred(x: Tensor, zero_point: Tensor) -> Tensor:
    """Integers minus their zero point, in i64."""
    return element_by_element(lambda number, zero: number.cast(I64) - zero.cast(I64), x, zero_point, element=I64)


def scalar(parameter: Tensor) -> Tensor:
    """A parameter of one element as a scalar."""
    return reshape(parameter, [])


def multiplier(lhs_scale: Tensor, rhs_scale: Tensor, result_scale: Tensor) -> Tensor:
    """The scale of a product relative to the scale of the result."""
    both = mul(converted(rhs_scale, F64), converted(scalar(lhs_scale), F64))
    return div(both, converted(scalar(result_scale), F64))


def requantized(total: Tensor, scale: Tensor, zero_point: Tensor, element: Element) -> Tensor:
    """Requantise sums of i32: times a scale, rounded half to even, plus the zero point, saturated."""

    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        rounded = (number.cast(I32).cast(F64) * factor).function(math.roundeven)
        return (rounded + zero.cast(F64)).saturated(element)

    return element_by_element(body, total, scale, zero_point, element=element)


def zeros_of(lhs: Tensor, rhs: Tensor, lhs_zero_point: Tensor, rhs_zero_point: Tensor) -> tuple[int, int] | None:
    """The constant zero points of two i8 operands, or None if TOSA does not support their product."""
    if not (lhs.element == rhs.element == I8 and lhs.size and rhs.size):
        return None
    points = [each.known for each in (lhs_zero_point, rhs_zero_point)]
    if points[0] is None or points[1] is None or points[0].size != 1 or points[1].size != 1:
        return None
    return int(points[0].reshape(-1)[0]), int(points[1].reshape(-1)[0])
