"""Transposes left in modules of TOSA, beside those that MLIR's own pass leaves."""

import subprocess
import sys
from pathlib import Path

import pytest
from support import optional_tools
from support.source_tree import ROOT

if optional_tools.mlir_bindings().location is None:
    pytest.skip(optional_tools.mlir_bindings().note, allow_module_level=True)

PAGE = "before\n<!-- transposes left -->\nold\n<!-- end of transposes left -->\nbehind\n"


def test_modules_are_proved_and_run_and_have_fewer_transposes(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    models = ["crnn", "espcn", "shufflenet_v1"]
    command = [sys.executable, "-W", "error", ROOT / "benchmarks" / "tosa.py", "--page", page, *models]
    subprocess.run(command, check=True, capture_output=True)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("behind\n")
    assert "old" not in text
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    cells = {row[0]: row[1:] for row in rows}
    assert "?" not in text
    assert cells["espcn"][4] == "equal"
    before, theirs, ours = (int(cell.split(" ", 1)[0]) for cell in cells["shufflenet_v1"][1:4])
    assert ours < theirs <= before
    assert "leaves fewer transposes on 1 networks, as many on 1, more on 0" in text
    assert "crnn ('npu.lstm' has no counterpart in MLIR)" in text
