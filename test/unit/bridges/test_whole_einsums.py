"""An Einsum beside Transposes that a plan removes leaves as it came: the transposes inside of it are no nodes."""

from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from support.generators.made_models import save
from support.oracles.same_nodes import differences

ONE = '<ir_version: 8, opset_import: ["": 13]> net '
DENSE = "abc,cde->abde"


class KerasAttention:
    """MultiHeadAttention of Keras as TensorFlow's exporter writes it, with two Transposes around an op beside it."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._nodes, self._weights = list[NodeProto](), list[TensorProto]()
        sizes = ((1, 2, 4), (7, 16), (32, 48), (1, 2, 4), (8, 16))
        batch, self._rows, self._width, self._heads, self._depth = (int(self._rng.choice(each)) for each in sizes)
        place, shape = int(self._rng.integers(3)), [batch, self._rows, self._width]
        x = self._pair("x") if place == 0 else "x"
        y = self._attention(x)
        y = self._op("Add", self._pair(y) if place == 1 else y, x)
        y = self._op("Add", self._einsum("abc,cd->abd", y, self._weight(self._width, self._width)), self._weight(1))
        y = self._pair(y) if place == 2 else y
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", y)]
        graph = helper.make_graph(self._nodes, "keras", ends[:1], ends[1:], self._weights)
        self.model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)

    def _weight(self, *sizes: int) -> str:
        array = self._rng.standard_normal(sizes).astype(np.float32)
        self._weights.append(numpy_helper.from_array(array, f"w{len(self._weights)}"))
        return self._weights[-1].name

    def _op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def _einsum(self, equation: str, *inputs: str) -> str:
        return self._op("Einsum", *inputs, equation=equation)

    def _dense(self, x: str) -> str:
        product = self._einsum(DENSE, x, self._weight(self._width, self._heads, self._depth))
        return self._op("Add", product, self._weight(self._heads, self._depth))

    def _attention(self, x: str) -> str:
        query, key, value = self._op("Mul", self._dense(x), self._weight()), self._dense(x), self._dense(x)
        scores = self._op("Softmax", self._einsum("aecd,abcd->acbe", key, query), axis=-1)
        heads = self._einsum("acbe,aecd->abcd", scores, value)
        weight = self._weight(self._heads, self._depth, self._width)
        return self._op("Add", self._einsum("abcd,cde->abe", heads, weight), self._weight(self._width))

    def _pair(self, x: str) -> str:
        order = [[0, 2, 1], [1, 0, 2], [2, 0, 1]][int(self._rng.integers(3))]
        moved = self._op("Relu", self._op("Transpose", x, perm=order))
        return self._op("Transpose", moved, perm=[order.index(axis) for axis in range(3)])


def kinds(file: Path) -> list[str]:
    return [node.op_type for node in ModelProto.FromString(file.read_bytes()).graph.node]


@pytest.mark.parametrize("seed", range(8))
def test_attention_of_keras_leaves_as_it_came(tmp_path: Path, seed: int):
    """Views that a plan makes for several Einsums are among the ops of each."""
    file, found = tmp_path / "net.onnx", tmp_path / "found.onnx"
    file.write_bytes(KerasAttention(seed).model.SerializeToString())
    assert run([str(file), "-O", "-o", str(found)]) == 0
    assert kinds(found) == [kind for kind in kinds(file) if kind != "Transpose"]
    assert [*differences(*(ModelProto.FromString(each.read_bytes()) for each in (file, found)))] == []
    assert check([str(file), str(found)]) == 0


@pytest.mark.parametrize(
    ("x", "z", "equation", "result", "is_whole"),
    [
        ([2, 3, 4, 5], [2, 4, 3, 5], "abcd,aebd->abce", [2, 3, 4, 4], True),
        ([2, 3, 4], [2, 4, 5], "abc,acd->abd", [2, 3, 5], False),
        ([2, 1, 4], [2, 4, 5], "abc,acd->bad", [1, 2, 5], False),
    ],
    ids=["axes move", "products", "axes of one element move"],
)
def test_an_einsum_that_moves_data_is_whole(
    tmp_path: Path, x: list[int], z: list[int], equation: str, result: list[int], is_whole: bool
):
    """For a target that has no whole ops none is."""
    inputs, body = f"float{x} x, float{z} z", f'y = Einsum <equation = "{equation}"> (x, z)'
    file = save(f"{ONE}({inputs}) => (float{result} y) {{ {body} }}", tmp_path)
    assert ("npu.opaque" in str(npu_opt.load(file, target="onnx").module)) == is_whole
    assert "npu.opaque" not in str(npu_opt.load(file).module)


@pytest.mark.parametrize(
    ("x", "weights", "equation", "result", "is_whole"),
    [
        ([4, 3], [2, 3], "ab,cb->ac", [4, 2], False),
        ([1, 4, 3, 5], [2, 4], "bchw,oc->bohw", [1, 2, 3, 5], False),
        ([6, 4, 3, 5], [2, 4], "bchw,oc->bohw", [6, 2, 3, 5], True),
        ([6, 3, 4], [4, 2, 5], "abc,cde->adbe", [6, 2, 3, 5], True),
        ([6, 3, 2, 4], [2, 4, 5], "bsnd,nde->bsne", [6, 3, 2, 5], True),
    ],
    ids=["on the right", "on the left", "between axes", "axes of the result move", "of batches"],
)
def test_an_einsum_of_a_constant_at_an_end_is_a_product(
    x: list[int], weights: list[int], equation: str, result: list[int], is_whole: bool
):
    """Products of the others would need transposes, which may be more than came."""
    node = helper.make_node("Einsum", ["x", "w"], ["y"], equation=equation)
    given, made = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes) for name, sizes in (("x", x), ("y", result))
    )
    numbers = numpy_helper.from_array(np.ones(weights, np.float32), "w")
    graph = helper.make_graph([node], "net", [given], [made], [numbers])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    assert ("npu.opaque" in str(npu_opt.load(model, target="onnx").module)) == is_whole
    nodes = [each.op_type for each in npu_opt.optimize(model, target="onnx", passes="").to_onnx().graph.node]
    assert "Transpose" not in nodes
    assert nodes == ["Einsum"] or not is_whole
