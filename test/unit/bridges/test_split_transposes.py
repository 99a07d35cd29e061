"""Transposes beside Reshapes in files for targets that want them of the split axes."""

from collections.abc import Sequence
from pathlib import Path

import npu_opt
import numpy as np
import pytest
from onnx import ModelProto, helper, parser
from support.closeness import SUMS, assert_close
from support.oracles.onnx_running import executed
from support.oracles.same_nodes import differences

HEAD = '<ir_version: 8, opset_import: ["": 17]> net '
FRONT = (
    "(float[{n},6,4,5] x, float[6,3] w) => (float[] y) <int64[3] s = {{{s}}}>"
    " {{ a = Relu (x) b = Reshape (a, s) c = Transpose <perm = [0, 2, 1]> (b) y = MatMul (c, w) }}"
)
BEHIND = (
    "(float[{n},20,3] x, float[3,6] w) => (float[] y) <int64[4] s = {{{s}}}>"
    " {{ a = MatMul (x, w) b = Transpose <perm = [0, 2, 1]> (a) c = Reshape (b, s) y = Relu (c) }}"
)


def rewritten(text: str, folder: Path, *more: str) -> tuple[ModelProto, ModelProto]:
    """A model, and its file for such a target, which computes the same, element by element."""
    model = parser.parse_model(HEAD + text)
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    chip, file = folder / "chip.toml", folder / "out.onnx"
    lines = ('name = "chip"', 'description = "chip"', 'extends = "onnx"', *more, "[file]", 'transpose = "split"')
    chip.write_text("\n".join(lines))
    npu_opt.optimize(model, target=chip, strategy=None, passes="").save(file)
    assert npu_opt.check(model, file).word == "proved"
    found = ModelProto.FromString(file.read_bytes())
    rng = np.random.default_rng(0)
    shapes = [[dim.dim_value or 2 for dim in each.type.tensor_type.shape.dim] for each in model.graph.input]
    given = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    for one, other in zip(executed(found, given), executed(model, given), strict=True):
        assert_close(one, other, SUMS)
    return model, found


def steps(model: ModelProto) -> Sequence[str]:
    """The nodes, with the permutations of Transposes."""
    return [
        " ".join([node.op_type, *(str(helper.get_attribute_value(each)) for each in node.attribute)])
        for node in model.graph.node
    ]


@pytest.mark.parametrize(("n", "s"), [("2", "2, 6, 20"), ("2", "2, 6, -1"), ("N", "0, 6, -1")])
def test_a_reshape_that_merges_axes_is_behind_the_transpose(n: str, s: str, tmp_path: Path):
    _, found = rewritten(FRONT.format(n=n, s=s), tmp_path)
    assert steps(found) == ["Relu", "Transpose [0, 2, 3, 1]", "Reshape", "MatMul"]


PRODUCT = (
    "(float[2,3,4,5] x, float[{sizes}] v) => (float[] y) <int64[3] s = {{6, 4, 5}}>"
    " {{ a = Relu (x) b = Reshape (a, s) c = Transpose <perm = {perm}> (b) y = MatMul ({operands}) }}"
)


@pytest.mark.parametrize(
    ("perm", "sizes", "operands", "nodes"),
    [
        ([0, 2, 1], "6,7,5", "v, c", ["Relu", "Reshape", "Transpose [0, 2, 1]", "MatMul"]),
        ([0, 2, 1], "6,4,7", "c, v", ["Relu", "Transpose [0, 1, 3, 2]", "Reshape", "MatMul"]),
        ([1, 0, 2], "4,7,6", "v, c", ["Relu", "Transpose [2, 0, 1, 3]", "Reshape", "MatMul"]),
    ],
)
def test_a_right_operand_that_is_read_transposed_stays(
    perm: list[int], sizes: str, operands: str, nodes: list[str], tmp_path: Path
):
    text = PRODUCT.format(perm=perm, sizes=sizes, operands=operands)
    assert steps(rewritten(text, tmp_path)[1]) == nodes


@pytest.mark.parametrize(("n", "s"), [("2", "2, 6, 4, 5"), ("2", "2, -1, 4, 5"), ("N", "0, 6, 4, -1")])
def test_a_reshape_that_splits_axes_is_in_front_of_the_transpose(n: str, s: str, tmp_path: Path):
    _, found = rewritten(BEHIND.format(n=n, s=s), tmp_path)
    assert steps(found) == ["MatMul", "Reshape", "Transpose [0, 3, 1, 2]", "Relu"]


def test_axes_of_one_size_and_several_runs(tmp_path: Path):
    text = (
        "(float[4,4,2,2,3] x) => (float[] y) <int64[3] s = {16, 4, 3}>"
        " { a = Reshape (x, s) y = Transpose <perm = [1, 2, 0]> (a) }"
    )
    assert steps(rewritten(text, tmp_path)[1]) == ["Transpose [2, 3, 4, 0, 1]", "Reshape"]


HEADS = (
    "(float[2,20,6] x) => (float[] y) <int64[4] s = {2, 20, 3, 2}, int64[3] t = {2, 20, 6}>"
    " { a = Reshape (x, s) b = Transpose <perm = [0, 2, 1, 3]> (a) c = Relu (b)"
    " d = Transpose <perm = [0, 2, 1, 3]> (c) y = Reshape (d, t) }"
)
UNITS = (
    "(float[2,6,1,5] x) => (float[] y) <int64[3] s = {2, 6, 5}>"
    " { a = Reshape (x, s) y = Transpose <perm = [0, 2, 1]> (a) }"
)
PARTS = (
    "(float[4,6,5] x) => (float[] y) <int64[2] s = {8, 15}> { a = Reshape (x, s) y = Transpose <perm = [1, 0]> (a) }"
)
SHARED = (
    "(float[2,20,6] x) => (float[] y, float[] z) <int64[4] s = {2, 6, 4, 5}>"
    " { a = Relu (x) b = Transpose <perm = [0, 2, 1]> (a) y = Reshape (b, s) z = Sigmoid (a) }"
)


@pytest.mark.parametrize(
    "text",
    [
        "(float[2,6,4,5] x) => (float[] y, float[] z) <int64[3] s = {2, 6, 20}>"
        " { b = Reshape (x, s) y = Transpose <perm = [0, 2, 1]> (b) z = Relu (b) }",
        "(float[2,6,4,5] x) => (float[] y, float[] b) <int64[3] s = {2, 6, 20}>"
        " { b = Reshape (x, s) y = Transpose <perm = [0, 2, 1]> (b) }",
        HEADS,
        UNITS,
        PARTS,
        SHARED,
    ],
)
def test_other_pairs_stay(text: str, tmp_path: Path):
    """A second reader, an output, heads, unit axes, parts of axes, a second reader of what is transposed."""
    model, found = rewritten(text, tmp_path)
    assert steps(found) == steps(model)
    assert [*differences(model, found)] == []


def test_a_transpose_has_no_more_axes_than_the_target_allows(tmp_path: Path):
    text = (
        "(float[2,3,2,4,5] x) => (float[] y) <int64[3] s = {6, 2, 20}>"
        " { a = Reshape (x, s) y = Transpose <perm = [2, 0, 1]> (a) }"
    )
    assert steps(rewritten(text, tmp_path)[1])[0].startswith("Transpose")
    assert steps(rewritten(text, tmp_path, "ranks = { transpose = 4 }")[1])[0] == "Reshape"
