"""Transposes that ONNX Runtime does slowly, as two that it does fast.

Its kernel moves single elements, unless two neighbouring runs of axes change places or long runs of elements stay
together. Other transposes take about ten times as long.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from ....layout import Order, identity, movement, permute

LONG = 16
"""The elements of a run that are copied as fast as they are moved otherwise."""


def two_steps(permutation: Order, sizes: Sequence[int]) -> tuple[Order, Order] | None:
    """Two fast transposes that do the same as a slow one; None if it is fast, or if there are none."""
    if is_fast(permutation, sizes):
        return None
    for first in _swaps(len(permutation)):
        second = tuple(first.index(axis) for axis in permutation)
        if is_fast(first, sizes) and is_fast(second, permute(sizes, first)):
            return first, second
    return None


def is_fast(permutation: Order, sizes: Sequence[int]) -> bool:
    """True if ONNX Runtime's kernel copies long runs, or swaps two runs of axes."""
    moved = movement(permutation, sizes)
    if moved.moves_nothing or moved.swaps_blocks:
        return True
    return moved.keeps_last_axis and moved.sizes[-1] >= LONG


def _swaps(rank: int) -> Iterator[Order]:
    """All permutations by which two neighbouring runs of axes change places."""
    axes = identity(rank)
    for start, middle, end in combinations(range(rank + 1), 3):
        yield axes[:start] + axes[middle:end] + axes[start:middle] + axes[end:]
