"""Read steps: numbers read in a shape and then permuted, repeatedly if necessary."""

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

from .arrangement import Arrangement
from .extent import Extent, named
from .order import Order, compose, identity, invert, permute, unpermute

MOST_MERGED = 8
"""Number of last steps that are merged together; bounds the time for long chains."""


class ReadStep(NamedTuple):
    """Numbers read as a row-major tensor of this shape, whose axes are then permuted.

    Two steps that one can express are one:

    >>> merge_steps([ReadStep((2, 12), (1, 0)), ReadStep((3, 4, 2), (2, 0, 1))])
    (ReadStep(shape=(2, 3, 4), permutation=(0, 1, 2)),)
    """

    shape: tuple[int, ...]
    permutation: Order

    @property
    def result(self) -> tuple[int, ...]:
        """The shape after the step."""
        return permute(self.shape, self.permutation)


def unpermuted(shape: tuple[int, ...]) -> ReadStep:
    """The numbers as a tensor of this shape."""
    return ReadStep(shape, identity(len(shape)))


def merge_steps(steps: Sequence[ReadStep]) -> tuple[ReadStep, ...]:
    """Equivalent steps; the last few are merged if one step can express them."""
    for start in range(max(len(steps) - MOST_MERGED, 0), len(steps) - 1):
        if (one := _as_one(steps[start:])) is not None:
            return merge_steps((*steps[:start], one))
    return tuple(steps)


def _as_one(steps: Sequence[ReadStep]) -> ReadStep | None:
    """One step equivalent to these, or None if there is none."""
    first, result = steps[0], steps[-1].result
    if all(before.result == step.shape for before, step in pairwise(steps)):
        permutation = first.permutation
        for step in steps[1:]:
            permutation = compose(permutation, step.permutation)
        return ReadStep(first.shape, permutation)
    if 0 in result:
        return unpermuted(result)
    stored = _row(first.shape).transposed(first.permutation)
    for before, step in pairwise(steps):
        is_row_major = stored == _row(before.result)
        shaped = _row(step.shape) if is_row_major else stored.reshaped(named(step.shape))
        if shaped is None:
            return None
        stored = shaped.transposed(step.permutation)
    if any(len(pieces) > 1 for pieces in stored.axes):
        return None
    strides = [pieces[0].inner.factor if pieces else prod(result) for pieces in stored.axes]
    permutation = invert(tuple(sorted(range(len(strides)), key=lambda axis: -strides[axis])))
    return ReadStep(unpermute(result, permutation), permutation)


def _row(shape: tuple[int, ...]) -> Arrangement:
    """A row of numbers, viewed as a tensor of this shape."""
    view = Arrangement.of([Extent(prod(shape))]).reshaped(named(shape))
    assert view is not None, "a row can be split anywhere"
    return view
