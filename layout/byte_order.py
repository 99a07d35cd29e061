"""The byte order of a tensor: the pieces of its axes, from the slowest to the fastest in memory, with their padding.

Where blocks do not divide an axis, its pieces are longer than the axis: what is behind the end is padding.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from .common_pieces import common_pieces, ends_of
from .extent import DYNAMIC, Extent
from .factoring import Piece
from .movement import Movement, movement
from .order import Order

ByteOrder: TypeAlias = tuple[Piece, ...]


class DirtyPadding(ByteOrder):
    """A byte order whose padding may be anything; it is another one than the same pieces with zeros behind them.

    >>> from npu_opt.layout import Layout
    >>> zeros, dirty = (Layout.parse(f"NCHW16c, C = 40{end}").byte_order((1, 40, 8, 6)) for end in (", zeros", ""))
    >>> is_dirty(dirty), dirty == zeros, holds(zeros, dirty), holds(dirty, zeros)
    (True, False, True, False)
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DirtyPadding) and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((DirtyPadding, super().__hash__()))


def is_dirty(byte_order: ByteOrder) -> bool:
    """True if padding may be anything."""
    return isinstance(byte_order, DirtyPadding)


def holds(given: ByteOrder, wanted: ByteOrder) -> bool:
    """True if data in a byte order has another one as well: the same pieces, with zeros where it has them."""
    return tuple(given) == tuple(wanted) and is_dirty(given) <= is_dirty(wanted)


def changes_padding(given: ByteOrder, wanted: ByteOrder) -> bool:
    """True if a conversion adds, drops or clears padding."""
    return ends_of(given) != ends_of(wanted) or is_dirty(given) > is_dirty(wanted)


def writes_zeros(given: ByteOrder, wanted: ByteOrder) -> bool:
    """True if a conversion between byte orders in the same blocks writes zeros into padding."""
    return is_dirty(given) > is_dirty(wanted) and have_same_blocks(given, wanted)


def have_same_blocks(given: ByteOrder, wanted: ByteOrder) -> bool:
    """True if byte orders are permutations of the same pieces, some of which may lie side by side in one of them."""
    found = pieces_between(given, wanted)
    # Pieces that are cut in both are blocks of other sizes.
    return found is not None and len(found[0]) in (len(given), len(wanted)) and ends_of(given) == ends_of(wanted)


def filled(byte_order: ByteOrder, sizes: Sequence[Extent]) -> dict[int, int]:
    """The axes of a tensor with axes of these sizes that have padding in a byte order, with their sizes there."""
    ends = ends_of(byte_order).items()
    static = ((axis, end.factor) for axis, end in ends if not end.symbols and not sizes[axis].symbols)
    return {axis: end for axis, end in static if end > sizes[axis].factor}


def is_padded(byte_order: ByteOrder, sizes: Sequence[Extent]) -> bool:
    """True if a byte order of a tensor with axes of these sizes has padding."""
    return bool(filled(byte_order, sizes))


@lru_cache(maxsize=65536)
def pieces_between(one: ByteOrder, other: ByteOrder) -> tuple[ByteOrder, Order] | None:
    """The pieces of a byte order, and their permutation that is another one; None from 3 by 2 pieces to 2 by 3."""
    before, after = common_pieces(one, other)
    return (tuple(before), tuple(map(before.index, after))) if set(before) == set(after) else None


def movement_between(one: ByteOrder, other: ByteOrder) -> Movement | None:
    """The movement of the transpose from one byte order to another; None if there is none."""
    found = pieces_between(one, other)
    if found is None:
        return None
    pieces, permutation = found
    return movement(permutation, [DYNAMIC if piece.size.symbols else piece.size.factor for piece in pieces])
