"""The benchmark of LiteRT files runs, and notices what is wrong."""

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from litert import keep_runs
from litert_files import Counted, digest
from litert_page import problems, report
from litert_peers import converted, read_conversions
from litert_rows import Lane, Row
from litert_speed import Ran, in_order, stored_as
from support.source_tree import ROOT

SCRIPT = ROOT / "benchmarks" / "litert.py"
MARKERS = ("litert transposes", "litert files", "litert conversions", "litert run times")


def test_files_are_measured_beside_those_of_a_peer(tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[litert]'")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    figures, page = tmp_path / "files.json", tmp_path / "page.md"
    page.write_text("".join(f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in MARKERS))
    peer = tmp_path / "peer"
    peer.mkdir()
    (peer / "conversions.json").write_text('{"espcn": {"failed": "it cannot"}}')
    options = ["--peer", f"other={peer}", "--json", str(figures), "--page", str(page)]
    subprocess.run([sys.executable, "-W", "error", SCRIPT, "--quick", *options], stdout=subprocess.DEVNULL, check=True)
    (row,) = json.loads(figures.read_text())
    assert row["placed"] == row["lanes"]["optimal"]["counted"][0]
    assert row["lanes"]["other"]["failed"] == "it cannot"
    assert row["lanes"]["naive"]["ran"]["error"] < 1e-5
    assert "| model | other | naive | regions-plus | optimal |" in page.read_text()


def lane(transposes: int, error: float = 0, median: float = 1) -> Lane:
    return Lane(Counted(transposes, 4 * transposes, 0, 0, 9, 1000), 1.0, 1 << 20, ran=Ran(error, median, median))


def test_what_a_model_misses_is_named():
    row = Row("net", {"peer": lane(1), "optimal": lane(3, 0.1, 1.2)}, placed=2)
    assert list(problems(row)) == [
        "2 transposes placed, 3 in the file",
        "outputs differ by 0.1",
        "3 ops that move data, peer has 1",
        "1.20 of the time of peer",
    ]
    assert list(problems(Row("net", {"optimal": Lane(failed="no counterpart")}))) == ["no file: no counterpart"]
    assert "| net | 1.00 (1.00) |  |  | 1.20 (1.20) | 0e+00 | 1e-01 |" in report([row])["litert run times"]


def test_converters_and_files_that_fail_are_named_with_the_reason():
    refused = replace(lane(2), ran=Ran(0, 0, 0, "no kernel"))
    rows = [Row("one", {"peer": Lane(failed="too hard")}), Row("two", {"peer": refused, "optimal": lane(0)})]
    tables = report(rows)
    assert tables["litert transposes"].endswith("\n\nNo file of peer: one (too hard).")
    assert tables["litert run times"].endswith("\n\nLiteRT does not run peer's file of two (no kernel).")


def test_means_are_over_the_models_that_both_convert():
    rows = [
        Row("one", {"first": lane(0), "second": lane(0, nan, 4.0), "optimal": lane(0, 0, 0.5)}),
        Row("two", {"first": lane(0), "optimal": lane(0, 0, 2.0)}),
    ]
    table = report(rows)["litert run times"]
    assert "| one | 1.00 (1.00) | 4.00 (4.00) |  |  | 0.50 (0.50) | 0e+00 | 0e+00 |" in table
    assert "| **geometric mean / first** | 1.000 (2) | 4.000 (1) |  |  | 1.000 (2) |" in table
    assert "| **geometric mean / second** | 0.250 (1) | 1.000 (1) |  |  | 0.125 (1) |" in table


def test_run_times_of_equal_files_are_kept():
    row = Row("net", {"peer": replace(lane(1), ran=None), "optimal": replace(lane(3), ran=None)})
    keep_runs(row, {"peer": lane(1), "naive": lane(4), "optimal": lane(2)})
    assert row.lanes["naive"] == lane(4)
    assert row.lanes["peer"].ran == lane(1).ran
    assert row.lanes["optimal"].ran is None


def test_a_converter_is_run_and_noted(tmp_path: Path):
    models, files = tmp_path / "models", tmp_path / "files"
    models.mkdir()
    for name in ("first", "second"):
        (models / f"{name}.onnx").write_text(name)
    shell = "grep -q first {model} && cp {model} {folder}/net.tflite || { echo too hard >&2; exit 1; }"
    options = ["--models", models, "--to", files, "--own-weights", "--", "sh", "-c", shell]
    script = ROOT / "benchmarks" / "litert_peers.py"
    subprocess.run([sys.executable, script, *options], check=True, stdout=subprocess.DEVNULL)
    assert (files / "first.tflite").read_text() == "first"
    notes = read_conversions(files)
    assert [each.failed for each in notes.values()] == ["", "too hard"]
    assert notes["first"].own_weights
    assert notes["first"].memory


def test_the_memory_of_a_converter_is_its_own():
    much = bytearray(b"x") * (200 << 20)
    assert 0 < converted(["true"]).memory < len(much) // 2
    assert converted(["sleep", "9"], 0.1).failed == "more than 0.1 seconds"
    assert "No such file" in converted(["there-is-no-such-command"]).failed


def test_files_that_differ_in_metadata_are_equal(tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[litert]'")
    flatbuffers: Any = importlib.import_module("flatbuffers")  # The extra [litert] installs it.

    def written(name: str, weights: bytes, note: bytes) -> Path:
        from npu_opt.bridges.litert.schema import schema

        formats: Any = schema()
        model, entry = formats.ModelT(), formats.MetadataT()
        model.buffers = [formats.BufferT() for _ in range(3)]
        model.buffers[1].data, model.buffers[2].data = list(weights), list(note)
        entry.name, entry.buffer = "npu-opt", 2
        model.metadata = [entry]
        builder: Any = flatbuffers.Builder(0)
        builder.Finish(model.Pack(builder), b"TFL3")
        path = tmp_path / name
        path.write_bytes(builder.Output())
        return path

    first, same, other = written("1", b"ab", b"x"), written("2", b"ab", b"yz"), written("3", b"ac", b"x")
    assert digest(first) == digest(same) != digest(other)


def test_inputs_have_the_names_of_the_model_or_its_order():
    arrays = {"image": np.zeros(2), "mask": np.ones(2)}
    assert in_order(arrays, ["mask", "image"])[0] is arrays["mask"]
    assert in_order(arrays, ["args_0", "args_1"])[0] is arrays["image"]


def test_arrays_are_stored_as_a_file_stores_them():
    image = np.arange(24).reshape(1, 2, 3, 4)
    assert stored_as(image, [1, 2, 3, 4]).tolist() == image.tolist()
    assert stored_as(image, [1, 3, 4, 2]).tolist() == np.moveaxis(image, 1, -1).tolist()
