"""Graphs of many nodes are imported without recursion."""

from pathlib import Path

import numpy as np
from npu_opt.bridges.onnx.importing.importer import import_model
from onnx import numpy_helper
from support.generators.made_models import model

LENGTH = 10_000


def test_a_long_chain(tmp_path: Path):
    made = model("net (float[n,3] x0) => (float[n,3] y) { y = Identity (x0) }")
    del made.graph.node[:]
    for index in range(LENGTH):
        made.graph.node.add(op_type="Neg", input=[f"x{index}"], output=[f"x{index + 1}"])
    made.graph.output[0].name = f"x{LENGTH}"
    path = tmp_path / "model.onnx"
    path.write_bytes(made.SerializeToString())
    module = import_model(path).module
    assert sum(op.name == "npu.neg" for op in module.walk()) == LENGTH


def test_a_long_chain_that_is_needed_late(tmp_path: Path):
    """Sizes are worked out on the way, and the whole chain is built when its end turns out to be a number."""
    made = model("net (float[n,3] x) => (int32[2] y) { a = Shape (x) }")
    made.graph.initializer.append(numpy_helper.from_array(np.array([1, 1]), "one"))
    made.graph.node[0].output[0] = "s0"
    for index in range(LENGTH):
        made.graph.node.add(op_type="Add", input=[f"s{index}", "one"], output=[f"s{index + 1}"])
    made.graph.node.add(op_type="Neg", input=[f"s{LENGTH}"], output=["z"])
    made.graph.output[0].name = "z"
    made.graph.output[0].type.tensor_type.elem_type = 7
    path = tmp_path / "model.onnx"
    path.write_bytes(made.SerializeToString())
    module = import_model(path).module
    assert sum(op.name == "npu.add" for op in module.walk()) == LENGTH
    assert sum(op.name == "npu.shape_of" for op in module.walk()) == 1


def test_nodes_in_another_sequence(tmp_path: Path):
    path = tmp_path / "model.onnx"
    made = model("net (float[2] x) => (float[2] y) { a = Neg (x) b = Abs (a) y = Exp (b) }")
    nodes = list(made.graph.node)[::-1]
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    path.write_bytes(made.SerializeToString())
    names = [op.name for op in import_model(path).module.walk() if op.name.startswith("npu.")]
    assert names == ["npu.neg", "npu.abs", "npu.exp"]
