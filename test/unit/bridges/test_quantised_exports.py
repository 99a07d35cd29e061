"""Quantised models with integers of either sign are proved equal to the LiteRT models that they are written as.

Weights are constants of floats there, which are the dequantised integers.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from onnx import ModelProto, NodeProto, helper, numpy_helper

Numbers = Mapping[str, Any]
"""Arrays and scalars of numpy."""
KINDS = ("Conv", "depthwise", "Gemm", "MatMul", "ConvTranspose", "Relu")
BYTES = (np.uint8, np.int8)
SHAPES = {
    "Conv": (6, 4, 3, 3),
    "depthwise": (4, 1, 3, 3),
    "Gemm": (8, 5),
    "MatMul": (8, 5),
    "ConvTranspose": (4, 6, 3, 3),
    "Relu": (6, 4, 1, 1),
}
OUTPUTS = {"Gemm": 1, "MatMul": 1, "ConvTranspose": 1}
"""The axis of the weights along which outputs are; 0 for others."""


def numbers_of(kind: str, data: type[Any], weights: type[Any]) -> dict[str, Any]:
    rng, shape = np.random.default_rng(3), SHAPES[kind]
    count = shape[OUTPUTS.get(kind, 0)]
    zero = 120 if data is np.uint8 else -8
    return {
        "scale": np.float32(0.05),
        "zero": data(zero),
        "w": rng.integers(-127, 127, shape).astype(np.int8).view(weights),
        "w_scale": np.float32(0.02),
        "w_zero": weights(0 if weights is np.int8 else 128),
        "b": rng.integers(-500, 500, count).astype(np.int32),
        "b_scale": np.float32(0.05) * np.float32(0.02),
        "b_zero": np.int32(0),
        "after": np.float32(0.1),
        "after_zero": data(zero if kind != "Relu" else np.iinfo(data).min),
    }


def model(kind: str, numbers: Numbers) -> ModelProto:
    """A product between quantised data."""
    attributes: dict[str, Any] = {"depthwise": {"group": 4}, "Conv": {"pads": [1, 1, 1, 1]}}.get(kind, {})
    op = {"depthwise": "Conv", "Relu": "Conv"}.get(kind, kind)
    inputs = ["x_", "w_"] + (["b_"] if kind != "MatMul" else [])
    node = helper.make_node
    nodes: list[NodeProto] = [
        node("QuantizeLinear", ["x", "scale", "zero"], ["q"]),
        node("DequantizeLinear", ["q", "scale", "zero"], ["x_"]),
        node("DequantizeLinear", ["w", "w_scale", "w_zero"], ["w_"], axis=OUTPUTS.get(kind, 0)),
        node("DequantizeLinear", ["b", "b_scale", "b_zero"], ["b_"]),
        node(op, inputs, ["p"], **attributes),
        *([node("Relu", ["p"], ["r"])] if kind == "Relu" else []),
        node("QuantizeLinear", ["r" if kind == "Relu" else "p", "after", "after_zero"], ["p_"]),
        node("DequantizeLinear", ["p_", "after", "after_zero"], ["y"]),
    ]
    shape = [2, 8] if kind in ("Gemm", "MatMul") else [1, 4, 8, 8]
    ends = [helper.make_tensor_value_info("x", 1, shape)], [helper.make_tensor_value_info("y", 1, [None] * len(shape))]
    graph = helper.make_graph(
        nodes, "g", *ends, [numpy_helper.from_array(np.asarray(v), k) for k, v in numbers.items()]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def written(tmp_path: Path, made: ModelProto) -> Path:
    (tmp_path / "other.onnx").write_bytes(made.SerializeToString())
    npu_opt.optimize(tmp_path / "other.onnx", strategy=None, passes=()).save(tmp_path / "other.tflite")
    return tmp_path / "other.tflite"


@pytest.mark.parametrize("weights", BYTES)
@pytest.mark.parametrize("data", BYTES)
@pytest.mark.parametrize("kind", KINDS)
def test_products(tmp_path: Path, kind: str, data: type[Any], weights: type[Any]) -> None:
    numbers = numbers_of(kind, data, weights)
    given = model(kind, numbers)
    file = written(tmp_path, given)
    verdict = npu_opt.check(given, file)
    assert verdict, verdict.reason
    count = numbers["b"].size
    each = np.linspace(0.01, 0.03, count, dtype=np.float32)
    changed: dict[str, dict[str, Any]] = {
        "one weight": {"w": numbers["w"] ^ np.eye(1, numbers["w"].size, 3, weights).reshape(numbers["w"].shape)},
        "the weights' scale": {"w_scale": np.nextafter(numbers["w_scale"], np.float32(1))},
        "scales for each output": {"w_scale": each, "w_zero": np.full(count, numbers["w_zero"])},
        "the data's scale": {"scale": np.nextafter(numbers["scale"], np.float32(1))},
        "the data's zero point": {"zero": numbers["zero"] + data(1)},
        "the result's zero point": {"after_zero": numbers["after_zero"] + data(1)},
    }
    if kind != "MatMul":
        changed["one bias"] = {"b": numbers["b"] + np.eye(1, count, 1, np.int32)[0]}
    for name, other in changed.items():
        assert npu_opt.check(model(kind, numbers | other), file).word != "proved", name


@pytest.mark.parametrize("data", BYTES)
def test_scales_for_each_output(tmp_path: Path, data: type[Any]) -> None:
    numbers = numbers_of("Conv", data, np.int8)
    numbers |= {"w_scale": np.linspace(0.01, 0.03, 6, dtype=np.float32), "w_zero": np.zeros(6, np.int8)}
    file = written(tmp_path, model("Conv", numbers))
    assert npu_opt.check(model("Conv", numbers), file)
    swapped = numbers | {"w_scale": numbers["w_scale"][::-1].copy()}
    assert npu_opt.check(model("Conv", swapped), file).word != "proved"
