"""Nodes of ONNX models without ops in the program leave as they came where other nodes of the model read them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.order import all_nodes
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from onnx import AttributeProto, ModelProto, NodeProto, helper
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close
from support.generators.made_models import save
from support.oracles.onnx_running import executed

CONSTANTS = (
    "<int64[1] zero = {0}, int64[1] one = {1}, int64[1] most = {9}, int64[2] ones = {1, 1}, int64[2] own = {2, 6},"
    " int64[1] flat = {-1}, float ratio = {0.5}, bool trains = {0}, float[6] b = {1, 2, 3, 4, 5, 6},"
    " float[6,6] w = {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2,"
    " 3, 4, 5, 6}, int64[1] six = {6}, int64[2,1] places = {0, 1}, int64[1] two = {2}, int64[1] three = {3}>"
)
SIZES = (
    "s = Shape <end = 1> (x) t = Shape <start = 1, end = 2> (x) r = Concat <axis = 0> (s, t, six) "
    "rows = Concat <axis = 0> (flat, six) "
)


def text_of(node: NodeProto) -> str:
    stated = (each for each in node.attribute if each.type != AttributeProto.GRAPH)
    values = ", ".join(f"{each.name} = {helper.get_attribute_value(each)}" for each in stated)
    return (
        f"{node.name or node.output[0]}: {', '.join(node.output)} = {node.op_type} ({', '.join(node.input)}) {values}"
    )


def nodes_of(file: Path) -> Sequence[str]:
    return sorted(map(text_of, all_nodes(ModelProto.FromString(file.read_bytes()).graph.node)))


def changed(file: Path, output: Path) -> tuple[Sequence[str], Sequence[str]]:
    """The nodes that come and that `-O` writes."""
    assert run([str(file), "-O", "-o", str(output)]) == 0
    assert check([str(file), str(output)]) == 0
    return nodes_of(file), nodes_of(output)


def net(body: str, inputs: str = "float[2,6] x", outputs: str = "float[2,6] y") -> str:
    return f'<ir_version: 8, opset_import: ["": 17]> net ({inputs}) => ({outputs}) {CONSTANTS} {{ {body} }}'


STAY = {
    "an output": net('["r"] e = Relu (x) ["i"] y = Identity (e)'),
    "two outputs": net("e = Relu (x) y = Identity (e)", outputs="float[2,6] e, float[2,6] y"),
    "an input": net("y = Identity (x)"),
    "chain": net("a = Identity (x) c = Cast <to = 1> (a) d = Dropout (c, ratio, trains) y = Relu (d)"),
    "mask": net("e = Relu (x) y, m = Dropout (e, ratio)", outputs="float[2,6] y, bool[2,6] m"),
    "views": net("a = Reshape (x, own) c = Expand (a, ones) d = Slice (c, zero, most, one) e = Sum (d) y = Relu (e)"),
    "foreign": net(
        "a = Identity (x) c = GatherElements (a, places) d = Identity (c) y = Relu (d)", outputs="float[2,1] y"
    ),
    "back again": net("a = Reshape (x, flat) c = Reshape (a, own) y = Relu (c)"),
    "known sizes": net("s = Shape (x) a = Relu (x) c = Reshape (a, flat) y = Reshape (c, s)"),
    "an output of sizes": net("s = Shape (x) y = Relu (x)", outputs="float[2,6] y, int64[2] s"),
    "a constant": net("c = Identity (w) y = MatMul (x, c)"),
    "view of a constant": net("u = Unsqueeze (b, zero) y = Add (x, u)"),
    "unknown sizes": net(
        f"{SIZES} a = Exp (x) c = Reshape (a, r) d = Reshape (c, rows) y = Reshape (d, r)",
        "float[N,M,6] x",
        "float[N,M,6] y",
    ),
    "rows": net(
        f"{SIZES} a = Reshape (x, rows) c = Gemm (a, w, b) d = Reshape (c, r) y = Relu (d)",
        "float[N,M,6] x",
        "float[N,M,6] y",
    ),
    "branches": net(
        "y = If (c) <then_branch = t () => (float[2,6] r) { q = Relu (x) r = Identity (q) },"
        " else_branch = e () => (float[2,6] l) { p = Exp (x) k = Identity (p) l = Neg (k) }>",
        "bool c, float[2,6] x",
    ),
    "captured": net(
        "i = Identity (x) y = If (c) <then_branch = t () => (float[2,6] r) { r = Relu (i) },"
        " else_branch = e () => (float[2,6] p) { p = Exp (i) }>",
        "bool c, float[2,6] x",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", STAY.values(), ids=[*STAY])
def test_a_model_leaves_as_it_came(tmp_path: Path, text: str):
    given, found = changed(save(text, tmp_path), tmp_path / "found.onnx")
    assert found == given


PAIR = "p = Transpose <perm = [1, 0, 2]> (x) f = Relu (p) g = Transpose <perm = [1, 0, 2]> (f) "


@pytest.mark.parametrize(
    "idle",
    ["i = Identity (h)", "i = Dropout (h, ratio)", "i = Cast <to = 1> (h)", "i = Slice (h, zero, most, one)"],
)
@pytest.mark.parametrize("sizes", ["3,3,6", "N,M,6"])
def test_nodes_without_effect_stay_behind_a_changed_region(tmp_path: Path, idle: str, sizes: str):
    text = net(f"{PAIR} h = Exp (g) {idle} y = Neg (i)", f"float[{sizes}] x", f"float[{sizes}] y")
    given, found = changed(save(text, tmp_path), tmp_path / "found.onnx")
    assert [each for each in given if each not in found] == [each for each in given if each[0] in "fghp"]
    assert not any("Transpose" in each for each in found)


@pytest.mark.parametrize(
    "body",
    [
        # Two axes of unknown size change places in front of nodes that compute with their sizes.
        f"{SIZES} {PAIR} h = Exp (f) k = Reshape (h, turned) y = Transpose <perm = [1, 0, 2]> (k)",
        f"{SIZES} {PAIR} h = Exp (g) y = Reshape (h, r)",
        f"{SIZES} {PAIR} a = Reshape (g, rows) c = Gemm (a, w, b) y = Reshape (c, r)",
    ],
    ids=["between", "behind", "rows"],
)
def test_computed_sizes_are_those_of_their_value(tmp_path: Path, body: str):
    body = body.replace("rows = ", "turned = Concat <axis = 0> (t, s, six) rows = ", 1)
    text = net(body, "float[N,M,6] x", "float[N,M,6] y")
    file, output = save(text, tmp_path), tmp_path / "found.onnx"
    _, found = changed(file, output)
    assert not any("Transpose" in each for each in found)
    x = np.random.default_rng(0).standard_normal((3, 5, 6)).astype(np.float32)
    (before,), (after,) = (executed(ModelProto.FromString(each.read_bytes()), [x]) for each in (file, output))
    assert_close(after, before, FEW_STEPS_NEAR_ZERO)


def test_a_transpose_that_moves_nothing_goes(tmp_path: Path):
    text = net("p = Transpose <perm = [0, 1]> (x) i = Identity (p) y = Relu (i)")
    _, found = changed(save(text, tmp_path), tmp_path / "found.onnx")
    assert not any("Transpose" in each for each in found)


def test_sizes_that_the_user_fixes_are_numbers(tmp_path: Path):
    text = net(f"{SIZES} a = Exp (x) y = Reshape (a, r)", "float[N,M,6] x", "float[N,M,6] y")
    output = tmp_path / "found.onnx"
    assert run([str(save(text, tmp_path)), "-O", "--size", "N=2", "--size", "M=3", "-o", str(output)]) == 0
    assert not any("Shape" in each.replace("Reshape", "") for each in nodes_of(output))


def test_long_chains_of_nodes_without_effect(tmp_path: Path):
    """They are deeper than Python's stack."""
    nodes = " ".join(f"v{number + 1} = Identity (v{number})" for number in range(1500))
    text = net(f"v0 = Exp (x) {nodes} y = Relu (v1500)")
    given, found = changed(save(text, tmp_path), tmp_path / "found.onnx")
    assert found == given


def test_a_transpose_of_known_numbers_is_a_constant(tmp_path: Path):
    """PyTorch computes the pads of a Pad so."""
    body = (
        "k = Concat <axis = 1> (places, places) t = Transpose <perm = [1, 0]> (k) n = Reshape (t, flat) y = Pad (x, n)"
    )
    _, found = changed(save(net(body, outputs="float[2,8] y"), tmp_path), tmp_path / "found.onnx")
    assert [text.split(" = ")[1].split()[0] for text in found] == ["Pad"]
