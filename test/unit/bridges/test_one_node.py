"""Nodes that would be several if a pass had made them leave as the one that they were."""

import npu_opt
import numpy as np
import pytest
from npu_opt.interpreter import run
from onnx import ModelProto, TensorProto
from onnx.parser import parse_model
from support.closeness import FEW_STEPS, assert_close
from support.oracles.onnx_running import executed

HEAD = '<ir_version: 8, opset_import: ["": 17]>'


def ops(model: ModelProto) -> list[str]:
    return [node.op_type for node in model.graph.node]


@pytest.mark.parametrize(("before", "after"), [("float", "uint8"), ("float16", "int8"), ("double", "uint32")])
def test_a_cast_to_a_small_type(before: str, after: str):
    number = TensorProto.DataType.Value(after.upper())
    model = parse_model(f"{HEAD} g ({before}[2,3] x) => ({after}[2,3] y) {{ y = Cast <to = {number}> (x) }}")
    result = npu_opt.optimize(model, target="onnx")
    assert ops(result.to_onnx()) == ["Cast"]
    assert npu_opt.check(model, result).word == "proved"


@pytest.mark.parametrize("node", ["ReduceSum <keepdims = 1> (x, a)", "CumSum (x, b)"])
def test_a_sum_of_i32_wraps(node: str):
    model = parse_model(
        f"{HEAD} g (int32[2,3] x) => (int32[2,n] y) <int64[1] a = {{1}}, int64 b = {{1}}> {{ y = {node} }}"
    )
    result = npu_opt.optimize(model, target="onnx")
    assert ops(result.to_onnx()) == [node.partition(" ")[0]]
    assert npu_opt.check(model, result).word == "proved"
    x = np.array([[2**31 - 1, 2, -7], [-(2**31), -1, 2**30]], np.int32)
    np.testing.assert_array_equal(executed(result.to_onnx(), [x])[0], run(npu_opt.load(model).module, inputs=[x])[0])


@pytest.mark.parametrize(
    ("opset", "node"),
    [
        (13, "ReduceLogSum <axes = [1, -1]> (t)"),
        (17, "ReduceLogSum <axes = [1, -1]> (t)"),
        (18, "ReduceLogSum (t, a)"),
        (9, "Slice <starts = [1, 0], ends = [3, -1], axes = [2, 3]> (t)"),
        (10, "Slice (t, b, c)"),
    ],
)
def test_a_node_in_another_order(opset: int, node: str):
    """It has the inputs and attributes of its opset."""
    model = parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]> g (float[2,3,4,5] x) => (float[k,l,m,n] y)
    <int64[2] a = {{1, -1}}, int64[2] b = {{0, 1}}, int64[2] c = {{1, 3}}> {{
        t = Transpose <perm = [0, 3, 1, 2]> (x)
        s = {node}
        y = Transpose <perm = [0, 2, 3, 1]> (s)
    }}""")
    result = npu_opt.optimize(model, target="onnx")
    written = result.to_onnx()
    assert (ops(written), written.opset_import[0].version) == ([node.partition(" ")[0]], opset)
    assert npu_opt.check(model, result).word == "proved"
    x = np.random.default_rng(0).random((2, 3, 4, 5), np.float32)
    assert_close(executed(written, [x])[0], executed(model, [x])[0], FEW_STEPS)


def test_an_operand_that_is_aligned_in_another_order_is_viewed_once():
    model = parse_model(f"""{HEAD} g (float[1,3,4,5] x, float[3] w) => (float[1,3,4,5] y) {{
        t = Transpose <perm = [0, 2, 3, 1]> (x)
        v = Relu (w)
        m = Mul (t, v)
        y = Transpose <perm = [0, 3, 1, 2]> (m)
    }}""")
    assert ops(npu_opt.optimize(model, target="onnx").to_onnx()) == ["Relu", "Reshape", "Mul"]
