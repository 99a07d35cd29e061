"""`-t mermaid`: a program as a flowchart, in the colours of the seeds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from .drawing import Arrow, Box, FunctionGraph, GraphOptions, Item, Node, drawing

HEADER = """\
flowchart TB
  classDef default fill:white,stroke:#BBBFC4,color:black
  classDef cnn fill:palegoldenrod,stroke-width:0px,color:black
  classDef tensor fill:lightgrey,stroke-width:0px,color:black
  classDef known fill:paleturquoise,stroke-width:0px,color:black
  classDef placed fill:peachpuff,stroke-width:0px,color:black
  linkStyle default stroke:#BBBFC4,stroke-width:3px"""

BRACKETS = {"op": ("(", ")"), "constant": ("([", "])"), "end": ("((", "))")}
"""The brackets around the label of a node, by its shape."""

_SPECIAL = re.compile(r"[^\w ./%,@()\[\]-]")


@dataclass(frozen=True)
class MermaidTarget(GraphOptions, Target):
    """The functions of a program as a mermaid flowchart."""

    name = "mermaid"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.writelines(f"{line}\n" for line in _lines(self.drawing(module)))


def flowchart(module: ModuleOp, regions: Iterable[Sequence[Item]] = (), collapse: bool = False) -> Iterator[str]:
    """The lines of a chart of a module: the functions, and the other top-level ops."""
    return _lines(drawing(module, regions, collapse))


def _lines(parts: Iterable[FunctionGraph]) -> Iterator[str]:
    yield HEADER
    for part in parts:
        for each in part.content:
            yield from (f"  {line}" for line in _drawn(each))
        yield from map(_arrow, part.arrows)


def _drawn(content: Node | Box) -> Iterator[str]:
    if isinstance(content, Node):
        opening, closing = BRACKETS[content.shape]
        style = f":::{content.style}" if content.style else ""
        yield f"{content.name}{opening}{quoted(content.label)}{closing}{style}"
        return
    yield f"subgraph {content.name} [{quoted(content.title)}]"
    for each in content.content:
        yield from (f"  {line}" for line in _drawn(each))
    yield "end"


def _arrow(edge: Arrow) -> str:
    start, line = ("-.", ".->") if edge.is_dashed else ("--", "-->")
    if not edge.label:
        return f"  {edge.source} {'-.->' if edge.is_dashed else '-->'} {edge.target}"
    return f"  {edge.source} {start} {quoted(edge.label)} {line} {edge.target}"


def quoted(text: str) -> str:
    """Text as a mermaid string; special characters of mermaid, HTML or Markdown are escaped by number."""
    return f'"{_SPECIAL.sub(_number, text)}"'


def _number(special: re.Match[str]) -> str:
    return "<br/>" if special[0] == "\n" else f"#{ord(special[0])};"
