"""Nodes whose sizes, positions or repeats are inputs: transposes around them go, and the numbers are reordered."""

from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import ModelProto
from support.generators.made_models import model

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import InterpreterError, run
from support.oracles.onnx_running import unoptimised

# By name: the package is typed in part.
ONNX: Any = import_module("onnx")
Array = NDArray[Any]
IN, OUT = "t = Transpose<perm=[0,3,1,2]>(x)", "y = Transpose<perm=[0,2,3,1]>(n)"
X = "float[B,H,W,C] x"
DATA = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)


def ints(*numbers: int) -> Array:
    return np.array(numbers, np.int64)


def floats(*numbers: float) -> Array:
    return np.array(numbers, np.float32)


class Case:
    """A model, the numbers of its inputs besides x, and the kinds of nodes that are left."""

    def __init__(self, inputs: str, nodes: str, numbers: Mapping[str, Array], left: str, opset: int = 18) -> None:
        self.inputs, self.nodes, self.numbers, self.left, self.opset = inputs, nodes, numbers, left, opset

    def proto(self) -> ModelProto:
        header = f'<ir_version: 8, opset_import: ["": {self.opset}]>'
        output = "int64[n] y" if "Shape" in self.nodes else "float[a,b,c,d] y"
        return model(f"{header} net ({self.inputs}) => ({output}) {{ {self.nodes} }}")


