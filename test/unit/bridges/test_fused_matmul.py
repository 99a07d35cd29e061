"""FusedMatMul transposes its operands itself: it leaves as one node, without a Transpose that nobody counts."""

from itertools import product
from pathlib import Path

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from onnx import ModelProto, TensorProto, helper, parser
from support.oracles.onnx_running import ort


def model_of(trans_a: int, trans_b: int) -> ModelProto:
    node = helper.make_node("FusedMatMul", ["a", "b"], ["y"], domain="com.microsoft", transA=trans_a, transB=trans_b)
    shapes = {"a": [2, 4, 3] if trans_a else [2, 3, 4], "b": [2, 5, 4] if trans_b else [2, 4, 5], "y": [2, 3, 5]}
    a, b, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items())
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(helper.make_graph([node], "g", [a, b], [y]), opset_imports=opsets, ir_version=8)


@pytest.mark.parametrize(("trans_a", "trans_b"), [*product((0, 1), repeat=2)])
def test_transposed_operands_stay_in_the_node(tmp_path: Path, trans_a: int, trans_b: int):
    proto, file = model_of(trans_a, trans_b), tmp_path / "model.onnx"
    result = npu_opt.optimize(proto, target="onnx")
    result.save(file)
    assert result.transposes == 0
    assert npu_opt.check(proto, file)
    written = ModelProto.FromString(file.read_bytes())
    assert [node.op_type for node in written.graph.node] == ["FusedMatMul"]
    rng = np.random.default_rng(0)
    shapes = [[size.dim_value for size in each.type.tensor_type.shape.dim] for each in proto.graph.input]
    feeds = dict(zip("ab", (rng.integers(-4, 4, shape).astype(np.float32) for shape in shapes), strict=True))
    runs = [ort.InferenceSession(each.SerializeToString()).run(None, feeds)[0] for each in (proto, written)]
    assert np.array_equal(*runs)


BATCHES = {
    "as many": ("2,3,8,5", "2,3,4,5"),
    "repeated on the left": ("1,3,8,5", "2,3,4,5"),
    "repeated on the right": ("2,3,8,5", "2,1,4,5"),
    "fewer axes on the right": ("2,3,8,5", "3,4,5"),
    "one matrix on the right": ("2,3,8,5", "4,5"),
    "fewer axes on the left": ("3,8,5", "2,3,4,5"),
    "unknown sizes": ("B,3,M,K", "B,3,N,K"),
}
SIZES = {"B": 2, "M": 8, "N": 4, "K": 5}


@pytest.mark.parametrize("side", ["left", "right", "both"])
@pytest.mark.parametrize("batches", BATCHES)
def test_a_target_for_onnx_runtime_has_no_transposes_of_operands(batches: str, side: str, tmp_path: Path):
    """The products are x * y^T; on the left x comes transposed, and on the right y^T is a Transpose."""
    left, right = (text.split(",") for text in BATCHES[batches])
    orders = [[*range(len(sizes) - 2), len(sizes) - 1, len(sizes) - 2] for sizes in (left, right)]
    left = left if side == "right" else [*left[:-2], *left[:-3:-1]]
    right = [*right[:-2], *right[:-3:-1]] if side == "left" else right
    x, y = ("b" if side == "right" else "s", "t" if side != "left" else "y")
    proto = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
    net (float[{",".join(left)}] b, float[{",".join(right)}] y) => (float[p,q,r,s] z) {{
    s = Transpose <perm = {orders[0]}> (b)
    t = Transpose <perm = {orders[1]}> (y)
    z = MatMul ({x}, {y}) }}""")
    file = tmp_path / "model.onnx"
    result = npu_opt.optimize(proto, target="onnxruntime")
    result.save(file)
    assert result.transposes == 0
    assert npu_opt.check(proto, file).word == "proved"
    written = ModelProto.FromString(file.read_bytes())
    assert "Transpose" not in {node.op_type for node in written.graph.node}
    shapes = [[SIZES.get(size, size) for size in sizes] for sizes in (left, right)]
    rng = np.random.default_rng(0)
    feeds = {name: rng.integers(-4, 4, [*map(int, shape)]) for name, shape in zip("by", shapes, strict=True)}
    feeds = {name: given.astype(np.float32) for name, given in feeds.items()}
    runs = [ort.InferenceSession(each.SerializeToString()).run(None, feeds)[0] for each in (proto, written)]
    assert np.array_equal(*runs)
