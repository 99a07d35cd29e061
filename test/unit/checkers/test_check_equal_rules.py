"""The rules of check_equal one by one: each accepts a pair that is equal, and rejects one that is nearly so."""

# pyright: reportUnknownMemberType=false
import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from npu_opt.checkers import check_equal
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from onnx import ModelProto, numpy_helper, parser
from support.equal_models import followed

RMS = (
    "p = Constant <value = float {{{}}}> () e = Constant <value = float {{1e-5}}> ()"
    " i = Constant <value = int64[1] {{-1}}> ()"
    " s = Pow (x, p) m = ReduceMean (s, i) v = Add (m, e) d = Sqrt (v) r = Reciprocal (d) n = Mul (x, r) y = Mul (w, n)"
)
PADS = "p = Constant <value = int64[{}] {{{}}}> () "
TURN = "t = Transpose <perm = [2, 0, 1]> (x) "
BACK = "y = Transpose <perm = [1, 2, 0]> (a)"
QUANTISE = "z = Constant <value = uint8[4] {0, 0, 0, 7}> () "
HEADS = "Reshape (x, s) h = Transpose <perm = [0, 2, 1, 3]> (g)"
IF = (
    "c = Constant <value = bool {{1}}> () y = If (c) <then_branch = a () => (float[] u) {{ u = {} (x) }},"
    " else_branch = b () => (float[] v) {{ v = Neg (x) }}>"
)
LOOP = (
    "n = Constant <value = int64 {{3}}> () c = Constant <value = bool {{1}}> () y = Loop (n, c, x)"
    " <body = b (int64 k, bool g, float[2,3,4] u) => (bool h, float[2,3,4] v) {{ h = Identity (g) v = {} (u) }}>"
)
WINDOWS = "float[1,16,6] x"
BRANCH = (
    "c = Constant <value = bool {{1}}> () s = Constant <value = float {{2.0}}> () y = If (c)"
    " <then_branch = a () => (float[] {0}) {{ {1} }}, else_branch = b () => (float[] v) {{ v = Neg (x) }}>"
)
SIZES = (
    "n = Constant <value = int64 {{3}}> () c = Constant <value = bool {{1}}> () y = Loop (n, c, x) <body = b"
    " (int64 k, bool g, float[{0},4] u) => (bool h, float[{0},4] v) {{ h = Identity (g) a = Relu (u) {1} }}>"
)
ZEROS = "y = ConstantOfShape {}(s)"
TRAINED = "r = Constant <value = float {{{}}}> () t = Constant <value = bool {{1}}> () y = Dropout (x, r, t)"

