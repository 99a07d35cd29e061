"""Drawings of a function: one for each scope, and one of its transposes and their neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ...passes.common.moves.transpose_cost import Cost
from .records import FunctionRecord, OpRecord
from .scopes import Scope, scopes_of
from .through_views import ViewedEdge, through_views
from .times import time_text

REACH = 2
"""The number of uses between a transpose and the ops that are drawn around it."""
MOST_READERS = 4
"""The maximum number of readers of a value that are drawn around a transpose."""
MOST_DRAWN = 40
"""The maximum number of transposes whose neighbours are drawn; of equal blocks the first one is."""


@dataclass(frozen=True)
class DrawingNode:
    """A node of a drawing."""

    kind: Literal["op", "scope", "outside"]
    ref: int
    """The index of the op, or of the drawing that a click opens."""
    lines: Sequence[str]
    style: str
    op: int | None = None
    """The op that a node for the outside stands for."""
    group: str = ""
    """The group of an op, whose nodes are drawn together."""
    time: float = 0.0
    """The measured time of an op, or of those in a scope."""


@dataclass(frozen=True)
class DrawingEdge:
    """An edge of a drawing."""

    source: int
    target: int
    label: str
    views: Sequence[int] = ()
    """The ops on it that move nothing."""


@dataclass
class Drawing:
    """A drawing."""

    title: str
    parent: int | None
    nodes: list[DrawingNode] = field(default_factory=list[DrawingNode])
    edges: list[DrawingEdge] = field(default_factory=list[DrawingEdge])

    def groups(self) -> dict[str, list[int]]:
        """The nodes of each group that has several of them here."""
        found: dict[str, list[int]] = {}
        for index, node in enumerate(self.nodes):
            if node.group:
                found.setdefault(node.group, []).append(index)
        return {group: members for group, members in found.items() if len(members) > 1}


@dataclass
class FunctionDrawings:
    """The drawings of a function."""

    drawings: list[Drawing] = field(default_factory=list[Drawing])
    drawing_of: dict[int, int] = field(default_factory=dict[int, int])
    """The drawing of the scope that an op is drawn in."""
    near: int | None = None
    """The drawing of the transposes and their neighbours; None without transposes."""


def drawings_of(function: FunctionRecord, first: int, unit: str = "") -> FunctionDrawings:
    """The drawings of a function, numbered from `first` on; `unit` is that of measured times."""
    return _Drawer(function, first, unit).all()


class _Drawer:
    def __init__(self, function: FunctionRecord, first: int, unit: str) -> None:
        self._function = function
        self._unit = unit
        self._first = first
        self._edges, self._on_edges = through_views(function)
        self._root = scopes_of(f"@{function.name}", function.ops, self._on_edges)
        self._number: dict[Scope, int] = {}
        self._inside: dict[int, Scope] = {}
        """The scope that an op is drawn in."""
        self._outer: dict[Scope, Scope] = {}
        waiting = [self._root]
        for scope in waiting:
            self._number[scope] = first + len(self._number)
            for item in scope.items:
                if isinstance(item, Scope):
                    self._outer[item] = scope
                    waiting.append(item)
                else:
                    self._inside[item] = scope
        self._chains = {scope: self._chain(scope) for scope in self._number}
        self._neighbours: dict[int, list[int]] = {}
        """The producers of an op, and its first readers."""
        readers = Counter[int]()
        for edge in self._edges:
            self._neighbours.setdefault(edge.target, []).append(edge.source)
            readers[edge.source] += 1
            if readers[edge.source] <= MOST_READERS:
                self._neighbours.setdefault(edge.source, []).append(edge.target)

    def all(self) -> FunctionDrawings:
        found = FunctionDrawings(drawing_of={op: self._number[scope] for op, scope in self._inside.items()})
        found.drawing_of |= {view: found.drawing_of[edge.source] for view, edge in self._on_edges.items()}
        edges = self._edges_by_scope()
        for scope in self._number:
            found.drawings.append(self._drawing(scope, edges.get(scope, ())))
        near = self._near()
        if near is not None:
            found.near = self._first + len(found.drawings)
            found.drawings.append(near)
        return found

    def _chain(self, scope: Scope) -> list[Scope]:
        """The scopes around a scope, from the outermost one to itself."""
        chain = [scope]
        while (outer := self._outer.get(chain[-1])) is not None:
            chain.append(outer)
        return chain[::-1]

    def _edges_by_scope(self) -> Mapping[Scope, list[ViewedEdge]]:
        """The edges that are seen in each scope: those with an end inside, unless both are in one scope of it."""
        found: dict[Scope, list[ViewedEdge]] = {}
        for edge in self._edges:
            chains = self._chains[self._inside[edge.source]], self._chains[self._inside[edge.target]]
            common = sum(1 for one, other in zip(*chains, strict=False) if one is other)
            for scope in {*chains[0][common - 1 :], *chains[1][common - 1 :]}:
                found.setdefault(scope, []).append(edge)
        return found

    def _drawing(self, scope: Scope, edges: Iterable[ViewedEdge]) -> Drawing:
        outer = self._outer.get(scope)
        drawing = Drawing(scope.name, None if outer is None else self._number[outer])
        at: dict[object, int] = {}
        for item in scope.items:
            at[item] = len(drawing.nodes)
            drawing.nodes.append(self._scope_node(item) if isinstance(item, Scope) else self._op_node(item))
        joined: dict[tuple[int, int], list[ViewedEdge]] = {}
        for edge in edges:
            source = self._place(scope, edge.source, at, drawing, is_source=True)
            target = self._place(scope, edge.target, at, drawing, is_source=False)
            joined.setdefault((source, target), []).append(edge)
        drawing.edges = [_joined(*ends, parts) for ends, parts in joined.items()]
        return drawing

    def _place(self, scope: Scope, op: int, at: dict[object, int], drawing: Drawing, *, is_source: bool) -> int:
        """The index of the node that stands for an op: itself, the scope that it is in, or one for the outside."""
        chain = [*self._chains[self._inside[op]], op]
        depth = len(self._chains[scope])
        if depth < len(chain) and chain[depth - 1] is scope:
            return at[chain[depth]]
        common = sum(1 for one, other in zip(chain, self._chains[scope], strict=False) if one is other)
        item = chain[common]
        key = item, is_source
        if key not in at:
            at[key] = len(drawing.nodes)
            drawing.nodes.append(self._outside_node(item, op))
        return at[key]

    def _op_node(self, index: int) -> DrawingNode:
        op = self._function.ops[index]
        lines = [*_lines(op), *self._time_lines(op.time)]
        return DrawingNode("op", index, lines, op.style, group=op.group, time=op.time)

    def _scope_node(self, scope: Scope) -> DrawingNode:
        ops = [self._function.ops[index] for index in scope.ops()]
        counted = [op for op in ops if op.style in ("placed", "moved")]
        summary = f"{len(ops)} op{'s' * (len(ops) != 1)}"
        if counted:
            cost = Cost(len(counted), sum(op.bytes for op in counted), any(op.is_estimate for op in counted))
            summary += f", {cost.text}"
        time = sum(op.time for op in ops)
        lines = (scope.name, summary, *self._time_lines(time))
        return DrawingNode("scope", self._number[scope], lines, "placed" if counted else "plain", time=time)

    def _time_lines(self, time: float) -> Iterable[str]:
        return [time_text(time, self._unit)] if time else []

    def _outside_node(self, item: Scope | int | object, op: int) -> DrawingNode:
        name = item.name if isinstance(item, Scope) else self._function.ops[op].kind
        return DrawingNode("outside", self._number[self._inside[op]], (_short(name),), "plain", op)

    def _near(self) -> Drawing | None:
        """The transposes that move data, one of each kind, and the ops around them."""
        ops = self._function.ops
        counted = [index for index, op in enumerate(ops) if op.style in ("placed", "moved")]
        alike: dict[object, list[int]] = {}
        for index in counted:
            alike.setdefault((_generic(ops[index].notes), ops[index].type), []).append(index)
        if not counted:
            return None
        drawn_ops = {group[0] for group in list(alike.values())[:MOST_DRAWN]}
        for _ in range(REACH):
            drawn_ops |= {op for each in drawn_ops for op in self._neighbours.get(each, ())}
        drawing = Drawing("transposes and their neighbours", self._number[self._root])
        at = {op: place for place, op in enumerate(sorted(drawn_ops))}
        times = {group[0]: len(group) for group in alike.values()}
        for op in at:
            node = self._op_node(op)
            lines = [*node.lines, f"x{times[op]}"] if times.get(op, 1) > 1 else node.lines
            drawing.nodes.append(replace(node, lines=lines))
        joined: dict[tuple[int, int], list[ViewedEdge]] = {}
        for edge in self._edges:
            if edge.source in at and edge.target in at:
                joined.setdefault((at[edge.source], at[edge.target]), []).append(edge)
        drawing.edges = [_joined(*ends, parts) for ends, parts in joined.items()]
        return drawing


def _generic(notes: Sequence[str]) -> str:
    """Reasons without the numbers in them, which are those of the same op in another block."""
    return re.sub(r"_?\d+", "", "".join(notes))


def _joined(source: int, target: int, parts: Sequence[ViewedEdge]) -> DrawingEdge:
    """One edge for several uses between the same nodes."""
    labels = dict.fromkeys(part.layout for part in parts if part.layout)
    views = dict.fromkeys(view for part in parts for view in part.views)
    return DrawingEdge(source, target, ", ".join(labels), [*views])


def _lines(op: OpRecord) -> list[str]:
    name = op.model_name.rsplit("/", 1)[-1] or op.name
    type_ = op.type if op.style == "cnn" else op.type.removesuffix(f" {op.cls}")
    return [line for line in (op.kind, _short(name) if name != op.kind else "", type_) if line]


def _short(text: str) -> str:
    return text if len(text) <= 28 else f"...{text[-25:]}"
