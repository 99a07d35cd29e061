"""A Gemm of rows that were several axes of unknown sizes: no MatMul and Add, whose sums could be rounded otherwise."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.tools.driver.comparison import comparison, constant_digests
from onnx import ModelProto, numpy_helper, parser
from support.oracles.onnx_running import executed

NODES = """
  s = Shape (x)
  i = Constant <value = int64[2] {0, 1}> ()
  n = Constant <value = int64[1] {3}> ()
  f = Constant <value = int64[2] {-1, 4}> ()
  m = Gather (s, i)
  z = Concat <axis = 0> (m, n)
  r = Reshape (x, f)
  g = Gemm <transB = 1> (r, w, b)
  t = Reshape (g, z)
  y = Relu (t)"""


@pytest.mark.parametrize("bias", [3, 1])
@pytest.mark.parametrize(
    ("opset", "sizes", "kinds"),
    [
        (13, "a,c", "Reshape Gemm Shape Slice Concat Reshape Relu"),
        (18, "a,c", "Reshape Gemm Shape Concat Reshape Relu"),
        (18, "2,c", "Reshape Gemm Reshape Relu"),
    ],
)
def test_rows_of_unknown_sizes(opset: int, sizes: str, kinds: str, bias: int, tmp_path: Path):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[{sizes},4] x, float[3,4] w, float[{bias}] b) => (float[p,q,3] y) {{ {NODES} }}""")
    came = npu_opt.optimize(model, target="onnx").to_onnx()
    as_came = [(node.op_type, *node.input) for node in model.graph.node if node.op_type != "Constant"]
    assert [(node.op_type, *node.input) for node in came.graph.node] == as_came
    # A text does not hold the nodes of the model.
    text, file = tmp_path / "text.mlir", tmp_path / "out.onnx"
    npu_opt.optimize(model, target="onnx").save(text)
    npu_opt.optimize(text, target="onnx").save(file)
    written = ModelProto.FromString(file.read_bytes())
    assert sorted(node.op_type for node in written.graph.node) == sorted(kinds.split())
    assert [node.op_type for node in came.graph.node if node.name == "g"] == ["Gemm"]
    rng = np.random.default_rng(0)
    given = [rng.standard_normal(shape).astype(np.float32) for shape in ((2, 5, 4), (3, 4), (bias,))]
    assert np.array_equal(executed(written, given)[0], executed(model, given)[0])
    assert npu_opt.check(model, file).word == "proved"


@pytest.mark.parametrize(("most", "word"), [(1 << 20, "proved"), (1 << 10, "undecided")])
def test_weights_that_leave_in_both_orders(most: int, word: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Weights of an embedding that are those of the last product as well; `most` bytes of them are compared."""
    monkeypatch.setattr(comparison, "MOST_BYTES", 1 << 10)
    monkeypatch.setattr(constant_digests, "MOST_BYTES_STORED_DIFFERENTLY", most)
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 18]>
    net (int64[a,b] i) => (float[a,b,64] y) {
        e = Gather (w, i)
        r = Relu (e)
        t = Transpose <perm = [1, 0]> (w)
        y = MatMul (r, t)
    }""")
    numbers = np.random.default_rng(0).standard_normal((64, 32)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(numbers, "w"))
    (tmp_path / "in.onnx").write_bytes(model.SerializeToString())
    npu_opt.optimize(tmp_path / "in.onnx", target="onnx").save(tmp_path / "out.onnx")
    assert npu_opt.check(tmp_path / "in.onnx", tmp_path / "out.onnx").word == word