CASES: dict[str, tuple[str, str, str, str, int]] = {
    "a norm": (
        "y = RMSNormalization <axis = -1> (x, w)",
        RMS.format(2),
        RMS.format(3),
        "float[2,3,4] x, float[4] w",
        23,
    ),
    "attention of rank 3": (
        "y = Attention <q_num_heads = 2, kv_num_heads = 2> (x, x, x)",
        "s = Constant <value = int64[4] {2, 3, 2, 4}> () o = Constant <value = int64[3] {2, 3, 8}> () g = "
        + HEADS
        + " a = Attention (h, h, h) b = Transpose <perm = [0, 2, 1, 3]> (a) y = Reshape (b, o)",
        "s = Constant <value = int64[4] {2, 3, 4, 2}> () o = Constant <value = int64[3] {2, 3, 8}> () g = "
        + HEADS
        + " a = Attention (h, h, h) b = Transpose <perm = [0, 2, 1, 3]> (a) y = Reshape (b, o)",
        "float[2,3,8] x",
        23,
    ),
    "a quotient": (
        "y = Div (x, w)",
        "r = Reciprocal (w) y = Mul (r, x)",
        "r = Reciprocal (x) y = Mul (r, w)",
        "float[4] x, float[4] w",
        21,
    ),
    "transposed operands of Gemm": (
        "y = Gemm <transB = 1> (x, w)",
        "t = Transpose <perm = [1, 0]> (w) y = Gemm (x, t)",
        "t = Transpose <perm = [1, 0]> (w) y = Gemm <alpha = 2.0> (x, t)",
        "float[3,4] x, float[5,4] w",
        21,
    ),
    "Gemm as a product and a sum": (
        "y = Gemm <transB = 1, beta = 0.5> (x, w, b)",
        "h = Constant <value = float {0.5}> () t = Transpose <perm = [1, 0]> (w) m = MatMul (x, t) c = Mul (b, h)"
        " y = Sum (c, m)",
        "h = Constant <value = float {0.25}> () t = Transpose <perm = [1, 0]> (w) m = MatMul (x, t) c = Mul (b, h)"
        " y = Sum (c, m)",
        "float[3,4] x, float[5,4] w, float[5] b",
        21,
    ),
    "a product of ONNX Runtime": (
        "y = com.microsoft.FusedMatMul <transB = 1, alpha = 0.5> (x, w)",
        "h = Constant <value = float {0.5}> () t = Transpose <perm = [0, 2, 1]> (w) m = MatMul (x, t) y = Mul (m, h)",
        "h = Constant <value = float {0.5}> () t = Transpose <perm = [0, 2, 1]> (w) m = MatMul (t, x) y = Mul (m, h)",
        "float[2,4,4] x, float[2,4,4] w",
        21,
    ),
    "a transposed product": (
        "p = MatMul (x, w) y = Transpose <perm = [1, 0]> (p)",
        "y = Gemm <transA = 1, transB = 1> (w, x)",
        "y = Gemm <transA = 1, transB = 1> (x, w)",
        "float[3,3] x, float[3,3] w",
        21,
    ),
    "operands of a product": (
        "y = MatMul (x, w)",
        "y = Gemm (x, w)",
        "y = MatMul (w, x)",
        "float[3,3] x, float[3,3] w",
        21,
    ),
    "pads of other axes": (
        PADS.format(6, "0, 1, 0, 0, 2, 0") + "y = Pad (x, p)",
        PADS.format(6, "0, 0, 1, 0, 0, 2") + TURN + "a = Pad (t, p) " + BACK,
        PADS.format(6, "0, 0, 2, 0, 0, 1") + TURN + "a = Pad (t, p) " + BACK,
        "float[2,3,4] x",
        21,
    ),
    "resized axes elsewhere": (
        'r = Constant <value = float[3] {1.0, 2.0, 1.0}> () y = Resize <mode = "linear"> (x, , r)',
        "r = Constant <value = float[3] {1.0, 1.0, 2.0}> () " + TURN + 'a = Resize <mode = "linear"> (t, , r) ' + BACK,
        "r = Constant <value = float[3] {2.0, 1.0, 1.0}> () " + TURN + 'a = Resize <mode = "linear"> (t, , r) ' + BACK,
        "float[2,3,4] x",
        21,
    ),
    "scales of an axis": (
        QUANTISE + "y = QuantizeLinear <axis = 2> (x, w, z)",
        QUANTISE + TURN + "a = QuantizeLinear <axis = 0> (t, w, z) " + BACK,
        QUANTISE.replace("0, 7", "7, 0") + TURN + "a = QuantizeLinear <axis = 0> (t, w, z) " + BACK,
        "float[2,3,4] x, float[4] w",
        21,
    ),
    "the largest along an axis": (
        "y = ArgMax <axis = 1> (x)",
        TURN + "a = ArgMax <axis = 2> (t) " + BACK,
        "j = Constant <value = int64[3] {2, 1, 0}> () g = Gather <axis = 1> (x, j) y = ArgMax <axis = 1> (g)",
        "float[2,3,4] x",
        21,
    ),
    "an axis that stays as it is": (
        "y = ArgMax <axis = 1, keepdims = 0> (x)",
        "t = Transpose <perm = [1, 0]> (x) y = ArgMax <axis = 0, keepdims = 0> (t)",
        "s = Constant <value = int64[3] {2, 2, 2}> () o = Constant <value = int64[2] {2, 4}> () g = Reshape (x, s)"
        " t = Transpose <perm = [0, 2, 1]> (g) u = Reshape (t, o) y = ArgMax <axis = 1, keepdims = 0> (u)",
        "float[2,4] x",
        21,
    ),
    "windows of an axis": (
        "y = Softmax <axis = 2> (x)",
        "s = Constant <value = int64[6] {1, 2, 2, 2, 2, 6}> () o = Constant <value = int64[3] {1, 16, 6}>"
        " () g = Reshape (x, s)"
        " t = Transpose <perm = [0, 1, 3, 2, 4, 5]> (g) u = Reshape (t, o) a = Softmax <axis = 2> (u)"
        " v = Reshape (a, s) b = Transpose <perm = [0, 1, 3, 2, 4, 5]> (v) y = Reshape (b, o)",
        "s = Constant <value = int64[6] {1, 2, 2, 2, 2, 6}> () o = Constant <value = int64[3] {1, 16, 6}>"
        " () g = Reshape (x, s)"
        " t = Transpose <perm = [0, 1, 3, 2, 4, 5]> (g) u = Reshape (t, o) a = Softmax <axis = 2> (u)"
        " v = Reshape (a, s) b = Transpose <perm = [0, 2, 1, 3, 4, 5]> (v) y = Reshape (b, o)",
        WINDOWS,
        21,
    ),
    "elements in another order": (
        "j = Constant <value = int64[3] {2, 0, 1}> () g = Gather <axis = 1> (x, j) y = Relu (g)",
        "j = Constant <value = int64[3] {2, 0, 1}> () a = Relu (x) y = Gather <axis = 1> (a, j)",
        "j = Constant <value = int64[3] {0, 2, 1}> () a = Relu (x) y = Gather <axis = 1> (a, j)",
        "float[2,3,4] x",
        21,
    ),
    "columns of a weight": (
        "w = Constant <value = float[2,3] {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}> () y = MatMul (x, w)",
        "w = Constant <value = float[2,3] {2.0, 3.0, 1.0, 5.0, 6.0, 4.0}> () j = Constant <value ="
        " int64[3] {2, 0, 1}> ()"
        " a = MatMul (x, w) y = Gather <axis = 1> (a, j)",
        "w = Constant <value = float[2,3] {2.0, 3.0, 1.0, 5.0, 6.0, 4.0}> () j = Constant <value ="
        " int64[3] {2, 1, 0}> ()"
        " a = MatMul (x, w) y = Gather <axis = 1> (a, j)",
        "float[5,2] x",
        21,
    ),
    "a branch": (IF.format("Relu"), IF.format("Relu"), IF.format("Abs"), "float[2,3,4] x", 21),
    "a loop": (LOOP.format("Relu"), LOOP.format("Relu"), LOOP.format("Abs"), "float[2,3,4] x", 21),
    "a branch in other words": (
        BRANCH.format("u", "u = Mul (x, s)"),
        BRANCH.format("w", "f = Constant <value = float {2.0}> () w = Mul (f, x)"),
        BRANCH.format("w", "f = Constant <value = float {3.0}> () w = Mul (f, x)"),
        "float[2,3,4] x",
        21,
    ),
    "sizes in a loop": (
        SIZES.format(
            "N",
            "o = Shape <end = 1> (a) f = Constant <value = int64[2] {2, 2}> ()"
            " s = Concat <axis = 0> (o, f) i = Shape (u) e = Reshape (a, s) v = Reshape (e, i)",
        ),
        SIZES.format("N", "v = Identity (a)"),
        SIZES.format("M", "v = Identity (a)"),
        "float[N,4] x, float[M] w",
        21,
    ),
    "zeros that are the default": (
        ZEROS.format(""),
        ZEROS.format("<value = float[1] z {0.0}> "),
        ZEROS.format("<value = float[1] z {1.0}> "),
        "int64[2] s",
        21,
    ),
    "zeros of another type": (
        ZEROS.format(""),
        ZEROS.format("<value = float[1] {0.0}> "),
        ZEROS.format("<value = double[1] {0.0}> "),
        "int64[2] s",
        21,
    ),
    "an axis that is the last one": (
        "y = Softmax <axis = 2> (x)",
        "t = Transpose <perm = [1, 0, 2]> (x) a = Softmax <axis = -1> (t) y = Transpose <perm = [1, 0, 2]> (a)",
        "t = Transpose <perm = [1, 0, 2]> (x) a = Softmax <axis = 1> (t) y = Transpose <perm = [1, 0, 2]> (a)",
        "float[2,3,4] x",
        11,
    ),
    "an attribute that no text names": (
        "y = LayerNormalization <axis = -1, epsion = 0.5> (x, w)",
        "y = LayerNormalization (x, w)",
        "y = LayerNormalization <epsilon = 0.5> (x, w)",
        "float[3,4] x, float[4] w",
        13,
    ),
    "an attribute of an op of others": (
        "y = com.microsoft.Other <strides = [1, 1]> (x)",
        "y = com.microsoft.Other <strides = [1, 1]> (x)",
        "y = com.microsoft.Other (x)",
        "float[3,4] x",
        21,
    ),
    "constants with other axes": (
        "c = Constant <value = float[3] {1.0, 2.0, 3.0}> () u = Unsqueeze <axes = [1]> (c) y = Mul (x, u)",
        "u = Constant <value = float[3,1] {1.0, 2.0, 3.0}> () y = Mul (x, u)",
        "u = Constant <value = float[1,3] {1.0, 2.0, 3.0}> () y = Mul (x, u)",
        "float[3,3] x",
        12,
    ),
    "values of unknown sizes": (
        "t = NonZero (x) u = Transpose <perm = [1, 0]> (t) y = com.microsoft.FusedMatMul (u, t)",
        "t = NonZero (x) u = Transpose <perm = [1, 0]> (t) f = com.microsoft.FusedMatMul (u, t) y = Identity (f)",
        "t = NonZero (x) y = com.microsoft.FusedMatMul (t, t)",
        "float[3,4] x",
        21,
    ),
    "random numbers": (
        "r = RandomNormalLike (x) s = RandomNormalLike (x) y = Sub (r, s)",
        "s = RandomNormalLike (x) r = RandomNormalLike (x) y = Sub (r, s)",
        "r = RandomNormalLike (x) y = Sub (r, r)",
        "float[3,4] x",
        21,
    ),
    "elements that are dropped": (
        TRAINED.format(0.5),
        TRAINED.format(0.5),
        TRAINED.format(0.25),
        "float[3,4] x",
        21,
    ),
    "elements that are not dropped": (
        TRAINED.format(0.0).replace("y =", "a =") + " b = Dropout (x, r, t) y = Add (a, b)",
        TRAINED.format(0.0).replace("y =", "a =") + " y = Add (a, a)",
        TRAINED.format(0.5).replace("y =", "a =") + " y = Add (a, a)",
        "float[3,4] x",
        21,
    ),
    "products with one": (
        "c = Constant <value = float[4] {1.0, 1.0, 1.0, 1.0}> () y = Mul (x, c)",
        "y = Identity (x)",
        "c = Constant <value = float[4] {-1.0, -1.0, -1.0, -1.0}> () y = Mul (x, c)",
        "float[2,3,4] x",
        21,
    ),
    "scales in the words of others": (
        "y = com.microsoft.DequantizeLinear <axis = 2> (x, w)",
        TURN + "a = DequantizeLinear <axis = 0> (t, w) " + BACK,
        TURN + "a = DequantizeLinear <axis = 1> (t, w) " + BACK,
        "int8[2,3,3] x, float[3] w",
        21,
    ),
    "scaled constants": (
        "c = Constant <value = int8[2,3] {1, 2, 3, 4, 5, 6}> () v = Constant <value = float[2] {0.5, 0.25}> ()"
        " d = DequantizeLinear <axis = 0> (c, v) t = Transpose <perm = [1, 0]> (d) y = Add (x, t)",
        "c = Constant <value = int8[3,2] {1, 4, 2, 5, 3, 6}> () v = Constant <value = float[2] {0.5, 0.25}> ()"
        " d = DequantizeLinear <axis = 1> (c, v) y = Add (x, d)",
        "c = Constant <value = int8[3,2] {1, 4, 2, 5, 3, 6}> () v = Constant <value = float[2] {0.25, 0.5}> ()"
        " d = DequantizeLinear <axis = 1> (c, v) y = Add (x, d)",
        "float[3,2] x",
        21,
    ),
    "a comparison in two": (
        "a = LessOrEqual (x, w) y = Cast <to = 1> (a)",
        "t = Transpose <perm = [1, 0]> (x) u = Transpose <perm = [1, 0]> (w) a = LessOrEqual (t, u)"
        " b = Transpose <perm = [1, 0]> (a) y = Cast <to = 1> (b)",
        "a = LessOrEqual (w, x) y = Cast <to = 1> (a)",
        "float[2,3] x, float[2,3] w",
        15,
    ),
    "axes of one softmax": (
        "t = Transpose <perm = [0, 2, 1]> (x) a = Softmax <axis = 1> (t) y = Transpose <perm = [0, 2, 1]> (a)",
        "m = ReduceMax <axes = [1, 2]> (x) s = Sub (x, m) e = Exp (s) r = ReduceSum <axes = [2, 1]> (e) y = Div (e, r)",
        "m = ReduceMax <axes = [1, 2]> (x) s = Sub (x, m) e = Exp (s) r = ReduceSum <axes = [2]> (e) y = Div (e, r)",
        "float[2,3,4] x",
        12,
    ),
    "axes of a reduction": (
        "y = ReduceMax <keepdims = 0> (x)",
        "i = Constant <value = int64[3] {2, 0, -2}> () " + TURN + "y = ReduceMax <keepdims = 0> (t, i)",
        "i = Constant <value = int64[2] {2, 0}> () y = ReduceMax <keepdims = 0> (x, i)",
        "float[2,3,4] x",
        18,
    ),
    "no axes of a reduction": (
        "i = Constant <value = int64[0] {}> () a = ReduceSum <noop_with_empty_axes = 1> (x, i) y = Relu (a)",
        "y = Relu (x)",
        "i = Constant <value = int64[0] {}> () a = ReduceSum (x, i) y = Relu (a)",
        "float[1,1,4] x",
        13,
    ),
    "sizes to which axes are resized": (
        'r = Constant <value = int64[3] {5, 6, 7}> () y = Resize <mode = "linear"> (x, , , r)',
        "r = Constant <value = int64[3] {7, 5, 6}> () " + TURN + 'a = Resize <mode = "linear"> (t, , , r) ' + BACK,
        "r = Constant <value = int64[3] {6, 5, 7}> () " + TURN + 'a = Resize <mode = "linear"> (t, , , r) ' + BACK,
        "float[2,2,2] x",
        21,
    ),
    "repeated elements": (
        "r = Constant <value = int64[3] {1, 2, 3}> () a = Tile (x, r) y = Relu (a)",
        "r = Constant <value = int64[3] {3, 1, 2}> () " + TURN + "u = Tile (t, r) a = Relu (u) " + BACK,
        "r = Constant <value = int64[3] {2, 1, 3}> () " + TURN + "u = Tile (t, r) a = Relu (u) " + BACK,
        "float[2,3,4] x",
        21,
    ),
    "no elements": (
        "e = Constant <value = int64[1] {0}> () n = Slice (x, e, e) y = Relu (n)",
        "s = Constant <value = int64[3] {0, 3, 4}> () z = ConstantOfShape (s) y = Neg (z)",
        "s = Constant <value = int64[3] {0, 4, 3}> () z = ConstantOfShape (s) y = Neg (z)",
        "float[2,3,4] x",
        21,
    ),
    "no integers": (
        "s = Constant <value = int64[1] {0}> () y = ConstantOfShape (s)",
        "e = Constant <value = int64[1] {0}> () n = Slice (x, e, e) y = Neg (n)",
        "e = Constant <value = int64[1] {0}> () n = Slice (x, e, e) y = Cast <to = 7> (n)",
        "float[4] x",
        21,
    ),
    "a slice from another start": (
        "j = Constant <value = int64[2] {0, 1}> () g = Gather <axis = 1> (x, j) y = Relu (g)",
        "j = Constant <value = int64[2] {0, 1}> () " + TURN + "g = Gather <axis = 2> (t, j) a = Relu (g) " + BACK,
        "j = Constant <value = int64[2] {1, 2}> () " + TURN + "g = Gather <axis = 2> (t, j) a = Relu (g) " + BACK,
        "float[2,3,4] x",
        21,
    ),
    "a shape that mixes axes": (
        "j = Constant <value = int64[4] {0, 1, 3, 2}> () g = Gather <axis = 0> (x, j)"
        " s = Constant <value = int64[2] {2, 2}> () r = Reshape (g, s) y = Relu (r)",
        "j = Constant <value = int64[4] {0, 1, 3, 2}> () g = Gather <axis = 0> (x, j)"
        " s = Constant <value = int64[2] {2, 2}> () r = Reshape (g, s) a = Identity (r) y = Relu (a)",
        "j = Constant <value = int64[4] {0, 1, 3, 3}> () g = Gather <axis = 0> (x, j)"
        " s = Constant <value = int64[2] {2, 2}> () r = Reshape (g, s) y = Relu (r)",
        "float[4] x",
        21,
    ),
    "a switch that is on or off": (
        "y = ArgMax <axis = 1, keepdims = 0> (x)",
        TURN + "a = ArgMax <axis = 2, keepdims = 0> (t) y = Transpose <perm = [1, 0]> (a)",
        "y = ArgMax <axis = 1, keepdims = -1> (x)",
        "float[2,3,4] x",
        21,
    ),
    "a slice from behind": (
        "b = Constant <value = int64[1] {-1}> () e = Constant <value = int64[1] {-9}> () i = Constant"
        " <value = int64[1] {1}> ()"
        " y = Slice (x, b, e, i, b)",
        "j = Constant <value = int64[3] {2, 1, 0}> () y = Gather <axis = 1> (x, j)",
        "j = Constant <value = int64[3] {2, 1, 1}> () y = Gather <axis = 1> (x, j)",
        "float[2,3,4] x",
        21,
    ),
}
"""Two equal models, one that differs from them, their inputs and the opset."""


