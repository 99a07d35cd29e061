"""Elements of 8 bits or fewer in ONNX models: packed constants, casts and transposes leave with the same bytes."""

from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx.element_types import NARROW
from onnx import TensorProto, helper, numpy_helper

# By name: the package is typed in part.
ONNX: Any = import_module("onnx")

TYPES = [TensorProto.DataType.Name(number) for number in sorted(NARROW) if number < TensorProto.FLOAT6E2M3]
"""The types of the opsets that ONNX Runtime knows."""


def model_with(kind: str, path: Path, rows: int = 3) -> Any:
    """A transposed constant, and a transposed cast, of one element type."""
    number = TensorProto.DataType.Value(kind)
    numbers = np.random.default_rng(0).standard_normal((rows, 5)).astype(helper.tensor_dtype_to_np_dtype(number))
    nodes = [
        helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]),
        helper.make_node("Cast", ["t"], ["y"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["x"], ["c"], to=number),
        helper.make_node("Transpose", ["c"], ["z"], perm=[1, 0]),
    ]
    ends = [("x", TensorProto.FLOAT, [rows, 5]), ("y", TensorProto.FLOAT, [5, rows]), ("z", number, [5, rows])]
    infos = [helper.make_tensor_value_info(*end) for end in ends]
    weights = [numpy_helper.from_array(numbers, "w")]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 26)], ir_version=13)
    path.write_bytes(model.SerializeToString())
    return model


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("rows", [3, 400])
def test_bytes_of_constants(kind: str, rows: int, tmp_path: Path):
    """The constant leaves transposed, or as it came; long ones are in a file between."""
    model = model_with(kind, tmp_path / "model.onnx", rows)
    found = npu_opt.optimize(tmp_path / "model.onnx", target="onnx")
    assert npu_opt.check(tmp_path / "model.onnx", found.module).word == "proved"
    found.save(tmp_path / "written.onnx")
    written = ONNX.load(tmp_path / "written.onnx")
    (given,), (left,) = model.graph.initializer, written.graph.initializer
    assert left.data_type == given.data_type
    arrays = [numpy_helper.to_array(each) for each in (given, left)]
    before = arrays[0] if arrays[0].shape == arrays[1].shape else arrays[0].T
    assert np.ascontiguousarray(before).tobytes() == arrays[1].tobytes()
    assert [each.op_type for each in written.graph.node].count("Cast") == 2


@pytest.mark.parametrize("kind", TYPES)
def test_casts_keep_what_they_say(kind: str, tmp_path: Path):
    """A cast from a program leaves with its attributes, and comes back as the same op."""
    number = TensorProto.DataType.Value(kind)
    attributes: dict[str, Any] = {"saturate": 0} if kind.startswith("FLOAT8") else {}
    attributes |= {"round_mode": "down"} if kind == "FLOAT8E8M0" else {}
    node = helper.make_node("Cast", ["x"], ["y"], to=number, **attributes)
    ends = [helper.make_tensor_value_info(name, each, [2, 3]) for name, each in (("x", 1), ("y", number))]
    graph = helper.make_graph([node], "g", ends[:1], ends[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 26)])
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    npu_opt.optimize(tmp_path / "model.onnx").save(tmp_path / "program.mlir")
    text = (tmp_path / "program.mlir").read_text()
    assert ("overflows" in text) == kind.startswith("FLOAT8")
    npu_opt.optimize(tmp_path / "program.mlir").save(tmp_path / "again.onnx")
    (left,) = ONNX.load(tmp_path / "again.onnx").graph.node
    found = {each.name: helper.get_attribute_value(each) for each in left.attribute}
    assert found["to"] == number
    assert found.get("saturate", 1) == attributes.get("saturate", 1)
    assert found.get("round_mode", b"up") == str(attributes.get("round_mode", "up")).encode()
