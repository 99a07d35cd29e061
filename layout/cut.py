"""Axes that are cut into blocks of one size, and stored as two pieces: the number of the block, and the place in it.

Pieces are numbered axis by axis, for a cut axis first the outer piece and then the inner one. In this order they are
the axes of a row-major reshape, so the order of a cut tensor is a permutation like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .extent import DYNAMIC

LARGEST_BLOCK = 65536
"""The largest number of elements in a block along one axis; hardware has far less."""


class Tile(NamedTuple):
    """The size of the blocks of an axis.

    >>> from npu_opt.layout import Layout
    >>> Layout.parse("HWOI16i32o").tiles
    (Tile(axis=0, size=32), Tile(axis=1, size=16))
    """

    axis: int
    size: int


class LogicalSize(NamedTuple):
    """The size of an axis whose last block ends in padding.

    The pieces of 40 channels hold 48 elements; only the logical size tells that there are 40:

    >>> blocks = (Tile(1, 16),)
    >>> Cut(blocks).logical_shape((1, 3, 16)), Cut(blocks, (LogicalSize(1, 40),)).logical_shape((1, 3, 16))
    ((1, 48), (1, 40))
    """

    axis: int
    size: int


class AxisPiece(NamedTuple):
    """A piece of an axis.

    >>> [(piece.axis, piece.tile) for piece in Cut((Tile(1, 16),)).pieces(stored_rank=3)]
    [(0, None), (1, None), (1, 16)]
    """

    axis: int
    tile: int | None
    """The size of the blocks if this is the inner piece, else None."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The cut axes of a layout, and the padding behind them.

    40 channels in blocks of 16 are three blocks; the order NCHW16c stores the place in the block last:

    >>> blocks = Cut((Tile(1, 16),))
    >>> blocks.piece_sizes((1, 40, 8, 8))
    (1, 3, 16, 8, 8)
    """

    tiles: tuple[Tile, ...]
    """At most one for each axis, in the order of the axes."""
    sizes: tuple[LogicalSize, ...] = ()
    """The logical sizes of the cut axes that end in padding."""
    has_zeros: bool = False
    """True if the padding is known to be zeros."""

    def with_zeros(self, has_zeros: bool) -> "Cut":
        """The cut with padding that is zeros or may be anything."""
        return Cut(self.tiles, self.sizes, has_zeros and bool(self.sizes))

    @property
    def form(self) -> "Cut":
        """The cut without the sizes of axes that end in padding."""
        return Cut(self.tiles)

    def pieces(self, stored_rank: int) -> list[AxisPiece]:
        """The pieces of all axes of a tensor of this stored rank, by number."""
        cut, found = dict(self.tiles), list[AxisPiece]()
        for axis in range(stored_rank - len(self.tiles)):
            found.append(AxisPiece(axis, None))
            if axis in cut:
                found.append(AxisPiece(axis, cut[axis]))
        return found

    def logical_shape(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """The sizes of the axes without padding, from those of the pieces by number."""
        cut, known = dict(self.tiles), dict(self.sizes)
        rest, found = iter(sizes), list[int]()
        for axis in range(len(sizes) - len(self.tiles)):
            outer = next(rest)
            whole = outer if axis not in cut else DYNAMIC if outer == DYNAMIC else outer * next(rest)
            found.append(known.get(axis, whole))
        return tuple(found)

    def piece_sizes(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The sizes of the pieces by number, of a tensor with axes of these sizes; a last block is filled up.

        An axis of one element that is not filled up has pieces of one element.
        """
        cut, known, found = dict(self.tiles), dict(self.sizes), list[int]()
        for axis, size in enumerate(shape):
            if axis not in cut:
                found.append(size)
            elif size == 1 and axis not in known:
                found += [1, 1]
            else:
                found += [-(-size // cut[axis]), cut[axis]]
        return tuple(found)

    def mistake(self, stored_rank: int) -> str | None:
        """The reason why no tensor of this stored rank is cut so, or None."""
        axes = [tile.axis for tile in self.tiles]
        padded = [size.axis for size in self.sizes]
        if missing := [axis for axis in axes if axis >= stored_rank - len(axes)]:
            return f"axis {missing[0]} has blocks, but is not in the order itself"
        if axes != sorted(set(axes)):
            return "an axis has blocks of one size"
        if any(tile.size < 2 for tile in self.tiles):
            return "a block has at least 2 elements"
        if any(tile.size > LARGEST_BLOCK for tile in self.tiles):
            return f"a block has at most {LARGEST_BLOCK} elements"
        if padded != sorted(set(padded)):
            return "an axis has one size"
        if not {*padded} <= {*axes}:
            return "only an axis in blocks ends in padding"
        if self.has_zeros and not padded:
            return "there is no padding that could be zeros: no size of an axis is given"
        return None

    def problem(self, sizes: Sequence[int]) -> str | None:
        """The reason why pieces of these sizes, by number, are not cut so; None if they are."""
        known = dict(self.sizes)
        pieces = self.pieces(len(sizes))
        for (axis, tile), outer, inner in zip(pieces[1:], sizes, sizes[1:], strict=False):
            if tile is None:
                continue
            if DYNAMIC in (outer, inner):
                return f"the size of axis {axis}, which is cut, is unknown"
            size = known.get(axis)
            if (outer, inner) == (1, 1) and size is None:
                # One element, which is repeated wherever the axis has more.
                continue
            if inner != tile:
                return f"the blocks of axis {axis} have {tile} elements, the tensor has {inner}"
            if size is not None and not (outer - 1) * tile < size < outer * tile:
                return f"axis {axis} has {size} elements, which do not end in the last of {outer} blocks of {tile}"
        return None
