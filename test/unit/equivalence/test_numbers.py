"""Inputs on which two programs differ."""

from typing import Any

import numpy as np
import pytest
from npu_opt.equivalence.numbers import CannotRun, Runner, difference, largest_difference
from npu_opt.equivalence.symbols import public_functions
from numpy.typing import NDArray
from support.ir_text import parse

PROGRAM = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { func.return %x : tensor<2xf32> }
module @inner { func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { func.return %x : tensor<2xf32> } }
"""


def returning(result: object) -> Runner:
    array: NDArray[Any] = np.asarray(result)
    return lambda _name, _inputs: [array]


def found(one: object, other: object) -> str | None:
    function = public_functions(parse(PROGRAM))["main"]
    answer = difference(returning(one), returning(other), function, [0])
    return None if answer is None else str(answer).removeprefix("on the random input of seed 0, ")


@pytest.mark.parametrize("equal", [1, 1.0, True, [], [[1.5, 2.5]], float("nan"), [float("inf")]])
def test_equal_results_have_no_difference(equal: object):
    assert found(equal, equal) is None


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (1, 2, "the element of result 0 is 1"),
        (1.0, 2.0, "the element of result 0 is 1.0"),
        (True, False, "the element of result 0 is True"),
        ([1, 2], [1, 3], "element [1] of result 0 is 2"),
        ([[0.0, 1.0]], [[0.0, float("nan")]], "element [0, 1] of result 0 is 1.0"),
        ([1, 2], 1, "the shape of result 0 is 2 in the first program and scalar"),
        ([[1.0]], [[1.0, 2.0]], "the shape of result 0 is 1x1 in the first program and 1x2"),
    ],
)
def test_the_first_element_that_differs_is_reported(one: object, other: object, message: str):
    text = found(one, other)
    assert text is not None
    assert text.startswith(message)


@pytest.mark.parametrize(
    ("one", "other", "largest"),
    [
        ([1.0, float("nan")], [1.5, float("nan")], 0.5),
        ([1.0, float("nan")], [1.0, 2.0], float("inf")),
        ([float("inf")], [float("inf")], 0.0),
        ([float("inf")], [float("-inf")], float("inf")),
        ([2**62 + 1], [2**62], 1.0),
        (np.array([-128, 0], np.int8), np.array([127, 0], np.int8), 255.0),
        ([True], [False], 1.0),
        (np.array([65504.0], np.float16), np.array([-65504.0], np.float16), 131008.0),
        (np.zeros((0, 3)), np.zeros((0, 3)), 0.0),
    ],
)
def test_the_largest_difference(one: object, other: object, largest: float):
    assert largest_difference(np.asarray(one), np.asarray(other)) == largest


def test_a_function_of_a_nested_module_cannot_be_run():
    module = parse(PROGRAM)
    with pytest.raises(CannotRun, match="@main is in a nested module"):
        difference(module, module, public_functions(module)["inner::@main"], [0])
