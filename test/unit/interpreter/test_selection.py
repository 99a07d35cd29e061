"""Ranges and searches, whose results are as long as the numbers say."""

import numpy as np
import pytest
from npu_opt.interpreter import InterpreterError
from support.oracles.one_op import compute, compute_all, equal

RANGE = "%r = npu.range %a, %b, %c : (tensor<{0}>, tensor<{0}>, tensor<{0}>) -> tensor<?x{0}>"


@pytest.mark.parametrize(
    ("element", "ends", "expected"),
    [
        ("i64", (1, 8, 3), [1, 4, 7]),
        ("i32", (3, -2, -2), [3, 1, -1]),
        ("i64", (3, 3, 1), []),
        ("f32", (0, 1, 0.25), [0, 0.25, 0.5, 0.75]),
        ("f32", (1, 0, 0.25), []),
    ],
)
def test_numbers_from_a_start_to_a_limit(element: str, ends: tuple[float, ...], expected: list[float]):
    equal(compute(RANGE.format(element), *ends), expected)


@pytest.mark.parametrize(("ends", "message"), [((0, 1, 0), "a step of 0"), ((0, np.inf, 1), "no end from 0.0 to inf")])
def test_ranges_without_an_end(ends: tuple[float, ...], message: str):
    with pytest.raises(InterpreterError, match=message):
        compute(RANGE.format("f32"), *ends)


def test_positions_of_elements_that_are_not_zero():
    text = "%r = npu.non_zero %x : (tensor<2x3xf32>) -> tensor<2x?xi64>"
    equal(compute(text, [[0, np.nan, -1], [2, 0, 0]]), [[0, 0, 1], [1, 2, 0]])
    text = "%r = npu.non_zero %x : (tensor<2x3xf32>) -> tensor<2x4xi64>"
    with pytest.raises(InterpreterError, match="not to that of the result"):
        compute(text, [[0, 1, -1], [2, 0, 0]])


def test_different_elements_are_sorted_or_not():
    types = "(tensor<2x3xi32>) -> (tensor<?xi32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)"
    x = [[5, 2, 5], [7, 2, 5]]
    found = compute_all(f"%a, %b, %c, %d = npu.unique %x : {types}", x)
    for one, other in zip(found, ([2, 5, 7], [1, 0, 3], [1, 0, 1, 2, 0, 1], [2, 3, 1]), strict=True):
        equal(one, other)
    found = compute_all(f"%a, %b, %c, %d = npu.unique %x as_found : {types}", x)
    for one, other in zip(found, ([5, 2, 7], [0, 1, 3], [0, 1, 0, 2, 1, 0], [3, 2, 1]), strict=True):
        equal(one, other)


def test_different_slices():
    types = "(tensor<2x3xi32>) -> (tensor<2x?xi32>, tensor<?xi64>, tensor<3xi64>, tensor<?xi64>)"
    found = compute_all(f"%a, %b, %c, %d = npu.unique %x axis = 1 : {types}", [[5, 2, 5], [7, 2, 7]])
    for one, other in zip(found, ([[2, 5], [2, 7]], [1, 0], [1, 0, 1], [1, 2]), strict=True):
        equal(one, other)


SUPPRESSION = """%r = npu.non_max_suppression %b, %s, %n, %t, %l {}
  : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xi64>"""
CORNERS = [[[0, 0, 2, 2], [3, 2, 1, 0], [0, 0, 2, 2]]]
"""The second box has a quarter of all in common with the others, which are one, and begins at its end."""


@pytest.mark.parametrize(
    ("most", "overlap", "least", "expected"),
    [(3, 0.5, 0, [1, 2]), (3, 0.1, 0, [1]), (1, 0.5, 0, [1]), (3, 1, 0, [1, 2, 0]), (3, 1, 2, [1, 2]), (0, 1, 0, [])],
)
def test_boxes_that_overlap_others(most: int, overlap: float, least: float, expected: list[int]):
    found = compute(SUPPRESSION.format(""), CORNERS, [[[2, 9, 4]]], [most], [overlap], [least])
    equal(found, np.array([[0, 0, box] for box in expected]).reshape(-1, 3))


def test_boxes_with_centers():
    boxes = [[[1, 1, 2, 2], [1, 2, 2, 2], [9, 9, 1, 1]]]
    found = compute(SUPPRESSION.format("centers"), boxes, [[[3, 2, 1]]], [3], [0.3], [0])
    equal(found, [[0, 0, 0], [0, 0, 2]])
