"""Transposes of more axes than a target moves at once, in several steps."""

from collections.abc import Iterator
from itertools import pairwise

from .order import Order, invert

FEWEST_AXES = 4
"""The fewest axes that every target moves at once: those of a step that moves one block."""


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
    for start, end in pairwise([0, *ends, len(permutation)]):
        yield permutation[start:end]
