"""A new shape of a dequantised constant is one of the constant: engines run a Reshape, but fold none behind a pair."""

from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.tools import opt
from support.generators.made_models import save

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from support.oracles.onnx_running import unoptimised

# By name: the package is typed in part.
ONNX: Any = import_module("onnx")

AROUND = "t = Transpose<perm = [0, 2, 3, 1]>(x) r = Relu(t) {} m = Mul(r, d) y = Transpose<perm = [0, 3, 1, 2]>(m)"
WEIGHTS = {
    "one scale": ("int8[3] w = {1, -2, 3}, float s = {0.5}, int8 z = {1}", "d = DequantizeLinear(w, s, z)"),
    "a scale for each channel": (
        "int8[3] w = {1, -2, 3}, float[3] s = {0.5, 1.5, 2.5}, int8[3] z = {1, 0, 2}",
        "d = DequantizeLinear<axis = 0>(w, s, z)",
    ),
}
OTHERS = {
    "read in another shape too": (
        "int8[3] w = {1, -2, 3}, float s = {0.5}, int8 z = {1}",
        "d = DequantizeLinear(w, s, z) u = Exp(d)",
    ),
}


def written(constants: str, nodes: str, outputs: str, folder: Path) -> tuple[Any, Any]:
    """A model whose channels are scaled, and its file, which is proved to be equal."""
    text = f"net (float[1,3,4,5] x) => ({outputs}) <{constants}> {{ {AROUND.format(nodes)} }}"
    path, out = save(text, folder), folder / "out.onnx"
    npu_opt.optimize(path, target="onnx").save(out)
    assert npu_opt.check(path, out).proved
    return ONNX.load(path), ONNX.load(out)


@pytest.mark.parametrize("name", WEIGHTS)
def test_the_constant_has_the_new_shape(name: str, tmp_path: Path):
    before, after = written(*WEIGHTS[name], "float[1,3,4,5] y", tmp_path)
    assert Counter(node.op_type for node in after.graph.node) == {"Relu": 1, "DequantizeLinear": 1, "Mul": 1}
    feeds = {"x": np.random.default_rng(0).standard_normal((1, 3, 4, 5)).astype(np.float32)}
    (expected,), (result,) = (unoptimised(each).run(None, feeds) for each in (before, after))
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("name", OTHERS)
def test_other_dequantised_constants_keep_theirs(name: str, tmp_path: Path):
    _, after = written(*OTHERS[name], "float[1,3,4,5] y, float[3] u", tmp_path)
    found = Counter(node.op_type for node in after.graph.node)
    assert (found["DequantizeLinear"], found["Reshape"], found["Transpose"]) == (1, 1, 0), found


GATED = """net (int8[1,2,3,4] i) => (float[1,2,3,4] y) <
    float s = {0.5}, int8 z = {1}, int8[2,2,1,1] w = {1, -2, 3, 4}, float sw = {0.25}, int8 zw = {0},
    int8 k = {127}, float sk = {0.004}, int8 zk = {-128}, float so = {0.75}> {
    x = DequantizeLinear(i, s, z) v = DequantizeLinear(w, sw, zw) c = Conv(x, v)
    q = QuantizeLinear(c, s, z) r = DequantizeLinear(q, s, z) n = DequantizeLinear(k, sk, zk) m = Mul(n, r)
    p = QuantizeLinear(m, so, z) y = DequantizeLinear(p, so, z) }"""


def test_a_number_that_scales_sums_of_integers_is_a_float_in_a_litert_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed: pip install -e '.[litert]'")
    path, out = save(GATED, tmp_path), tmp_path / "out.tflite"
    assert opt.run([str(path), "-O", "-o", str(out)]) == 0
    assert f"{out}: remark: the file is proved to compute what {path} does" in capsys.readouterr().err
