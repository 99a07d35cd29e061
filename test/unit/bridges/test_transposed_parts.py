"""Parts of a value that one Transpose moves: each is read and written in one piece."""

from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from support.generators.made_models import save

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from support.oracles.onnx_running import unoptimised

# By name: the package is typed in part.
ONNX: Any = import_module("onnx")

LAST = "[0, 2, 3, 1]"
BACK = "[3, 2, 1, 0]"
CASES = {
    "equal parts": ("[1,8192,4,64]", 1, LAST, "[1,4,64,4096]", "[1,4,64,4096]", "{4096, 4096}", 0),
    "parts of other sizes": ("[1,8192,4,64]", 1, LAST, "[1,4,64,4095]", "[1,4,64,4097]", "{4095, 4097}", 3),
    "small parts": ("[1,512,4,64]", 1, LAST, "[1,4,64,256]", "[1,4,64,256]", "{256, 256}", 3),
    "short runs": ("[1,6,20,10]", 1, BACK, "[10,20,3,1]", "[10,20,3,1]", "{3, 3}", 0),
    "short runs behind two axes of one element": (
        "[1,1,6,20,10]",
        2,
        "[3, 1, 4, 0, 2]",
        "[20,1,10,1,3]",
        "[20,1,10,1,3]",
        "{3, 3}",
        0,
    ),
    "short runs of few elements": ("[1,6,4,4]", 1, BACK, "[4,4,3,1]", "[4,4,3,1]", "{3, 3}", 2),
    "short runs of parts that lie apart": ("[2,6,20,10]", 1, LAST, "[2,20,10,3]", "[2,20,10,3]", "{3, 3}", 3),
}
"""The shape of the input, the axis of its parts, the permutation, the shapes of both results, the sizes of parts, and
the axis along which the file splits."""


@pytest.mark.parametrize("name", CASES)
def test_equal_parts_are_an_axis_of_its_transpose(name: str, tmp_path: Path):
    given, cut, order, first, second, parts, axis = CASES[name]
    out = tmp_path / "out.onnx"
    moved = f"s = Transpose<perm = {order}>(a) t = Transpose<perm = {order}>(b) y = Relu(s) z = Exp(t)"
    nodes = f"a, b = Split<axis = {cut}>(x, p) {moved}"
    types = f"(float{given} x) => (float{first} y, float{second} z)"
    path = save(f"net {types} <int64[2] p = {parts}> {{ {nodes} }}", tmp_path)
    npu_opt.optimize(path, target="onnx").save(out)
    assert npu_opt.check(path, out).proved
    before, after = ONNX.load(path), ONNX.load(out)
    assert sum(node.op_type == "Transpose" for node in after.graph.node) == 1
    (split,) = (node for node in after.graph.node if node.op_type == "Split")
    assert {each.i for each in split.attribute if each.name == "axis"} == {axis}
    (shape,) = ([dim.dim_value for dim in each.type.tensor_type.shape.dim] for each in before.graph.input)
    feeds = {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}
    for expected, result in zip(*(unoptimised(each).run(None, feeds) for each in (before, after)), strict=True):
        np.testing.assert_array_equal(result, expected)