P8 = "int64[8] p"
CASES = {
    "sizes": Case(X, f"{IN} y = Shape(t)", {}, "Gather Shape"),
    "some sizes": Case(X, f"{IN} y = Shape<start=1, end=3>(t)", {}, "Gather Shape"),
    "sizes from the end": Case(X, f"{IN} y = Shape<start=-1>(t)", {}, "Shape"),
    "sizes behind an op": Case(X, f"{IN} r = Relu(t) s = Shape(r) y = Neg(s)", {}, "Gather Neg Relu Shape"),
    "positions": Case(
        f"{X}, int64[4] s, int64[4] e",
        f"{IN} n = Slice(t, s, e) {OUT}",
        {"s": ints(0, 1, -2, 0), "e": ints(9, -1, 3, 2)},
        "Slice",
    ),
    "positions of some axes": Case(
        f"{X}, int64[2] s, int64[2] e",
        f"a = Constant<value = int64[2] {{3, 1}}>() k = Constant<value = int64[2] {{2, 1}}>() {IN}"
        f" n = Slice(t, s, e, a, k) {OUT}",
        {"s": ints(-4, 1), "e": ints(100, 5)},
        "Slice",
    ),
    "steps": Case(
        f"{X}, int64[2] s, int64[2] e, int64[2] k",
        f"a = Constant<value = int64[2] {{3, 1}}>() {IN} n = Slice(t, s, e, a, k) {OUT}",
        {"s": ints(-9, 1), "e": ints(-100, 5), "k": ints(-1, 2)},
        "Slice",
    ),
    "steps backward along axes of unknown size": Case(
        X,
        f"a = Constant<value = int64[2] {{3, 1}}>() s = Constant<value = int64[2] {{-2, 9}}>()"
        f" e = Constant<value = int64[2] {{-100, 0}}>() k = Constant<value = int64[2] {{-1, -2}}>() {IN}"
        f" n = Slice(t, s, e, a, k) {OUT}",
        {},
        "Slice",
    ),
    "an axis of unknown size backward": Case(
        X,
        f"a = Constant<value = int64[1] {{2}}>() s = Constant<value = int64[1] {{-1}}>()"
        f" e = Constant<value = int64[1] {{-9223372036854775808}}>() {IN} n = Slice(t, s, e, a, s) {OUT}",
        {},
        "Slice",
    ),
    "pads": Case(f"{X}, {P8}", f"{IN} n = Pad(t, p) {OUT}", {"p": ints(0, 1, 2, 0, 1, 0, -1, 3)}, "Pad"),
    "pads in front of their axes": Case(
        f"{X}, {P8}", f"{IN} n = Pad(t, p) {OUT}", {"p": ints(0, 1, 2, 0, 1, 0, -1, 3)}, "Gather Pad", 17
    ),
    "edges": Case(f"{X}, {P8}", f'{IN} n = Pad<mode="edge">(t, p) {OUT}', {"p": ints(0, 1, 2, 0, 1, 0, 1, 3)}, "Pad"),
    "mirrors of some axes": Case(
        f"{X}, int64[4] p",
        f"a = Constant<value = int64[2] {{3, 1}}>() z = Constant<value_float = 0.0>() {IN}"
        f' n = Pad<mode="reflect">(t, p, z, a) {OUT}',
        {"p": ints(1, 0, 2, 3)},
        "Pad",
    ),
    "an added element": Case(
        f"{X}, float v",
        f"p = Constant<value = int64[8] {{0, -1, 2, 0, 1, 0, 0, 3}}>() {IN} n = Pad(t, p, v) {OUT}",
        {"v": np.array(2.5, np.float32)},
        "Pad",
    ),
    "pads and an added element": Case(
        f"{X}, {P8}, float[1] v",
        f"{IN} n = Pad(t, p, v) {OUT}",
        {"p": ints(0, 1, 2, 0, 1, 0, -1, 3), "v": floats(-0.0)},
        "Pad",
    ),
    "an infinite element": Case(
        X,
        f"p = Constant<value = int64[8] {{0, 1, 2, 0, 1, 0, 0, 3}}>() h = Constant<value_float = -1000.0>()"
        f" l = Constant<value_float = 0.0>() v = Div(h, l) {IN} n = Pad(t, p, v) {OUT}",
        {},
        "Pad",
    ),
    "a cut and pads of unknown sizes": Case(
        X,
        f"p = Constant<value = int64[8] {{0, -2, 0, 0, 0, 6, 0, 0}}>() {IN} n = Pad(t, p) {OUT}",
        {},
        "Pad",
    ),
    "scales": Case(f"{X}, float[4] s", f"{IN} n = Resize(t, , s) {OUT}", {"s": floats(1, 2, 0.5, 1.5)}, "Resize"),
    "scales in front of their axes": Case(
        f"{X}, float[4] s", f"{IN} n = Resize(t, , s) {OUT}", {"s": floats(1, 2, 0.5, 1.5)}, "Gather Resize", 13
    ),
    "sizes of some axes": Case(
        f"{X}, int64[2] z",
        f'{IN} n = Resize<axes=[3, 1], coordinate_transformation_mode="align_corners", nearest_mode="ceil">(t, , , z)'
        f" {OUT}",
        {"z": ints(7, 2)},
        "Resize",
    ),
    "a region": Case(
        f"{X}, float[8] r, float[4] s",
        f'{IN} n = Resize<coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=2.5>(t, r, s) {OUT}',
        {"r": floats(0, 0, 0.1, 0, 1, 1, 1.4, 0.8), "s": floats(1, 1, 2, 3)},
        "Resize",
    ),
    "constant scales of unknown sizes": Case(
        X,
        f"s = Constant<value = float[4] {{1.0, 1.0, 2.0, 0.5}}>() {IN} n = Resize(t, , s) {OUT}",
        {},
        "Resize",
    ),
    "scales of an old version": Case(
        f"{X}",
        f"s = Constant<value = float[4] {{1.0, 1.0, 2.0, 1.5}}>() {IN} n = Resize(t, s) {OUT}",
        {},
        "Resize",
        10,
    ),
    "parts of an axis of unknown size": Case(
        X,
        f"{IN} m, l = Split<axis=2, num_outputs=2>(t) k = Neg(m) n = Concat<axis=2>(k, l) {OUT}",
        {},
        "Split Neg Concat",
    ),
    "equal parts of an old version": Case(
        X,
        f"{IN} m, l, j = Split<axis=2>(t) k = Neg(m) n = Concat<axis=2>(j, k) {OUT}",
        {},
        "Split Neg Concat",
        13,
    ),
    "sizes of parts": Case(
        f"{X}, int64[2] z",
        f"{IN} m, l = Split<axis=1>(t, z) k = Neg(m) n = Concat<axis=1>(l, k) {OUT}",
        {"z": ints(4, 1)},
        "Split Neg Concat",
    ),
    "repeats": Case(f"{X}, int64[4] r", f"{IN} n = Tile(t, r) {OUT}", {"r": ints(1, 2, 3, 1)}, "Gather Tile"),
}


def imported(proto: ModelProto) -> Any:
    return import_model(Path("model.onnx"), Options(), model=proto).module