def model_of(body: str, inputs: str, opset: int) -> ModelProto:
    imports = f'"": {opset}, "com.microsoft": 1'
    model = parser.parse_model(
        f"<ir_version: 10, opset_import: [{imports}]> net ({inputs}) => (float[] y) {{ {body} }}"
    )
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


def verdict(first: ModelProto, second: ModelProto, folder: Path) -> str:
    found = followed(first, second, folder)
    return found if isinstance(found, str) else ", ".join(["accepted", *found[0]])


@pytest.mark.parametrize("name", CASES)
def test_a_rule_holds(name: str, tmp_path: Path) -> None:
    first, second, _, inputs, opset = CASES[name]
    models = [model_of(body, inputs, opset) for body in (first, second)]
    assert [verdict(one, other, tmp_path) for one, other in (models, models[::-1])] == ["accepted", "accepted"]


@pytest.mark.parametrize("name", CASES)
def test_a_rule_does_not_hold(name: str, tmp_path: Path) -> None:
    first, second, wrong, inputs, opset = CASES[name]
    for each in (first, second):
        assert verdict(model_of(each, inputs, opset), model_of(wrong, inputs, opset), tmp_path).startswith("rejected: ")


def test_functions_of_models(tmp_path: Path) -> None:
    """Attributes of functions have defaults, and functions of one name may differ."""
    text = (
        '<ir_version: 10, opset_import: ["": 21, "my": 1]> net (float[4] x) => (float[4] y) {{ y = my.G {} (x) }}'
        ' <domain: "my", opset_import: ["": 21]> G <k: float = {}> (a) => (b) {{ b = LeakyRelu <alpha = @k> (a) }}'
    )
    one, other, same = (
        parser.parse_model(text.format(*each)) for each in (("", 0.5), ("", 0.25), ("<k = 0.5>", 0.125))
    )
    assert verdict(one, one, tmp_path) == verdict(one, same, tmp_path) == "accepted"
    assert verdict(one, other, tmp_path).startswith("rejected: ")
    plain = model_of("y = LeakyRelu <alpha = 0.25> (x)", "float[4] x", 21)
    plain.graph.output[0].type.tensor_type.shape.dim.add(dim_value=4)
    assert verdict(other, plain, tmp_path) == "accepted"
    assert verdict(plain, one, tmp_path).startswith("rejected: ")


