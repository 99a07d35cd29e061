"""Nodes that compute with unknown sizes of inputs are folded where they can be, and leave as they came."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from npu_opt.bridges.onnx.importing.order import node_name
from npu_opt.tools.opt import run
from onnx import ModelProto
from support.generators.made_models import model, save

ENDS = "(int64[N,3] ids, float[3,N,4] x, float[9,3] z) => (float[?,?,?] y, float[?,?,?] g)"
CONSTANTS = "<int64 zero = {0}, int64 one = {1}, int64[1] axis = {0}, float[4,2] table = {1, 2, 3, 4, 5, 6, 7, 8}>"
POSITIONS = """
  [range] r = Range (zero, l, one) [row] p = Unsqueeze (r, axis) [width] w = Unsqueeze (l, axis)
  [both] c = Concat <axis = 0> (m, w) [expand] e = Expand (p, c) [look] g = Gather (table, e)
"""
"""The positions of the words of texts, as exporters write them."""
SHAPES = {
    "own shape": "s = Shape (ids) n = Gather (s, zero) m = Unsqueeze (n, axis) k = Shape (ids) l = Gather (k, one)",
    "one shape": "s = Shape (ids) n = Gather (s, zero) m = Unsqueeze (n, axis) l = Gather (s, one)",
}
PAIR = "t = Transpose <perm = [1, 0, 2]> (x) u = Transpose <perm = [1, 0, 2]> (t)"


def net(nodes: str, last: str = "x") -> str:
    return f"net {ENDS} {CONSTANTS} {{ {nodes} y = Exp ({last}) }}"


def written(nodes: str, folder: Path, *flags: str) -> ModelProto:
    """The model that `-O` writes of one with a pair of transposes more."""
    after = folder / "after.onnx"
    assert run([str(save(net(f"{nodes} {PAIR}", "u"), folder)), "-O", *flags, "-o", str(after)]) == 0
    return ModelProto.FromString(after.read_bytes())


def nodes_of(one: ModelProto) -> Sequence[str]:
    nodes = sorted(one.graph.node, key=lambda node: node.output[0])
    return [f"{node_name(node)}: {node.output[0]} = {node.op_type} ({', '.join(node.input)})" for node in nodes]


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=[*SHAPES])
def test_the_positions_of_words_leave_as_they_came(shapes: str, tmp_path: Path):
    """ONNX Runtime and compilers find an embedding by these nodes."""
    nodes = shapes + POSITIONS
    assert nodes_of(written(nodes, tmp_path)) == nodes_of(model(net(nodes)))


def test_fixed_sizes_leave_nothing_to_compute(tmp_path: Path):
    model = written(SHAPES["own shape"] + POSITIONS, tmp_path, "--size", "N=2")
    assert {"Range", "Shape"}.isdisjoint(node.op_type for node in model.graph.node)


COMPUTED = "k = Shape (ids) l = Gather (k, one) w = Unsqueeze (l, axis) c = Concat <axis = 0> (w, w, w)"


def test_known_sizes_leave_as_they_came(tmp_path: Path):
    nodes = f"{COMPUTED} v = Neg (z) g = Reshape (v, c)"
    assert nodes_of(written(nodes, tmp_path)) == nodes_of(model(net(nodes)))


def test_an_op_that_a_pass_changes_has_the_sizes_itself(tmp_path: Path):
    """The Reshape of a Transpose that goes is another one."""
    nodes = f"{COMPUTED} v = Transpose <perm = [1, 0]> (z) b = Transpose <perm = [1, 0]> (v) g = Reshape (b, c)"
    found = written(nodes, tmp_path)
    assert "Transpose" not in [node.op_type for node in found.graph.node]
    assert [node.op_type for node in found.graph.node if node.output[0] == "g"] == ["Reshape"]
