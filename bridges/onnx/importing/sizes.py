"""Sizes of dimensions: numbers, or polynomials of sizes that are known at run time only.

They calculate with `+`, `-` and `*`, also within arrays of numpy, so that what a model does with its shapes can be done
here as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ....layout import DYNAMIC
from ..errors import UnsupportedNode


@dataclass(frozen=True, slots=True)
class Unknown:
    """A polynomial: for each product of names (each with its sequence sorted) a factor other than 0."""

    terms: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def is_natural(self) -> bool:
        """Whether it is not negative, because nothing is subtracted in it."""
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
        return " + ".join("*".join((*([str(factor)] if factor != 1 else []), *names)) for names, factor in self.terms)


Size: TypeAlias = int | Unknown

MOST_FACTORS = 32
"""How many names a product may have."""
MOST_TERMS = 64
"""How many products a sum may have."""
LONGEST_NAME = 256
"""How long the name of a size may be that is made up from others."""


def unknown(name: str) -> Unknown:
    """The size of this name."""
    return Unknown((((name,), 1),))


def _terms(size: Size) -> Iterable[tuple[tuple[str, ...], int]]:
    if isinstance(size, Unknown):
        return size.terms
    return (((), size),) if size else ()


def _collected(terms: Iterable[tuple[tuple[str, ...], int]]) -> Size:
    factors: dict[tuple[str, ...], int] = {}
    for names, factor in terms:
        factors[names] = factors.get(names, 0) + factor
        # A chain of squares would double the length of what stands here with each link.
        if len(names) > MOST_FACTORS or len(factors) > MOST_TERMS:
            raise UnsupportedNode("a size that takes too long to write down")
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
    """The quotient where the division leaves nothing over whatever the unknown sizes are, else None."""
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
    """The product of all."""
    result: Size = 1
    for size in sizes:
        result = multiply(result, size)
    return result


def static(sizes: Sequence[Size]) -> tuple[int, ...]:
    """Sizes as types write them, `DYNAMIC` for those that are not known."""
    return tuple(size if isinstance(size, int) else DYNAMIC for size in sizes)


def are_known(sizes: Sequence[Size]) -> bool:
    """Whether all of them are numbers."""
    return all(isinstance(size, int) for size in sizes)


def least(bound: int, size: Unknown) -> Unknown:
    """The smaller one of a number of at least 2 and a size that is not known."""
    name = f"min({bound},{size})"
    if len(name) > LONGEST_NAME:
        raise UnsupportedNode("a size that takes too long to write down")
    return unknown(name)


def _is_least_of(size: Size, other: Size) -> bool:
    """Whether a size is the smaller one of another size and a number of at least 2."""
    return isinstance(size, Unknown) and str(size).startswith("min(") and str(size).endswith(f",{other})")


def broadcast(shapes: Iterable[Sequence[Size]]) -> tuple[Size, ...] | None:
    """The shape to which all are repeated as in numpy, or None if that is not known."""
    shapes = [tuple(shape) for shape in shapes]
    rank = max(map(len, shapes), default=0)
    result: list[Size] = []
    for sizes in zip(*((1,) * (rank - len(shape)) + shape for shape in shapes), strict=True):
        left = list(dict.fromkeys(size for size in sizes if size != 1))
        # An unknown size beside a known one that is not 1 is that one, or it is 1.
        known = [size for size in left if isinstance(size, int)] or left
        # What was cut off to fit beside the other size fits where nothing was cut off, and nowhere else.
        if len(known) > 1:
            known = [size for size in known if not any(_is_least_of(size, other) for other in known)]
        if len(known) > 1:
            return None
        result.append(known[0] if known else 1)
    return tuple(result)
