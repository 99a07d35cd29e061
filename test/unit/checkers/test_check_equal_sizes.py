"""Sizes that models leave open: what check_equal proves with numbers for them holds for other numbers, too."""

# pyright: reportUnknownMemberType=false
from pathlib import Path

import pytest
from onnx import ModelProto, parser
from support.equal_models import followed

TURN, BACK = "t = Transpose <perm = [0, 3, 1, 2]> (x) ", " y = Transpose <perm = [0, 2, 3, 1]> (u)"
PICKED = "j = Constant <value = int64[4] {{{}}}> () g = Gather <axis = 0> (s, j) "
REGIONS = "k = Constant <value = int64[8] {{{}}}> () h = Gather <axis = 0> (r, k) "
CROP = 'Resize <coordinate_transformation_mode = "tf_crop_and_resize"> '
KEEP = 'Resize <axes = [{}], keep_aspect_ratio_policy = "not_larger"> '
NUMBERS = (
    "r = Constant <value = float[8] {{0.0, {0}, 1.0, {1}}}> () s = Constant <value = float[4] {{1.0, {2}}}> () u = "
    + CROP
)
IMAGE = "float[2,A,B,3] x"
END = "z = Constant <value = int64[1] {0}> () h = Shape <start = 0, end = 1> (x) "
LAST = END + "e = Constant <value = int64[1] {9223372036854775807}> () n = Neg (h) "
BEYOND = "z = Constant <value = int64[1] {{0}}> () e = Constant <value = int64[1] {{{}}}> () y = Slice ({}, z, e)"
ROWS = (
    "b = Constant <value = int64[1] {{-100}}> () e = Constant <value = int64[1] {{2147483647}}> ()"
    " i = Constant <value = int64[1] {{{}}}> () w = Slice ({}, b, e, i) "
)
MASK = (
    END + "i = Constant <value = int64[1] {1}> () m = Slice (w, z, h, i) b = Cast <to = 9> (m)"
    " c = Constant <value = float {-9.0}> () v = Where (b, x, c) "
)
CASES: dict[str, tuple[str, str, str, str, int]] = {
    "computed scales": (
        TURN + 'u = Resize <mode = "linear"> (t, , s)' + BACK,
        PICKED.format("0, 2, 3, 1") + 'y = Resize <mode = "linear"> (x, , g)',
        PICKED.format("0, 3, 2, 1") + 'y = Resize <mode = "linear"> (x, , g)',
        IMAGE + ", float[4] s",
        21,
    ),
    "computed sizes": (
        TURN + "u = Resize (t, , , s)" + BACK,
        PICKED.format("0, 2, 3, 1") + "y = Resize (x, , , g)",
        "y = Resize (x, , , s)",
        IMAGE + ", int64[4] s",
        13,
    ),
    "a computed region": (
        TURN + "u = " + CROP + "(t, r, s)" + BACK,
        PICKED.format("0, 2, 3, 1") + REGIONS.format("0, 2, 3, 1, 4, 6, 7, 5") + "y = " + CROP + "(x, h, g)",
        PICKED.format("0, 2, 3, 1") + REGIONS.format("0, 2, 3, 1, 4, 7, 6, 5") + "y = " + CROP + "(x, h, g)",
        IMAGE + ", float[8] r, float[4] s",
        11,
    ),
    "a constant region": (
        TURN + NUMBERS.format("0.0, 0.1, 0.2", "1.0, 0.8, 0.9", "1.0, 2.0, 3.0") + "(t, r, s)" + BACK,
        NUMBERS.format("0.1, 0.2, 0.0", "0.8, 0.9, 1.0", "2.0, 3.0, 1.0") + "(x, r, s) y = Identity (u)",
        NUMBERS.format("0.2, 0.1, 0.0", "0.8, 0.9, 1.0", "2.0, 3.0, 1.0") + "(x, r, s) y = Identity (u)",
        "float[2,4,5,3] x",
        13,
    ),
    "named axes": (
        TURN + "u = Resize (t, , s)" + BACK,
        "y = Resize <axes = [0, 3, 1, 2]> (x, , s)",
        "y = Resize <axes = [0, 3, 2, 1]> (x, , s)",
        IMAGE + ", float[4] s",
        18,
    ),
    "the shape of all axes": (
        TURN + "u = " + KEEP.format("2, 3") + "(t, , , s)" + BACK,
        "y = " + KEEP.format("1, 2") + "(x, , , s)",
        "y = " + KEEP.format("2, 1") + "(x, , , s)",
        IMAGE + ", int64[2] s",
        19,
    ),
    "axes that all others depend on": (
        TURN + "u = " + KEEP.format("2, 3") + "(t, , , s)" + BACK,
        "y = " + KEEP.format("1, 2") + "(x, , , s)",
        "y = Resize <axes = [1, 2]> (x, , , s)",
        IMAGE + ", int64[2] s",
        19,
    ),
    "sizes that a sum demands": (
        TURN + "a = Resize (t, , , s) u = Add (a, w)" + BACK,
        PICKED.format("0, 2, 3, 1") + "a = Resize (x, , , g) v = Transpose <perm = [0, 2, 3, 1]> (w) y = Add (a, v)",
        PICKED.format("0, 2, 3, 1") + "a = Resize (x, , , g) v = Transpose <perm = [0, 3, 2, 1]> (w) y = Add (a, v)",
        IMAGE + ", int64[4] s, float[2,3,8,8] w",
        21,
    ),
    "sizes that are sums": (
        "c = Concat <axis = 0> (v, w) s = Add (x, c) y = Transpose <perm = [1, 0]> (s)",
        "a = Transpose (x) b = Transpose (v) d = Transpose (w) c = Concat <axis = 1> (b, d) y = Add (a, c)",
        "a = Transpose (x) b = Transpose (v) d = Transpose (w) c = Concat <axis = 1> (d, b) y = Add (a, c)",
        "float[A,3] x, float[B,3] v, float[C,3] w",
        21,
    ),
    "the beginning of a short table": (
        END + "y = Slice (w, z, h)",
        END + "a = Identity (w) y = Slice (a, z, h)",
        "y = Identity (w)",
        "float[N] x, float[8] w",
        21,
    ),
    "the beginning of a short constant": (
        END + "w = Constant <value = float[3] {1.0, 2.0, 3.0}> () y = Slice (w, z, h)",
        END + "c = Constant <value = float[3] {1.0, 2.0, 3.0}> () w = Identity (c) y = Slice (w, z, h)",
        "y = Constant <value = float[3] {1.0, 2.0, 3.0}> ()",
        "float[N] x",
        21,
    ),
    "the end of a short table": (
        LAST + "y = Slice (w, n, e)",
        LAST + "a = Identity (w) y = Slice (a, n, e)",
        "y = Identity (w)",
        "float[N] x, float[8] w",
        21,
    ),
    "an end behind the numbers that are taken": (
        BEYOND.format(100, "x"),
        "a = Identity (x) " + BEYOND.format(100, "a"),
        "y = Identity (x)",
        "float[N] x",
        21,
    ),
    "the last rows": (
        ROWS.format(0, "x") + "y = Softmax <axis = 1> (w)",
        "t = Transpose (x) " + ROWS.format(1, "t") + "a = Softmax <axis = 0> (w) y = Transpose (a)",
        "y = Softmax <axis = 1> (x)",
        "float[N,3] x",
        17,
    ),
    "the first number that is taken": (
        END + "y = Slice (w, z, h)",
        END + "a = Identity (w) y = Slice (a, z, h)",
        BEYOND.format(23, "w"),
        "float[N] x, float[60] w",
        21,
    ),
    "the first number of the second proof": (
        END + "y = Slice (w, z, h)",
        END + "a = Identity (w) y = Slice (a, z, h)",
        BEYOND.format(41, "w"),
        "float[N] x, float[60] w",
        21,
    ),
    "a mask that is shorter than its sequence": (
        MASK + "y = Softmax <axis = 1> (v)",
        MASK + "f = Flatten <axis = 1> (v) y = Softmax <axis = 1> (f)",
        "b = Cast <to = 9> (w) c = Constant <value = float {-9.0}> () v = Where (b, x, c) y = Softmax <axis = 1> (v)",
        "float[N,N] x, float[1,8] w",
        17,
    ),
    "a size that may be 1": (
        "v = Add (x, w) y = Softmax <axis = 1> (v)",
        "v = Add (x, w) a = Transpose (v) b = Softmax <axis = 0> (a) y = Transpose (b)",
        "v = Add (x, w) h = Shape <start = 1> (w) i = Constant <value = int64[1] {-1}> () s = Concat <axis = 0> (i, h)"
        " a = Reshape (v, s) y = Softmax <axis = 1> (a)",
        "float[A,B] x, float[1,C] w",
        17,
    ),
}
"""Two equal models, one that differs from them, their inputs and the opset."""