def test_inputs_are_known_by_name(tmp_path: Path) -> None:
    """The order in which a model lists its inputs means nothing, and swaps none of them."""
    first = model_of("y = Sub (a, b)", "float[2] a, float[2] b", 21)
    assert verdict(first, model_of("y = Sub (a, b)", "float[2] b, float[2] a", 21), tmp_path) == "accepted"
    assert verdict(first, model_of("y = Sub (b, a)", "float[2] b, float[2] a", 21), tmp_path).startswith("rejected: ")


def with_default(body: str, inputs: str, values: list[float]) -> ModelProto:
    model = model_of(body, inputs, 21)
    model.graph.initializer.append(numpy_helper.from_array(np.array(values, np.float32), "w"))
    return model


def test_a_default_that_is_a_constant(tmp_path: Path) -> None:
    """Callers may give an input with a default, unless one of the models has none."""
    taken, body = "float[2] x, float[2] w", "y = Add (x, w)"
    first = with_default(body, taken, [1, 2])
    assert verdict(first, with_default(body, taken, [1, 2]), tmp_path) == "accepted"
    assert verdict(first, with_default(body, "float[2] x", [1, 2]), tmp_path) == "accepted, the defaults of w"
    assert verdict(with_default(body, "float[2] x", [1, 2]), first, tmp_path) == "accepted, the defaults of w"
    folded = "c = Constant <value = float[2] {1.0, 2.0}> () y = Add (x, c)"
    assert verdict(first, model_of(folded, "float[2] x", 21), tmp_path) == "accepted, the defaults of w"
    for second in (
        with_default(body, taken, [1, 3]),
        with_default(body, "float[2] x", [1, 3]),
        model_of(body, taken, 21),
        with_default(folded, taken, [1, 2]),
    ):
        assert verdict(first, second, tmp_path).startswith("rejected: ")
    assert verdict(model_of(body, taken, 21), with_default(body, "float[2] x", [1, 2]), tmp_path).startswith("rejected")


