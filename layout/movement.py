"""The movement of data by a transpose, independent of the axes in which a program writes it.

An axis of size 1 has no place, and neighbouring axes that stay neighbours move as one. Without them, a transpose from
NCHW to NHWC is the permutation (0, 2, 1), and for one image (1, 0).
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from .extent import DYNAMIC
from .order import Order, order_from_keys


class Movement(NamedTuple):
    """A permutation of blocks of a stored tensor; of at most one block if it moves nothing.

    From NCHW to NHWC the lines and columns move as one; of one image, two blocks change places:

    >>> movement((0, 2, 3, 1), (2, 64, 8, 6)), movement((0, 2, 3, 1), (1, 64, 8, 6)).permutation
    (Movement(permutation=(0, 2, 1), sizes=(2, 64, 48)), (1, 0))
    """

    permutation: Order
    sizes: tuple[int, ...]
    """The sizes of the blocks as they are stored before, `DYNAMIC` if unknown."""

    @property
    def moves_nothing(self) -> bool:
        return len(self.permutation) < 2

    @property
    def keeps_last_axis(self) -> bool:
        """True if the innermost run of elements stays innermost."""
        return self.moves_nothing or self.permutation[-1] == len(self.permutation) - 1

    @property
    def swaps_blocks(self) -> bool:
        """True if two neighbouring blocks change places, once or within each of an outer block."""
        return self.permutation in ((1, 0), (0, 2, 1))


def movement(permutation: Sequence[int], shape: Sequence[int]) -> Movement:
    """The movement of a transpose of a tensor that is stored in this shape."""
    if 0 in shape:
        return Movement((), ())
    places = {axis: place for place, axis in enumerate(axis for axis, size in enumerate(shape) if size != 1)}
    blocks: list[list[int]] = []
    for axis in permutation:
        if axis not in places:
            continue
        if blocks and places[axis] == places[blocks[-1][-1]] + 1:
            blocks[-1].append(axis)
        else:
            blocks.append([axis])
    sizes = [_size([shape[axis] for axis in block]) for block in sorted(blocks)]
    return Movement(order_from_keys([block[0] for block in blocks]), tuple(sizes))


def _size(sizes: Sequence[int]) -> int:
    return DYNAMIC if DYNAMIC in sizes else prod(sizes)