@pytest.mark.parametrize("name", CASES)
def test_transposes_go_and_numbers_stay_with_their_axes(name: str, tmp_path: Path):
    case, out = CASES[name], tmp_path / "out.onnx"
    path = tmp_path / "model.onnx"
    path.write_bytes(case.proto().SerializeToString())
    npu_opt.optimize(path, target="onnx").save(out)
    assert npu_opt.check(path, out).proved
    written = ONNX.load(out)
    assert Counter(node.op_type for node in written.graph.node) == Counter(case.left.split())
    feeds = {"x": DATA, **case.numbers}
    (expected,), (found,) = (unoptimised(each).run(None, feeds) for each in (case.proto(), written))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", CASES)
def test_the_interpreter_computes_what_onnx_runtime_computes(name: str):
    proto = CASES[name].proto()
    module, feeds = imported(proto), {"x": DATA, **CASES[name].numbers}
    assert not any(isinstance(op, OpaqueOp) for op in module.walk())
    (expected,) = unoptimised(proto).run(None, feeds)
    (found,) = run(module, "main", [feeds[each.name] for each in proto.graph.input])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("places", ["0, 2, 1, 3", "0, 1, 2, 3"])
def test_sizes_of_other_axes_are_not_equal(places: str, tmp_path: Path):
    head = f"i = Constant<value = int64[4] {{{places}}}>() s = Shape(x)"
    paths = [tmp_path / "first.onnx", tmp_path / "second.onnx"]
    for path, text in zip(paths, ("y = Shape(x)", f"{head} y = Gather(s, i)"), strict=True):
        path.write_bytes(model(f"net ({X}) => (int64[4] y) {{ {text} }}").SerializeToString())
    assert npu_opt.check(*paths).proved == (places == "0, 1, 2, 3")


@pytest.mark.parametrize("node", ["Tile(x, g)", "Tile(x, r)"])
def test_repeats_of_other_axes_are_not_equal(node: str, tmp_path: Path):
    """Repeats in another order are others, in whichever file they are reordered."""
    head = "i = Constant<value = int64[4] {0, 2, 1, 3}>() g = Gather(r, i)"
    paths = [tmp_path / "first.onnx", tmp_path / "second.onnx"]
    for path, text in zip(paths, (f"{head} y = {node}", "y = Tile(x, r)"), strict=True):
        path.write_bytes(model(f"net ({X}, int64[4] r) => (float[a,b,c,d] y) {{ {text} }}").SerializeToString())
    assert npu_opt.check(*paths).proved == (node == "Tile(x, r)")


def test_models_that_no_pass_changes_stay(tmp_path: Path):
    """Inputs that were absent are absent again."""
    nodes = "s = Shape<start=1>(x) u = Slice(x, a, b) p = Pad(u, c) y = Tile(p, d)"
    inputs = f"{X}, int64[2] a, int64[2] b, int64[8] c, int64[4] d"
    path, out = tmp_path / "model.onnx", tmp_path / "out.onnx"
    path.write_bytes(model(f"net ({inputs}) => (float[e,f,g,h] y, int64[3] s) {{ {nodes} }}").SerializeToString())
    npu_opt.optimize(path, target="onnx").save(out)
    before, after = ([(node.op_type, list(node.input)) for node in ONNX.load(each).graph.node] for each in (path, out))
    assert sorted(before) == sorted(after)


def test_equal_parts_are_others_than_a_number_of_parts(tmp_path: Path):
    """Five elements in two parts are an error before opset 18, and three and two from then on."""
    paths = [tmp_path / "old.onnx", tmp_path / "new.onnx"]
    for path, opset, count in zip(paths, (13, 18), ("", ", num_outputs=2"), strict=True):
        header = f'<ir_version: 8, opset_import: ["": {opset}]>'
        text = f"{header} net (float[n] x) => (float[a] y, float[b] z) {{ y, z = Split<axis=0{count}>(x) }}"
        path.write_bytes(model(text).SerializeToString())
    assert not npu_opt.check(*paths).proved
    five = [np.arange(5, dtype=np.float32)]
    old, new = (imported(ONNX.load(path)) for path in paths)
    assert [len(part) for part in run(new, "main", five)] == [3, 2]
    with pytest.raises(InterpreterError, match="parts of"):
        run(old, "main", five)
    with pytest.raises(Exception, match="split evenly"):
        unoptimised(ONNX.load(paths[0])).run(None, {"x": five[0]})
