"""Files of -O where fewer transposes take longer: the plan that is cheapest by the prices of the target."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from npu_opt.tools.opt import run
from onnx import ModelProto, numpy_helper, parser

HEADER = '<ir_version: 8, opset_import: ["": 17]>\n'
SOFTMAX = """net (float[1,21,32,32] x) => (float[1,21,32,32] y) {
  a = Transpose <perm = [0, 2, 3, 1]> (x)
  b = Softmax <axis = -1> (a)
  y = Transpose <perm = [0, 3, 1, 2]> (b)
}"""
WINDOWS = """net (float[56,56,96] x) => (float[49,96,64] y)
<int64[5] cut = {7,8,7,8,96}, int64[3] joined = {49,64,96}> {
  a = Reshape (x, cut)
  b = Transpose <perm = [0, 2, 1, 3, 4]> (a)
  c = Relu (b)
  d = Reshape (c, joined)
  y = Transpose <perm = [0, 2, 1]> (d)
}"""
REMOVABLE = """net (float[8,16,32] x) => (float[8,16,32] y) {
  a = Transpose <perm = [0, 2, 1]> (x)
  b = Relu (a)
  y = Transpose <perm = [0, 2, 1]> (b)
}"""
PERMUTED = """net (float[1,8,4,2] x) => (float[1,8,128] y) <int64[3] merged = {1,8,8}> {
  a = Transpose <perm = [0, 1, 3, 2]> (x)
  b = Reshape (a, merged)
  y = MatMul (b, w)
}"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


def written(model: ModelProto, *flags: str) -> ModelProto:
    Path("model.onnx").write_bytes(model.SerializeToString())
    assert run(["model.onnx", *flags, "-o", "out.onnx"]) == 0
    return ModelProto.FromString(Path("out.onnx").read_bytes())


def model_of(text: str) -> ModelProto:
    return parser.parse_model(HEADER + text)


def transposes(model: ModelProto) -> int:
    return Counter(node.op_type for node in model.graph.node)["Transpose"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("text", [SOFTMAX, WINDOWS], ids=["softmax", "windows"])
def test_fewer_transposes_that_take_longer_are_not_written(text: str, capsys: pytest.CaptureFixture[str]):
    model = model_of(text)
    assert transposes(written(model, "-O")) == 2
    assert f"; 0 of {len(model.graph.node)} nodes changed" in capsys.readouterr().err
    assert transposes(written(model, "--layout-optimal")) < transposes(model)


@pytest.mark.usefixtures("folder")
def test_transposes_that_nobody_needs_go():
    assert transposes(written(model_of(REMOVABLE), "-O")) == 0


@pytest.mark.usefixtures("folder")
def test_weights_in_another_order_stay_matrices():
    """ONNX Runtime packs matrices ahead, and no weights of a higher rank."""
    model = model_of(PERMUTED)
    numbers = np.arange(1024, dtype=np.float32).reshape(8, 128)
    model.graph.initializer.append(numpy_helper.from_array(numbers, "w"))
    out = written(model, "--layout-optimal")
    assert transposes(out) == 0
    (product,) = (node for node in out.graph.node if node.op_type == "MatMul")
    (rank,) = (len(each.dims) for each in out.graph.initializer if each.name == product.input[1])
    assert rank == 2
