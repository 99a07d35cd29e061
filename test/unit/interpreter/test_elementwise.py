"""Elementwise ops against Python's own numbers, one element at a time."""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.oracles.one_op import close, compute, equal, numbers

FLOATS = [-3.5, -2.5, -1.0, -0.3, 0.0, 0.5, 0.7, 1.5, 2.5, 40.0]
POSITIVE = [0.01, 0.5, 1.0, 3.0, 100.0]


def unary(name: str, element_type: str, operand: list[Any], attributes: str = "") -> Any:
    type_ = f"tensor<{len(operand)}x{element_type}>"
    return compute(f"%r = npu.{name} %x {attributes} : ({type_}) -> {type_}", operand)


def binary(name: str, element_type: str, lhs: list[Any], rhs: list[Any], attributes: str = "") -> Any:
    type_ = f"tensor<{len(lhs)}x{element_type}>"
    return compute(f"%r = npu.{name} %a, %b {attributes} : ({type_}, {type_}) -> {type_}", lhs, rhs)


def sign(x: float) -> float:
    return math.copysign(1, x) if x else 0


UNARY: list[tuple[str, Callable[[float], float]]] = [
    ("abs", abs),
    ("neg", operator.neg),
    ("sign", sign),
    ("exp", math.exp),
    ("sin", math.sin),
    ("cos", math.cos),
    ("tan", math.tan),
    ("atan", math.atan),
    ("tanh", math.tanh),
    ("asinh", math.asinh),
    ("erf", math.erf),
    ("ceil", math.ceil),
    ("floor", math.floor),
    ("round", round),
]


@pytest.mark.parametrize(
    ("name", "function"),
    UNARY,
)
def test_unary(name: str, function: Callable[[float], float]):
    close(unary(name, "f64", FLOATS), [function(x) for x in FLOATS])
    close(unary(name, "f32", FLOATS), [function(x) for x in FLOATS])


WITHIN = [-1.0, -0.7, -0.1, 0.0, 1e-4, 0.5, 1.0]
"""Numbers from -1 to 1."""


@pytest.mark.parametrize("function", [math.asin, math.acos, math.sinh, math.cosh])
def test_unary_of_small_numbers(function: Callable[[float], float]):
    for element in ("f64", "f32"):
        close(unary(function.__name__, element, WITHIN), [function(x) for x in WITHIN])


def test_inverse_hyperbolic_functions_at_the_ends_of_their_domains():
    close(unary("acosh", "f64", [1.0, 1.5, 40.0]), [0.0, math.acosh(1.5), math.acosh(40)])
    close(unary("atanh", "f64", [0.0, 0.5, -0.9]), [0.0, math.atanh(0.5), math.atanh(-0.9)])
    with np.errstate(all="ignore"):
        assert np.isposinf(unary("atanh", "f64", [1.0]))
        for name, outside in (("asin", 1.1), ("acos", -1.1), ("atanh", 1.1), ("acosh", 0.9)):
            assert np.isnan(unary(name, "f64", [outside]))


UNARY_OF_POSITIVE: list[tuple[str, Callable[[float], float]]] = [
    ("log", math.log),
    ("sqrt", math.sqrt),
    ("rsqrt", lambda x: x**-0.5),
    ("reciprocal", lambda x: 1 / x),
]


@pytest.mark.parametrize(
    ("name", "function"),
    UNARY_OF_POSITIVE,
)
def test_unary_of_positive_numbers(name: str, function: Callable[[float], float]):
    close(unary(name, "f64", POSITIVE), [function(x) for x in POSITIVE])


def test_unary_integers():
    equal(unary("abs", "i8", [-128, -3, 5]), [-128, 3, 5])
    equal(unary("abs", "i4", [-8, -3, 5]), [-8, 3, 5])
    equal(unary("neg", "ui8", [0, 1, 255]), [0, 255, 1])
    equal(unary("sign", "i32", [-7, 0, 9]), [-1, 0, 1])
    equal(unary("not", "i1", [True, False]), [False, True])
    equal(unary("not", "ui4", [0, 5]), [15, 10])
    equal(unary("not", "i8", [0, 5]), [-1, -6])


