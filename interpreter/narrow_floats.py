"""Floats of 8 bits or fewer: their numbers are kept as f32, which has all of them.

A type has at most 256 numbers, so they are looked up. The codes of positive numbers increase with the numbers.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import FloatNonfiniteBehavior, ReducedPrecisionFloatType

Codes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.floating]

NEAREST, UP, DOWN = "nearest", "up", "down"
"""The ways to round to a power of two; halves are rounded up."""


@cache
def numbers_of(type_: ReducedPrecisionFloatType) -> npt.NDArray[np.float32]:
    """The number of each code."""
    return np.array([type_.decode_bits(code) for code in range(1 << type_.bitwidth)], np.float32)


def from_codes(codes: Codes, type_: ReducedPrecisionFloatType) -> npt.NDArray[np.float32]:
    """The numbers of codes; bits above those of the type are ignored."""
    return numbers_of(type_)[codes & ((1 << type_.bitwidth) - 1)]


def to_codes(numbers: Numbers, type_: ReducedPrecisionFloatType, rounding: str = NEAREST) -> Codes:
    """The codes of the nearest numbers, halves those of the even code.

    Numbers that are too large become infinite, or NaN in a type without infinities, or the largest number in a type
    without NaN, where NaN becomes the zero with a sign. Only powers of two are rounded in another way, and all that is
    outside of their range becomes NaN.
    """
    semantics = type_.SEMANTICS
    if semantics.has_sign:
        codes = _nearest(np.abs(numbers), type_)
        is_signed = np.signbit(numbers) & ((codes > 0) | ~np.isnan(numbers_of(type_)[1 << semantics.sign_shift]))
        codes = np.where(codes > _largest(type_), _too_large(type_), codes)
        codes = codes | np.where(is_signed, 1 << semantics.sign_shift, 0)
    else:
        codes = _power_of_two(np.asarray(numbers, np.float64), rounding)
    return np.where(np.isnan(numbers), _nan(type_), codes).astype(np.uint8)


def saturated(numbers: Numbers, type_: ReducedPrecisionFloatType) -> Numbers:
    """The numbers, those beyond the largest one of the type replaced by it."""
    known = numbers_of(type_)
    finite = known[np.isfinite(known)].astype(np.float64)
    return np.clip(numbers, finite.min(), finite.max())


def _nearest(magnitudes: Numbers, type_: ReducedPrecisionFloatType) -> npt.NDArray[np.intp]:
    """The codes of the nearest numbers without sign; the code behind the largest for all that are larger."""
    largest = _largest(type_)
    known = numbers_of(type_)[: largest + 1].astype(np.float64)
    # The number that the code behind the largest would have.
    known = np.append(known, 2 * known[-1] - known[-2])
    middles = (known[1:] + known[:-1]) / 2
    wide = magnitudes.astype(np.float64)
    return np.where(
        np.isin(wide, middles[1::2]), np.searchsorted(middles, wide, "right"), np.searchsorted(middles, wide, "left")
    )


def _power_of_two(numbers: npt.NDArray[np.float64], rounding: str) -> npt.NDArray[np.int64]:
    """The biased exponents of powers of two, 255 for what is below the least or above the largest."""
    inside = (numbers >= 2.0**-127) & (numbers <= 2.0**127)
    fraction, exponent = np.frexp(np.where(inside, numbers, 1))
    rounds_up = {NEAREST: fraction >= 0.75, UP: fraction > 0.5, DOWN: np.zeros(fraction.shape, np.bool_)}[rounding]
    return np.where(inside, exponent.astype(np.int64) + 126 + rounds_up, 255)


@cache
def _largest(type_: ReducedPrecisionFloatType) -> int:
    """The code of the largest finite number."""
    positive = numbers_of(type_)[: 1 << (type_.bitwidth - 1)]
    return int(np.isfinite(positive).sum()) - 1


def _too_large(type_: ReducedPrecisionFloatType) -> int:
    """The code without sign of a number that is too large."""
    match type_.SEMANTICS.nonfinite:
        case FloatNonfiniteBehavior.IEEE:
            return _largest(type_) + 1
        case FloatNonfiniteBehavior.NAN_ONLY:
            return _nan(type_)
        case _:
            return _largest(type_)


@cache
def _nan(type_: ReducedPrecisionFloatType) -> int:
    """The code of NaN, the quiet one of several, or of the zero with a sign in a type without NaN."""
    found = np.flatnonzero(np.isnan(numbers_of(type_)))
    return 1 << type_.SEMANTICS.sign_shift if not len(found) else int(found[(len(found) // 2 - 1) // 2])