def model_of(body: str, inputs: str, opset: int) -> ModelProto:
    text = f'<ir_version: 8, opset_import: ["": {opset}]> net ({inputs}) => (float[] y) {{ {body} }}'
    model = parser.parse_model(text)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


@pytest.mark.parametrize("name", CASES)
def test_equal_models_of_open_sizes(name: str, tmp_path: Path) -> None:
    first, second, _, inputs, opset = CASES[name]
    models = [model_of(body, inputs, opset) for body in (first, second)]
    for one, other in (models, models[::-1]):
        found = followed(one, other, tmp_path)
        assert not isinstance(found, str), found
        assert all("have the same proof" in each for each in found[1])


@pytest.mark.parametrize("name", CASES)
def test_models_that_are_equal_for_some_sizes_only(name: str, tmp_path: Path) -> None:
    first, second, wrong, inputs, opset = CASES[name]
    for each in (first, second):
        models = [model_of(body, inputs, opset) for body in (each, wrong)]
        for one, other in (models, models[::-1]):
            assert isinstance(followed(one, other, tmp_path), str)


def test_sizes_of_results_that_are_given(tmp_path: Path) -> None:
    """The numbers that are believed have the names of results."""
    first, second, _, inputs, opset = CASES["computed scales"]
    found = followed(model_of(first, inputs, opset), model_of(second, inputs, opset), tmp_path)
    sizes = {"A": 23, "B": 29, "u:0": 35, "u:1": 41, "u:2": 47, "u:3": 53}
    assert not isinstance(found, str)
    assert [*found[1]] == [f"other sizes than {sizes} have the same proof"]
