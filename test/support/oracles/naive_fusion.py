"""The fusion of groups by definition, written for clarity and not for speed: the tests compare the pass with it."""

from collections.abc import Callable, Sequence

from npu_opt.dialects.npu.fusion import FusionKind
from npu_opt.passes.fusion.graph.graph import FusionNode

Edges = list[tuple[int, int, FusionKind]]


def ways_out(nodes: Sequence[FusionNode], start: int) -> list[list[int]]:
    """All paths from the users of a node to the exits of the graph; -1 ends one whose last node is used outside."""
    ways: list[list[int]] = []
    open_ways = [[start]]
    while open_ways:
        way = open_ways.pop()
        node = nodes[way[-1]]
        if node.is_used_outside:
            ways.append([*way[1:], -1])
        if not node.edges and not node.is_used_outside:
            ways.append(way[1:])
        open_ways += [[*way, reader] for reader in {edge.reader for edge in node.edges}]
    return ways


def naive_dominator(nodes: Sequence[FusionNode], start: int) -> int | None:
    """The first node that is on all paths out, if the node itself is not used outside."""
    ways = ways_out(nodes, start)
    common = [index for index in ways[0] if index >= 0 and all(index in way for way in ways)]
    return common[0] if common and not nodes[start].is_used_outside else None


def on_ways(nodes: Sequence[FusionNode], start: int, end: int) -> set[int]:
    """The nodes reachable from one node without passing another, without both."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        for edge in nodes[waiting.pop()].edges:
            if edge.reader != end and edge.reader not in found:
                found.add(edge.reader)
                waiting.append(edge.reader)
    return found


def kind_to_dominator(nodes: Sequence[FusionNode], start: int, end: int) -> FusionKind:
    """The strongest kind of the edges on all paths from a node to its dominator."""
    passed = {start, *on_ways(nodes, start, end)}
    return max(edge.kind for index in passed for edge in nodes[index].edges)


class NaiveFusion:
    """TVM's phases over sets of nodes: the members of each group, and its kind when it last had its own node."""

    def __init__(self, nodes: Sequence[FusionNode], max_depth: int) -> None:
        self.nodes = nodes
        self.max_depth = max_depth
        self.root = list(range(len(nodes)))
        self.kind = [node.kind for node in nodes]
        self.anchored = [node.kind is FusionKind.OUT_FUSABLE for node in nodes]
        self.size = [1 for _ in nodes]

    def groups(self) -> set[frozenset[int]]:
        for phase in (0, 1):
            for node in self.nodes:
                self._visit(node.index, phase)
        places = range(len(self.nodes))
        return {frozenset(other for other in places if self.root[other] == self.root[place]) for place in places}

    def _visit(self, index: int, phase: int) -> None:
        end = naive_dominator(self.nodes, index)
        if self.kind[index] is FusionKind.OPAQUE or end is None:
            return
        way = {index, *on_ways(self.nodes, index, end)}
        if self.size[self.root[end]] + sum(self.size[each] for each in way) > self.max_depth:
            return
        test = self._test(index, end, phase)
        if test is None:
            return
        if all(test(self.kind[self.root[each]], False) for each in way - {index}) and test(
            self.kind[self.root[end]], True
        ):
            for each in sorted(way):
                self._merge(self.root[each], self.root[end])

    def _test(self, index: int, end: int, phase: int) -> Callable[[FusionKind, bool], bool] | None:
        injective = FusionKind.INJECTIVE
        if self.root[index] == self.root[end]:
            return None
        behind = kind_to_dominator(self.nodes, index, end)
        if self.kind[index] is FusionKind.OUT_FUSABLE:
            fits = phase == 0 and behind is FusionKind.ELEMENTWISE
            return (lambda kind, at_end: kind <= FusionKind.BROADCAST) if fits else None
        if self.kind[index] <= FusionKind.BROADCAST:
            fits = behind <= injective or behind is FusionKind.REDUCTION
            limits = (injective, FusionKind.OUT_FUSABLE)
            return (lambda kind, at_end: kind <= limits[at_end]) if fits else None
        if self.kind[index] is injective and phase == 1:
            return lambda kind, at_end: kind <= injective
        return None

    def _merge(self, child: int, parent: int) -> None:
        if child == parent:
            return
        self.size[parent] += self.size[child]
        self.root = [parent if root == child else root for root in self.root]
        if self.anchored[child]:
            assert not self.anchored[parent]
            self.anchored[parent] = True
            self.kind[parent] = max(self.kind[parent], self.kind[child])
