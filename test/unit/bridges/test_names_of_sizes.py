"""Names of sizes that only a model says leave as they came, so that the file is read as the model was."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import npu_opt
import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
Dims = Sequence[int | str | None]


def _info(name: str, dims: Dims, element: int = FLOAT) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, element, dims)


def _written(
    tmp_path: Path,
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto],
    result: Dims,
    inner: Mapping[str, Dims],
    *,
    domain: str = "",
    **numbers: np.ndarray,
) -> GraphProto:
    """The graph in the file that a model is written as, which is proved to be the model."""
    weights = [numpy_helper.from_array(value, name) for name, value in numbers.items()]
    values = [_info(*each) for each in inner.items()]
    graph = helper.make_graph(nodes, "g", inputs, [_info("y", result)], weights, value_info=values)
    opsets = [helper.make_opsetid("", 18), *([helper.make_opsetid(domain, 1)] if domain else [])]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    npu_opt.optimize(tmp_path / "model.onnx", strategy=None, passes=()).save(tmp_path / "written.onnx")
    verdict = npu_opt.check(tmp_path / "model.onnx", tmp_path / "written.onnx")
    assert verdict, verdict.reason
    return ModelProto.FromString((tmp_path / "written.onnx").read_bytes()).graph


def _names(graph: GraphProto, name: str) -> list[str | int]:
    (value,) = (each for each in graph.value_info if each.name == name)
    return [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim]


def test_a_product_of_what_is_expanded(tmp_path: Path) -> None:
    """A product is one of npu only if both batches are known to be equal; only the name says so."""
    nodes = [helper.make_node("Expand", ["p", "sizes"], ["q"]), helper.make_node("MatMul", ["x", "q"], ["y"])]
    inputs = [_info("x", ["b", 2, 4]), _info("sizes", [3], TensorProto.INT64)]
    point = np.arange(4, dtype=np.float32).reshape(1, 4, 1)
    graph = _written(tmp_path, nodes, inputs, ["b", 2, 3], {"q": ["b", 4, 3]}, p=point)
    assert _names(graph, "q") == ["b", 4, 3]
    assert "npu.matmul" in str(npu_opt.load(tmp_path / "written.onnx").module)


def test_results_of_another_system(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Two", ["x"], ["a", "b"], domain="com.example"),
        helper.make_node("Mul", ["a", "b"], ["y"]),
    ]
    inner = {"a": ["n", None, "s"], "b": ["n", "m", "s"]}
    graph = _written(tmp_path, nodes, [_info("x", ["n", 4])], ["n", "m", "s"], inner, domain="com.example")
    assert _names(graph, "a") == ["n", 0, "s"]
    assert _names(graph, "b") == ["n", "m", "s"]


def test_data_in_another_order(tmp_path: Path) -> None:
    """An op that a pass stores in another order has the names of its axes there."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        helper.make_node("MaxPool", ["a"], ["b"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["b", "w"], ["y"]),
    ]
    inner = {"b": ["n", 3, "half_height", "half_width"]}
    ends = [_info("x", ["n", 3, "height", "width"])], ["n", 3, None, None]
    graph = _written(tmp_path, nodes, *ends, inner, w=np.ones((3, 3, 1, 1), np.float32))
    assert _names(graph, "b") == ["n", 3, "half_height", "half_width"]
    placed = npu_opt.optimize(tmp_path / "model.onnx")
    assert 'max_pool %a window = [2, 2] strides = [2, 2] {onnx.dims = [["n", "half_height", "half_width", ""]]}' in str(
        placed.program.module
    )
    placed.save(tmp_path / "placed.onnx")
    assert npu_opt.check(tmp_path / "model.onnx", tmp_path / "placed.onnx")


def test_names_that_inference_makes(tmp_path: Path) -> None:
    """Names that follow from the nodes, or that onnx has made up, are not written."""
    nodes = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Expand", ["a", "sizes"], ["b"])]
    nodes.append(helper.make_node("Neg", ["b"], ["y"]))
    inputs = [_info("x", ["n", 1]), _info("sizes", [2], TensorProto.INT64)]
    graph = _written(tmp_path, nodes, inputs, [None, None], {"a": ["n", 1], "b": ["unk__0", "unk__1"]})
    assert _names(graph, "a") == [0, 1]
    assert _names(graph, "b") == [0, 0]
