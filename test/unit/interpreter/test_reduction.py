"""Reductions against Python's own, one run of elements at a time."""

import math
import operator
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from support.oracles.one_op import Array, close, compute, equal, integers, numbers

X = numbers(2, 3, 4)
Reduction = Callable[[list[float]], float]
Running = Callable[[float, float], float]

FLOATS: list[tuple[str, Reduction]] = [
    ("sum", sum),
    ("mean", lambda v: sum(v) / len(v)),
    ("max", max),
    ("min", min),
    ("prod", math.prod),
    ("l1", lambda v: sum(map(abs, v))),
    ("l2", lambda v: math.hypot(*v)),
    ("sum_square", lambda v: sum(x * x for x in v)),
    ("log_sum_exp", lambda v: math.log(sum(map(math.exp, v)))),
]


def runs(x: Array, axes: Iterable[int], shape: tuple[int, ...]) -> Iterable[tuple[tuple[int, ...], list[float]]]:
    """For each index of the result with the reduced axes kept, the reduced elements."""
    for index in np.ndindex(*shape):
        where = tuple(slice(None) if axis in axes else slice(at, at + 1) for axis, at in enumerate(index))
        yield index, [float(value) for value in x[where].flat]


@pytest.mark.parametrize("axes", [[0], [1, 2], [2, 0], [0, 1, 2]])
@pytest.mark.parametrize(("name", "function"), FLOATS)
def test_reductions(name: str, function: Reduction, axes: list[int]):
    kept = tuple(1 if axis in axes else size for axis, size in enumerate(X.shape))
    dropped = "x".join([*(str(size) for axis, size in enumerate(X.shape) if axis not in axes), "f32"])
    expected = np.zeros(kept)
    for index, values in runs(X, axes, kept):
        expected[index] = function(values)
    operand, whole = "tensor<2x3x4xf32>", "x".join(map(str, kept))
    found = compute(f"%r = npu.reduce_{name} %x axes = {axes} keep : ({operand}) -> tensor<{whole}xf32>", X)
    close(found, expected)
    found = compute(f"%r = npu.reduce_{name} %x axes = {axes} : ({operand}) -> tensor<{dropped}>", X)
    close(found, np.squeeze(expected, tuple(axes)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum", 0),
        ("mean", np.nan),
        ("max", -np.inf),
        ("min", np.inf),
        ("prod", 1),
        ("l1", 0),
        ("l2", 0),
        ("sum_square", 0),
        ("log_sum_exp", -np.inf),
    ],
)
def test_reductions_of_empty_axes(name: str, expected: float):
    text = f"%r = npu.reduce_{name} %x axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>"
    equal(compute(text, np.zeros((2, 0))), [expected, expected])


def test_largest_and_least_integer_of_empty_axes():
    for element_type, least, most in (("i8", -128, 127), ("i4", -8, 7), ("ui8", 0, 255), ("i64", -(2**63), 2**63 - 1)):
        types = f"(tensor<2x0x{element_type}>) -> tensor<2x{element_type}>"
        equal(compute(f"%r = npu.reduce_max %x axes = [1] : {types}", np.zeros((2, 0))), [least, least])
        equal(compute(f"%r = npu.reduce_min %x axes = [1] : {types}", np.zeros((2, 0))), [most, most])


def test_nan_propagates():
    x = [[1, np.nan], [np.nan, 2], [1, 2]]
    for name, last in (("max", 2), ("min", 1)):
        text = f"%r = npu.reduce_{name} %x axes = [1] : (tensor<3x2xf32>) -> tensor<3xf32>"
        equal(compute(text, x), [np.nan, np.nan, last])


INTEGERS: list[tuple[str, Callable[[list[int]], int]]] = [
    ("sum", sum),
    ("max", max),
    ("min", min),
    ("prod", math.prod),
    ("l1", lambda v: sum(map(abs, v))),
    ("sum_square", lambda v: sum(x * x for x in v)),
]


@pytest.mark.parametrize(("name", "function"), INTEGERS)
@pytest.mark.parametrize("width", [4, 8, 32])
def test_integer_reductions_wrap(name: str, function: Callable[[list[int]], int], width: int):
    low, high = -(2 ** (width - 1)), 2 ** (width - 1) - 1
    x = integers(low, high, 5, 9)
    text = f"%r = npu.reduce_{name} %x axes = [1] : (tensor<5x9xi{width}>) -> tensor<5xi{width}>"
    exact = [function([int(value) for value in row]) for row in x]
    equal(compute(text, x), [(value - low) % 2**width + low for value in exact])


def test_half_floats_are_added_precisely():
    text = "%r = npu.reduce_{} %x axes = [0] : (tensor<4096x{}>) -> tensor<{}>"
    for element_type in ("f16", "bf16"):
        equal(compute(text.format("sum", element_type, element_type), np.ones(4096)), 4096)
    equal(compute(text.format("mean", "f16", "f16"), np.full(4096, 60000.0)), 60000)


def test_floats_are_added_as_f64():
    text = "%r = npu.reduce_sum %x axes = [0] : (tensor<3xf32>) -> tensor<f32>"
    equal(compute(text, [1e8, 1, -1e8]), 1)


def test_log_sum_exp_of_large_numbers():
    text = "%r = npu.reduce_log_sum_exp %x axes = [1] : (tensor<2x2xf32>) -> tensor<2xf32>"
    close(compute(text, [[1000, 1000], [-np.inf, -np.inf]]), [1000 + math.log(2), -np.inf])


def test_positions_of_extremes():
    x = [[3, 7, 7], [2, 1, 1]]
    types = "(tensor<2x3xf32>) -> tensor<{}>"
    equal(compute(f"%r = npu.arg_max %x axis = 1 : {types.format('2xi64')}", x), [1, 0])
    equal(compute(f"%r = npu.arg_min %x axis = 1 : {types.format('2xi32')}", x), [0, 1])
    equal(compute(f"%r = npu.arg_max %x axis = 0 keep : {types.format('1x3xi8')}", x), [[0, 0, 0]])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("op", "combine", "start"), [("cumsum", operator.add, 0.0), ("cumprod", operator.mul, 1.0)])
def test_running_sums_and_products(op: str, combine: Running, start: float, axis: int, exclusive: bool, reverse: bool):
    x = numbers(3, 4)
    flags = " exclusive" * exclusive + " reverse" * reverse
    found = compute(f"%r = npu.{op} %x axis = {axis}{flags} : tensor<3x4xf32>", x)
    for index in np.ndindex(3, 4):
        total = start
        for at in range(x.shape[axis]):
            is_before = at > index[axis] if reverse else at < index[axis]
            if is_before or (at == index[axis] and not exclusive):
                total = combine(total, float(x[(at, index[1]) if axis == 0 else (index[0], at)]))
        close(found[index], total)


def test_running_sums_wrap_and_may_be_empty():
    text = "%r = npu.cumsum %x axis = 0 : tensor<3xi8>"
    equal(compute(text, [100, 100, 100]), [100, -56, 44])
    text = "%r = npu.cumsum %x axis = 0 exclusive : tensor<0xi8>"
    assert compute(text, []).shape == (0,)
