"""The pieces into which a row-major reshape splits the axes of its operand, merged to the axes of its result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from .extent import UNIT, Extent, product

REPEATED = -1
"""The axis of pieces along which all elements are equal. It has no positions: `inner` is 1 in all pieces of it."""


class Piece(NamedTuple):
    """A run of digits of one axis: the index along `axis`, divided by `inner`, modulo `size`.

    An axis of 24 elements as 4 by 6 has two of them. Those of element 17 are 2 and 5:

    >>> rows, places = Piece(0, Extent(6), Extent(4)), Piece(0, Extent(1), Extent(6))
    >>> [17 // piece.inner.factor % piece.size.factor for piece in (rows, places)]
    [2, 5]
    """

    axis: int
    inner: Extent
    """The product of the less significant pieces of the same axis; 1 for the last one."""
    size: Extent

    def part(self, inner: Extent, size: Extent) -> "Piece":
        """So many digits of the piece, from `inner` on."""
        return Piece(self.axis, UNIT if self.axis == REPEATED else self.inner.times(inner), size)


class Block(NamedTuple):
    """Axes that are reshaped together and do not decompose into pieces.

    A reshape of 4x6 to 6x4 has no digits of both shapes, as 4 and 6 do not divide each other:

    >>> factor([Extent(2), Extent(4), Extent(6)], [Extent(2), Extent(6), Extent(4)]).blocks
    (Block(source=(1, 2), result=(1, 2)),)
    """

    source: tuple[int, ...]
    result: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Factoring:
    """The pieces of the source's axes of which each result axis consists, most significant first.

    In a reshape of 8x24 to 2x16x6 the middle axis has the last digit of 8 and the first one of 24:

    >>> found = factor([Extent(8), Extent(24)], [Extent(2), Extent(16), Extent(6)])
    >>> [[(piece.axis, piece.size.factor) for piece in pieces] for pieces in found.pieces]
    [[(0, 2)], [(0, 4), (1, 4)], [(1, 6)]]

    Axes of one element have no pieces. Axes of a block have none either: they are listed in `blocks`.
    """

    pieces: tuple[tuple[Piece, ...], ...]
    blocks: tuple[Block, ...]


def factor(source: Sequence[Extent], result: Sequence[Extent]) -> Factoring | None:
    """Match the axes of a reshape; None if the element counts cannot be equal or only one side has axes to match.

    No extent may be zero.
    """
    source_axes = [axis for axis, extent in enumerate(source) if not extent.is_unit]
    result_axes = [axis for axis, extent in enumerate(result) if not extent.is_unit]
    if bool(source_axes) != bool(result_axes):
        return None
    source_total, result_total = product(source), product(result)
    if source_total != result_total and not (source_total.symbols or result_total.symbols):
        return None
    pieces: list[tuple[Piece, ...]] = [()] * len(result)
    blocks: list[Block] = []
    for source_group, result_group in _groups(source, source_axes, result, result_axes):
        matched = _split(source, source_group, result, result_group)
        if matched is None:
            blocks.append(Block(source_group, result_group))
            continue
        for axis, axis_pieces in zip(result_group, matched, strict=True):
            pieces[axis] = axis_pieces
    return Factoring(tuple(pieces), tuple(blocks))


def _groups(
    source: Sequence[Extent], source_axes: list[int], result: Sequence[Extent], result_axes: list[int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Split both lists of axes at all points where both sides have the same number of elements.

    The totals are equal, so equal products on one side of a split point are enough.
    """
    if not source_axes:
        return
    ends = len(source_axes), len(result_axes)
    split_points = _equal_prefixes([source[a] for a in source_axes], [result[a] for a in result_axes])
    from_right = _equal_prefixes([source[a] for a in source_axes[::-1]], [result[a] for a in result_axes[::-1]])
    split_points |= {(ends[0] - left, ends[1] - right) for left, right in from_right}
    start = 0, 0
    # An unknown size may be 1 at run time, so that two split points coincide on one side. Omitting one of them only
    # makes a group coarser.
    for split_point in sorted(split_points):
        if start[0] < split_point[0] < ends[0] and start[1] < split_point[1] < ends[1]:
            yield tuple(source_axes[start[0] : split_point[0]]), tuple(result_axes[start[1] : split_point[1]])
            start = split_point
    yield tuple(source_axes[start[0] :]), tuple(result_axes[start[1] :])


def _equal_prefixes(left: Sequence[Extent], right: Sequence[Extent]) -> set[tuple[int, int]]:
    """The lengths of the prefixes of both sides with equal products."""
    counts = {total: count for count, total in enumerate(accumulate(left, Extent.times), start=1)}
    totals = enumerate(accumulate(right, Extent.times), start=1)
    return {(counts[total], count) for count, total in totals if total in counts}


def _split(
    source: Sequence[Extent], source_axes: tuple[int, ...], result: Sequence[Extent], result_axes: tuple[int, ...]
) -> list[tuple[Piece, ...]] | None:
    """Split the source axes of one group into pieces that merge to its result axes; None if there are no such pieces.

    From the last axes backwards, the smaller remainder is split off the larger one, which it has to divide.
    """
    merged: list[list[Piece]] = [[] for _ in result_axes]
    target = len(result_axes)
    rest_result = UNIT
    for axis in reversed(source_axes):
        rest, inner = source[axis], UNIT
        while not rest.is_unit:
            if rest_result.is_unit:
                if target == 0:
                    return None
                target -= 1
                rest_result = result[result_axes[target]]
            if (left := rest.divided_by(rest_result)) is not None:
                size, rest, rest_result = rest_result, left, UNIT
            elif (left := rest_result.divided_by(rest)) is not None:
                size, rest, rest_result = rest, UNIT, left
            else:
                return None
            merged[target].append(Piece(axis, inner, size))
            inner = inner.times(size)
    if target or not rest_result.is_unit:
        return None
    return [tuple(reversed(pieces)) for pieces in merged]
