"""Conditions under which integers stand for real numbers, so that float ops may be written as ops on integers."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import FloatAttr, IntegerType, Signedness, f64
from xdsl.ir import Attribute, SSAValue

from ...layout import DYNAMIC
from .activations import ClipOp
from .pooling import GlobalMaxPoolOp, MaxPoolOp
from .values import integer_range, shape_of

LARGEST_SUM = 1 << 30
"""Half of what an i32 holds: the other half is left for the bias."""
USUAL = 2.0**-100, 2.0**100
"""Scales with which no dequantised number is subnormal or infinite."""


class Bounds(NamedTuple):
    """The least and the largest integer, where they are not those of the type."""

    least: float | None
    largest: float | None

    @property
    def are_none(self) -> bool:
        return self == (None, None)


def is_byte(element: Attribute) -> bool:
    """True for the integers that hardware multiplies: those of 8 bits."""
    return isinstance(element, IntegerType) and element.bitwidth == 8


def fits_sum(lhs: Attribute, rhs: Attribute, counts: Sequence[int]) -> bool:
    """True if the sum of so many products of two integers of 8 bits, less their zero points, fits in an i32."""
    if not (is_byte(lhs) and is_byte(rhs)) or DYNAMIC in counts:
        return False
    total = 255 * 255
    for count in counts:
        total *= count
    return total <= LARGEST_SUM


def is_usual_scale(numbers: NDArray[np.float32]) -> bool:
    """True if scales are positive and neither tiny nor huge: quantising a dequantised integer returns it."""
    return bool(np.all((numbers >= USUAL[0]) & (numbers <= USUAL[1])))


def clipped_to(low: float, high: float, scale: float, zero_point: int, element: Attribute) -> Bounds:
    """The bounds between which quantised numbers are clipped if the numbers are; None: the type holds no others."""
    least, largest = integer_range(cast("IntegerType", element))
    with np.errstate(over="ignore"):
        numbers = np.rint(np.asarray([low, high], np.float32) / np.float32(scale)) + np.float64(zero_point)
    first, last = (float(min(max(number, least), largest)) for number in numbers)
    return Bounds(None if first == least else first, None if last == largest else last)


def clip(value: SSAValue, bounds: Bounds) -> ClipOp:
    """The op that clips integers."""
    given = {"min": bounds.least, "max": bounds.largest}
    properties = {name: FloatAttr(bound, f64) for name, bound in given.items() if bound is not None}
    return ClipOp.build(operands=[value], result_types=[value.type], properties=properties)


def signed_number(data: bytes, element: Attribute) -> int:
    """An integer of a constant."""
    is_unsigned = element == IntegerType(8 * len(data), Signedness.UNSIGNED)
    return int.from_bytes(data, "little", signed=not is_unsigned)


def sees_data(op: MaxPoolOp | GlobalMaxPoolOp) -> bool:
    """True if there is data in each window."""
    sizes = shape_of(op.input)
    if DYNAMIC in sizes or 0 in sizes:
        return False
    if isinstance(op, GlobalMaxPoolOp):
        return True
    extents = op.window.get_values()
    window = op.sliding_window(len(extents))
    pads = zip(window.pads_begin, window.pads_end, extents, window.dilations, strict=True)
    return all(not (begin or end) or (step == 1 and max(begin, end) < size) for begin, end, size, step in pads)
