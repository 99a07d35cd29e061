"""Axes in blocks of one size, which are stored as two pieces: the number of the block, and the place in it.

Pieces are numbered axis by axis, for an axis in blocks first the outer piece and then the inner one. In this order they
are the axes of a row-major reshape, so the order of a tensor in blocks is a permutation like any other.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from .extent import DYNAMIC
from .order import KNOWN_ORDERS

AxisSizes: TypeAlias = tuple[tuple[int, int], ...]
"""Axes, each with a size: that of its blocks, or that without padding."""

LARGEST_BLOCK = 65536
"""The largest number of elements in a block along one axis; hardware has far less."""


@lru_cache(maxsize=KNOWN_ORDERS)
def numbered_pieces(tiles: AxisSizes, stored_rank: int) -> tuple[tuple[int, int | None], ...]:
    """The pieces of all axes of a tensor of this stored rank, by number: the axis, and for an inner one its size.

    >>> numbered_pieces(((1, 16),), stored_rank=3)
    ((0, None), (1, None), (1, 16))
    """
    inner = dict(tiles)
    axes = [(axis, (None, inner[axis]) if axis in inner else (None,)) for axis in range(stored_rank - len(tiles))]
    return tuple((axis, tile) for axis, found in axes for tile in found)


def filled_shape(tiles: AxisSizes, sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes of the axes with their padding, from those of the pieces by number.

    >>> filled_shape(((1, 16),), (1, 3, 16))
    (1, 48)
    """
    inner, rest, found = dict(tiles), iter(sizes), list[int]()
    for axis in range(len(sizes) - len(tiles)):
        outer = next(rest)
        found.append(outer if axis not in inner else DYNAMIC if outer == DYNAMIC else outer * next(rest))
    return tuple(found)


def mistake(tiles: AxisSizes, padded: AxisSizes, stored_rank: int) -> str | None:
    """The reason why no tensor of this stored rank has such blocks and such sizes of axes that end in padding, or None.

    >>> mistake(((1, 16),), ((3, 5),), stored_rank=5)
    'only an axis in blocks ends in padding'
    """
    axes, ends = [axis for axis, _ in tiles], [axis for axis, _ in padded]
    if missing := [axis for axis in axes if axis >= stored_rank - len(axes)]:
        return f"axis {missing[0]} has blocks, but is not in the order itself"
    if axes != sorted(set(axes)):
        return "an axis has blocks of one size"
    if any(size < 2 for _, size in tiles):
        return "a block has at least 2 elements"
    if any(size > LARGEST_BLOCK for _, size in tiles):
        return f"a block has at most {LARGEST_BLOCK} elements"
    if ends != sorted(set(ends)):
        return "an axis has one size"
    return None if {*ends} <= {*axes} else "only an axis in blocks ends in padding"


def problem(tiles: AxisSizes, padded: AxisSizes, sizes: Sequence[int]) -> str | None:
    """The reason why pieces of these sizes, by number, have no such blocks and padding; None if they have.

    >>> problem(((1, 16),), ((1, 40),), (1, 2, 16))
    'axis 1 has 40 elements, which do not end in the last of 2 blocks of 16'
    """
    known, numbered = dict(padded), numbered_pieces(tiles, len(sizes))
    for (axis, tile), outer, inner in zip(numbered[1:], sizes, sizes[1:], strict=False):
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
