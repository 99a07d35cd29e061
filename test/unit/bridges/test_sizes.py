"""Calculating with sizes that are not known."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_opt.bridges.onnx.importing.sizes import (
    Size,
    Unknown,
    add,
    broadcast,
    divide,
    least,
    maximum,
    minimum,
    multiply,
    subtract,
    unknown,
)

NAMES = ("batch", "sequence", "width")
SIZES: st.SearchStrategy[Size] = st.recursive(
    st.one_of(st.integers(0, 6), st.sampled_from(NAMES).map(unknown)),
    lambda sizes: st.one_of(st.builds(add, sizes, sizes), st.builds(multiply, sizes, sizes)),
    max_leaves=5,
)
VALUES = st.fixed_dictionaries({name: st.integers(1, 9) for name in NAMES})


def value(size: Size, names: dict[str, int]) -> int:
    """The value of a size for these values of the names."""
    if isinstance(size, int):
        return size
    return sum(factor * int(np.prod([names[name] for name in product], dtype=int)) for product, factor in size.terms)


@given(SIZES, SIZES, VALUES)
def test_arithmetic_is_that_of_numbers(first: Size, second: Size, names: dict[str, int]):
    left, right = value(first, names), value(second, names)
    assert value(add(first, second), names) == left + right
    assert value(subtract(first, second), names) == left - right
    assert value(multiply(first, second), names) == left * right


@given(SIZES, SIZES, VALUES)
def test_a_quotient_is_exact(first: Size, second: Size, names: dict[str, int]):
    product = multiply(first, second)
    quotient = divide(product, second)
    if quotient is not None and value(second, names):
        assert value(quotient, names) * value(second, names) == value(product, names)


@given(SIZES, SIZES, st.integers(-6, 6), st.fixed_dictionaries({name: st.integers(0, 9) for name in NAMES}))
def test_extremes_are_those_of_numbers(first: Size, second: Size, more: int, names: dict[str, int]):
    sizes = first, add(second, more)
    left, right = (value(each, names) for each in sizes)
    greater, smaller = maximum(*sizes), minimum(*sizes)
    assert greater is None or _written_value(greater, names) == max(left, right)
    assert smaller is None or _written_value(smaller, names) == min(left, right)


def _written_value(size: Size, names: dict[str, int]) -> int:
    """The value of a size whose names may be minima, by its text."""
    return eval(str(size), {"min": min}, dict(names))


def test_extremes_of_a_window():
    size = unknown("past")
    left_out = maximum(subtract(size, 511), 0)
    assert left_out is not None
    assert subtract(size, left_out) == maximum(0, subtract(size, left_out)) == least(511, size) == minimum(511, size)
    assert maximum(size, 0) == size
    assert maximum(size, 7) == add(subtract(size, least(7, size)), 7)
    assert maximum(size, unknown("other")) is None
    assert maximum(multiply(size, -1), 0) == 0


def test_what_cancels_is_a_number():
    batch = unknown("batch")
    assert subtract(add(batch, 3), batch) == 3
    assert divide(multiply(batch, 768), multiply(batch, 64)) == 12
    assert divide(add(batch, 1), batch) is None


def test_equal_sizes_are_equal_however_they_came_about():
    batch, sequence = map(unknown, ("batch", "sequence"))
    assert multiply(batch, sequence) == multiply(sequence, batch)
    assert str(multiply(multiply(2, sequence), batch)) == "2*batch*sequence"


def test_arrays_of_sizes():
    sizes: Any = np.array([unknown("n"), 2], dtype=object)
    assert list(sizes * 3 - 1) == [subtract(multiply(unknown("n"), 3), 1), 5]


N, M = unknown("n"), unknown("m")
BROADCASTS = [
    pytest.param([(2, 3), (3,)], (2, 3), id="a lower rank"),
    pytest.param([(N, 1), (1, M)], (N, M), id="unit axes"),
    pytest.param([(N,), (4,)], (4,), id="an unknown size beside a number"),
    pytest.param([(N,), (M,)], None, id="two unknown sizes"),
    pytest.param([(2,), (3,)], None, id="two numbers"),
    pytest.param([(N,), (least(16, N),)], (N,), id="a size beside one that was cut off to fit"),
    pytest.param([(M,), (least(16, N),)], None, id="a size beside one that was cut off to fit elsewhere"),
]


@pytest.mark.parametrize(("shapes", "expected"), BROADCASTS)
def test_broadcast(shapes: list[tuple[Size, ...]], expected: tuple[Size, ...] | None):
    assert broadcast(shapes) == expected


def test_only_differences_may_be_negative():
    assert isinstance(least(4, N), Unknown)
    assert N.is_natural
    difference = subtract(N, 1)
    assert isinstance(difference, Unknown)
    assert not difference.is_natural