def test_sizes_without_a_name(tmp_path: Path) -> None:
    """A size that has lost its name may be any, as the one that it stands for; one that has got a name may not."""
    named, plain = (model_of("y = Relu (x)", f"float[{sizes}] x, float[N] w", 21) for sizes in ("N,M", "?,?"))
    assert verdict(named, plain, tmp_path) == "accepted"
    assert verdict(plain, named, tmp_path).startswith("rejected: the models have other inputs")


def test_sizes_that_an_op_demands(tmp_path: Path) -> None:
    """The scales of an axis are as many as it is long, and what is concatenated has the other axes in common."""
    scaled = "t = Transpose <perm = [1, 0]> (x) a = QuantizeLinear <axis = 0> (t, s) y = Transpose <perm = [1, 0]> (a)"
    first = model_of(scaled, "float[?,3] x, float[?] s", 21)
    assert (
        verdict(first, model_of("y = QuantizeLinear <axis = 1> (x, s)", "float[?,3] x, float[?] s", 21), tmp_path)
        == "accepted"
    )
    other = model_of("y = QuantizeLinear <axis = 0> (x, s)", "float[?,3] x, float[?] s", 21)
    assert verdict(first, other, tmp_path).startswith("rejected: ")
    joined, inputs = "y = Concat <axis = {}> ({}, w)", "float[?,N] x, float[?,M] w"
    turned = "t = Transpose <perm = [1, 0]> (x) u = Transpose <perm = [1, 0]> (w) a = Concat <axis = 0> ({}, {})"
    turned += " y = Transpose <perm = [1, 0]> (a)"
    first = model_of(joined.format(1, "x"), inputs, 21)
    assert verdict(first, model_of(turned.format("t", "u"), inputs, 21), tmp_path) == "accepted"
    assert verdict(first, model_of(turned.format("u", "t"), inputs, 21), tmp_path).startswith("rejected: ")
    # The sizes that the second model demands are no sizes of the first one.
    cut = "i = Constant <value = int64[2] {0, 3}> () g = Gather <axis = 1> (x, i) y = Relu (g)"
    assert verdict(model_of("y = Relu (x)", inputs, 21), model_of(cut, inputs, 21), tmp_path).startswith("rejected: ")


