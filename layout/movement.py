"""The movement of data by a transpose, independent of the axes in which a program writes it.

An axis of size 1 has no place, and neighbouring axes that stay neighbours move as one. Without them, a transpose from
NCHW to NHWC is the permutation (0, 2, 1), and for one image (1, 0). A target that moves few axes at once takes several
steps.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

from .extent import DYNAMIC
from .order import Order, invert, order_from_keys

FEWEST_AXES = 4
"""The fewest axes that every target moves at once: those of a step that moves one block."""


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
    sizes = [size for size in shape if size != 1]
    blocks = [*_blocks(order_from_keys([axis for axis in permutation if shape[axis] != 1]))]
    moved = (sizes[block[0] : block[-1] + 1] for block in sorted(blocks))
    return Movement(order_from_keys(blocks), tuple(DYNAMIC if DYNAMIC in each else prod(each) for each in moved))


def steps_of(permutation: Order, most_axes: int | None) -> list[Order]:
    """The permutations of the steps of a transpose, each of which moves at most so many blocks of neighbouring axes.

    All steps but the last one move a block to the one that has to follow it, so that both move as one from there on.

    >>> steps_of((4, 3, 2, 1, 0), 4)
    [(0, 1, 2, 4, 3), (3, 4, 2, 1, 0)]
    """
    steps: list[Order] = []
    while most_axes is not None and len(blocks := [*_blocks(permutation)]) > most_axes:
        rest = sorted(blocks)
        rest.remove(blocks[1])
        rest.insert(rest.index(blocks[0]) + 1, blocks[1])
        step = tuple(axis for block in rest for axis in block)
        steps.append(step)
        permutation = tuple(map(invert(step).__getitem__, permutation))
    return [*steps, permutation]


def _blocks(permutation: Order) -> Iterator[tuple[int, ...]]:
    """The axes that stay together, in their new order."""
    ends = [place for place, (one, other) in enumerate(pairwise(permutation), 1) if other != one + 1]
    for start, end in pairwise(sorted({0, *ends, len(permutation)})):
        yield permutation[start:end]
