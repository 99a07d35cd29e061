"""The pieces of a tensor's axes, in the order in which a stored tensor holds them.

A *node* has logical axes; a *stored tensor* has physical ones. An arrangement lists, for each physical axis, the pieces
of the node's axes stored there, most significant first. Transposes and reshapes of the stored tensor only change its
arrangement, so two values are the same bytes if they have the same node and the same arrangement.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .common_pieces import cuts_of, pieces_of
from .extent import UNIT, Extent, product
from .factoring import REPEATED, Piece, factor
from .order import Order, permute

Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The pieces of each physical axis. Pieces that continue each other are merged; axes of size 1 have none.

    An image of 8 channels in NHWC, seen as a matrix of lines by columns and channels: a transpose permutes the list of
    pieces, a reshape groups it anew. Two ways that lead to the same bytes lead to the same arrangement:

    >>> image = Arrangement.of([Extent(size) for size in (1, 8, 4, 6)])
    >>> lines = image.transposed((0, 2, 3, 1)).reshaped([Extent(4), Extent(48)])
    >>> [[(piece.axis, piece.size.factor) for piece in pieces] for pieces in lines.axes]
    [[(2, 4)], [(3, 6), (1, 8)]]
    >>> lines.reshaped([Extent(24), Extent(8)]).reshaped([Extent(4), Extent(48)]) == lines
    True
    """

    axes: tuple[Pieces, ...]

    @staticmethod
    def of(shape: Sequence[Extent]) -> "Arrangement":
        """A node of this shape in row-major order."""
        return Arrangement(
            tuple(() if extent.is_unit else (Piece(axis, UNIT, extent),) for axis, extent in enumerate(shape))
        )

    @staticmethod
    def merged(axes: Sequence[Pieces]) -> "Arrangement":
        """The arrangement of these pieces, after merging those that continue each other."""
        return Arrangement(tuple(map(_merge, axes)))

    @staticmethod
    def repeated(shape: Sequence[int]) -> "Arrangement":
        """Equal elements in this static shape."""
        return Arrangement(tuple(() if size == 1 else (Piece(REPEATED, UNIT, Extent(size)),) for size in shape))

    @property
    def is_repeated(self) -> bool:
        """True if all elements are equal."""
        return all(piece.axis == REPEATED for pieces in self.axes for piece in pieces)

    @property
    def shape(self) -> tuple[Extent, ...]:
        """The extents of the stored tensor."""
        return tuple(product(piece.size for piece in pieces) for pieces in self.axes)

    @property
    def byte_order(self) -> Pieces:
        """All pieces in stored order; those that continue each other are merged."""
        return _merge([piece for pieces in self.axes for piece in pieces])

    def transposed(self, permutation: Order) -> "Arrangement":
        """The arrangement after a transpose of the stored tensor."""
        return Arrangement(permute(self.axes, permutation))

    def reshaped(self, shape: Sequence[Extent]) -> "Arrangement | None":
        """The arrangement after a row-major reshape of the stored tensor; None if the reshape splits a piece."""
        factoring = factor(self.shape, shape)
        if factoring is None or factoring.blocks:
            return None
        return Arrangement(factoring.pieces).applied_to(self)

    def applied_to(self, inner: "Arrangement") -> "Arrangement | None":
        """The composition: this arrangement describes a view, `inner` describes the viewed axes in terms of a node.

        None if this one splits an axis of the view inside a piece that is not known to divide there.
        """
        axes: list[Pieces] = []
        for pieces in self.axes:
            merged: list[Piece] = []
            for piece in pieces:
                selected = _select(inner.axes[piece.axis], piece.inner, piece.size)
                if selected is None:
                    return None
                merged += selected
            axes.append(_merge(merged))
        return Arrangement(tuple(axes))

    def order_of(self, byte_order: Pieces) -> Order | None:
        """The order in which the stored axes have this byte order, those of one element in place; None if none has."""
        cuts = cuts_of(*self.axes, byte_order)
        axes, rest = [pieces_of(pieces, cuts) for pieces in self.axes], pieces_of(byte_order, cuts)
        starts = {pieces[0]: axis for axis, pieces in enumerate(axes) if pieces}
        found: list[int] = []
        while rest:
            axis = starts.pop(rest[0], None)
            if axis is None or rest[: len(axes[axis])] != axes[axis]:
                return None
            found.append(axis)
            del rest[: len(axes[axis])]
        moved = iter(found)
        return None if starts else tuple(next(moved) if pieces else axis for axis, pieces in enumerate(axes))


def _select(pieces: Pieces, low: Extent, size: Extent) -> list[Piece] | None:
    """The pieces, or parts of them, that hold the digits from `low` to `low * size` of an axis."""
    high, start, selected = low.times(size), UNIT, list[Piece]()
    for piece in reversed(pieces):
        end = start.times(piece.size)
        if start.divided_by(high) is not None:
            break
        if low.divided_by(end) is None:
            first = start if low.divided_by(start) is None else low
            last = end if end.divided_by(high) is None else high
            skipped, taken = first.divided_by(start), last.divided_by(first)
            if skipped is None or taken is None:
                return None
            selected.append(piece.part(skipped, taken))
        start = end
    return selected[::-1] if product(piece.size for piece in selected) == size else None


def _merge(pieces: Sequence[Piece]) -> Pieces:
    """Merge adjacent pieces that continue each other, so that equal bytes have equal arrangements."""
    merged: list[Piece] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if last and last.axis == piece.axis and piece.part(piece.size, last.size) == last:
            merged[-1] = Piece(piece.axis, piece.inner, last.size.times(piece.size))
        else:
            merged.append(piece)
    return tuple(merged)
