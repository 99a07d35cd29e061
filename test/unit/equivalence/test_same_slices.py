"""Constants with the slices of another one, in another order of pieces."""

from collections.abc import Sequence

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse_verified
from xdsl.dialects.builtin import ModuleOp

SHAPE = (6, 4, 8)
TYPE = "tensor<6x4x8xf32>"
NUMBERS = np.random.default_rng(0).integers(-2, 3, SHAPE)
"""Many elements are equal, and no two slices."""


def dense(numbers: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> str:
    return f"npu.constant dense<{numbers.astype(float).tolist()}> : {TYPE}"


def places(axis: int, rows: int) -> Sequence[int]:
    """Positions along an axis whose two pieces are swapped, of which the outer one has this size."""
    return np.arange(SHAPE[axis]).reshape(rows, -1).T.ravel().tolist()


def pair(axis: int, rows: int, taken: Sequence[int]) -> tuple[ModuleOp, ModuleOp]:
    """Slices of a sum with a constant, and the sum of slices with those of the constant in this order."""
    picked = places(axis, rows)
    first = parse_verified(
        f"func.func @main(%x: {TYPE}) -> {TYPE} {{\n  %c = {dense(NUMBERS)}\n  %s = npu.add %x, %c : {TYPE}\n"
        f"  %i = npu.constant dense<{list(picked)}> : tensor<{SHAPE[axis]}xi64>\n"
        f"  %y = npu.gather %s, %i axis = {axis} : ({TYPE}, tensor<{SHAPE[axis]}xi64>) -> {TYPE}\n"
        f"  func.return %y : {TYPE}\n}}"
    )
    second = parse_verified(
        f"func.func @main(%x: {TYPE}) -> {TYPE} {{\n"
        f"  %i = npu.constant dense<{list(picked)}> : tensor<{SHAPE[axis]}xi64>\n"
        f"  %g = npu.gather %x, %i axis = {axis} : ({TYPE}, tensor<{SHAPE[axis]}xi64>) -> {TYPE}\n"
        f"  %c = {dense(NUMBERS.take(taken, axis))}\n  %y = npu.add %g, %c : {TYPE}\n  func.return %y : {TYPE}\n}}"
    )
    return first, second


CASES = [(0, 2), (0, 3), (1, 2), (2, 2), (2, 4)]


@pytest.mark.parametrize(("axis", "rows"), CASES)
def test_the_same_order_is_proved(axis: int, rows: int):
    first, second = pair(axis, rows, places(axis, rows))
    assert compare(first, second).verdict is Verdict.PROVED
    assert compare(second, first).verdict is Verdict.PROVED


@pytest.mark.parametrize(("axis", "rows"), CASES)
def test_other_orders_are_not(axis: int, rows: int):
    size = SHAPE[axis]
    right = places(axis, rows)
    wrong = [places(axis, each) for each in range(1, size + 1) if size % each == 0]
    wrong += [[*right[1:], right[0]], [right[1], right[0], *right[2:]], [*right[:-1], right[0]], right[::-1]]
    for taken in wrong:
        if list(taken) == list(right):
            continue
        for first, second in (pair(axis, rows, taken), pair(axis, rows, taken)[::-1]):
            assert compare(first, second).verdict is not Verdict.PROVED
