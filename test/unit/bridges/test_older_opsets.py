"""Nodes whose meaning depends on the opset of the model, beside ONNX Runtime."""

import npu_opt
import numpy as np
import pytest
from npu_opt.interpreter import run
from onnx import parser
from support.closeness import FEW_STEPS, assert_close
from support.oracles.onnx_running import executed


@pytest.mark.parametrize("opset", [7, 11, 12, 13])
@pytest.mark.parametrize("axis", ["", "<axis = 0>", "<axis = 1>", "<axis = 2>"])
@pytest.mark.parametrize("kind", ["Softmax", "LogSoftmax", "Hardmax"])
def test_axes_that_are_merged_before_opset_13(kind: str, axis: str, opset: int):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[2,3,4] x) => (float[2,3,4] y) {{ y = {kind} {axis} (x) }}""")
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)
    (expected,), (found,) = executed(model, [x]), run(npu_opt.load(model).module, inputs=[x])
    assert_close(found, expected, FEW_STEPS)