def test_an_input_that_has_a_rank_in_one_model(tmp_path: Path) -> None:
    first = model_of("t = Transpose <perm = [2, 0, 1]> (x) y = Relu (t)", "float[] x", 21)
    first.graph.input[0].type.tensor_type.ClearField("shape")
    body = "a = Relu (x) y = Transpose <perm = {}> (a)"
    second = model_of(body.format([2, 0, 1]), "float[?,?,3] x", 21)
    assert verdict(first, second, tmp_path) == verdict(second, first, tmp_path) == "accepted, x of 3 axes"
    assert verdict(first, model_of(body.format([0, 1, 2]), "float[?,?,3] x", 21), tmp_path).startswith("rejected: ")
    assert verdict(first, model_of(body.format([2, 0, 1]), "double[?,?,3] x", 21), tmp_path).startswith("rejected: ")


def test_results_that_are_not_there(tmp_path: Path) -> None:
    first, second = (model_of("y = com.microsoft.Other (x)", "float[4] x", 21) for _ in range(2))
    first.graph.node[0].output.append("")
    assert verdict(first, second, tmp_path) == "accepted"
    first.graph.node[0].output[:] = ["", "y"]
    assert verdict(first, second, tmp_path).startswith("rejected: ")
    # As many parts as there are results.
    body = "n = NonZero (x) y = Split <axis = 1> (n)"
    first, second = (model_of(body, "float[4] x", 11) for _ in range(2))
    first.graph.node[1].output.append("")
    assert verdict(first, second, tmp_path).startswith("rejected: ")


