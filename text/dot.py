"""`-t dot` and `-t svg`: a program as a graph in Graphviz' language, or drawn by Graphviz' program dot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.target import Target

from .drawing import Arrow, Box, FunctionGraph, GraphOptions, Node

HEADER = """\
digraph program {
  node [fontname="sans-serif", style=filled, fillcolor=white, color="#BBBFC4", shape=box]
  edge [fontname="sans-serif", color="#BBBFC4", penwidth=2]"""

SHAPES = {"constant": "octagon", "end": "ellipse"}
COLOURS = {"cnn": "palegoldenrod", "tensor": "lightgrey", "known": "paleturquoise", "placed": "peachpuff"}


@dataclass(frozen=True)
class DotTarget(GraphOptions, Target):
    """The functions of a program as a graph in Graphviz' language dot."""

    name = "dot"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.writelines(f"{line}\n" for line in _lines(self.drawing(module)))


@dataclass(frozen=True)
class SvgTarget(GraphOptions, Target):
    """The functions of a program as a picture, drawn by Graphviz' program dot."""

    name = "svg"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        # Imported late: most runs start no program.
        import shutil
        import subprocess

        program = shutil.which("dot")
        if program is None:
            raise DiagnosticException(
                "an SVG picture needs Graphviz' program dot, which is not on PATH: -t dot writes the graph as text"
            )
        text = "".join(f"{line}\n" for line in _lines(self.drawing(module)))
        done = subprocess.run([program, "-Tsvg"], input=text, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise DiagnosticException(f"Graphviz' program dot failed: {' '.join(done.stderr.split())}")
        output.write(done.stdout)


def _lines(parts: Iterable[FunctionGraph]) -> Iterator[str]:
    yield HEADER
    for part in parts:
        for each in part.content:
            yield from (f"  {line}" for line in _drawn(each))
        yield from map(_arrow, part.arrows)
    yield "}"


def _drawn(content: Node | Box) -> Iterator[str]:
    if isinstance(content, Node):
        shape = f", shape={SHAPES[content.shape]}" if content.shape in SHAPES else ""
        colour = f", fillcolor={COLOURS[content.style]}, color={COLOURS[content.style]}" if content.style else ""
        yield f"{content.name} [label={quoted(content.label)}{shape}{colour}]"
        return
    # Graphviz draws a box around subgraphs of such names only.
    yield f"subgraph cluster_{content.name} {{"
    yield f"  label={quoted(content.title)}"
    for each in content.content:
        yield from (f"  {line}" for line in _drawn(each))
    yield "}"


def _arrow(edge: Arrow) -> str:
    parts = [f"label={quoted(edge.label)}"] if edge.label else []
    parts += ["style=dashed"] if edge.is_dashed else []
    attributes = f" [{', '.join(parts)}]" if parts else ""
    return f"  {edge.source} -> {edge.target}{attributes}"


def quoted(text: str) -> str:
    """Text as a string of dot, in which a backslash begins an escape."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
