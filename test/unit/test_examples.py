"""Shipped programs are placed alike by npu-opt, plain xdsl-opt and a Python program, and each job has a page."""

import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from support.console_blocks import blocks_of
from support.source_tree import ROOT

EXAMPLES = ROOT / "examples"
SCRIPTS = Path(sysconfig.get_path("scripts"))


def output(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


PROGRAMS = ("two_branches.mlir", "two_branches_placed.mlir", "own_chip/chip_network.mlir")
PIPELINE = "layout-optimal{target=opu},canonicalize"
"""The passes of the Python program."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_three_programs_place_alike(name: str):
    program = EXAMPLES / name
    ours = output(SCRIPTS / "npu-opt", "-p", PIPELINE, program)
    assert "npu." in ours
    assert output(SCRIPTS / "xdsl-opt", "-p", PIPELINE, program) == ours
    assert output(sys.executable, EXAMPLES / "xdsl" / "embed.py", program) == ours


@pytest.mark.parametrize("folder", sorted(folder.name for folder in EXAMPLES.iterdir() if folder.is_dir()))
def test_each_job_has_a_short_page_with_its_commands(folder: str):
    """test_docs_commands.py runs them."""
    page = EXAMPLES / folder / "README.md"
    assert len(page.read_text().splitlines()) <= 25
    assert any(not block.mark for block in blocks_of(page))


def test_every_job_is_listed():
    rows = re.findall(r"^\| .* \| \[(\w+)\]\(\1/README\.md\) \|", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(folder.name for folder in EXAMPLES.iterdir() if folder.is_dir())


def test_the_job_runs_the_commands_of_its_page():
    commands = re.findall(r"- run: (npu-.*)", (EXAMPLES / "gate" / "layouts.yml").read_text())
    (block,) = blocks_of(EXAMPLES / "gate" / "README.md")
    assert len(commands) == 2
    assert set(commands) <= {command.text for command in block.commands if not command.fails}
