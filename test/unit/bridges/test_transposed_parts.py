"""Parts of a large value that one Transpose moves: each is read and written in one piece."""

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

MOVED = "s = Transpose<perm = [0, 2, 3, 1]>(a) t = Transpose<perm = [0, 2, 3, 1]>(b) y = Relu(s) z = Exp(t)"
CASES = {
    "equal parts": ("[1,8192,4,64]", "[1,4,64,4096]", "[1,4,64,4096]", "int64[2] p = {4096, 4096}", 0),
    "parts of other sizes": ("[1,8192,4,64]", "[1,4,64,4095]", "[1,4,64,4097]", "int64[2] p = {4095, 4097}", 3),
    "small parts": ("[1,512,4,64]", "[1,4,64,256]", "[1,4,64,256]", "int64[2] p = {256, 256}", 3),
}
"""Shapes of the input and of both results, the sizes of parts, and the axis along which the file splits."""


@pytest.mark.parametrize("name", CASES)
def test_equal_parts_of_a_large_value_are_an_axis_of_its_transpose(name: str, tmp_path: Path):
    given, first, second, parts, axis = CASES[name]
    out = tmp_path / "out.onnx"
    nodes = f"a, b = Split<axis = 1>(x, p) {MOVED}"
    path = save(f"net (float{given} x) => (float{first} y, float{second} z) <{parts}> {{ {nodes} }}", tmp_path)
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
