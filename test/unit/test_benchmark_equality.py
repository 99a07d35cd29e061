"""The benchmark of traces: how far the proof of each model comes."""

# pyright: reportUnknownMemberType=false
from pathlib import Path

import onnx
from equality import Row, details, measure, table
from onnx import parser

TEXT = '<ir_version: 8, opset_import: ["": 21]> net (float[2,3,4] x) => (float[2,3,4] y) {{ {} }}'


def measured(body: str, folder: Path) -> Row:
    file = folder / "suite" / "model.onnx"
    file.parent.mkdir(exist_ok=True)
    onnx.save(parser.parse_model(TEXT.format(body)), file)
    row = Row(str(file))
    measure(row, folder)
    return row


def test_a_proof_that_is_followed(tmp_path: Path) -> None:
    row = measured("t = Transpose <perm = [0, 2, 1]> (x) a = Relu (t) y = Transpose <perm = [0, 2, 1]> (a)", tmp_path)
    assert (row.doing, row.reason, row.believed) == ("accepted", "", {})
    assert table([row]).endswith("| suite | 1 | 1 | 1 | 1 | 0 | 0 |")
    assert details([row]) == ""


def test_a_proof_that_is_not_followed(tmp_path: Path) -> None:
    """A branch with random numbers is equal for npu-check, which compares programs, and not for the checker."""
    branches = "then_branch = a () => (float[] u) { u = RandomNormalLike (x) }, else_branch = b () => (float[] v)"
    row = measured(f"c = Constant <value = bool {{1}}> () y = If (c) <{branches} {{ v = Neg (x) }}>", tmp_path)
    assert row.doing == "rejected"
    assert table([row]).endswith("| suite | 1 | 1 | 1 | 0 | 1 | 0 |")
    assert details([row]).startswith("- rejected: ")
