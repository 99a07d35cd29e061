"""The benchmarks of vendors' compilers share what writes, checks and compiles files, and the tables of them."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import pytest
from figures import write_figures
from models.catalogue import Network
from models.onnx_runs import read_graph
from onnx import TensorProto, helper, numpy_helper, parser
from onnx_peers import PEERS, Peer
from vendor_files import checked, estimate_files, run_within, written
from vendor_graphs import graph_digest
from vendor_rows import ORIGINAL, OURS, Row, read_rows, refused_only_by_us, report
from vendor_runs import measured_rows, parsed_by, parser_of_compiler

MODEL = """
<ir_version: 8, opset_import: ["": 17]>
net (float[2,3] x) => (float[3,2] y) { z = {op} (x) y = Transpose <perm = [1, 0]> (z) }
"""
WITH_CONSTANT = """
<ir_version: 8, opset_import: ["": 17]>
net (float[2,3] x) => (float[3,2] y) <float[3] w = {1, 2, 3}>
{ z = Relu (x) v = Add (z, w) y = Transpose <perm = [1, 0]> (v) }
"""


@dataclass(frozen=True)
class Estimate:
    """A figure of a file."""

    layers: int


def cell(found: Estimate) -> str:
    return str(found.layers)


def model(file: Path, op: str) -> Path:
    file.write_bytes(parser.parse_model(MODEL.replace("{op}", op)).SerializeToString())
    return file


def test_equal_graphs_are_compiled_once_and_never_again(tmp_path: Path):
    ops = ("Relu", "Relu", "Abs", "Neg")
    files = [model(tmp_path / f"{number}.onnx", op) for number, op in enumerate(ops)]
    figures = {"Relu": Estimate(1), "Abs": Estimate(2), "Neg": "no", "Exp": Estimate(3)}
    seen: list[str] = []

    def compiled(file: Path, folder: Path) -> Estimate | str:
        assert not list(folder.iterdir())
        seen.append(op := read_graph(file).graph.node[0].op_type)
        return figures[op]

    row = Row[Estimate]("net")
    lanes = {"a": files[0], "b": files[1], "c": files[2], "d": files[3], "e": "npu-opt: none"}
    assert list(estimate_files(row, lanes, lanes.__getitem__, compiled)) == [*lanes]
    assert row.lanes == {"a": Estimate(1), "b": Estimate(1), "c": Estimate(2), "d": "no", "e": "npu-opt: none"}
    file = tmp_path / "figures.json"
    write_figures(file, [row])
    (again,) = read_rows(file, Estimate).values()
    assert again == row
    lanes = {"a": files[2], "d": files[3], "e": model(tmp_path / "new.onnx", "Exp")}
    assert list(estimate_files(again, lanes, lanes.__getitem__, compiled)) == [*lanes]
    assert again.lanes == {"a": Estimate(2), "b": Estimate(1), "c": Estimate(2), "d": "no", "e": Estimate(3)}
    assert [*again.files] == ["b", "c", "a", "d", "e"]
    assert seen == ["Relu", "Abs", "Neg", "Exp"]
    assert read_rows(None, Estimate) == {}


def test_a_command_that_hangs_is_stopped_with_its_children(tmp_path: Path):
    command = ["/bin/sh", "-c", "echo begun; sleep 100 & echo $!; wait"]
    code, text = run_within(command, tmp_path, 0.5)
    begun, child = text.split()
    assert (code, begun) == (None, "begun")
    limit = time.monotonic() + 60
    while is_running(int(child)):
        assert time.monotonic() < limit, "the child still runs"
        time.sleep(0.05)
    assert run_within(["/bin/sh", "-c", "echo $TMPDIR >&2; exit 3"], tmp_path, 60) == (3, f"{tmp_path}\n")


def is_running(process: int) -> bool:
    status = Path("/proc", str(process), "stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_files_of_lanes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    original = model(tmp_path / "original.onnx", "Relu")
    assert written(original, ORIGINAL, ()) == original
    ours = written(original, OURS, ("-O",))
    assert isinstance(ours, Path)
    assert ours.exists()
    wrong = written(original, "--no", ("--no-such-flag",))
    assert wrong == "npu-opt: unrecognized arguments: --no-such-flag"

    def fails(_model: Path, _output: Path) -> None:
        raise ValueError("no such op\nmore")

    monkeypatch.setitem(PEERS, "onnxsim", Peer("onnx", fails))  # pyright: ignore[reportArgumentType]  # A constant.
    assert written(original, "onnxsim", ()) == "onnxsim: ValueError: no such op"
    monkeypatch.setitem(PEERS, "onnxsim", Peer("no_such_package", fails))  # pyright: ignore[reportArgumentType]
    assert written(original, "onnxsim", ()) == "not installed: pip install no_such_package"


def test_files_that_compute_something_else_are_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    inputs = {"x": np.array([[-1, 1, 1], [1, -1, 1]], np.float32)}
    original = model(tmp_path / "original.onnx", "Relu")
    assert checked(original, original, inputs) == original
    assert checked(original, "refused", inputs) == "refused"
    other = model(tmp_path / "other.onnx", "Abs")
    assert checked(original, other, inputs) == "npu-check: different"

    def proved(_original: Path, _ours: Path, *_flags: str) -> str:
        return "proved"

    monkeypatch.setattr("onnx_checks.verdict", proved)
    assert checked(original, other, inputs) == "ONNX Runtime: outputs differ by 1e+00"
    same = tmp_path / "same.onnx"
    proto = parser.parse_model(MODEL.replace("{op}", "Relu"))
    proto.producer_name = "another"
    same.write_bytes(proto.SerializeToString())
    assert checked(original, same, inputs) == same


def test_the_tables_have_figures_and_reasons():
    row = Row[Estimate]("net", {ORIGINAL: Estimate(7), OURS: "a | b"})
    assert report([row], (ORIGINAL, "peer", OURS), cell).splitlines() == [
        "| model | original | peer | `-O` |",
        "| --- | ---: | ---: | ---: |",
        "| net | 7 |  | refused |",
        "",
        "| refused | file | message |",
        "| --- | --- | --- |",
        "| net | `-O` | `a / b` |",
    ]
    assert "refused" not in report([Row[Estimate]("net", {OURS: Estimate(1)})], (OURS,), cell)
    assert [*refused_only_by_us(row, row.estimate(ORIGINAL), (OURS,))] == ["-O: refused, which another is not: a | b"]
    assert [*refused_only_by_us(row, None, (OURS,))] == []


def test_files_with_one_graph_have_one_digest(tmp_path: Path):
    proto = parser.parse_model(WITH_CONSTANT)
    original, other = tmp_path / "original.onnx", tmp_path / "other.onnx"
    original.write_bytes(proto.SerializeToString())
    (tensor,) = proto.graph.initializer
    raw = numpy_helper.from_array(numpy_helper.to_array(tensor), tensor.name)
    assert raw.SerializeToString() != tensor.SerializeToString()
    del proto.graph.initializer[:]
    proto.graph.node.insert(0, helper.make_node("Constant", [], [tensor.name], value=raw))
    proto.producer_name = "another"
    proto.graph.node[1].doc_string = "a note"
    proto.graph.node[-1].attribute[0].doc_string = "a note"
    proto.graph.value_info.append(helper.make_tensor_value_info("z", TensorProto.FLOAT, [2, 3]))
    other.write_bytes(proto.SerializeToString())
    assert graph_digest(other) == graph_digest(original)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Relu (x)", "Abs (x)"),
        ("perm = [1, 0]", "perm = [0, 1]"),
        ("{1, 2, 3}", "{1, 2, 4}"),
        ("17", "16"),
        ("ir_version: 8", "ir_version: 9"),
        ("float[2,3] x", "float[3,3] x"),
        ("Add (z, w)", "Add (w, z)"),
    ],
)
def test_files_with_other_graphs_have_other_digests(old: str, new: str, tmp_path: Path):
    files = [tmp_path / "original.onnx", tmp_path / "other.onnx"]
    assert old in WITH_CONSTANT
    for file, text in zip(files, (WITH_CONSTANT, WITH_CONSTANT.replace(old, new)), strict=True):
        file.write_bytes(parser.parse_model(text).SerializeToString())
    first, second = map(graph_digest, files)
    assert first != second


def test_constants_may_be_in_a_file_beside_the_graph(tmp_path: Path):
    file, outside = tmp_path / "whole.onnx", tmp_path / "outside" / "net.onnx"
    outside.parent.mkdir()
    proto = parser.parse_model(WITH_CONSTANT)
    file.write_bytes(proto.SerializeToString())
    weights = proto.graph.initializer[0]
    weights.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weights), weights.name))
    cast(Any, onnx).save_model(proto, outside, save_as_external_data=True, location="net.data", size_threshold=0)
    assert (outside.parent / "net.data").stat().st_size
    assert graph_digest(outside) == graph_digest(file)


def test_a_run_that_ends_early_keeps_its_lanes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    figures = tmp_path / "figures.json"
    flags = ["--environment", str(tmp_path), "--json", str(figures), "squeezenet", "llama_decode"]
    monkeypatch.setattr("sys.argv", ["compiler.py", *flags])
    arguments = parsed_by(parser_of_compiler("A compiler.", "package", "chip", (), (ORIGINAL, OURS)))

    def measure(row: Row[Estimate], _network: Network) -> Iterator[str]:
        row.lanes[ORIGINAL] = Estimate(7)
        yield ORIGINAL
        row.lanes[OURS] = "no"
        if row.model == "llama_decode":
            raise KeyboardInterrupt
        yield OURS

    with pytest.raises(KeyboardInterrupt):
        measured_rows(arguments, (), Estimate, measure, cell)
    seen = re.sub(r"\d+ s", "1 s", capsys.readouterr().out)
    assert seen.splitlines() == [
        "squeezenet, original, 1 s: 7",
        "squeezenet, -O, 1 s: refused: no",
        "llama_decode, original, 1 s: 7",
    ]
    rows = read_rows(figures, Estimate)
    assert rows["squeezenet"].lanes == {ORIGINAL: Estimate(7), OURS: "no"}
    assert rows["llama_decode"].lanes == {ORIGINAL: Estimate(7)}
