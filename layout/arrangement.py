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

    def inverse(self, shape: Sequence[Extent]) -> "Arrangement | None":
        """The arrangement of the stored axes in terms of the node's axes; None if pieces are missing or duplicated."""
        found: list[list[tuple[Piece, Piece]]] = [[] for _ in shape]
        for position, pieces in enumerate(self.axes):
            inner = UNIT
            for piece in reversed(pieces):
                found[piece.axis].append((piece, Piece(position, inner, piece.size)))
                inner = inner.times(piece.size)
        axes: list[Pieces] = []
        for extent, pairs in zip(shape, found, strict=True):
            pairs.sort(key=lambda pair: (len(pair[0].inner.symbols), pair[0].inner.factor))
            inner = UNIT
            for piece, _ in pairs:
                if piece.inner != inner:
                    return None
                inner = inner.times(piece.size)
            if inner != extent:
                return None
            axes.append(_merge([place for _, place in reversed(pairs)]))
        return Arrangement(tuple(axes))


def _select(pieces: Pieces, inner: Extent, size: Extent) -> list[Piece] | None:
    """The pieces, or parts of them, that hold the digits from `inner` to `inner * size` of an axis."""
    selected: list[Piece] = []
    skip = inner
    for piece in reversed(pieces):
        if size.is_unit:
            break
        after_skip = _drop(piece, skip)
        if after_skip is None:
            return None
        piece, skip = after_skip
        if piece.size.is_unit:
            continue
        if (rest := size.divided_by(piece.size)) is not None:
            selected.append(piece)
            size = rest
        elif piece.size.divided_by(size) is not None:
            selected.append(piece.part(UNIT, size))
            size = UNIT
        else:
            return None
    return selected[::-1] if size.is_unit else None


def _drop(piece: Piece, skip: Extent) -> tuple[Piece, Extent] | None:
    """Drop the `skip` least significant digits of a piece; also return the digits still to be dropped."""
    if skip.is_unit:
        return piece, skip
    if (rest := skip.divided_by(piece.size)) is not None:
        return piece.part(piece.size, UNIT), rest
    if (left := piece.size.divided_by(skip)) is not None:
        return piece.part(skip, left), UNIT
    return None


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
