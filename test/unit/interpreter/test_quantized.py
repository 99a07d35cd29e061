"""Quantised convolutions, and numbers to integers and back."""

import numpy as np
import pytest
from npu_opt.dialects.npu.quantization_patterns import MOST_BITS, SCALES
from support.oracles.one_op import compute, equal, integers


def padded_sums(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The convolution of whole numbers with padding of one zero around each image."""
    x = np.pad(x.astype(np.int64), [(0, 0), (0, 0), (1, 1), (1, 1)])
    sums = np.zeros((x.shape[0], w.shape[0], x.shape[2] - 2, x.shape[3] - 2), np.int64)
    for n, o, h, v in np.ndindex(*sums.shape):
        sums[n, o, h, v] = (x[n, :, h : h + 3, v : v + 3] * w[o]).sum()
    return sums


X, W = integers(0, 255, 1, 2, 4, 5), integers(-128, 127, 3, 2, 3, 3)
W_ZERO = np.array([3, -7, 0])


def test_convolution_of_integers():
    """Padding holds the zero point, which means zero."""
    text = (
        "%r = npu.conv2d_integer %x, %w, %xz, %wz pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>"
        " : (tensor<1x2x4x5xui8>, tensor<3x2x3x3xi8>, tensor<ui8>, tensor<3xi8>) -> tensor<1x3x4x5xi32>"
    )
    equal(compute(text, X, W, 120, W_ZERO), padded_sums(X - 120, W - W_ZERO.reshape(3, 1, 1, 1)))


@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_quantized_convolution(per_channel: bool, layout: str):
    scales = np.array([0.01, 0.5, 2.0]) if per_channel else np.array(0.01)
    zeros = W_ZERO if per_channel else np.array(3)
    vector = "3x" if per_channel else ""
    bias = np.array([100, -100, 7])
    x_shape, y_shape = ("1x2x4x5", "1x3x4x5") if layout == "NCHW" else ("1x4x5x2", "1x4x5x3")
    text = (
        "%r = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz, %b pads = [1, 1, 1, 1]"
        f" data_layout = <{layout}> kernel_layout = <OIHW>"
        f" : (tensor<{x_shape}xui8>, tensor<3x2x3x3xi8>, tensor<f32>, tensor<ui8>, tensor<{vector}f32>,"
        f" tensor<{vector}i8>, tensor<f32>, tensor<ui8>, tensor<3xi32>) -> tensor<{y_shape}xui8>"
    )
    order = (0, 1, 2, 3) if layout == "NCHW" else (0, 2, 3, 1)
    found = compute(text, np.transpose(X, order), W, 0.05, 120, scales, zeros, 1.5, 10, bias)
    sums = padded_sums(X - 120, W - zeros.reshape(-1, 1, 1, 1)) + bias.reshape(1, 3, 1, 1)
    # The scales are f32, so they are not quite what they were written as.
    factor = float(np.float32(0.05)) * np.broadcast_to(scales, 3).astype(np.float32).astype(float) / 1.5
    expected = np.zeros(sums.shape, np.int64)
    for index in np.ndindex(*sums.shape):
        expected[index] = min(max(round(float(sums[index] * factor[index[1]])) + 10, 0), 255)
    equal(found, np.transpose(expected, order))
    assert len(set(expected.flat)) > 10


def test_quantize():
    text = "%r = npu.quantize %x, %s, %z : (tensor<7xf32>, tensor<f32>, tensor<i8>) -> tensor<7xi8>"
    found = compute(text, [0.25, 0.75, 1.25, -0.25, 1000, -1000, np.inf], 0.5, 1)
    equal(found, [1, 3, 3, 1, 127, -128, 127])


def test_quantize_converts_nan_to_zero():
    text = "%r = npu.quantize %x, %s, %z : (tensor<1xf32>, tensor<f32>, tensor<{0}>) -> tensor<1x{0}>"
    equal(compute(text.format("i8"), [np.nan], 0.5, 3), [0])
    equal(compute(text.format("ui8"), [np.nan], 0.5, 3), [0])


def test_quantize_to_few_bits():
    text = "%r = npu.quantize %x, %s, %z : (tensor<4xf32>, tensor<1xf32>, tensor<1xui4>) -> tensor<4xui4>"
    equal(compute(text, [-100, 0, 3, 100], [1], [8]), [0, 8, 11, 15])


def test_quantize_per_channel_and_back():
    x = np.array([[1.0, 2.0], [3.0, 4.0], [-5.0, 6.0]])
    types = "(tensor<3x2x{}>, tensor<2xf32>, tensor<2xi8>) -> tensor<3x2x{}>"
    there = f"%r = npu.quantize %x, %s, %z axis = 1 : {types.format('f32', 'i8')}"
    back = f"%r = npu.dequantize %x, %s, %z axis = 1 : {types.format('i8', 'f32')}"
    quantized = compute(there, x, [0.5, 2], [10, -10])
    equal(quantized, [[12, -9], [16, -8], [0, -7]])
    equal(compute(back, quantized, [0.5, 2], [10, -10]), x)


@pytest.mark.parametrize("scale", [*SCALES, 1e-30, 0.1, 0.3, 1 / 3, 0.7, 1, 3, 1.0000001, 1.9999999, 7e29])
@pytest.mark.parametrize("kind", ["i16", "ui16"])
def test_all_integers_of_16_bits_come_back(kind: str, scale: float):
    """Canonicalisation drops such pairs."""
    assert MOST_BITS == 16
    least = -(2**15) if kind == "i16" else 0
    every = np.arange(least, least + 2**16)
    types = f"(tensor<65536x{{}}>, tensor<f32>, tensor<{kind}>) -> tensor<65536x{{}}>"
    there = f"%r = npu.dequantize %x, %s, %z : {types.format(kind, 'f32')}"
    back = f"%r = npu.quantize %x, %s, %z : {types.format('f32', kind)}"
    for zero_point in (least, 0, 7, least + 2**16 - 1):
        numbers = compute(there, every, scale, zero_point)
        assert numbers.dtype == np.float32
        equal(compute(back, numbers, scale, zero_point), every)
