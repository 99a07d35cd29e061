"""Nodes in training mode compute what ONNX Runtime computes, and leave as they came."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

import npu_opt
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.interpreter import run
from support.closeness import SUMS, assert_close
from support.generators.made_models import model
from support.oracles.onnx_running import exported, unoptimised


@pytest.mark.parametrize("sizes", ["4,3,5,2", "n,3,h,w", "6,3"])
def test_a_batch_norm_by_the_statistics_of_the_batch(sizes: str):
    vectors = {name: np.random.default_rng(ord(name)).uniform(0.5, 2, 3).astype(np.float32) for name in "sbmv"}
    arguments = ", ".join([f"float[{sizes}] x", *(f"float[3] {name}" for name in vectors)])
    attributes = "epsilon = 0.01, momentum = 0.7, training_mode = 1"
    proto = model(f"""net ({arguments}) => (float[{sizes}] y, float[3] mean, float[3] variance) {{
        y, mean, variance = BatchNormalization <{attributes}> (x, s, b, m, v) }}""")
    shape = (6, 3) if sizes == "6,3" else (4, 3, 5, 2)
    inputs = {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32), **vectors}
    expected = unoptimised(proto).run(None, inputs)
    placed = npu_opt.optimize(proto, target="onnx")
    assert [node.op_type for node in placed.to_onnx().graph.node] == ["BatchNormalization"]
    assert npu_opt.check(proto, placed).word == "proved"
    module = import_model(Path("model.onnx"), Options(inline_limit=None), model=proto).module
    found = run(module, "main", list(inputs.values())), unoptimised(exported(module, 17)).run(None, inputs)
    for results in found:
        for one, other in zip(results, expected, strict=True):
            assert_close(one, other, SUMS)


@pytest.mark.parametrize(("ratio", "is_known"), [(0.0, True), (0.5, False)])
def test_a_dropout_that_drops_nothing(ratio: float, is_known: bool):
    proto = model(f"""net (float[2,3] x) => (float[2,3] y, bool[2,3] kept)
        <float ratio = {{{ratio}}}, bool training = {{1}}> {{ y, kept = Dropout (x, ratio, training) }}""")
    module = import_model(Path("model.onnx"), Options(), model=proto).module
    assert is_known != any(op.name == "npu.opaque" for op in module.walk())
    if is_known:
        x = np.ones((2, 3), np.float32)
        assert [each.tolist() for each in run(module, "main", [x])] == [x.tolist(), [[True] * 3] * 2]
