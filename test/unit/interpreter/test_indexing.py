"""Elements and slices at positions, one at a time."""

import numpy as np
import pytest
from npu_opt.interpreter import InterpreterError
from support.oracles.one_op import compute, compute_all, equal, numbers

X = numbers(3, 4)
SCATTERED = "%r = npu.{} %x, %i, %u axis = 1 {}: (tensor<3x4xf32>, tensor<{}xi64>, tensor<{}xf32>) -> tensor<3x4xf32>"


def test_elements_at_positions():
    indices = np.array([[3, -1, 0], [-4, 2, 2]])
    types = "(tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>"
    found = compute(f"%r = npu.gather_elements %x, %i axis = 1 : {types}", X, indices)
    equal(found, [[X[row, place] for place in places] for row, places in enumerate(indices)])


@pytest.mark.parametrize("place", [4, -5])
def test_positions_beyond_the_axis(place: int):
    text = "%r = npu.gather_elements %x, %i axis = 1 : (tensor<3x4xf32>, tensor<1x1xi64>) -> tensor<1x1xf32>"
    with pytest.raises(InterpreterError, match="an index beyond the 4 elements of the axis"):
        compute(text, X, [[place]])
    with pytest.raises(InterpreterError, match="an index beyond the 4 elements of the axis"):
        compute(SCATTERED.format("scatter", "", "1", "3x1"), X, [place], [[0]] * 3)


@pytest.mark.parametrize(("reduction", "expected"), [("none", 5), ("add", 10), ("mul", 20), ("max", 5), ("min", 1)])
def test_updates_of_one_element_come_one_after_another(reduction: str, expected: float):
    text, x = f'reduction = "{reduction}" ', np.ones((3, 4), np.float32)
    result = x.copy()
    result[0, 2] = expected
    equal(compute(SCATTERED.format("scatter_elements", text, "1x2", "1x2"), x, [[2, -2]], [[4, 5]]), result)
    result[:, 2] = expected
    equal(compute(SCATTERED.format("scatter", text, "2", "3x2"), x, [2, -2], [[4, 5]] * 3), result)


def test_integers_of_a_scatter_wrap():
    types = "(tensor<1xi8>, tensor<2xi64>, tensor<2xi8>) -> tensor<1xi8>"
    text = f'%r = npu.scatter %x, %i, %u axis = 0 reduction = "add" : {types}'
    equal(compute(text, [100], [0, 0], [100, 100]), [44])


def test_the_largest_and_the_smallest():
    x = [[1, 5, 5, np.nan, 5]]
    results = ": (tensor<1x5xf32>) -> (tensor<1x3xf32>, tensor<1x3xi64>)"
    found, places = compute_all(f"%v, %p = npu.top_k %x axis = 1 {results}", x)
    equal(found, [[np.nan, 5, 5]])
    equal(places, [[3, 1, 2]])
    found, places = compute_all(f"%v, %p = npu.top_k %x axis = 1 smallest {results}", x)
    equal(found, [[1, 5, 5]])
    equal(places, [[0, 1, 2]])


def test_as_many_elements_as_the_run_says():
    text = "%v, %p = npu.top_k %x, %k axis = 0 : (tensor<3x4xf32>, tensor<1xi64>) -> (tensor<?x4xf32>, tensor<?x4xi64>)"
    found, places = compute_all(text, X, [2])
    equal(found, np.sort(X, 0)[:0:-1])
    equal(np.take_along_axis(X, places, 0), found)
    with pytest.raises(InterpreterError, match="4 of 3 elements"):
        compute_all(text, X, [4])


def test_slices_for_which_a_condition_is_true():
    text = "%r = npu.compress %x, %c axis = 1 : (tensor<3x4xf32>, tensor<?xi1>) -> tensor<3x?xf32>"
    equal(compute(text, X, [True, False, True]), X[:, [0, 2]])
    with pytest.raises(InterpreterError, match="5 truth values for 4 elements"):
        compute(text, X, [True] * 5)


@pytest.mark.parametrize("axis", [0, 1])
def test_sequences_are_reversed_each_by_its_length(axis: int):
    lengths = [4, 1, 0] if axis else [3, 0, 1, 2]
    types = f"(tensor<3x4xf32>, tensor<{len(lengths)}xi64>) -> tensor<3x4xf32>"
    text = f"%r = npu.reverse_sequence %x, %n axis = {axis} batch = {1 - axis} : {types}"
    expected = X.copy()
    for place, length in enumerate(lengths):
        where = (place, slice(length)) if axis else (slice(length), place)
        expected[where] = X[where][::-1]
    equal(compute(text, X, lengths), expected)
    with pytest.raises(InterpreterError, match="a length beyond the"):
        compute(text, X, [5] * len(lengths))
