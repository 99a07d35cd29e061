"""Fusion groups found with the algorithm of TVM's graph partitioner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from ....dialects.npu.fusion import FusionKind
from ..graph.dominators import Dominator, post_dominators
from ..graph.graph import FusionNode

PHASES = 2


@dataclass(eq=False)
class Group:
    """A node and the groups that were merged into it. A merged group keeps its own kind and size."""

    kind: FusionKind
    has_anchor: bool
    """True if it contains a complex op, such as a convolution; no group has two."""
    size: int = 1
    parent: Group | None = None

    @property
    def root(self) -> Group:
        """The outermost group that this one was merged into."""
        group = self
        while group.parent is not None:
            if group.parent.parent is not None:
                group.parent = group.parent.parent
            group = group.parent
        return group


KindTest: TypeAlias = Callable[[FusionKind, bool], bool]
"""True if a group of this kind may lie on a path; the second argument is True for the end of the path."""


@dataclass(frozen=True)
class NotMerged:
    """The reason why a node was not merged with its post-dominator."""

    phase: int
    reason: str
    node: int | None = None
    """The node on the path that blocked it."""


@dataclass
class Partition:
    """The groups of a graph."""

    nodes: Sequence[FusionNode]
    groups: list[Group]
    dominators: list[Dominator] = field(default_factory=list[Dominator])
    reasons: dict[int, NotMerged] = field(default_factory=dict[int, NotMerged])
    """The last reason for each node that was not merged, by index."""

    def members(self) -> list[list[FusionNode]]:
        """The nodes of each group, ordered by their first nodes."""
        members: dict[Group, list[FusionNode]] = {}
        for node in self.nodes:
            members.setdefault(self.groups[node.index].root, []).append(node)
        return list(members.values())


def partition(nodes: Sequence[FusionNode], opt_level: int, max_depth: int) -> Partition:
    """Merge each node with those between it and its post-dominator, if their kinds allow it.

    Phase 0 merges complex ops with the elementwise ops that use them, and elementwise ops with their users; phase 1
    merges injective ops.
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

    def visit(self, node: FusionNode, phase: int) -> None:
        """Merge a node and all nodes between it and its dominator into the dominator's group, if this phase allows."""
        group, dominator = self._groups[node.index], self._result.dominators[node.index]
        sink = dominator.parent
        if group.kind is FusionKind.OPAQUE or sink is None:
            return
        between = list(islice(self._between(node, sink), self._max_depth + 1))
        depth = self._groups[sink].root.size + sum(self._groups[index].size for index in between)
        if depth > self._max_depth:
            reason = f"the group would have at least {depth} ops, more than max-depth={self._max_depth}"
            self._result.reasons.setdefault(node.index, NotMerged(phase, reason))
            return
        test = self._test(node, phase, group, dominator, sink)
        if isinstance(test, str):
            if test:
                self._note(node, phase, test)
            return
        if (blocking := self._blocking(between[1:], sink, test)) is not None:
            self._note(node, phase, "blocked on the path by", blocking)
            return
        for index in between:
            _merge(self._groups[index].root, self._groups[sink].root)
        self._result.reasons.pop(node.index, None)

    def _note(self, node: FusionNode, phase: int, reason: str, blocking: int | None = None) -> None:
        self._result.reasons[node.index] = NotMerged(phase, reason, blocking)

    def _test(self, node: FusionNode, phase: int, group: Group, dominator: Dominator, sink: int) -> KindTest | str:
        """The kinds allowed on the path in this phase, or the reason for not merging; empty to keep the last reason."""
        if group.root is self._groups[sink].root:
            return ""
        match group.kind:
            case FusionKind.OUT_FUSABLE:
                if phase != 0:
                    return ""
                if dominator.kind is not FusionKind.ELEMENTWISE:
                    return f"the path to the dominator has to be elementwise, but is {_name(dominator.kind)}"
                return lambda kind, is_sink: kind <= FusionKind.BROADCAST
            case FusionKind.ELEMENTWISE | FusionKind.BROADCAST:
                if dominator.kind > FusionKind.INJECTIVE and dominator.kind is not FusionKind.REDUCTION:
                    return f"the path to the dominator may be injective or a reduction, but is {_name(dominator.kind)}"
                return lambda kind, is_sink: kind <= (FusionKind.OUT_FUSABLE if is_sink else FusionKind.INJECTIVE)
            case FusionKind.INJECTIVE:
                return _injective if phase == 1 else ""
            case _:
                return "a reduction is not merged into its users"

    def _between(self, node: FusionNode, sink: int) -> Iterator[int]:
        """The node and the nodes on all paths from it to the sink, each once."""
        seen = {sink, node.index}
        waiting = [node.index]
        while waiting:
            index = waiting.pop()
            yield index
            for edge in self._nodes[index].edges:
                if edge.reader not in seen:
                    seen.add(edge.reader)
                    waiting.append(edge.reader)

    def _blocking(self, between: Sequence[int], sink: int, test: KindTest) -> int | None:
        """The first node on the path whose kind is not allowed there."""
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
