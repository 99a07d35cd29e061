"""Nodes that would be several if a pass had made them leave as the one that they were."""

import npu_opt
import numpy as np
import pytest
from npu_opt.interpreter import run
from onnx import ModelProto, TensorProto
from onnx.parser import parse_model
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
