"""Ops that change the shape, the order or the layout of a tensor."""

import numpy as np
import pytest
from npu_opt.interpreter import InterpreterError
from support.oracles.one_op import compute, equal, numbers


def test_reshape():
    x = numbers(4, 6)
    equal(compute("%r = npu.reshape %x : (tensor<4x6xf32>) -> tensor<2x12x1xf32>", x), x.reshape(2, 12, 1))


def test_reshape_joins_logical_axes():
    """H and W of NHWC become one axis, stored before C; each element keeps its logical place."""
    x = numbers(2, 4, 6, 8)
    text = (
        "%r = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>)"
        " -> tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>"
    )
    found = compute(text, x)
    for n, h, w, c in np.ndindex(2, 4, 6, 8):
        assert found[n, h * 6 + w, c] == x[n, h, w, c]


def test_reshape_to_a_unit_axis_anywhere():
    x = numbers(3, 5)
    text = "%r = npu.reshape %x : (tensor<3x5xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<{}>"
    equal(compute(text.format("3x1x5xf32, #npu.layout<Tensor, [2, 1, 0]>"), x), x.reshape(3, 1, 5))
    equal(compute(text.format("3x5x1xf32, #npu.layout<Tensor, [1, 0, 2]>"), x), x.reshape(3, 5, 1))


def test_reshape_of_dynamic_sizes():
    x = numbers(2, 5, 12)
    text = "%r = npu.reshape %x dims = [@in0, @in1, 3, 4] : (tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32>"
    equal(compute(text, x), x.reshape(2, 5, 3, 4))
    equal(compute("%r = npu.reshape %x : (tensor<?x5x12xf32>) -> tensor<?x60xf32>", x), x.reshape(2, 60))
    text = "%r = npu.reshape %x dims = [?, @in1] : (tensor<?x?x12xf32>) -> tensor<?x?xf32>"
    equal(compute(text, x), x.reshape(24, 5))


def test_reshape_that_does_not_fit_is_an_error():
    with pytest.raises(InterpreterError, match=r"'npu.reshape': 10 elements do not fit shape \[2, 4\]"):
        compute("%r = npu.reshape %x : (tensor<?xf32>) -> tensor<?x4xf32>", numbers(10))


def test_reshape_without_elements_leaves_a_size_open():
    text = "%r = npu.reshape %x : (tensor<?x0xf32>) -> tensor<0x?xf32>"
    with pytest.raises(InterpreterError, match=r"the sizes \[1\] of the result are unknown"):
        compute(text, np.zeros((3, 0)))


def test_reshape_without_elements():
    assert compute("%r = npu.reshape %x : (tensor<0x4xf32>) -> tensor<2x0xf32>", np.zeros((0, 4))).shape == (2, 0)


def test_broadcast():
    x = numbers(8, 1)
    text = "%r = npu.broadcast %x axes = [1, 3] : (tensor<8x1xf32>) -> tensor<2x8x5x4xf32>"
    found = compute(text, x)
    for a, b, c, d in np.ndindex(2, 8, 5, 4):
        assert found[a, b, c, d] == x[b, 0]


def test_broadcast_into_another_order():
    """The logical axes C, H of the operand are stored as H, C in the result."""
    x = numbers(3, 4)
    text = (
        "%r = npu.broadcast %x axes = [3, 1] : (tensor<3x4xf32, #npu.layout<Tensor>>)"
        " -> tensor<2x4x5x3xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>"
    )
    found = compute(text, x)
    for a, b, c, d in np.ndindex(2, 4, 5, 3):
        assert found[a, b, c, d] == x[d, b]


def test_broadcast_of_dynamic_sizes():
    x = numbers(3, 4)
    text = "%r = npu.broadcast %x axes = [0, 2] : (tensor<?x4xf32>) -> tensor<?x2x4xf32>"
    equal(compute(text, x), np.repeat(x[:, None], 2, 1))
    with pytest.raises(InterpreterError, match=r"'npu.broadcast': the size 1 of the result is unknown"):
        compute("%r = npu.broadcast %x axes = [0, 2] : (tensor<3x4xf32>) -> tensor<3x?x4xf32>", x)


def test_transpose():
    x = numbers(2, 3, 4)
    found = compute("%r = npu.transpose %x permutation = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>", x)
    for a, b, c in np.ndindex(4, 2, 3):
        assert found[a, b, c] == x[b, c, a]


def test_fixed_transposes():
    x = numbers(2, 3, 4, 5)
    there = compute("%r = npu.nchw2nhwc %x : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>", x)
    for n, c, h, w in np.ndindex(2, 3, 4, 5):
        assert there[n, h, w, c] == x[n, c, h, w]
    equal(compute("%r = npu.nhwc2nchw %x : (tensor<2x4x5x3xf32>) -> tensor<2x3x4x5xf32>", there), x)


def test_relabel_moves_nothing():
    x = numbers(2, 4, 5, 3)
    text = "%r = npu.relabel %x : (tensor<2x4x5x3xf32, #npu.layout<NHWC>>) -> tensor<2x4x5x3xf32, #npu.layout<Tensor>>"
    equal(compute(text, x), x)
