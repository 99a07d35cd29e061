"""Bounds of Clip that are left out, infinite or no numbers, and numbers beyond them, in ONNX Runtime."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from models.onnx_runs import run
from onnx import ModelProto, TensorProto, helper, parser

X = np.array([np.nan, np.inf, -np.inf, 0, -0.5, 3e38, -7, 7], np.float32).reshape(1, 8, 1, 1)
INF = (
    "z = Constant <value = float {0}> () o = Constant <value = float {1}> () i = Div (o, z) j = Neg (i) n = Div (z, z) "
)


def model(clip: str, opset: int = 13) -> ModelProto:
    """A clip between two Transposes, so that it is written anew."""
    return parser.parse_model(
        f'<ir_version: 7, opset_import: ["" : {opset}]> g (float[1,8,1,m] x) => (float[1,8,1,m] y)'
        f"{{ {INF} t = Transpose <perm = [0, 2, 3, 1]> (x) u = {clip} y = Transpose <perm = [0, 3, 1, 2]> (u) }}"
    )


@pytest.mark.parametrize(
    ("opset", "clip"),
    [
        *(
            (13, f"Clip ({inputs})")
            for inputs in ("t", "t, z", "t, , o", "t, j, i", "t, j", "t, , i", "t, n", "t, , n")
        ),
        *((10, f"Clip {bounds} (t)") for bounds in ("", "<min = 0.0>", "<max = 6.0>", "<min = -1.0, max = 1.0>")),
    ],
)
def test_a_clip_is_that_of_onnx_runtime(opset: int, clip: str):
    given = model(clip, opset)
    result = npu_opt.optimize(given, target="onnx")
    written = result.to_onnx()
    assert npu_opt.check(given, written)
    expected, found = (run(each, {"x": X}, is_optimized=False)[0] for each in (given, written))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("other", ["Relu (x)", "Max (x, z)", "Clip (x, z, i)"])
def test_a_bound_that_is_left_out_is_the_largest_number(other: str):
    texts = [
        f'<ir_version: 8, opset_import: ["" : 18]> g (float[8] x) => (float[8] y) {{ {INF} y = {op} }}'
        for op in ("Clip (x, z)", other)
    ]
    assert npu_opt.check(*map(parser.parse_model, texts)).word != "proved"


def test_a_clip_without_a_bound_in_a_program_has_none_in_the_file(tmp_path: Path):
    path = tmp_path / "program.mlir"
    path.write_text(
        "func.func @main(%x: tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32> {\n"
        "  %y = npu.clip %x min = 0.0 : tensor<1x8x1x1xf32>\n  return %y : tensor<1x8x1x1xf32>\n}\n"
    )
    written = npu_opt.optimize(path, target="onnx", strategy=None, passes="").to_onnx()
    (found,) = run(written, {"x": X}, is_optimized=False)
    np.testing.assert_array_equal(found, np.maximum(X, 0))


def test_bounds_of_bf16():
    """Their numbers are of no type of numpy."""
    given = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 18]> g (bfloat16[4] x) => (bfloat16[4] y) { y = Clip (x, , h) }'
    )
    given.graph.initializer.append(helper.make_tensor("h", TensorProto.BFLOAT16, [], [1.0]))
    assert "Clip" in [node.op_type for node in npu_opt.optimize(given, target="onnx").to_onnx().graph.node]
