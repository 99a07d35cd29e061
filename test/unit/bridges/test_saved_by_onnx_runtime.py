"""Models that ONNX Runtime has optimised and saved: its own ops come in, leave as they came, and all is proved."""

from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from onnx import ModelProto
from support.generators.made_models import inputs_of, with_weights
from support.oracles.onnx_running import executed

ORT: Any = pytest.importorskip("onnxruntime")
LEVELS = {
    name: getattr(ORT.GraphOptimizationLevel, f"ORT_ENABLE_{name.upper()}") for name in ("basic", "extended", "all")
}
IMAGES = """
<ir_version: 8, opset_import: ["" : 17]>
net (float[1,3,12,12] x) => (float[1,4] y)
<float[20,3,3,3] w, float[20] b, float[20,20,3,3] v, float[4,20] m, float[4] c> {
  a = Conv <pads = [1, 1, 1, 1]> (x, w, b)
  d = Relu (a)
  e = Conv <pads = [1, 1, 1, 1]> (d, v, b)
  f = Add (e, d)
  g = Relu (f)
  h = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (g)
  i = GlobalAveragePool (h)
  j = Flatten (i)
  k = Gemm <transB = 1> (j, m, c)
  y = Relu (k)
}"""
WORDS = """
<ir_version: 8, opset_import: ["" : 17]>
net (float[2,5,8] x) => (float[2,5,8] y) <float[8] g, float[8] b, float[8,8] w> {
  a = MatMul (x, w)
  p = Constant <value_float = 1.4142135> ()
  d = Div (a, p)
  e = Erf (d)
  one = Constant <value_float = 1.0> ()
  f = Add (e, one)
  h = Mul (a, f)
  half = Constant <value_float = 0.5> ()
  i = Mul (h, half)
  s = Add (i, x)
  j = LayerNormalization <axis = -1> (s, g, b)
  t = Transpose <perm = [0, 2, 1]> (j)
  k = MatMul (j, t)
  y = MatMul (k, x)
}"""
QUANTISED = """
<ir_version: 8, opset_import: ["" : 17]>
net (float[1,3,12,12] x) => (float[1,20,6,6] y) <int8[20,3,3,3] w> {
  s = Constant <value_float = 0.05> ()
  z = Constant <value = uint8 {128}> ()
  n = Constant <value = int8 {0}> ()
  q = QuantizeLinear (x, s, z)
  a = DequantizeLinear (q, s, z)
  v = DequantizeLinear (w, s, n)
  b = Conv <pads = [1, 1, 1, 1]> (a, v)
  d = QuantizeLinear (b, s, z)
  e = DequantizeLinear (d, s, z)
  f = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (e)
  g = QuantizeLinear (f, s, z)
  y = DequantizeLinear (g, s, z)
}"""
MODELS = {"images": (IMAGES, "FusedGemm"), "words": (WORDS, "Gelu"), "quantised": (QUANTISED, "QLinearConv")}
"""Each with an op that ONNX Runtime makes of others."""


def saved(proto: ModelProto, level: str, folder: Path) -> ModelProto:
    options = ORT.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = LEVELS[level]
    options.optimized_model_filepath = str(folder / "saved.onnx")
    ORT.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return ModelProto.FromString((folder / "saved.onnx").read_bytes())


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("text", "own"), MODELS.values(), ids=MODELS)
def test_a_saved_model_comes_in_and_leaves(text: str, own: str, level: str, tmp_path: Path):
    given = saved(with_weights(text), level, tmp_path)
    assert level == "basic" or own in [node.op_type for node in given.graph.node]
    result = npu_opt.optimize(given, target="onnx")
    written = result.to_onnx()
    inputs = inputs_of(given)
    for before, after in zip(executed(given, inputs), executed(written, inputs), strict=True):
        np.testing.assert_array_equal(after, before)
    result.save(tmp_path / "out.onnx")
    assert npu_opt.check(given, tmp_path / "out.onnx").word == "proved"