@pytest.mark.parametrize("op", ["RandomNormalLike", "com.microsoft.BitmaskDropout"])
def test_random_numbers_of_one_node(op: str, tmp_path: Path) -> None:
    """Two draws are not one draw, in whichever model; those in a branch are drawn each time."""
    one = model_of(f"r = {op} (x) s = {op} (x) y = Sub (r, s)", "float[4] x", 21)
    other = model_of(f"r = {op} (x) y = Sub (r, r)", "float[4] x", 21)
    assert verdict(one, one, tmp_path) == "accepted"
    assert verdict(one, other, tmp_path).startswith("rejected: ")
    assert verdict(other, one, tmp_path).startswith("rejected: ")
    inner = model_of(IF.format(op), "float[4] x", 21)
    assert verdict(inner, inner, tmp_path).startswith("rejected: ")


def test_both_results_of_a_random_node_are_of_one_draw(tmp_path: Path) -> None:
    body = (
        "r = Constant <value = float {{0.5}}> () t = Constant <value = bool {{1}}> () a, m = Dropout (x, r, t)"
        " b, n = Dropout (x, r, t) y = Where ({}, a, b)"
    )
    first, second = (model_of(body.format(mask), "float[4] x", 21) for mask in ("m", "n"))
    assert verdict(first, first, tmp_path) == "accepted"
    assert verdict(first, second, tmp_path).startswith("rejected: ")


