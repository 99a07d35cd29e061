"""Ops that move elements."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_opt.interpreter import InterpreterError
from support.oracles.one_op import compute, compute_all, equal, numbers

X = numbers(3, 4)


def test_concat_and_split():
    a, b = numbers(2, 3), numbers(2, 1)
    text = "%r = npu.concat %a, %b axis = 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>"
    whole = compute(text, a, b)
    assert whole.tolist() == [[*left, *right] for left, right in zip(a.tolist(), b.tolist(), strict=True)]
    text = "%r, %s = npu.split %x axis = 1 sizes = [3, 1] : (tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>)"
    first, second = compute_all(text, whole)
    equal(first, a)
    equal(second, b)


def test_split_into_one():
    (only,) = compute_all("%r = npu.split %x axis = 0 sizes = [3] : (tensor<3x4xf32>) -> (tensor<3x4xf32>)", X)
    equal(only, X)


def test_split_that_does_not_add_up():
    text = "%r, %s = npu.split %x axis = 0 sizes = [3, 1] : (tensor<?xf32>) -> (tensor<3xf32>, tensor<1xf32>)"
    with pytest.raises(InterpreterError, match=r"'npu.split': the sizes \(3, 1\) do not add up to 5"):
        compute_all(text, np.zeros(5))


PAD = "%r = npu.pad %x low = [1] high = [2] {} : (tensor<3x{}>) -> tensor<6x{}>"


def test_pad():
    equal(compute(PAD.format("", "f32", "f32"), [1, 2, 3]), [0, 1, 2, 3, 0, 0])
    equal(compute(PAD.format("value = 2.5", "f32", "f32"), [1, 2, 3]), [2.5, 1, 2, 3, 2.5, 2.5])
    equal(compute(PAD.format("value = -7.0", "i8", "i8"), [1, 2, 3]), [-7, 1, 2, 3, -7, -7])
    equal(compute(PAD.format("value = 1.0", "i1", "i1"), [0, 0, 0]), [1, 0, 0, 0, 1, 1])
    equal(compute(PAD.format('mode = "edge"', "f32", "f32"), [1, 2, 3]), [1, 1, 2, 3, 3, 3])
    equal(compute(PAD.format('mode = "reflect"', "f32", "f32"), [1, 2, 3]), [2, 1, 2, 3, 2, 1])


def test_pad_refers_to_stored_axes():
    text = "%r = npu.pad %x low = [0, 1] high = [1, 0] value = 9.0 : (tensor<2x2xf32>) -> tensor<3x3xf32>"
    equal(compute(text, [[1, 2], [3, 4]]), [[9, 1, 2], [9, 3, 4], [9, 9, 9]])


def test_padding_with_too_few_elements():
    text = '%r = npu.pad %x low = [2] high = [0] mode = "{}" : tensor<?xf32>'
    with pytest.raises(InterpreterError, match=r"'npu.pad': axis 0 has too few elements"):
        compute(text.format("reflect"), [1, 2])
    with pytest.raises(InterpreterError, match=r"'npu.pad': "):
        compute(text.format("edge"), [])


POSITIONS = st.one_of(st.integers(-7, 7), st.just(2**63 - 1), st.just(-(2**63)))


@given(POSITIONS, POSITIONS, st.integers(1, 3))
def test_slice(start: int, limit: int, step: int):
    values = [1, 2, 3, 4, 5]
    kept = values[start:limit:step]
    text = f"%r = npu.slice %x starts = [{start}] limits = [{limit}] steps = [{step}]"
    equal(compute(f"{text} : (tensor<5xf32>) -> tensor<{len(kept)}xf32>", values), kept)


def test_slice_of_several_axes():
    text = "%r = npu.slice %x starts = [0, 1] limits = [9, -1] : (tensor<3x4xf32>) -> tensor<3x2xf32>"
    equal(compute(text, X), [row[1:3] for row in X.tolist()])


def test_reverse():
    equal(
        compute("%r = npu.reverse %x axes = [1] : tensor<3x4xf32>", X),
        [row[::-1] for row in X.tolist()],
    )


def test_tile():
    text = "%r = npu.tile %x repeats = [2, 3] : (tensor<3x4xf32>) -> tensor<6x12xf32>"
    equal(compute(text, X), [row * 3 for row in X.tolist()] * 2)


def test_gather():
    text = "%r = npu.gather %x, %i axis = 1 : (tensor<3x4xf32>, tensor<2x3x{0}>) -> tensor<3x2x3xf32>"
    indices = np.array([[0, 3, 1], [2, 2, 0]])
    for element_type in ("i64", "i8", "ui32", "ui64"):
        found = compute(text.format(element_type), X, indices)
        for row, i, j in np.ndindex(3, 2, 3):
            assert found[row, i, j] == X[row, indices[i, j]]


def test_gather_by_one_index_drops_the_axis():
    text = "%r = npu.gather %x, %i axis = 0 : (tensor<3x4xf32>, tensor<i32>) -> tensor<4xf32>"
    equal(compute(text, X, -1), X[2])


def test_gather_outside_is_an_error():
    text = "%r = npu.gather %x, %i axis = 1 : (tensor<3x4xf32>, tensor<1xi32>) -> tensor<3x1xf32>"
    with pytest.raises(InterpreterError, match=r"'npu.gather': index 4 is out of bounds"):
        compute(text, X, [4])
