"""The page: one HTML file with its data, style and script, which needs no network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...passes.common.demands.target_layouts import TargetLayouts
from .coordinates import Coordinates, drawn
from .differences import differences
from .drawings import Drawing, DrawingEdge, DrawingNode, drawings_of
from .facts import ReportFacts
from .groups import SeenFusion, SeenGroups
from .overlay import Overlay, laid_over
from .records import FunctionRecord, OpRecord, records
from .times import Times

ASSETS = files(str(__package__)) / "assets"
SCRIPTS = ("page.js", "strip.js", "overview.js", "boxes.js", "graph.js", "times.js", "fusion.js", "start.js")


@dataclass(frozen=True)
class NamedProgram:
    """A program on the page."""

    name: str
    module: ModuleOp
    target: TargetLayouts | None
    """The target whose demands and regions are shown; None for none of them."""
    seen: SeenGroups | None = None
    """The groups of the run that made it."""


def page_text(facts: ReportFacts, programs: Sequence[NamedProgram], times: Times | None = None) -> str:
    """The whole page. Differences are those between the first program and the last one."""
    # Graphviz lays out a program while the next one is read.
    with ThreadPoolExecutor() as threads:
        described = [_described(program, times, threads) for program in programs]
    texts = {each.times: f"times of {each.data['name']}" for each in described if each.times}
    found = differences(described[0].ops, described[-1].ops) if len(described) > 1 else []
    data = {
        "facts": [*facts.facts, *((label if len(texts) > 1 else "times", text) for text, label in texts.items())],
        "passes": [row.data() for row in facts.passes],
        "changes": [asdict(row) for row in facts.changes],
        "programs": [each.whole() for each in described],
        "differences": [asdict(each) for each in found],
    }
    # A script element ends at the first `</script`, also inside a string.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    parts = {
        "STYLE": _asset("page.css"),
        "SCRIPT": "\n".join(map(_asset, SCRIPTS)),
        "TITLE": escape(facts.title),
        "DATA": text,
    }
    page = _asset("page.html")
    for word, content in parts.items():
        page = page.replace(f"<!--{word}-->", content)
    return page


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class _Described:
    ops: list[OpRecord]
    data: Mapping[str, object]
    times: str
    """The times that belong to ops, in words; empty without times."""
    drawings: Sequence[Drawing]
    laid_out: Future[list[Coordinates]]
    first_of: Sequence[int]
    """The number of the first op of the function of each drawing."""

    def whole(self) -> dict[str, object]:
        """The data with the drawings."""
        coordinates = zip(self.drawings, self.laid_out.result(), self.first_of, strict=True)
        return {**self.data, "drawings": [_drawing(*each) for each in coordinates]}


def _described(program: NamedProgram, times: Times | None, threads: Executor) -> _Described:
    """A program as the script reads it: ops and drawings are numbered through all functions."""
    ops: list[OpRecord] = []
    drawings: list[Drawing] = []
    drawing_of: list[int] = []
    roots: dict[str, int] = {}
    first_of: list[int] = []
    near: list[int] = []
    index_of: dict[Operation | SSAValue, int] = {}
    reads: list[list[int]] = []
    functions = records(program.module, program.target, program.seen)
    overlaid = None if times is None else laid_over(functions, times)
    for function in functions:
        found = drawings_of(function, len(drawings), "" if times is None else times.unit)
        roots[function.name] = len(drawings)
        first_of += [len(ops)] * len(found.drawings)
        drawing_of += [found.drawing_of[index] for index in range(len(function.ops))]
        near += [] if found.near is None else [found.near]
        drawings += found.drawings
        index_of |= {item: index + len(ops) for item, index in function.index_of.items()}
        reads += _reads(function, len(ops))
        ops += function.ops
    laid_out = threads.submit(drawn, drawings)
    data = {
        "name": program.name,
        "ops": [_op(*each, roots) for each in zip(ops, drawing_of, reads, strict=True)],
        "roots": roots,
        "near": near,
        "times": _times(overlaid),
        "fusions": [_fusion(fusion, index_of) for fusion in (program.seen or SeenGroups()).fusions],
    }
    return _Described(ops, data, "" if overlaid is None else overlaid.text, drawings, laid_out, first_of)


def _times(found: Overlay | None) -> dict[str, object] | None:
    return None if found is None else {"unit": found.times.unit, "text": found.text, "unmatched": found.unmatched}


def _fusion(fusion: SeenFusion, index_of: Mapping[Operation | SSAValue, int]) -> dict[str, object]:
    """The groups of a function; ops that later passes have erased are left out."""
    groups = [
        {"name": group.name, "ops": ops, "kept": group.kept, "began": group.began}
        for group in fusion.groups
        if (ops := [index_of[op] for op in group.ops if op in index_of])
    ]
    outside = [[index_of[op], reason] for op, reason in fusion.outside.items() if op in index_of]
    lines = [line for line in fusion.lines if not line.startswith(" ")]
    return {"name": fusion.function, "stages": fusion.stages, "groups": groups, "outside": outside, "lines": lines}


def _reads(function: FunctionRecord, first: int) -> list[list[int]]:
    """The producers of the operands of each op."""
    found: list[list[int]] = [[] for _ in function.ops]
    for edge in function.edges:
        if edge.source + first not in found[edge.target]:
            found[edge.target].append(edge.source + first)
    return found


def _op(op: OpRecord, drawing: int, reads: Sequence[int], roots: Mapping[str, int]) -> dict[str, object]:
    """An op without what is empty."""
    found = {key: value for key, value in asdict(op).items() if value}
    if op.callee in roots:
        found["opens"] = roots[op.callee]
    if reads:
        found["reads"] = reads
    return {**found, "drawing": drawing}


def _drawing(drawing: Drawing, layout: Coordinates, first: int) -> dict[str, object]:
    nodes = [
        [node.kind, _ref(node, first), *place, node.style, list(node.lines), _seen(node, first), node.time]
        for node, place in zip(drawing.nodes, layout.nodes, strict=True)
    ]
    edges = [
        [edge.source, edge.target, curve.path, edge.label, *(curve.label or (0, 0)), _views(edge, first)]
        for edge, curve in zip(drawing.edges, layout.edges, strict=True)
    ]
    size = [layout.width, layout.height]
    return {"title": drawing.title, "parent": drawing.parent, "size": size, "nodes": nodes, "edges": edges}


def _ref(node: DrawingNode, first: int) -> int:
    return node.ref + first if node.kind == "op" else node.ref


def _seen(node: DrawingNode, first: int) -> int | None:
    """The op that a node for the outside stands for."""
    return None if node.op is None else node.op + first


def _views(edge: DrawingEdge, first: int) -> list[int]:
    return [view + first for view in edge.views]