def test_an_axis_of_two_versions(tmp_path: Path) -> None:
    """Before 13 an axis of Softmax stands for those behind it, too."""
    old, new, old_inner, new_inner = (
        model_of(f"y = Softmax <axis = {axis}> (x)", "float[2,3,4] x", opset) for axis in (2, 1) for opset in (11, 13)
    )
    assert verdict(old, new, tmp_path) == verdict(new, old, tmp_path) == "accepted"
    assert verdict(old_inner, new_inner, tmp_path).startswith("rejected: ")
    for each in (old, new):
        each.graph.input[0].type.tensor_type.ClearField("shape")
    assert verdict(old, old, tmp_path) == "accepted"
    assert verdict(old, new, tmp_path).startswith("rejected: ")


def test_types_that_outputs_do_not_state(tmp_path: Path) -> None:
    first, second = (model_of("y = Relu (x)", "float[4] x", 21) for _ in range(2))
    first.graph.output[0].ClearField("type")
    assert verdict(first, second, tmp_path) == "accepted"
    double = model_of("d = Cast <to = 11> (x) y = Relu (d)", "float[4] x", 21)
    assert verdict(first, double, tmp_path).startswith("rejected: ")


def noted(body: str, notes: dict[str, str]) -> ModelProto:
    model = model_of(body, "float[3,3,3] x", 21)
    for name, text in notes.items():
        model.metadata_props.add(key=f"npu_opt.interface.{name}", value=text)
    return model


@pytest.mark.parametrize("note", ["HWC (was CHW)", "Tensor, [1, 2, 0] (was Tensor)"])
def test_interfaces_in_another_order(note: str, tmp_path: Path) -> None:
    first, body = noted("y = Softmax <axis = 0> (x)", {}), "y = Softmax <axis = 2> (x)"
    both = {"x": note, "y": note}
    assert verdict(first, noted(body, both), tmp_path) == f"accepted, x stored as {note}, y stored as {note}"
    assert verdict(noted(body, both), noted(body, both), tmp_path) == "accepted"
    there = f"{note} in {tmp_path / 'first.onnx'}"
    assert verdict(noted(body, both), first, tmp_path) == f"accepted, x stored as {there}, y stored as {there}"
    for notes in ({"x": note}, {"y": note}, {"x": note, "y": "WHC (was CHW)"}):
        assert verdict(first, noted(body, notes), tmp_path).startswith("rejected: output 'y' is not shown to be equal")
    for no_order in ("CHW (was HWX)", "HHC (was CHW)", "HW (was CHW)", "Tensor, [0, 1] (was Tensor)"):
        assert verdict(first, noted(body, {"x": note, "y": no_order}), tmp_path).startswith("rejected: ")


def test_what_npu_opt_stores_in_another_order(tmp_path: Path) -> None:
    """The trace of npu-check about a model with a free interface."""
    model, stored, trace = (tmp_path / name for name in ("model.onnx", "stored.onnx", "trace.json"))
    onnx.save(model_of("a = Relu (x) y = Transpose <perm = [0, 2, 1]> (a)", "float[2,3,4] x", 21), model)
    assert npu_opt([str(model), "-O", "--interface=free", "-o", str(stored)]) == 0
    assert npu_check([str(model), str(stored), "--trace", str(trace)]) == 0
    order, _ = check_equal.check(str(model), str(stored), json.loads(trace.read_text()), {})
    assert order == ["y stored as Tensor, [0, 2, 1] (was Tensor)"]


def test_a_softmax_of_integers_of_onnx_runtime(tmp_path: Path) -> None:
    scales = "s = Constant <value = float {0.5}> () z = Constant <value = uint8 {3}> ()"
    body = scales + " y = com.microsoft.QLinearSoftmax <axis = {}, opset = {}> ({}, s, z, s, z)"
    came = body.replace("{0.5}", "{{0.5}}").replace("{3}", "{{3}}")
    turned = "t = Transpose <perm = [0, 2, 1]> (x) " + came.replace("y = ", "u = ")
    turned += " y = Transpose <perm = [0, 2, 1]> (u)"
    taken = "uint8[2,3,4] x"
    first, second = model_of(came.format(1, 13, "x"), taken, 21), model_of(turned.format(2, 13, "t"), taken, 21)
    assert verdict(first, second, tmp_path) == verdict(second, first, tmp_path) == "accepted"
    for wrong in (turned.format(1, 13, "t"), turned.format(2, 12, "t")):
        assert verdict(first, model_of(wrong, taken, 21), tmp_path).startswith("rejected: ")
