"""Models that no pass changes leave with the nodes and constants that they came with."""

from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from npu_opt.tools import check, opt
from onnx import ModelProto, numpy_helper
from support.generators.made_models import model, random_tensor

MICROSOFT = '<ir_version: 8, opset_import: ["": 21, "com.microsoft": 1]>\n'
NEWER = '<ir_version: 10, opset_import: ["": 21]>\n'
PARAMETERS = {
    "s": np.array(0.05, np.float32),
    "z": np.array(3, np.uint8),
    "t": np.array(0.1, np.float32),
    "h": np.array(300, np.int16),
}

Case: TypeAlias = tuple[str, dict[str, tuple[int, ...]]]
"""A model, and the shapes of its constants."""

MODELS: dict[str, Case] = {
    "biases of lower rank": (
        "net (float[N,3,4] x) => (float[N,3,5] y) { m = MatMul (x, w) n = Add (b, m) y = Mul (n, f) }",
        {"w": (4, 5), "b": (5,), "f": (3, 1)},
    ),
    "a matrix before a batch": ("net (float[2,4,5] x) => (float[2,3,5] y) { y = MatMul (w, x) }", {"w": (3, 4)}),
    "constants with unit axes": (
        "net (float[2,3,4,4] x) => (float[2,3,4,4] y) { a = Sub (x, m) y = Div (a, d) }",
        {"m": (1, 3, 1, 1), "d": (3, 1, 1)},
    ),
    "matrices": (
        "net (float[2,3] x) => (float[2,4] y) { g = Gemm <transB = 1> (x, w, b) y = Gemm (g, v) }",
        {"w": (5, 3), "b": (5,), "v": (5, 4)},
    ),
    "norms": (
        NEWER + "net (float[2,4,3,3] x) => (float[2,4,3,3] y) {"
        " a = LRN <alpha = 0.5, beta = 0.75, bias = 2.0, size = 3> (x)"
        " b = InstanceNormalization <epsilon = 0.01> (a, s, t)"
        " c = LayerNormalization <axis = -1, epsilon = 0.01> (b, u, v)"
        " d = Gelu (c)"
        " y = GroupNormalization <epsilon = 0.01, num_groups = 2> (d, s, t) }",
        {"s": (4,), "t": (4,), "u": (3,), "v": (3,)},
    ),
    "defaults of attributes": (
        "net (float[2,4,3,3] x) => (float[2,4,3,3] y) {"
        " a = LRN <size = 3> (x) b = InstanceNormalization (a, s, t) c = LayerNormalization (b, u)"
        " d = LeakyRelu (c) y = BatchNormalization (d, s, t, s, t) }",
        {"s": (4,), "t": (4,), "u": (3,)},
    ),
}

QUANTIZED: dict[str, Case] = {
    "dynamic quantisation": (
        "net (float[N,4] x) => (int32[N,5] y, float scale) {"
        " q, scale, point = DynamicQuantizeLinear (x) y = MatMulInteger (q, w, point, z) }",
        {"w": (4, 5)},
    ),
    "ops on quantised numbers": (
        MICROSOFT + "net (uint8[1,4,3,3] x) => (uint8[1,8,1,1] y) {"
        ' ["plus"] a = com.microsoft.QLinearAdd (x, s, z, x, s, z, t, z)'
        ' ["times"] b = com.microsoft.QLinearMul (a, t, z, x, s, z, t, z)'
        ' ["sigmoid"] c = com.microsoft.QLinearSigmoid (b, t, z, s, z)'
        ' ["leaky"] d = com.microsoft.QLinearLeakyRelu <alpha = 0.25> (c, s, z, s, z)'
        ' ["joined"] e = com.microsoft.QLinearConcat <axis = 1> (t, z, d, s, z, a, t, z)'
        ' ["means"] f = com.microsoft.QLinearAveragePool <kernel_shape = [2, 2], pads = [1, 0, 0, 0]> (e, t, z, s, z)'
        ' ["pooled"] g = com.microsoft.QLinearGlobalAveragePool (f, s, z, s, z)'
        ' ["softmax"] y = com.microsoft.QLinearSoftmax <axis = 1, opset = 13> (g, s, z, t, z) }',
        {},
    ),
    "quantisation of ONNX Runtime": (
        MICROSOFT + "net (float[2,4] x, int16[2,4] w) => (uint8[2,4] y, float[2,4] v) {"
        " y = com.microsoft.QuantizeLinear (x, s, z) v = com.microsoft.DequantizeLinear (w, s, h) }",
        {},
    ),
    "a quantised product": (
        MICROSOFT + "net (uint8[2,4] x) => (uint8[2,5] y) {"
        " y = com.microsoft.QGemm <alpha = 1.0, transB = 1> (x, s, z, w, t, z, c, s, z) }",
        {"w": (5, 4), "c": (5,)},
    ),
    "quantisation around an op": (
        MICROSOFT + "net (uint8[4] x) => (uint8[4] y, uint8[4] g) {"
        ' d = DequantizeLinear (x, s, z) ["plus"] a = Add (d, d) ["after"] y = QuantizeLinear (a, t, z)'
        ' ["own"] g = com.microsoft.QLinearAdd (x, s, z, x, s, z, t, z) }',
        {},
    ),
}


def made(text: str, shapes: dict[str, tuple[int, ...]]) -> ModelProto:
    """A model with constants of these shapes: small integers where the model is quantised, or else random floats."""
    result = model(text)
    used = {name for node in result.graph.node for name in node.input}
    if text in [each for each, _ in QUANTIZED.values()]:
        result.graph.initializer.extend(numpy_helper.from_array(PARAMETERS[n], n) for n in PARAMETERS if n in used)
        result.graph.initializer.extend(
            numpy_helper.from_array(
                np.arange(np.prod(shape)).reshape(shape).astype("i4" if name == "c" else "u1"), name
            )
            for name, shape in shapes.items()
        )
    else:
        result.graph.initializer.extend(random_tensor(name, *shape) for name, shape in shapes.items())
    return result


@pytest.mark.parametrize("passes", [[], ["--canonicalize", "--inline-limit=0"]], ids=["no pass", "canonicalize"])
@pytest.mark.parametrize("name", [*MODELS, *QUANTIZED])
def test_nodes_and_constants_stay(name: str, passes: list[str], tmp_path: Path):
    before = made(*(MODELS | QUANTIZED)[name])
    source, target = tmp_path / "before.onnx", tmp_path / "after.onnx"
    source.write_bytes(before.SerializeToString())
    assert opt.run([str(source), *passes, "-o", str(target)]) == 0
    after = ModelProto.FromString(target.read_bytes())
    nodes = [[(node.domain, node.op_type, list(node.input)) for node in each.graph.node] for each in (before, after)]
    assert sorted(nodes[1]) == sorted(nodes[0])
    shapes = [{t.name: tuple(t.dims) for t in each.graph.initializer} for each in (before, after)]
    assert shapes[1] == shapes[0]
    assert check.run([str(source), str(target)]) == 0
