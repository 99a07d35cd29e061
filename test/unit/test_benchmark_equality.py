"""The benchmark of traces: how far the proof of each model comes."""

# pyright: reportUnknownMemberType=false
import gzip
from pathlib import Path

import onnx
import pytest
from equality import Row, details, main, measure, table
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


def test_files_that_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second run follows the traces of the first one, and writes nothing."""
    onnx.save(parser.parse_model(TEXT.format("y = Relu (x)")), tmp_path / "model.onnx")
    kept = tmp_path / "kept"
    monkeypatch.setattr("sys.argv", ["equality.py", str(tmp_path), "--keep", str(kept)])
    folder = kept / tmp_path.name / "model"
    for _ in range(2):
        assert main() == 0
        assert capsys.readouterr().out.splitlines()[2] == f"| {tmp_path.name} | 1 | 1 | 1 | 1 | 0 | 0 |"
        assert sorted(each.name for each in folder.iterdir()) == ["trace.json.gz", "written.onnx"]
        (folder / "written.onnx").chmod(0o400)
    (folder / "trace.json.gz").write_bytes(gzip.compress(b'{"first": {}, "second": {"y": "x"}}'))
    assert main() == 1
    assert capsys.readouterr().out.splitlines()[2] == f"| {tmp_path.name} | 1 | 1 | 1 | 0 | 1 | 0 |"


def test_a_proof_that_is_not_followed(tmp_path: Path) -> None:
    """A branch with random numbers is equal for npu-check, which compares programs, and not for the checker."""
    branches = "then_branch = a () => (float[] u) { u = RandomNormalLike (x) }, else_branch = b () => (float[] v)"
    row = measured(f"c = Constant <value = bool {{1}}> () y = If (c) <{branches} {{ v = Neg (x) }}>", tmp_path)
    assert row.doing == "rejected"
    assert table([row]).endswith("| suite | 1 | 1 | 1 | 0 | 1 | 0 |")
    assert details([row]).startswith("- rejected: ")