def test_floats_beyond_their_range_are_infinite():
    equal(unary("exp", "f16", [20.0]), [np.inf])
    equal(unary("log", "f32", [0.0, -1.0]), [-np.inf, np.nan])


def gelu(x: float) -> float:
    return x * 0.5 * (1 + math.erf(x / math.sqrt(2)))


def gelu_tanh(x: float) -> float:
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def elu(alpha: float) -> Callable[[float], float]:
    return lambda x: x if x > 0 else alpha * (math.exp(x) - 1)


ACTIVATIONS: list[tuple[str, str, Callable[[float], float]]] = [
    ("relu", "", lambda x: max(x, 0)),
    ("leaky_relu", "", lambda x: x if x >= 0 else 0.01 * x),
    ("leaky_relu", "alpha = 2.000000e-01", lambda x: x if x >= 0 else 0.2 * x),
    ("elu", "", elu(1)),
    ("elu", "alpha = 5.000000e-01", elu(0.5)),
    ("selu", "", lambda x: 1.0507009873554805 * elu(1.6732632423543772)(x)),
    ("gelu", "", gelu),
    ("gelu", 'approximate = "tanh"', gelu_tanh),
    ("sigmoid", "", lambda x: 1 / (1 + math.exp(-x))),
    ("hard_sigmoid", "", lambda x: min(max(0.2 * x + 0.5, 0), 1)),
    ("hard_sigmoid", "alpha = 1.0 beta = 2.5e-01", lambda x: min(max(x + 0.25, 0), 1)),
    ("silu", "", lambda x: x / (1 + math.exp(-x))),
    ("hard_swish", "", lambda x: x * min(max(x + 3, 0), 6) / 6),
    ("mish", "", lambda x: x * math.tanh(math.log(1 + math.exp(x)))),
    ("softplus", "", lambda x: math.log(1 + math.exp(x))),
    ("softsign", "", lambda x: x / (1 + abs(x))),
    ("clip", "min = -1.0 max = 2.0", lambda x: min(max(x, -1), 2)),
    ("clip", "min = 5.0e-01", lambda x: max(x, 0.5)),
    ("clip", "max = 0.0", lambda x: min(x, 0)),
]


@pytest.mark.parametrize(
    ("op", "attributes", "function"),
    ACTIVATIONS,
)
def test_activations(op: str, attributes: str, function: Callable[[float], float]):
    close(unary(op, "f64", FLOATS, attributes), [function(x) for x in FLOATS])
    close(unary(op, "f32", FLOATS, attributes), [function(x) for x in FLOATS])
    close(unary(op, "f16", FLOATS, attributes), [function(x) for x in FLOATS], 2e-3)


def test_activations_far_from_zero():
    equal(unary("softplus", "f32", [1e4, -1e4]), [1e4, 0])
    equal(unary("sigmoid", "f32", [1e4, -1e4]), [1, 0])
    equal(unary("elu", "f32", [1e4, -1e4]), [1e4, -1])


def test_integer_activations():
    equal(unary("relu", "i8", [-3, 0, 4]), [0, 0, 4])
    equal(unary("relu", "ui8", [0, 200]), [0, 200])
    equal(unary("clip", "i8", [-128, -3, 100], "min = -2.0 max = 1.0e+03"), [-2, -2, 100])
    equal(unary("clip", "ui64", [2**64 - 1, 3], "max = 1.0e+03"), [1000, 3])


def wrapped(number: int, width: int) -> int:
    return (number + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)


def quotient(a: int, b: int) -> int:
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


BINARY_OF_INTEGERS: list[tuple[str, str, Callable[[int, int], int]]] = [
    ("add", "", operator.add),
    ("sub", "", operator.sub),
    ("mul", "", operator.mul),
    ("div", "", quotient),
    ("mod", "", lambda a, b: a % b if b else 0),
    ("mod", 'sign = "lhs"', lambda a, b: int(math.fmod(a, b)) if b else 0),
    ("pow", "", lambda a, b: a**b if b >= 0 else quotient(1, a**-b)),
    ("max", "", max),
    ("min", "", min),
    ("prelu", "", lambda a, b: a if a >= 0 else a * b),
    ("and", "", lambda a, b: a & b),
    ("or", "", lambda a, b: a | b),
    ("xor", "", lambda a, b: a ^ b),
]


