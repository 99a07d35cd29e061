"""Sums of quantised numbers in f32 that round as those of ONNX Runtime.

`QLinearAdd` on x86 computes a * (sa / sc) + (b * (sb / sc) + k) by two fused multiply-adds; k has the zero points.
DEQUANTIZE, ADD and QUANTIZE compute the same real number with other roundings, so that one or two of all 65,536 pairs
may be off by a step where the sum is close to the middle of two integers. A number that is added to a summand and
subtracted again rounds it: `rounding_offsets` looks for numbers with which all pairs agree.

Sums exactly in the middle take no part: ONNX Runtime rounds them behind the zero point, to the even integer, so that an
odd zero point turns them around. With scales that are powers of two they stay as ONNX defines them for floats; with
others, such as 0.1 + 0.1 in steps of 0.2, f32 has them on either side of the middle.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....dialects.npu.quantities import is_usual_scale
from .elements import LiteElement

Floats: TypeAlias = NDArray[np.float32]

CANDIDATES = 512
"""The number of offsets that are tried for each summand."""
LARGEST_OFFSET = 10
"""The binary logarithm of the largest offset, in steps of the result: the sums in ONNX Runtime end near 2^9."""
CLOSE = 1e-3
"""The distance from the middle of two integers behind which no order of roundings decides otherwise."""


class EightBits(NamedTuple):
    """The scale, zero point and type of quantised numbers."""

    scale: float
    zero_point: int
    element: LiteElement

    @property
    def integers(self) -> NDArray[np.int64]:
        """All integers of the type."""
        low = -128 if self.element == LiteElement.I8 else 0
        return np.arange(low, low + 256)

    def dequantised(self) -> Floats:
        """The numbers of all integers, as DEQUANTIZE computes them."""
        return (self.integers - self.zero_point).astype(np.float32) * np.float32(self.scale)

    def quantised(self, numbers: Floats) -> NDArray[np.int64]:
        """Integers as QUANTIZE computes them."""
        return self.clamped(np.rint(numbers * (np.float32(1) / np.float32(self.scale))) + self.zero_point)

    def clamped(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        return np.clip(numbers, self.integers[0], self.integers[-1]).astype(np.int64)


class Offsets(NamedTuple):
    """The numbers that are added to the summands and subtracted again; 0: the summand stays unchanged."""

    lhs: float = 0.0
    rhs: float = 0.0


@cache
def rounding_offsets(lhs: EightBits, rhs: EightBits, result: EightBits) -> Offsets:
    """The fewest offsets with which all sums round as in ONNX Runtime; if none do, those with the fewest others."""
    if not is_usual_scale(np.array([lhs.scale, rhs.scale, result.scale], np.float32)):
        return Offsets()
    # Scales that are far apart have sums without a number, which agree with no others.
    with np.errstate(over="ignore", invalid="ignore"):
        return _best(lhs, rhs, result)


def _best(lhs: EightBits, rhs: EightBits, result: EightBits) -> Offsets:
    left, right = np.meshgrid(lhs.dequantised(), rhs.dequantised(), indexing="ij")
    is_close = _is_close(lhs, rhs, result)
    left, right, wanted = left[is_close], right[is_close], _of_onnx_runtime(lhs, rhs, result)[is_close]
    best, fewest = Offsets(), wanted.size + 1
    for offsets, sums in _candidates(left, right, result):
        others = np.count_nonzero(result.quantised(sums) != wanted, axis=-1)
        place = int(others.argmin())
        if others[place] < fewest:
            best, fewest = offsets[place], others[place]
        if not fewest:
            break
    return best


def _candidates(left: Floats, right: Floats, result: EightBits) -> Iterator[tuple[list[Offsets], Floats]]:
    """Offsets, with the sums of each in a row: first without, then of one summand, then of both."""
    numbers = _numbers(result.scale)
    column = numbers[:, None]
    lefts: Floats = (left + column) - column
    rights: Floats = (right + column) - column
    yield [Offsets()], (left + right)[None]
    yield [Offsets(lhs=number) for number in numbers.tolist()], lefts + right
    yield [Offsets(rhs=number) for number in numbers.tolist()], left + rights
    for place, number in enumerate(numbers.tolist()):
        yield [Offsets(number, other) for other in numbers.tolist()], lefts[place] + rights


def _numbers(scale: float) -> Floats:
    """Offsets of many sizes; the seed makes the same file of the same model."""
    sizes = np.random.default_rng(0).uniform(-2, LARGEST_OFFSET, CANDIDATES)
    return (2.0**sizes * scale).astype(np.float32)


def _is_close(lhs: EightBits, rhs: EightBits, result: EightBits) -> NDArray[np.bool_]:
    """True for the pairs whose sum is close to the middle of two steps of the result, but not exactly there."""
    one, other = ((each.integers - each.zero_point) * np.float64(each.scale) for each in (lhs, rhs))
    sums = one[:, None] + other
    places = sums / result.scale
    middles = np.floor(places) + 0.5
    return (np.abs(places - middles) < CLOSE) & (sums != middles * result.scale)


def _of_onnx_runtime(lhs: EightBits, rhs: EightBits, result: EightBits) -> NDArray[np.int64]:
    """The sums of all pairs as ONNX Runtime rounds them."""
    one, other = (np.float32(each.scale) / np.float32(result.scale) for each in (lhs, rhs))
    zeros = _multiplied_and_added(lhs.zero_point, one, other * np.float32(rhs.zero_point))
    constant = np.float32(result.zero_point) - zeros
    inner = _multiplied_and_added(rhs.integers, other, constant)
    sums = _multiplied_and_added(lhs.integers[:, None], one, inner)
    return result.clamped(np.rint(sums))


def _multiplied_and_added(integers: Any, factor: np.float32, summand: Any) -> Floats:
    """A product and a sum, rounded once: the product of 8 and 24 bits is exact in f64."""
    return (np.asarray(integers, np.float64) * np.float64(factor) + np.float64(summand)).astype(np.float32)
