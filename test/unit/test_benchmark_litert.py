"""The benchmark of LiteRT files runs, and notices what is wrong."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from litert_files import Counted
from litert_page import problems, report
from litert_rows import Lane, Row
from litert_speed import Ran, stored_as
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


def test_arrays_are_stored_as_a_file_stores_them():
    image = np.arange(24).reshape(1, 2, 3, 4)
    assert stored_as(image, [1, 2, 3, 4]).tolist() == image.tolist()
    assert stored_as(image, [1, 3, 4, 2]).tolist() == np.moveaxis(image, 1, -1).tolist()
