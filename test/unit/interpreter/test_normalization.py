"""Normalisations against their formulas, one run of elements at a time."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from support.oracles.one_op import Array, close, compute, numbers

X = numbers(2, 3, 4, 5)
TYPE = "tensor<2x3x4x5xf32>"


def along(x: Array, axes: Sequence[int], function: Callable[[list[float]], list[float]]) -> Array:
    """A function of lists, applied to all runs of elements along the axes."""
    result = np.zeros(x.shape)
    others = [range(1) if axis in axes else range(size) for axis, size in enumerate(x.shape)]
    inner = [range(size) if axis in axes else range(1) for axis, size in enumerate(x.shape)]
    for start in np.ndindex(*map(len, others)):
        run = [tuple(np.add(start, offset)) for offset in np.ndindex(*map(len, inner))]
        for index, value in zip(run, function([float(x[index]) for index in run]), strict=True):
            result[index] = value
    return result


def softmax(values: list[float]) -> list[float]:
    total = sum(map(math.exp, values))
    return [math.exp(value) / total for value in values]


def normal(values: list[float], epsilon: float = 1e-5) -> list[float]:
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    return [(value - mean) / math.sqrt(variance + epsilon) for value in values]


@pytest.mark.parametrize("axis", range(4))
def test_softmax(axis: int):
    close(compute(f"%r = npu.softmax %x axis = {axis} : {TYPE}", X), along(X, [axis], softmax))
    found = compute(f"%r = npu.log_softmax %x axis = {axis} : {TYPE}", X)
    close(np.exp(found), along(X, [axis], softmax))


def test_softmax_of_large_numbers():
    text = "%r = npu.{} %x axis = 0 : (tensor<2xf32>) -> tensor<2xf32>"
    close(compute(text.format("softmax"), [1000, 1000]), [0.5, 0.5])
    close(compute(text.format("log_softmax"), [1000, 0]), [0, -1000])


def test_softmax_of_masked_numbers():
    text = "%r = npu.softmax %x axis = 0 : tensor<2xf32>"
    close(compute(text, [0, -np.inf]), [1, 0])


@pytest.mark.parametrize("axis", range(4))
def test_hardmax(axis: int):
    def hardmax(values: list[float]) -> list[float]:
        return [float(place == values.index(max(values))) for place in range(len(values))]

    close(compute(f"%r = npu.hardmax %x axis = {axis} : {TYPE}", X), along(X, [axis], hardmax))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 3, 3], [0, 1, 0]),
        ([-np.inf, -np.inf, -np.inf], [1, 0, 0]),
        ([-0.0, 0, -1], [1, 0, 0]),
        ([np.nan, 1, 2], [0, 0, 0]),
        ([2, 1, np.nan], [0, 0, 0]),
    ],
    ids=["the first of equal ones", "masked", "zeros", "NaN", "NaN behind"],
)
def test_hardmax_of_equal_and_missing_numbers(values: list[float], expected: list[float]):
    close(compute("%r = npu.hardmax %x axis = 0 : tensor<3xf32>", values), expected)


@pytest.mark.parametrize("p", [1, 2])
def test_lp_norm(p: int):
    x = X.copy()
    x[0, :, 0, 0] = 0

    def norm(values: list[float]) -> float:
        return sum(map(abs, values)) if p == 1 else math.hypot(*values)

    def divided(values: list[float]) -> list[float]:
        return [value / (norm(values) or 1) for value in values]

    close(compute(f"%r = npu.lp_norm %x axis = 1 p = {p} : {TYPE}", x), along(x, [1], divided))


@pytest.mark.parametrize("axes", [[1], [2, 3], [3, 1], [0, 1, 2, 3]])
def test_tensor_norm(axes: list[int]):
    found = compute(f"%r = npu.tensor_norm %x axes = {axes} epsilon = 0.1 : {TYPE}", X)
    close(found, along(X, axes, lambda values: normal(values, 0.1)))


def test_layer_norm():
    scale, bias = numbers(1, 1, 4, 5, seed=1), numbers(1, 3, 1, 1)
    plain = along(X, [2, 3], normal)
    scale_text, bias_text = "scale(%s : tensor<1x1x4x5xf32>)", "bias(%b : tensor<1x3x1x1xf32>)"
    text = f"%r = npu.layer_norm %x {{}} axes = [2, 3] : {TYPE}"
    close(compute(text.format(""), X), plain)
    close(compute(text.format(scale_text), X, scale), plain * scale)
    close(compute(text.format(bias_text), X, bias), plain + bias)
    close(compute(text.format(f"{scale_text} {bias_text}"), X, scale, bias), plain * scale + bias)
    close(compute(text.format("scale(%s : tensor<f32>)"), X, 3), plain * 3)


def test_rms_norm():
    def divided(values: list[float]) -> list[float]:
        root = math.sqrt(sum(value * value for value in values) / len(values) + 1e-5)
        return [value / root for value in values]

    scale = numbers(1, 1, 1, 5)
    text = f"%r = npu.rms_norm %x, %s axes = [3] : ({TYPE}, tensor<1x1x1x5xf32>) -> {TYPE}"
    close(compute(text, X, scale), along(X, [3], divided) * scale)
    close(compute(f"%r = npu.rms_norm %x axes = [1, 3] : {TYPE}", X), along(X, [1, 3], divided))


@pytest.mark.parametrize("axis", range(4))
def test_batch_norm(axis: int):
    size = X.shape[axis]
    scale, bias, mean = (numbers(size, seed=seed) for seed in range(3))
    variance = np.abs(numbers(size, seed=3))
    vector = f"tensor<{size}xf32>"
    text = f"%r = npu.batch_norm %x, %s, %b, %m, %v axis = {axis} : ({TYPE}{f', {vector}' * 4}) -> {TYPE}"
    found = compute(text, X, scale, bias, mean, variance)
    for index in np.ndindex(*X.shape):
        c = index[axis]
        close(found[index], (X[index] - mean[c]) / math.sqrt(variance[c] + 1e-5) * scale[c] + bias[c])


def test_instance_norm():
    scale, bias = numbers(5), numbers(5, seed=1)
    text = (
        f"%r = npu.instance_norm %x, %s, %b axis = 3 axes = [1, 2] : ({TYPE}, tensor<5xf32>, tensor<5xf32>) -> {TYPE}"
    )
    close(compute(text, X, scale, bias), along(X, [1, 2], normal) * scale + bias)


@pytest.mark.parametrize("axis", [1, 2, 3])
def test_group_norm(axis: int):
    """Channels of one group are adjacent along their axis, in all layouts."""
    channels, groups = 4, 2
    others = [other for other in (1, 2, 3) if other != axis]
    shape = [2, 3, 3, 3]
    shape[axis] = channels
    x, scale, bias = numbers(*shape), numbers(channels), numbers(channels, seed=1)
    type_ = f"tensor<{'x'.join(map(str, shape))}xf32>"
    text = (
        f"%r = npu.group_norm %x, %s, %b groups = {groups} axis = {axis} axes = {others}"
        f" : ({type_}, tensor<4xf32>, tensor<4xf32>) -> {type_}"
    )
    halves = [along(half, [1, 2, 3], normal) for half in np.split(x, groups, axis)]
    vector = [1, 1, 1, 1]
    vector[axis] = channels
    expected = np.concatenate(halves, axis) * scale.reshape(vector) + bias.reshape(vector)
    close(compute(text, x, scale, bias), expected)


def test_norms_of_half_floats_are_computed_precisely():
    """The squares of these are beyond f16."""
    text = "%r = npu.rms_norm %x axes = [0] : tensor<2xf16>"
    close(compute(text, [1000, 1000]), [1, 1], 1e-3)


def test_norms_of_empty_tensors():
    text = "%r = npu.tensor_norm %x axes = [1] : tensor<2x0xf32>"
    assert compute(text, np.zeros((2, 0))).shape == (2, 0)
