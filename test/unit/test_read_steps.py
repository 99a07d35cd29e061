"""Reading a row of numbers in steps."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from npu_opt.layout import ReadStep, merge_steps, read_step, unpermuted
from numpy.typing import NDArray

SHAPES = [(12,), (3, 4), (4, 3), (2, 6), (6, 2), (2, 2, 3), (3, 2, 2), (2, 3, 2), (1, 12), (4, 1, 3), (2, 1, 2, 3)]


def read(steps: tuple[ReadStep, ...]) -> NDArray[np.int64]:
    numbers = np.arange(12)
    for step in steps:
        numbers = numbers.reshape(step.shape).transpose(step.permutation)
    return numbers


def random_steps(seed: int) -> tuple[ReadStep, ...]:
    random = Random(seed)
    shapes = random.choices(SHAPES, k=random.randint(1, 5))
    return tuple(ReadStep(shape, tuple(random.sample(range(len(shape)), len(shape)))) for shape in shapes)


@pytest.mark.parametrize("seed", range(300))
def test_merged_steps_read_the_same(seed: int):
    steps = random_steps(seed)
    found = merge_steps(steps)
    assert len(found) <= len(steps)
    assert np.array_equal(read(found), read(steps))
    assert found[-1].result == steps[-1].result
    assert merge_steps(found) == found


def test_equivalent_steps_are_merged():
    assert merge_steps([ReadStep((3, 4), (1, 0))]) == (ReadStep((3, 4), (1, 0)),)
    assert merge_steps([ReadStep((3, 4), (1, 0)), ReadStep((4, 3), (1, 0))]) == (unpermuted((3, 4)),)
    assert merge_steps([ReadStep((3, 4), (1, 0)), ReadStep((2, 2, 3), (1, 0, 2))]) == (ReadStep((3, 2, 2), (2, 1, 0)),)
    # Split unevenly, but nothing was moved before.
    assert merge_steps([unpermuted((3, 4)), ReadStep((2, 6), (1, 0))]) == (ReadStep((2, 6), (1, 0)),)
    # The second step is the inverse of the first one, except for its shape.
    assert merge_steps([ReadStep((3, 4), (1, 0)), unpermuted((2, 6)), ReadStep((4, 3), (1, 0))]) == (
        unpermuted((3, 4)),
    )


def test_steps_that_cannot_be_merged():
    uneven = ReadStep((3, 4), (1, 0)), ReadStep((6, 2), (1, 0))
    assert merge_steps(uneven) == uneven
    # The axis of twelve elements is two axes of the row, in another order.
    flat = ReadStep((3, 4), (1, 0)), unpermuted((12,))
    assert merge_steps(flat) == flat


def test_few_steps_are_merged_together(monkeypatch: pytest.MonkeyPatch):
    """Each view of a long chain adds a step; merging inspects the last few only."""
    lengths: list[int] = []

    def counted(steps: Sequence[ReadStep]) -> ReadStep | None:
        lengths.append(len(steps))

    monkeypatch.setattr(read_step, "_as_one", counted)
    steps = (ReadStep((3, 4), (1, 0)), ReadStep((6, 2), (1, 0))) * 50
    assert merge_steps(steps) == steps
    assert lengths == [8, 7, 6, 5, 4, 3, 2]


def test_without_elements_there_is_one_step():
    assert merge_steps([ReadStep((0, 3), (1, 0)), ReadStep((2, 0), (1, 0))]) == (unpermuted((0, 2)),)
