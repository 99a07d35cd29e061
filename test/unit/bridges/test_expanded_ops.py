"""Ops that ONNX defines as functions are expanded with the default values of their attributes."""

from collections import Counter
from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.importer import import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import ModelProto, TensorProto, helper, parser
from support.closeness import Room, assert_close
from support.generators.made_models import model
from support.oracles.onnx_running import unoptimised


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


@pytest.mark.parametrize("sizes", ["1,3,4,5", "B,C,H,W"])
@pytest.mark.parametrize("is_between", [True, False])
def test_sizes_to_crop_and_pad_to_are_a_constant(tmp_path: Path, sizes: str, is_between: bool):
    """The package onnx expands this node by the types of all its inputs, of constants as well."""
    node = "CenterCropPad<axes=[1, 2]>"
    text = f"t = Transpose<perm=[0,2,3,1]>(x) n = {node}(t, s) y = Transpose<perm=[0,3,1,2]>(n)"
    header = f'<ir_version: 8, opset_import: ["": 18]> net (float[{sizes}] x) => (float[a,b,c,d] y)'
    made = model(f"{header} {{ {text if is_between else f'y = {node}(x, s)'} }}")
    made.graph.initializer.append(helper.make_tensor("s", TensorProto.INT64, [2], [6, 3]))
    path, out = tmp_path / "model.onnx", tmp_path / "out.onnx"
    path.write_bytes(made.SerializeToString())
    assert not any(isinstance(op, OpaqueOp) for op in import_model(path).module.walk())
    npu_opt.optimize(path, target="onnx").save(out)
    assert npu_opt.check(path, out).proved
    written = ModelProto.FromString(out.read_bytes())
    kinds = Counter(node.op_type for node in written.graph.node)
    assert kinds["Transpose"] == 0
    assert kinds["CenterCropPad"] == (not is_between)
    x = np.arange(60, dtype=np.float32).reshape(1, 3, 4, 5)
    (expected,), (found,) = (unoptimised(each).run(None, {"x": x}) for each in (made, written))
    np.testing.assert_array_equal(found, expected)


def test_a_shrink_of_integers_by_fractions_stays():
    """ONNX Runtime cuts behind the sum, and ONNX's definition before it."""
    fractions, whole = (
        parser.parse_model(f"""<ir_version: 8, opset_import: ["": 18]>
        net (int8[4] x) => (int8[4] y) {{ n = Neg (x)  y = Shrink <bias = {bias}, lambd = {lambd}> (n) }}""")
        for bias, lambd in ((0.1, 0.5), (1.0, 2.0))
    )
    assert "npu.opaque" in str(npu_opt.load(fractions).module)
    assert "npu.opaque" not in str(npu_opt.load(whole).module)
