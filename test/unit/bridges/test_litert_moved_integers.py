"""Integers in LiteRT files that are moved by an op and only then said to represent numbers."""

from pathlib import Path

import numpy as np
import pytest
from onnx import parser

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.importing.file import read_file
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from npu_opt.tools.run import run as run_model
from support.oracles.lite_trials import LITERT

TABLE = "int8[3,4] a, int8[3,4] b"
DEQUANTISED = "y = DequantizeLinear (o, s, z)"
CASES = [
    # Inputs, ops, a further result, and the number of reshapes that give integers other numbers.
    (TABLE, f"o = Concat <axis = 1> (a, b) {DEQUANTISED}", "", 0),
    ("int8[3,4] a", f"o = Concat <axis = 1> (a, k) {DEQUANTISED}", "", 0),
    ("int8[3,4] a", f'o = Pad <mode = "reflect"> (a, pads) {DEQUANTISED}', "", 0),
    ("int8[3,4] a", f"o = ReduceMax <axes = [1]> (a) {DEQUANTISED}", "", 0),
    ("int8[3,4] a", f"o = ReduceMin <axes = [1]> (a) {DEQUANTISED}", "", 0),
    (f"bool[3,4] c, {TABLE}", f"o = Where (c, a, b) {DEQUANTISED}", "", 0),
    # A pad of zeros is no pad of zero points.
    ("int8[3,4] a", f"o = Pad (a, pads) {DEQUANTISED}", "", 1),
    ("int8[3,4] a", f"o = Pad (a, pads, seven) {DEQUANTISED} w = DequantizeLinear (a, s, z)", "float[3,4] w", 2),
    # The same integers represent several numbers, or none.
    ("int8[3,4] o", f"{DEQUANTISED} w = DequantizeLinear (o, t, z)", "float[3,4] w", 1),
    ("int8[m,n] o", f"{DEQUANTISED} w = DequantizeLinear (o, t, z)", "float[m,n] w", 1),
    (TABLE, f"o = Concat <axis = 1> (a, b) {DEQUANTISED} w = Concat <axis = 0> (b, a)", "int8[6,4] w", 2),
    ("int8[3,4] a", f"o = Concat <axis = 1> (a, a) {DEQUANTISED} w = DequantizeLinear (a, t, z)", "float[3,4] w", 1),
    ("int8[3,4] a", f"o, w = Split <axis = 1> (a) {DEQUANTISED}", "int8[3,2] w", 1),
    ("float[3,4] x", f"o = QuantizeLinear (x, t, z) {DEQUANTISED}", "", 1),
]


@pytest.mark.parametrize("element", ["uint8", "int8"])
@pytest.mark.parametrize(("inputs", "ops", "further", "reshapes"), CASES)
def test_moved_integers_represent_numbers(
    inputs: str, ops: str, further: str, reshapes: int, element: str, tmp_path: Path
):
    results = f"float[u,v] y{', ' if further else ''}{further}"
    graph = f"""agraph ({inputs}) => ({results})
    <float s = {{0.03}}, float t = {{0.7}}, int8 z = {{3}}, int8 seven = {{7}},
     int8[3,2] k = {{1, 2, 3, 4, 5, 6}}, int64[4] pads = {{1, 2, 1, 2}}> {{ {ops} }}"""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 17]> {graph.replace("int8", element)}')
    file, written = tmp_path / "model.onnx", tmp_path / "model.tflite"
    file.write_bytes(model.SerializeToString())
    assert run([str(file), "-o", str(written)]) == 0
    assert run_model([str(written), "--compare", str(file)]) == 0
    assert [node.kind for node in read_file(written).graphs[0].operators].count("RESHAPE") == reshapes


QUANTISED = "o = QuantizeLinear <axis = 1> (x, s, z)"
TURNED = "p = Transpose <perm = [0, 2, 1]> (o)"
WIDE = "w = DequantizeLinear <axis = 1> (o, s, z)"
MOVED = [
    # Ops, the axis and scales of what is dequantised, and its sizes.
    (f"{QUANTISED} p = Identity (o)", 1, "s, z", "2,3,4"),
    (f"{QUANTISED} {TURNED}", 2, "s, z", "2,4,3"),
    (f"{QUANTISED} p = Reshape (o, sizes)", 1, "s, z", "2,3,2,2"),
    (f"{QUANTISED} p = Concat <axis = 1> (o, o)", 1, "six, sixth", "2,6,4"),
    (f"{QUANTISED} p = Pad (o, pads)", 1, "four, fourth", "2,4,4"),
    (f"{QUANTISED} p = ReduceMax <axes = [0], keepdims = 0> (o)", 0, "s, z", "3,4"),
    (f"{QUANTISED} p, q = Split <axis = 0> (o)", 1, "s, z", "1,3,4"),
    (f"{TURNED} {WIDE}", 2, "s, z", "2,4,3"),
    (f"{WIDE} {TURNED}", 2, "s, z", "2,4,3"),
    (TURNED, 2, "s, z", "2,4,3"),
]


@pytest.mark.parametrize("element", ["uint8", "int8"])
@pytest.mark.parametrize(("ops", "axis", "scales", "sizes"), MOVED)
def test_moved_integers_with_a_scale_for_each_position(
    ops: str, axis: int, scales: str, sizes: str, element: str, tmp_path: Path
):
    """No op that moves integers says along which axis their scales are behind it."""
    given = "float[2,3,4] x" if QUANTISED in ops else "int8[2,3,4] o"
    results = f"float[{sizes}] y{', float[2,3,4] w' if WIDE in ops else ''}"
    graph = f"""agraph ({given}) => ({results})
    <float[3] s = {{0.5, 0.25, 0.125}}, int8[3] z = {{1, 2, 3}},
     float[4] four = {{0.5, 0.5, 0.25, 0.125}}, int8[4] fourth = {{1, 1, 2, 3}},
     float[6] six = {{0.5, 0.25, 0.125, 0.5, 0.25, 0.125}}, int8[6] sixth = {{1, 2, 3, 1, 2, 3}},
     int64[4] sizes = {{2, 3, 2, 2}}, int64[6] pads = {{0, 1, 0, 0, 0, 0}}>
    {{ {ops} y = DequantizeLinear <axis = {axis}> (p, {scales}) }}"""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 17]> {graph.replace("int8", element)}')
    file, written = tmp_path / "model.onnx", tmp_path / "model.tflite"
    file.write_bytes(model.SerializeToString())
    assert run([str(file), "-o", str(written)]) == 0
    assert run_model([str(written), "--compare", str(file)]) == 0
    assert check([str(file), str(written)]) == 0


def test_several_scales_round_the_middle_of_two_integers_to_the_even_one(tmp_path: Path):
    """The kernel that knows several scales rounds it away from 0."""
    numbers = np.array(np.arange(24).reshape(2, 3, 4) / 4 - 3, np.float32)
    graph = """agraph (float[2,3,4] x) => (int8[2,3,4] o)
    <float[3] s = {0.5, 0.5, 0.5}, int8[3] z = {0, 0, 0}> { o = QuantizeLinear <axis = 1> (x, s, z) }"""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 17]> {graph}')
    file, written = tmp_path / "model.onnx", tmp_path / "model.tflite"
    file.write_bytes(model.SerializeToString())
    assert run([str(file), "-o", str(written)]) == 0
    found = LITERT.run(written.read_bytes(), [numbers])
    assert found is not None
    np.testing.assert_array_equal(found[0], np.rint(numbers * 2))
