"""Sizes of dimensions: integers, or polynomials of sizes that are known at run time only.

They support `+`, `-` and `*`, also in numpy arrays, so that arithmetic on shapes can be folded.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import UnsupportedNode


@dataclass(frozen=True, slots=True)
class Unknown:
    """A polynomial: a non-zero factor for each product of names, which are sorted."""

    terms: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def is_natural(self) -> bool:
        """True if it cannot be negative, because all factors are positive."""
        return all(factor > 0 for _, factor in self.terms)

    def __add__(self, other: "Size") -> "Size":
        return add(self, other)

    def __sub__(self, other: "Size") -> "Size":
        return subtract(self, other)

    def __mul__(self, other: "Size") -> "Size":
        return multiply(self, other)

    def __neg__(self) -> "Size":
        return multiply(self, -1)

    def __radd__(self, other: int) -> "Size":
        return add(other, self)

    def __rsub__(self, other: int) -> "Size":
        return subtract(other, self)

    def __rmul__(self, other: int) -> "Size":
        return multiply(other, self)

    def __str__(self) -> str:
        written = (
            "*".join((*([str(factor)] if factor != 1 or not names else []), *names)) for names, factor in self.terms
        )
        return " + ".join(written)


Size: TypeAlias = int | Unknown

MOST_FACTORS = 32
"""The most names in a product."""
MOST_TERMS = 64
"""The most products in a sum."""
LONGEST_NAME = 256
"""The longest name of a derived size."""


def unknown(name: str) -> Unknown:
    """The size with this name."""
    return Unknown((((name,), 1),))


def _terms(size: Size) -> Iterable[tuple[tuple[str, ...], int]]:
    if isinstance(size, Unknown):
        return size.terms
    return (((), size),) if size else ()


def _collected(terms: Iterable[tuple[tuple[str, ...], int]]) -> Size:
    factors: dict[tuple[str, ...], int] = {}
    for names, factor in terms:
        factors[names] = factors.get(names, 0) + factor
        # Repeated squaring would double the number of names each time.
        if len(names) > MOST_FACTORS or len(factors) > MOST_TERMS:
            raise UnsupportedNode("the expression of a size is too long")
    left = tuple(sorted((names, factor) for names, factor in factors.items() if factor))
    if not left:
        return 0
    if len(left) == 1 and not left[0][0]:
        return left[0][1]
    return Unknown(left)


def add(first: Size, second: Size) -> Size:
    """The sum."""
    return _collected((*_terms(first), *_terms(second)))


def subtract(first: Size, second: Size) -> Size:
    """The difference."""
    return add(first, multiply(second, -1))


def multiply(first: Size, second: Size) -> Size:
    """The product."""
    return _collected(
        (tuple(sorted((*names, *more))), factor * other)
        for names, factor in _terms(first)
        for more, other in _terms(second)
    )


def divide(dividend: Size, divisor: Size) -> Size | None:
    """The quotient if the division is exact for all values of the unknown sizes, else None."""
    terms = list(_terms(divisor))
    if len(terms) != 1:
        return 1 if dividend == divisor and terms else None
    names, factor = terms[0]
    quotient: list[tuple[tuple[str, ...], int]] = []
    for others, other in _terms(dividend):
        left = list(others)
        for name in names:
            if name not in left:
                return None
            left.remove(name)
        if other % factor:
            return None
        quotient.append((tuple(left), other // factor))
    return _collected(quotient)


def product(sizes: Iterable[Size]) -> Size:
    """The product of sizes."""
    result: Size = 1
    for size in sizes:
        result = multiply(result, size)
    return result


def least(bound: int, size: Unknown) -> Unknown:
    """The minimum of a number of at least 2 and an unknown size."""
    name = f"min({bound},{size})"
    if len(name) > LONGEST_NAME:
        raise UnsupportedNode("the expression of a size is too long")
    return unknown(name)


def maximum(first: Size, second: Size) -> Size | None:
    """The greater one of two sizes; None if no expression says it."""
    difference = subtract(first, second)
    if _is_natural(difference):
        return first
    if _is_natural(multiply(difference, -1)):
        return second
    for greater, left in ((first, difference), (second, multiply(difference, -1))):
        bound = -next((factor for names, factor in _terms(left) if not names), 0)
        size = add(left, bound)
        if bound > 1 and isinstance(size, Unknown) and size.is_natural:
            # The difference is size - bound, and its maximum with 0 is size - min(bound, size).
            return subtract(add(greater, bound), least(bound, size))
    return None


def minimum(first: Size, second: Size) -> Size | None:
    """The smaller one of two sizes; None if no expression says it."""
    greater = maximum(first, second)
    return None if greater is None else subtract(add(first, second), greater)


def _is_natural(size: Size) -> bool:
    return size.is_natural if isinstance(size, Unknown) else size >= 0


def _is_least_of(size: Size, other: Size) -> bool:
    """True if a size is the minimum of `other` and a number."""
    return isinstance(size, Unknown) and str(size).startswith("min(") and str(size).endswith(f",{other})")


def broadcast(shapes: Iterable[Sequence[Size]]) -> tuple[Size, ...] | None:
    """The broadcast shape as in numpy, or None if it is unknown."""
    shapes = [tuple(shape) for shape in shapes]
    rank = max(map(len, shapes), default=0)
    result: list[Size] = []
    for sizes in zip(*((1,) * (rank - len(shape)) + shape for shape in shapes), strict=True):
        left = list(dict.fromkeys(size for size in sizes if size != 1))
        # An unknown size beside a known one other than 1 equals it or is 1.
        known = [size for size in left if isinstance(size, int)] or left
        # min(n, size) broadcasts with size only if they are equal.
        if len(known) > 1:
            known = [size for size in known if not any(_is_least_of(size, other) for other in known)]
        if len(known) > 1:
            return None
        result.append(known[0] if known else 1)
    return tuple(result)
