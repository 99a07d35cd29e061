"""QuantizeLinear and DequantizeLinear of ONNX Runtime's own domain: transposes move through, and they stay its own."""

import npu_opt
import pytest
from onnx import ModelProto
from onnx.parser import parse_model

HEAD = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>'
QUANTIZE = "com.microsoft.QuantizeLinear"
DEQUANTIZE = "com.microsoft.DequantizeLinear"

AROUND = [
    pytest.param(
        f"float[1,2,3,4] x, float s, int16 z) => (int16[1,2,3,4] y) {{ a = Transpose <perm = [0, 2, 3, 1]> (x)"
        f" b = {QUANTIZE} (a, s, z) y = Transpose <perm = [0, 3, 1, 2]> (b) }}",
        [(QUANTIZE, None)],
        id="one scale",
    ),
    pytest.param(
        f"float[1,2,3,4] x, float[2] s, uint16[2] z) => (uint16[1,2,3,4] y) {{ a = Transpose <perm = [0, 2, 3, 1]> (x)"
        f" b = {QUANTIZE} <axis = -1> (a, s, z) y = Transpose <perm = [0, 3, 1, 2]> (b) }}",
        [(QUANTIZE, 1)],
        id="a scale for each channel",
    ),
    pytest.param(
        f"float[1,2,3,4] x, float[3] s) => (uint8[1,2,3,4] y) {{ a = Transpose <perm = [0, 2, 3, 1]> (x)"
        f" b = {QUANTIZE} (a, s) y = Transpose <perm = [0, 3, 1, 2]> (b) }}",
        [("Expand", None), (QUANTIZE, 2)],
        id="no zero point, and the axis that is left out",
    ),
    pytest.param(
        f"int16[1,2,3,4] x, float s, int16 z) => (float[1,2,3,4] y) {{ a = Transpose <perm = [0, 2, 3, 1]> (x)"
        f" b = {DEQUANTIZE} (a, s, z) c = Relu (b) y = Transpose <perm = [0, 3, 1, 2]> (c) }}",
        [(DEQUANTIZE, None), ("Relu", None)],
        id="dequantisation",
    ),
]


@pytest.mark.parametrize(("body", "expected"), AROUND)
def test_transposes_move_through(body: str, expected: list[tuple[str, int | None]]):
    given = parse_model(f"{HEAD} g ({body}")
    result = npu_opt.optimize(given, target="onnx")
    assert ops(result.to_onnx()) == expected
    assert npu_opt.check(given, result)


def ops(model: ModelProto) -> list[tuple[str, int | None]]:
    """The ops of a model, with their axes."""
    axes = [{each.name: each.i for each in node.attribute}.get("axis") for node in model.graph.node]
    names = [f"{node.domain}.{node.op_type}".lstrip(".") for node in model.graph.node]
    return list(zip(names, axes, strict=True))


def test_the_type_is_that_of_the_zero_point():
    given = parse_model(
        f"{HEAD} g (float[2] x, float s, int16 z) => (float[2] y) {{"
        f" q = {QUANTIZE} (x, s, z) y = {DEQUANTIZE} (q, s, z) }}"
    )
    (types,) = {str(op.results[0].type) for op in npu_opt.load(given).module.walk() if op.name == "npu.quantize"}
    assert types == "tensor<2xi16>"


def test_blocks_of_scales_are_refused():
    body = (
        f"float[4] x, float[2] s, uint8[2] z) => (uint8[4] y) {{ y = {QUANTIZE} <axis = 0, block_size = 2> (x, s, z) }}"
    )
    result = npu_opt.optimize(parse_model(f"{HEAD} g ({body}"), target="onnx", strategy=None, passes="canonicalize")
    (node,) = result.to_onnx().graph.node
    assert {each.name: each.i for each in node.attribute} == {"axis": 0, "block_size": 2}
