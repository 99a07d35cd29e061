"""Graphs in Graphviz' language, and pictures that its program dot draws."""

import re
from pathlib import Path

import pytest
from npu_opt.text.dot import DotTarget, SvgTarget, quoted
from npu_opt.text.drawing import drawing
from npu_opt.tools.opt import run
from npu_opt.universe import NPU_UNIVERSE
from support.generators.programs import random_program

PROGRAM = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { func.return %x : tensor<4xf32> }"
NODE = re.compile(r'^ +(\w+) \[label="((?:[^"\\]|\\.)*)"', re.MULTILINE)
ARROW = re.compile(r"^ +(\w+) -> (\w+)", re.MULTILINE)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in a folder where PATH leads to."""
    monkeypatch.setenv("PATH", str(tmp_path))
    file = tmp_path / "in.mlir"
    file.write_text(PROGRAM)
    return file


def write_dot(folder: Path, script: str) -> None:
    """A program that stands for Graphviz' dot."""
    file = folder / "dot"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("collapse", [False, True])
def test_it_draws_the_nodes_and_edges_of_the_chart(
    seed: int, collapse: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    module = random_program(seed, 25, coloured=True, foreign="any")
    file = tmp_path / "in.mlir"
    file.write_text(str(module))
    assert run([str(file), "--allow-unregistered-dialect", "-t", f"dot{{collapse={str(collapse).lower()}}}"]) == 0
    text = capfd.readouterr().out
    graphs = drawing(module, collapse=collapse)
    assert len(NODE.findall(text)) == sum(len(graph.labels) for graph in graphs)
    expected = [(arrow.source, arrow.target) for graph in graphs for arrow in graph.arrows]
    assert ARROW.findall(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("conv2d\n%x_1", r'"conv2d\n%x_1"'), ('a "b" \\', r'"a \"b\" \\"'), ("<b>", '"<b>"'), ("", '""')],
)
def test_labels_are_escaped(text: str, expected: str):
    assert quoted(text) == expected


def test_a_picture_is_what_dot_makes_of_the_text(program: Path):
    write_dot(program.parent, 'echo "<svg $1>"\nwhile read -r line; do echo "$line"; done')
    picture = program.with_suffix(".svg")
    assert run([str(program), "-o", str(picture)]) == 0
    lines = picture.read_text().splitlines()
    assert lines[:2] == ["<svg -Tsvg>", "digraph program {"]


def test_an_error_of_dot_leaves_the_old_picture(program: Path, capfd: pytest.CaptureFixture[str]):
    write_dot(program.parent, "echo no such font >&2\nexit 1")
    picture = program.with_suffix(".svg")
    picture.write_text("old")
    assert run([str(program), "-o", str(picture)]) == 1
    assert capfd.readouterr().err.startswith(f"{program}: error: Graphviz' program dot failed: no such font\n")
    assert picture.read_text() == "old"


def test_without_dot_the_error_names_it(program: Path, capfd: pytest.CaptureFixture[str]):
    assert run([str(program), "-t", "svg"]) == 1
    expected = "an SVG picture needs Graphviz' program dot, which is not on PATH: -t dot writes the graph as text"
    assert capfd.readouterr().err.splitlines()[0] == f"{program}: error: {expected}"


def test_they_are_targets_of_xdsl():
    assert NPU_UNIVERSE.all_targets["dot"]() is DotTarget
    assert NPU_UNIVERSE.all_targets["svg"]() is SvgTarget
