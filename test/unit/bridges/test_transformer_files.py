"""Files of ONNX Runtime's optimizer of transformers: its ops come in and leave as they came, and all is proved."""

import logging
from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import pytest
from onnx import ModelProto
from support.closeness import SUMS, assert_close
from support.generators.made_models import inputs_of, with_weights
from support.oracles.onnx_running import executed

HEAD = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>'
BLOCK = f"""{HEAD} net (float[2,5,8] x, float[2,5,8] z) => (float[2,5,8] y)
<float[8] g, float[8] b, float[8,8] w, float[8] c, float[8,8] v, float[8] d,
 float root = {{1.4142135}}, float one = {{1.0}}, float half = {{0.5}}> {{
  s = Add (x, z)
  n = LayerNormalization <axis = -1, epsilon = 1e-5> (s, g, b)
  a = MatMul (n, w)
  e = Add (a, c)
  f = Div (e, root)
  h = Erf (f)
  i = Add (h, one)
  j = Mul (e, i)
  k = Mul (j, half)
  l = MatMul (k, v)
  m = Add (l, d)
  o = Add (m, n)
  y = LayerNormalization <axis = -1, epsilon = 1e-5> (o, g, b)
}}"""
WORDS = "float[2,5,8] x, float[2,5,8] z"
WEIGHTS = "float[8] g, float[8] b, float[8,8] w, float[8,24] q, float[24] c"
NODES = {
    "Attention": "com.microsoft.Attention <num_heads = 2> (n, q, c)",
    "MultiHeadAttention": "com.microsoft.MultiHeadAttention <num_heads = 2> (n, x, z)",
    "SkipLayerNormalization": "com.microsoft.SkipLayerNormalization <epsilon = 1e-5> (n, x, g, b)",
    "SkipSimplifiedLayerNormalization": "com.microsoft.SkipSimplifiedLayerNormalization (n, x, g)",
    "SimplifiedLayerNormalization": "SimplifiedLayerNormalization <axis = -1, epsilon = 1e-5, stash_type = 1> (n, g)",
    "BiasGelu": "com.microsoft.BiasGelu (n, b)",
    "FastGelu": "com.microsoft.FastGelu (n, b)",
    "QuickGelu": "com.microsoft.QuickGelu <alpha = 1.702> (n)",
    "FusedMatMul": "com.microsoft.FusedMatMul <alpha = 0.5, transB = 1> (n, w)",
}
"""Nodes that read `n` and compute as many words."""


def check(given: ModelProto, file: Path) -> ModelProto:
    """The model that is written, which computes the same."""
    result = npu_opt.optimize(given, target="onnx")
    result.save(file)
    assert npu_opt.check(given, file).word == "proved"
    written, inputs = result.to_onnx(), inputs_of(given)
    for before, after in zip(executed(given, inputs), executed(written, inputs), strict=True):
        assert_close(after, before, SUMS)
    return written


@pytest.mark.parametrize("kind", ["bert", "gpt2", "vit", "clip", "t5"])
def test_files_of_the_tool(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("sympy", reason="sympy is not installed, which the optimizer needs: pip install -e '.[dev]'")
    pytest.importorskip(
        "onnxruntime.transformers.optimizer", reason="this onnxruntime has no optimizer of transformers"
    )
    monkeypatch.setattr(logging.root, "handlers", [])
    (tmp_path / "model.onnx").write_bytes(with_weights(BLOCK).SerializeToString())
    tool: Any = import_module("onnxruntime.transformers.optimizer")
    made = tool.optimize_model(str(tmp_path / "model.onnx"), kind, num_heads=2, hidden_size=8, opt_level=0)
    own = [node.op_type for node in made.model.graph.node if node.domain]
    assert "BiasGelu" in own
    written = check(made.model, tmp_path / "out.onnx")
    assert [node.op_type for node in written.graph.node if node.domain] == own


@pytest.mark.parametrize("kind", NODES)
def test_a_node_between_others(kind: str, tmp_path: Path):
    """The Transposes around it go, and it leaves as it came."""
    pairs = "t = Transpose <perm = [0, 2, 1]> (x) r = Relu (t) n = Transpose <perm = [0, 2, 1]> (r)"
    behind = "u = Transpose <perm = [0, 2, 1]> (p) v = Neg (u) y = Transpose <perm = [0, 2, 1]> (v)"
    given = with_weights(
        f"{HEAD} net ({WORDS}) => (float[2,5,8] y) <{WEIGHTS}> {{ {pairs} p = {NODES[kind]} {behind} }}"
    )
    written = check(given, tmp_path / "out.onnx")
    before, after = (next(node for node in each.graph.node if node.op_type == kind) for each in (given, written))
    assert [*after.attribute] == [*before.attribute]
    assert "Transpose" not in [node.op_type for node in written.graph.node]


def test_embedded_words(tmp_path: Path):
    ends = "int32[2,5] i, int32[2,5] s"
    weights = "float[9,8] w, float[9,8] p, float[4,8] t, float[8] g, float[8] b"
    node = "e, m = com.microsoft.EmbedLayerNormalization <epsilon = 1e-12> (i, s, w, p, t, g, b)"
    given = with_weights(f"{HEAD} net ({ends}) => (float[2,5,8] y) <{weights}> {{ {node} y = Neg (e) }}")
    written = check(given, tmp_path / "out.onnx")
    assert [node.op_type for node in written.graph.node] == ["EmbedLayerNormalization", "Neg"]
