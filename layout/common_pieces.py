"""The digits that sequences of pieces have in common: pieces are cut where others begin or end."""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TypeAlias

from .extent import UNIT, Extent
from .factoring import Piece

Cuts: TypeAlias = dict[int, set[Extent]]


def common_pieces(one: Sequence[Piece], other: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Two byte orders in pieces that neither of them splits.

    24 elements as 2 by 12, and stored with 8 places of three elements last:

    >>> pieces = [Piece(0, Extent(12), Extent(2)), Piece(0, Extent(1), Extent(12))]
    >>> moved = [Piece(0, Extent(1), Extent(3)), Piece(0, Extent(3), Extent(8))]
    >>> [[piece.size.factor for piece in each] for each in common_pieces(pieces, moved)]
    [[2, 4, 3], [3, 2, 4]]
    """
    if set(one) == set(other):
        return [*one], [*other]
    one, other = _filled(one, other), _filled(other, one)
    cuts = cuts_of(one, other)
    return pieces_of(one, cuts), pieces_of(other, cuts)


def _filled(pieces: Sequence[Piece], other: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces, with each axis filled up to the padding that it has in the other byte order."""
    ends, found = ends_of(pieces), [*pieces]
    for axis, end in ends_of(other).items():
        if axis not in ends:
            found.append(Piece(axis, UNIT, end))
        elif not end.symbols and not ends[axis].symbols and end.factor > ends[axis].factor:
            last = next(piece for piece in found if piece.axis == axis and piece.inner.times(piece.size) == ends[axis])
            if (size := end.divided_by(last.inner)) is not None:
                found[found.index(last)] = Piece(axis, last.inner, size)
    return found


def ends_of(pieces: Sequence[Piece]) -> dict[int, Extent]:
    """The size of each axis, with its padding."""
    ends: dict[int, Extent] = {}
    for piece in pieces:
        end = piece.inner.times(piece.size)
        known = ends.get(piece.axis, UNIT)
        if (len(end.symbols), end.factor) >= (len(known.symbols), known.factor):
            ends[piece.axis] = end
    return ends


def cuts_of(*byte_orders: Sequence[Piece]) -> Cuts:
    """For each axis the positions at which pieces begin or end."""
    cuts: Cuts = {}
    for piece in (piece for pieces in byte_orders for piece in pieces):
        cuts.setdefault(piece.axis, set()).update((piece.inner, piece.inner.times(piece.size)))
    return cuts


def pieces_of(pieces: Sequence[Piece], cuts: Cuts) -> list[Piece]:
    """The pieces, cut at all of these positions."""
    return [piece for piece in pieces for piece in _cut(piece, cuts[piece.axis])]


def _cut(piece: Piece, cuts: Collection[Extent]) -> list[Piece]:
    """A piece, cut at all positions inside it, most significant part first. Its ends are among the positions."""
    if len(cuts) == 2:
        return [piece]
    end = piece.inner.times(piece.size)
    inside = [cut for cut in cuts if cut.divided_by(piece.inner) and end.divided_by(cut)]
    inside.sort(key=lambda cut: (len(cut.symbols), cut.factor))
    parts = [
        Piece(piece.axis, low, size) for low, high in pairwise(inside) if (size := high.divided_by(low)) is not None
    ]
    return parts[::-1]
