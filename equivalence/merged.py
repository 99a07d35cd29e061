"""Axes of a node that are merged to one.

A reshape such as 4x6 to 3x8 splits the axes of its operand unevenly. The pieces of the operand, in row-major order, are
one *merged axis*, and the result's axes are pieces of it. A merged axis is identified by its pieces and belongs to the
same node, so that all chains of reshapes from 4x6 to 3x8, or back, have the same arrangement.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise

from ..layout import REPEATED, UNIT, Arrangement, Extent, Piece, factor, product

Pieces = tuple[Piece, ...]


class MergedAxes:
    """The merged axes made so far. Their numbers are negative, those of a node's own axes are not."""

    def __init__(self, number: Callable[[Hashable], int]) -> None:
        self._number = number
        self._pieces: dict[int, Pieces] = {}

    def reshaped(self, stored: Arrangement, shape: Sequence[Extent]) -> Arrangement | None:
        """The arrangement after a row-major reshape, or None if the groups of axes are not certain."""
        if (whole := stored.reshaped(shape)) is not None:
            return self.simplified(whole)
        factoring = factor(stored.shape, shape)
        if factoring is None:
            return None
        axes = [
            tuple(self._digits(stored.axes[piece.axis], piece.inner, piece.size) for piece in pieces)
            for pieces in factoring.pieces
        ]
        for block in factoring.blocks:
            source = [piece for axis in block.source for piece in stored.axes[axis]]
            if product(piece.size for piece in source) != product(shape[axis] for axis in block.result):
                return None
            inner = UNIT
            for axis in reversed(block.result):
                axes[axis] = (self._digits(source, inner, shape[axis]),)
                inner = inner.times(shape[axis])
        return self.simplified(Arrangement(tuple(axes)))

    def _digits(self, pieces: Sequence[Piece], inner: Extent, size: Extent) -> Piece:
        """The digits from `inner` on of pieces that form a merged axis."""
        if len(pieces) == 1:
            return pieces[0].part(inner, size)
        return Piece(self._merged(pieces), inner, size)

    def simplified(self, stored: Arrangement) -> Arrangement:
        """The arrangement without redundant merged axes, so that equal bytes have equal arrangements."""
        if not self._pieces:
            return stored
        axes: list[Pieces] = []
        for pieces in stored.axes:
            while any(piece.axis in self._pieces for piece in pieces):
                simpler = tuple(part for piece in pieces for part in self.parts(piece))
                simpler = Arrangement.merged([simpler]).axes[0]
                if simpler == pieces:
                    break
                pieces = simpler
            axes.append(pieces)
        return Arrangement(tuple(axes))

    def _merged(self, pieces: Sequence[Piece]) -> int:
        """The number of the axis that consists of these pieces."""
        pieces = Arrangement.merged([tuple(pieces)]).axes[0]
        axis = REPEATED - 1 - self._number(("merged", pieces))
        self._pieces[axis] = pieces
        return axis

    def parts(self, piece: Piece) -> Pieces:
        """A piece of a merged axis, split at the bounds of the merged pieces, each part with a minimal merged axis."""
        pieces = self._pieces.get(piece.axis)
        if pieces is None:
            return (piece,)
        begins = _begins(pieces)
        end = piece.inner.times(piece.size)
        split_points = [each for each in begins if _divides(piece.inner, each) and _divides(each, end)]
        bounds = _without_repeats([piece.inner, *split_points, end])
        parts = [self._part(pieces, begins, *pair) for pair in pairwise(bounds)]
        return tuple(reversed(parts))

    def _part(self, pieces: Pieces, begins: Sequence[Extent], start: Extent, end: Extent) -> Piece:
        """The digits from `start` to `end`, as digits of the fewest pieces that contain them."""
        size = end.divided_by(start)
        first = max(index for index, each in enumerate(begins) if _divides(each, start))
        last = min(index for index, each in enumerate(begins) if _divides(end, each))
        inner = start.divided_by(begins[first])
        assert size is not None, "bounds divide each other"
        assert inner is not None, "the first piece begins at a bound"
        count = len(pieces)
        needed = pieces[count - last : count - first]
        return self._digits(needed, inner, size)


def _begins(pieces: Pieces) -> list[Extent]:
    """The number of elements after each piece, last piece first, then the total."""
    begins = [UNIT]
    for piece in reversed(pieces):
        begins.append(begins[-1].times(piece.size))
    return begins


def _divides(one: Extent, other: Extent) -> bool:
    return other.divided_by(one) is not None


def _without_repeats(extents: Sequence[Extent]) -> list[Extent]:
    return list(dict.fromkeys(extents))
