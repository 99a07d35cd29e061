"""Reading a row of numbers in a shape and permuting its axes, once or several times."""

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

from .arrangement import Arrangement
from .extent import Extent, named
from .order import Order, compose, identity, invert, permute, unpermute

MOST_JOINED = 8
"""How many steps are looked at together, so that a long chain of them is not looked at again and again."""


class ReadStep(NamedTuple):
    """The numbers, in the sequence in which they are, as a tensor of this shape, with its axes permuted then."""

    shape: tuple[int, ...]
    permutation: Order

    @property
    def result(self) -> tuple[int, ...]:
        """The shape behind the step."""
        return permute(self.shape, self.permutation)


def as_it_is(shape: tuple[int, ...]) -> ReadStep:
    """The numbers as a tensor of this shape."""
    return ReadStep(shape, identity(len(shape)))


def joined(steps: Sequence[ReadStep]) -> tuple[ReadStep, ...]:
    """Steps that read the same; the last few are one if one can say them."""
    for start in range(max(len(steps) - MOST_JOINED, 0), len(steps) - 1):
        if (one := _as_one(steps[start:])) is not None:
            return joined((*steps[:start], one))
    return tuple(steps)


def _as_one(steps: Sequence[ReadStep]) -> ReadStep | None:
    """The step that does what several do one behind the other, or None if there is none."""
    first, result = steps[0], steps[-1].result
    if all(before.result == step.shape for before, step in pairwise(steps)):
        permutation = first.permutation
        for step in steps[1:]:
            permutation = compose(permutation, step.permutation)
        return ReadStep(first.shape, permutation)
    if 0 in result:
        return as_it_is(result)
    stored = _in_sequence(first.shape).transposed(first.permutation)
    for before, step in pairwise(steps):
        is_in_sequence = stored == _in_sequence(before.result)
        shaped = _in_sequence(step.shape) if is_in_sequence else stored.reshaped(named(step.shape))
        if shaped is None:
            return None
        stored = shaped.transposed(step.permutation)
    if any(len(pieces) > 1 for pieces in stored.axes):
        return None
    strides = [pieces[0].inner.factor if pieces else prod(result) for pieces in stored.axes]
    permutation = invert(tuple(sorted(range(len(strides)), key=lambda axis: -strides[axis])))
    return ReadStep(unpermute(result, permutation), permutation)


def _in_sequence(shape: tuple[int, ...]) -> Arrangement:
    """A tensor of this shape as a view of the row of its numbers."""
    view = Arrangement.of([Extent(prod(shape))]).reshaped(named(shape))
    assert view is not None, "a row can be cut everywhere"
    return view