@pytest.mark.parametrize("width", [4, 5, 8])
@pytest.mark.parametrize(
    ("name", "attributes", "function"),
    BINARY_OF_INTEGERS,
)
def test_binary_integers(name: str, attributes: str, function: Callable[[int, int], int], width: int):
    """All pairs of small types."""
    every = range(-(2 ** (width - 1)), 2 ** (width - 1), 1 if width < 8 else 5)
    pairs = [(a, b) for a in every for b in every]
    found = binary(name, f"i{width}", [a for a, _ in pairs], [b for _, b in pairs], attributes)
    equal(found, [wrapped(function(a, b), width) for a, b in pairs])


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)), min_size=1))
def test_unsigned_division(pairs: list[tuple[int, int]]):
    found = binary("div", "ui64", [a for a, _ in pairs], [b for _, b in pairs])
    equal(found, [a // b if b else 0 for a, b in pairs])


def test_least_integer_divided_by_minus_one_wraps():
    for width in (4, 8, 16, 32, 64):
        least = -(2 ** (width - 1))
        equal(binary("div", f"i{width}", [least], [-1]), [least])
        equal(binary("mod", f"i{width}", [least], [-1]), [0])


def test_binary_floats():
    lhs, rhs = [1.0, -2.5, 3.0, 0.0, math.nan], [2.0, 1.5, 0.0, 0.0, 1.0]
    close(binary("add", "f32", lhs, rhs), [3, -1, 3, 0, math.nan])
    close(binary("div", "f32", lhs, rhs), [0.5, -2.5 / 1.5, math.inf, math.nan, math.nan])
    equal(binary("div", "f32", [-3.0, 3.0], [0.0, -0.0]), [-math.inf, -math.inf])
    close(binary("mod", "f32", lhs[:2], rhs[:2]), [1, 0.5])
    equal(binary("mod", "f32", lhs[2:4], rhs[2:4]), [math.nan, math.nan])
    equal(binary("mod", "f32", lhs[2:4], rhs[2:4], 'sign = "lhs"'), [math.nan, math.nan])
    close(binary("mod", "f32", lhs[:2], rhs[:2], 'sign = "lhs"'), [1, -1])
    close(binary("pow", "f32", [2.0, -2.0, -2.0], [0.5, 2.0, 0.5]), [math.sqrt(2), 4, math.nan])
    close(binary("prelu", "f32", [2.0, -2.0], [0.5, 0.5]), [2, -1])
    equal(binary("max", "f32", lhs, rhs), [2, 1.5, 3, 0, math.nan])
    equal(binary("min", "f32", [math.nan], [1.0]), [math.nan])


def test_sums_of_bf16_are_rounded():
    equal(binary("add", "bf16", [256.0, 258.0], [1.0, 1.0]), [256, 260])


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("equal", operator.eq),
        ("not_equal", operator.ne),
        ("less", operator.lt),
        ("less_equal", operator.le),
        ("greater", operator.gt),
        ("greater_equal", operator.ge),
    ],
)
def test_comparison(name: str, function: Callable[[float, float], bool]):
    pairs = [(1.0, 2.0), (2.0, 2.0), (3.0, 2.0), (math.nan, 2.0)]
    text = f"%r = npu.{name} %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"
    equal(compute(text, *zip(*pairs, strict=True)), [function(a, b) for a, b in pairs])


def test_logic():
    lhs, rhs = [False, False, True, True], [False, True, False, True]
    equal(binary("and", "i1", lhs, rhs), [False, False, False, True])
    equal(binary("or", "i1", lhs, rhs), [False, True, True, True])
    equal(binary("xor", "i1", lhs, rhs), [False, True, True, False])


def test_select():
    text = "%r = npu.select %c, %a, %b : (tensor<2x1xi1>, tensor<1x3xf32>, tensor<f32>) -> tensor<2x3xf32>"
    equal(compute(text, [[True], [False]], [[1, 2, 3]], 9), [[1, 2, 3], [9, 9, 9]])


