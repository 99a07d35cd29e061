"""Groups of nodes that are executed together, found as TVM's graph partitioner does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from ...dialects.npu.fusion import FusionKind
from .dominators import Dominator, post_dominators
from .graph import Node

PHASES = 2


@dataclass
class Group:
    """A node and what was merged into it. A group that was merged into another one keeps what it was by itself."""

    kind: FusionKind
    has_anchor: bool
    """Whether there is a complex op in it, such as a convolution; no group has two."""
    size: int = 1
    parent: Group | None = None

    @property
    def root(self) -> Group:
        """The group that this one is part of in the end."""
        group = self
        while group.parent is not None:
            if group.parent.parent is not None:
                group.parent = group.parent.parent
            group = group.parent
        return group


Test: TypeAlias = Callable[[FusionKind, bool], bool]
"""Whether a group of this kind may stand on a way; the second answer says whether it is at the end of it."""


@dataclass(frozen=True)
class Refusal:
    """Why a node was not merged with what dominates it."""

    phase: int
    clause: str
    node: int | None = None
    """The node on the way that was in the way."""


@dataclass
class Partition:
    """The groups of a graph."""

    nodes: Sequence[Node]
    groups: list[Group]
    dominators: list[Dominator] = field(default_factory=list[Dominator])
    refusals: dict[int, Refusal] = field(default_factory=dict[int, Refusal])
    """For nodes that were not merged the last reason, by their index."""

    def members(self) -> list[list[Node]]:
        """The nodes of each group, in the sequence of their first nodes."""
        members: dict[int, list[Node]] = {}
        for node in self.nodes:
            members.setdefault(id(self.groups[node.index].root), []).append(node)
        return list(members.values())


def partition(nodes: Sequence[Node], opt_level: int, max_depth: int) -> Partition:
    """Merge each node with those between it and its post-dominator, where their kinds allow it.

    In phase 0 complex ops take up the elementwise ops behind them, and elementwise ops go wherever they lead; in phase
    1 injective ops follow.
    """
    groups = [Group(node.kind, node.kind is FusionKind.OUT_FUSABLE) for node in nodes]
    result = Partition(nodes, groups)
    if opt_level == 0:
        return result
    result.dominators = post_dominators(nodes)
    fusing = _Fusing(result, max_depth)
    for phase in range(PHASES):
        for node in nodes:
            fusing.visit(node, phase)
    return result


class _Fusing:
    def __init__(self, result: Partition, max_depth: int) -> None:
        self._result = result
        self._nodes = result.nodes
        self._groups = result.groups
        self._max_depth = max_depth

    def visit(self, node: Node, phase: int) -> None:
        """Merge a node and all between it and its dominator into the dominator's group, if this phase may."""
        group, dominator = self._groups[node.index], self._result.dominators[node.index]
        sink = dominator.parent
        if group.kind is FusionKind.OPAQUE or sink is None:
            return
        between = list(islice(self._between(node, sink), self._max_depth + 1))
        depth = self._groups[sink].root.size + sum(self._groups[index].size for index in between)
        if depth > self._max_depth:
            clause = f"at least {depth} ops would be together, more than max-depth={self._max_depth}"
            self._result.refusals.setdefault(node.index, Refusal(phase, clause))
            return
        test = self._test(node, phase, group, dominator, sink)
        if isinstance(test, str):
            if test:
                self._refuse(node, phase, test)
            return
        if (blocking := self._blocking(between[1:], sink, test)) is not None:
            self._refuse(node, phase, "on the way is", blocking)
            return
        for index in between:
            _merge(self._groups[index].root, self._groups[sink].root)
        self._result.refusals.pop(node.index, None)

    def _refuse(self, node: Node, phase: int, clause: str, blocking: int | None = None) -> None:
        self._result.refusals[node.index] = Refusal(phase, clause, blocking)

    def _test(self, node: Node, phase: int, group: Group, dominator: Dominator, sink: int) -> Test | str:
        """What may stand on the way in this phase, or why the node is not for this phase; empty if there is no news."""
        if group.root is self._groups[sink].root:
            return ""
        match group.kind:
            case FusionKind.OUT_FUSABLE:
                if phase != 0:
                    return ""
                if dominator.kind is not FusionKind.ELEMENTWISE:
                    return f"what is behind it has to be elementwise, and is {_name(dominator.kind)}"
                return lambda kind, is_sink: kind <= FusionKind.BROADCAST
            case FusionKind.ELEMENTWISE | FusionKind.BROADCAST:
                if dominator.kind > FusionKind.INJECTIVE and dominator.kind is not FusionKind.REDUCTION:
                    return f"what is behind it may be injective or a reduction, and is {_name(dominator.kind)}"
                return lambda kind, is_sink: kind <= (FusionKind.OUT_FUSABLE if is_sink else FusionKind.INJECTIVE)
            case FusionKind.INJECTIVE:
                return _injective if phase == 1 else ""
            case _:
                return "nothing takes up what is reduced"

    def _between(self, node: Node, sink: int) -> Iterator[int]:
        """The node, and the nodes on all ways from it to the sink, each once."""
        seen = {sink, node.index}
        waiting = [node.index]
        while waiting:
            index = waiting.pop()
            yield index
            for edge in self._nodes[index].edges:
                if edge.reader not in seen:
                    seen.add(edge.reader)
                    waiting.append(edge.reader)

    def _blocking(self, between: Sequence[int], sink: int, test: Test) -> int | None:
        """The first node on the way that may not stand there."""
        for index in between:
            if not test(self._groups[index].root.kind, False):
                return index
        return None if test(self._groups[sink].root.kind, True) else sink


def _injective(kind: FusionKind, is_sink: bool) -> bool:
    return kind <= FusionKind.INJECTIVE


def _merge(child: Group, parent: Group) -> None:
    if child is parent:
        return
    parent.size += child.size
    child.parent = parent
    if child.has_anchor:
        assert not parent.has_anchor, "two complex ops in one group"
        parent.has_anchor = True
        parent.kind = max(parent.kind, child.kind)


def _name(kind: FusionKind) -> str:
    return "complex" if kind is FusionKind.OUT_FUSABLE else kind.name.lower()
