"""The number of elements along an axis: a static factor times sizes known only at run time."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

DYNAMIC = -(2**63)
"""The value of a dynamic dimension in a shape; the same number as in MLIR."""


class Extent(NamedTuple):
    """`factor` times the product of `symbols`, each of which is one unknown size.

    Half of 6 times an unknown size is certain to be whole, half of the unknown size is not:

    >>> batch = Extent(1, (0,))
    >>> Extent(6).times(batch).divided_by(Extent(2))
    Extent(factor=3, symbols=(0,))
    >>> print(batch.divided_by(Extent(2)))
    None
    """

    factor: int
    symbols: tuple[int, ...] = ()
    """Sorted; a symbol may occur repeatedly."""

    @property
    def is_unit(self) -> bool:
        return self.factor == 1 and not self.symbols

    def times(self, other: "Extent") -> "Extent":
        if self == UNIT:
            return other
        if not self.symbols and not other.symbols:
            return Extent(self.factor * other.factor)
        return Extent(self.factor * other.factor, tuple(sorted(self.symbols + other.symbols)))

    def divided_by(self, other: "Extent") -> "Extent | None":
        """The quotient if it is certain to be a whole number, else None."""
        if self.factor % other.factor:
            return None
        if not other.symbols:
            return Extent(self.factor // other.factor, self.symbols)
        rest = Counter(self.symbols)
        rest.subtract(other.symbols)
        if min(rest.values()) < 0:
            return None
        return Extent(self.factor // other.factor, tuple(sorted(rest.elements())))


UNIT = Extent(1)


def product(extents: Iterable[Extent]) -> Extent:
    """The product of extents."""
    return reduce(Extent.times, extents, UNIT)


def named(shape: Sequence[int]) -> tuple[Extent, ...]:
    """The extents of a shape, with a new symbol for each dynamic dimension."""
    return tuple(Extent(1, (axis,)) if size == DYNAMIC else Extent(size) for axis, size in enumerate(shape))


def named_pair(
    source: Sequence[int], result: Sequence[int], same: Mapping[int, int]
) -> tuple[tuple[Extent, ...], tuple[Extent, ...]]:
    """The extents of a reshape's two shapes, with equal symbols for dimensions that are known to be equal.

    `same` maps dynamic axes of the result to the axes of the source that they equal. If one dynamic dimension remains
    on each side and the static sizes imply that they are equal, they share a symbol too.
    """
    source_extents = named(source)
    result_extents = [
        Extent(size)
        if size != DYNAMIC
        else source_extents[same[axis]]
        if axis in same
        else Extent(1, (-1 - axis,))  # Equal to nothing: the source's symbols are not negative.
        for axis, size in enumerate(result)
    ]
    taken = [symbol for axis in same for symbol in result_extents[axis].symbols]
    open_source = [axis for axis, size in enumerate(source) if size == DYNAMIC and axis not in taken]
    open_result = [axis for axis, size in enumerate(result) if size == DYNAMIC and axis not in same]
    if len(open_source) == 1 and len(open_result) == 1:
        rest_source = product(e for axis, e in enumerate(source_extents) if axis != open_source[0])
        rest_result = product(e for axis, e in enumerate(result_extents) if axis != open_result[0])
        if rest_source == rest_result:
            result_extents[open_result[0]] = source_extents[open_source[0]]
    return source_extents, tuple(result_extents)
