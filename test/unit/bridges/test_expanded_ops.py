"""Ops that ONNX defines as functions are expanded with the default values of their attributes."""

from pathlib import Path

import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.importer import import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import TensorProto, helper
from support.closeness import Room, assert_close


@pytest.mark.parametrize("bias", [None, 0.25])
@pytest.mark.parametrize("lambd", [None, 1.5])
def test_shrink(tmp_path: Path, lambd: float | None, bias: float | None):
    types = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 5]) for name in ("x", "y")]
    node = helper.make_node("Shrink", ["x"], ["y"])
    given = [(name, value) for name, value in (("lambd", lambd), ("bias", bias)) if value is not None]
    node.attribute.extend(helper.make_attribute(name, value) for name, value in given)
    graph = helper.make_graph([node], "g", types[:1], types[1:])
    file = tmp_path / "shrink.onnx"
    file.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]).SerializeToString())
    module = import_model(file).module
    assert not any(isinstance(op, OpaqueOp) for op in module.walk())

    x = np.linspace(-2, 2, 20, dtype=np.float32).reshape(4, 5)
    limit, moved = lambd or 0.5, bias or 0.0
    expected = np.where(x < -limit, x + moved, np.where(x > limit, x - moved, 0))
    (found,) = run(module, "main", [x])
    assert_close(found, expected, Room("one addition in f32, which is of f64 in numpy", 1e-6))