def test_unit_axes_are_repeated():
    a, b = numbers(2, 1, 4), numbers(1, 3, 4)
    text = "%r = npu.sub %a, %b : (tensor<2x1x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>"
    found = compute(text, a, b)
    for i, j, k in np.ndindex(2, 3, 4):
        assert found[i, j, k] == a[i, 0, k] - b[0, j, k]


@pytest.mark.parametrize(("type_", "shape"), [("f32", ()), ("1xf32", (1,)), ("1x1x1x1xf32", (1, 1, 1, 1))])
def test_operands_of_one_element_may_have_any_rank(type_: str, shape: tuple[int, ...]):
    text = f"%r = npu.mul %a, %b : (tensor<2x3xf32>, tensor<{type_}>) -> tensor<2x3xf32>"
    close(compute(text, numbers(2, 3), np.full(shape, 3.0)), numbers(2, 3) * 3)


def test_layouts_do_not_matter():
    x = numbers(2, 4, 5, 3)
    encoded = "tensor<2x4x5x3xf32, #npu.layout<NHWC>>"
    equal(compute(f"%r = npu.add %x, %x : {encoded}", x, x), x + x)


def test_values_without_elements():
    empty = np.zeros((0, 3))
    text = "%r = npu.add %x, %y : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<0x3xf32>"
    assert compute(text, empty, np.zeros((1, 3))).shape == (0, 3)


def cast(source: str, result: str, operand: list[Any]) -> Any:
    size = len(operand)
    return compute(f"%r = npu.cast %x : (tensor<{size}x{source}>) -> tensor<{size}x{result}>", operand)


def test_cast_cuts_fractions_off():
    equal(cast("f32", "i32", [-1.9, -0.5, 0.5, 1.9]), [-1, 0, 0, 1])
    equal(cast("f32", "ui8", [3.99, 255.5]), [3, 255])


def test_cast_wraps_integers():
    equal(cast("i32", "i8", [127, 128, -129, 300]), [127, -128, 127, 44])
    equal(cast("i32", "ui4", [-1, 17]), [15, 1])
    equal(cast("f32", "i8", [200.0, -129.5]), [-56, 127])
    equal(cast("f64", "ui32", [2.0**32 + 5, -1.0]), [5, 2**32 - 1])
    equal(cast("f64", "ui64", [2.0**64 - 2048, -1.5]), [2**64 - 2048, 2**64 - 1])


@pytest.mark.parametrize(
    ("element", "least", "most"),
    [
        *(("i8", 0, -1), ("ui16", 0, 2**16 - 1), ("i32", -(2**31), 2**31 - 1)),
        *(("ui32", 0, 2**32 - 1), ("i64", -(2**63), 2**63 - 1), ("ui64", 2**63, 2**64 - 1)),
    ],
)
def test_cast_of_what_no_wide_integer_has_is_the_nearest_one(element: str, least: int, most: int):
    equal(cast("f64", element, [-1e20, -math.inf, 1e20, math.inf, math.nan]), [least, least, most, most, most])


def test_cast_to_the_ends_of_an_integer_type():
    equal(cast("f64", "i32", [2.0**31 - 0.5, 2.0**31, -(2.0**31) - 0.5]), [2**31 - 1, 2**31 - 1, -(2**31)])
    equal(cast("f64", "i64", [2.0**63 - 1024, 2.0**63, -(2.0**63)]), [2**63 - 1024, 2**63 - 1, -(2**63)])


def test_cast_of_truth_values():
    equal(cast("i1", "f32", [True, False]), [1, 0])
    equal(cast("i1", "i8", [True, False]), [1, 0])
    equal(cast("f32", "i1", [0.0, -0.5, math.inf, math.nan]), [False, True, True, True])
    equal(cast("i32", "i1", [0, 256]), [False, True])


def test_cast_between_floats_rounds():
    equal(cast("f32", "bf16", [1.0 + 2**-8, 1.0 + 3 * 2**-8]), [1.0, 1.0 + 2**-6])
    equal(cast("f64", "f16", [65504.0, 1e6]), [65504, math.inf])
    equal(cast("i32", "f32", [2**24 + 1]), [2**24])
