"""Floats of 8 bits or fewer: their numbers, and the rounding to them, beside ml_dtypes and ONNX Runtime."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from npu_opt.interpreter.bits import bits_of, from_bits
from npu_opt.interpreter.elements import holds, store
from npu_opt.interpreter.narrow_floats import DOWN, NEAREST, UP, from_codes, numbers_of, saturated, to_codes
from xdsl.dialects.builtin import (
    Float6E2M3FNType,
    Float6E3M2FNType,
    ReducedPrecisionFloatType,
    bf16,
    f4E2M1FN,
    f8E3M4,
    f8E4M3,
    f8E4M3B11FNUZ,
    f8E4M3FN,
    f8E4M3FNUZ,
    f8E5M2,
    f8E5M2FNUZ,
    f8E8M0FNU,
    f32,
    i1,
    i8,
    i32,
)

NAMES: dict[ReducedPrecisionFloatType, str] = {
    f8E3M4: "float8_e3m4",
    f8E4M3: "float8_e4m3",
    f8E4M3FN: "float8_e4m3fn",
    f8E4M3FNUZ: "float8_e4m3fnuz",
    f8E4M3B11FNUZ: "float8_e4m3b11fnuz",
    f8E5M2: "float8_e5m2",
    f8E5M2FNUZ: "float8_e5m2fnuz",
    f8E8M0FNU: "float8_e8m0fnu",
    f4E2M1FN: "float4_e2m1fn",
    Float6E2M3FNType(): "float6_e2m3fn",
    Float6E3M2FNType(): "float6_e3m2fn",
}
"""The types, by the names that ml_dtypes has for them."""
SIGNED = [type_ for type_ in NAMES if type_ != f8E8M0FNU]


def of_ml_dtypes(type_: ReducedPrecisionFloatType) -> Any:
    return getattr(pytest.importorskip("ml_dtypes", reason="it comes with onnx"), NAMES[type_])


def trials(type_: ReducedPrecisionFloatType) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Numbers of all sizes, those of the type, and the halves between them."""
    rng = np.random.default_rng(0)
    known = numbers_of(type_).astype(np.float64)
    finite = np.sort(known[np.isfinite(known)])
    spread = rng.standard_normal(4000) * np.exp(rng.uniform(-20, 20, 4000))
    ends = [0.0, -0.0, np.inf, -np.inf, np.nan]
    return np.concatenate([spread.astype(np.float32), finite, (finite[1:] + finite[:-1]) / 2, ends])


@pytest.mark.parametrize("type_", NAMES, ids=str)
def test_numbers_are_those_of_ml_dtypes(type_: ReducedPrecisionFloatType):
    codes = np.arange(1 << type_.bitwidth, dtype=np.uint8)
    np.testing.assert_array_equal(numbers_of(type_), codes.view(of_ml_dtypes(type_)).astype(np.float32))
    assert holds(numbers_of(type_), type_)


@pytest.mark.parametrize("type_", SIGNED, ids=str)
def test_numbers_are_rounded_as_ml_dtypes_rounds_them(type_: ReducedPrecisionFloatType):
    numbers = trials(type_)
    with np.errstate(all="ignore"):
        expected = numbers.astype(of_ml_dtypes(type_))
    codes = to_codes(numbers, type_)
    has_nan = np.isnan(expected.astype(np.float32))
    np.testing.assert_array_equal(codes[~has_nan], expected.view(np.uint8)[~has_nan])
    np.testing.assert_array_equal(np.isnan(from_codes(codes, type_)), has_nan)


@pytest.mark.parametrize("type_", SIGNED, ids=str)
def test_saturated_numbers_have_no_infinities(type_: ReducedPrecisionFloatType):
    found = from_codes(to_codes(saturated(np.array([np.inf, -np.inf, 1e30, np.nan]), type_), type_), type_)
    known = numbers_of(type_)
    largest = known[np.isfinite(known)].max()
    np.testing.assert_array_equal(found[:3], [largest, -largest, largest])
    assert np.isnan(found[3]) or not np.isnan(known).any()


@pytest.mark.parametrize(
    ("rounding", "expected"),
    [(UP, [1, 2, 2, 4]), (DOWN, [1, 1, 1, 2]), (NEAREST, [1, 1, 2, 4])],
)
def test_ways_to_a_power_of_two(rounding: str, expected: list[float]):
    codes = to_codes(np.array([1.0, 1.25, 1.5, 3.0]), f8E8M0FNU, rounding)
    np.testing.assert_array_equal(from_codes(codes, f8E8M0FNU), expected)


def test_what_is_no_power_of_two():
    ends = np.array([0.0, -1.0, 2.0**-128, 2.0**127, 3e38, np.inf, np.nan])
    found = from_codes(to_codes(ends, f8E8M0FNU), f8E8M0FNU)
    assert [*np.isnan(found)] == [True, True, True, False, True, True, True]
    found = from_codes(to_codes(saturated(ends, f8E8M0FNU), f8E8M0FNU), f8E8M0FNU)
    np.testing.assert_array_equal(found, [*[2.0**-127] * 3, *[2.0**127] * 3, np.nan])


@pytest.mark.parametrize("type_", [f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ], ids=str)
@pytest.mark.parametrize("wide", [np.float32, np.float16])
def test_casts_of_onnx_runtime(type_: ReducedPrecisionFloatType, wide: Any):
    """Saturating casts alone are compared: ONNX Runtime differs from the tables of ONNX in the others."""
    ort: Any = pytest.importorskip("onnxruntime", reason="pip install -e '.[dev]'")
    onnx: Any = import_module("onnx")
    number = onnx.TensorProto.DataType.Value(NAMES[type_].replace("_", "").upper())
    kind = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(wide))
    with np.errstate(all="ignore"):
        numbers = trials(type_).astype(wide)
    ends = [onnx.helper.make_tensor_value_info(name, each, None) for name, each in (("x", kind), ("y", 1))]
    nodes = [onnx.helper.make_node("Cast", ["x"], ["q"], to=number), onnx.helper.make_node("Cast", ["q"], ["y"], to=1)]
    graph = onnx.helper.make_graph(nodes, "g", ends[:1], ends[1:])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)], ir_version=10)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    (found,) = session.run(None, {"x": numbers})
    expected = from_codes(to_codes(saturated(numbers.astype(np.float64), type_), type_), type_)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("element", [f8E4M3FN, f4E2M1FN, bf16, f32, i1, i8, i32], ids=str)
def test_bits_and_back(element: Any):
    numbers = store(np.array([[0.5, -1.0], [0.0, 3.0]]), element)
    bits = bits_of(numbers, element)
    assert bits.dtype.kind == "u"
    np.testing.assert_array_equal(store(from_bits(bits, element), element), numbers)
    assert bits_of(numbers[0, 1], element).shape == ()
