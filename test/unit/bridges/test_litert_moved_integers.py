"""Integers in LiteRT files that are moved by an op and only then said to represent numbers."""

from pathlib import Path

import pytest
from onnx import parser

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.importing.file import read_file
from npu_opt.tools.opt import run
from npu_opt.tools.run import run as run_model

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
    assert [node.kind for node in read_file(written).operators].count("RESHAPE") == reshapes
