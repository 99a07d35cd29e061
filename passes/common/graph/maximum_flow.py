"""The maximum flow between two nodes of a graph, its paths, and a minimum cut.

Dinic's algorithm, in whole numbers of any size. What flows is taken apart into paths, each with its amount.
"""

from collections import deque
from typing import ClassVar, NamedTuple

SOURCE, SINK = 0, 1


class FlowPath(NamedTuple):
    """A path from the source to the sink, and the flow along it."""

    amount: int
    arcs: list[int]


class FlowGraph:
    """A directed graph with capacities. Nodes are numbers, of which 0 is the source and 1 the sink."""

    ENDLESS: ClassVar[int] = 1 << 200
    """A capacity that no minimum cut contains."""

    def __init__(self) -> None:
        self.count = 2
        self._heads: list[int] = []
        """The head of each arc. Arcs come in pairs; the odd one is the reverse of the even one."""
        self._left: list[int] = []
        """The residual capacity of each arc."""
        self._arcs: list[list[int]] = [[], []]

    def add_node(self) -> int:
        self._arcs.append([])
        self.count += 1
        return self.count - 1

    def add_arc(self, tail: int, head: int, capacity: int) -> int:
        """Add an arc and return its number."""
        number = len(self._heads)
        self._heads += head, tail
        self._left += capacity, 0
        self._arcs[tail].append(number)
        self._arcs[head].append(number + 1)
        return number

    def head(self, arc: int) -> int:
        """The head of an arc."""
        return self._heads[arc]

    def paths(self) -> list[FlowPath]:
        """Paths that carry the maximum flow. Call it once."""
        while (distances := self._distances()) is not None:
            self._fill(distances)
        return self._taken_apart()

    def before_sink(self) -> set[int]:
        """The smaller side of a minimum cut: the nodes that reach the sink in the residual graph. Call it once."""
        while (distances := self._distances()) is not None:
            self._fill(distances)
        found, waiting = {SINK}, deque([SINK])
        while waiting:
            for arc in self._arcs[waiting.popleft()]:
                tail = self._heads[arc]
                if self._left[arc ^ 1] and tail not in found:
                    found.add(tail)
                    waiting.append(tail)
        return found

    def _distances(self) -> list[int] | None:
        """The distance of each node from the source in the residual graph; None if the sink is not reached."""
        distances = [-1] * self.count
        distances[SOURCE] = 0
        waiting = deque([SOURCE])
        while waiting:
            node = waiting.popleft()
            for arc in self._arcs[node]:
                head = self._heads[arc]
                if self._left[arc] and distances[head] < 0:
                    distances[head] = distances[node] + 1
                    waiting.append(head)
        return distances if distances[SINK] >= 0 else None

    def _fill(self, distances: list[int]) -> None:
        """Augment along shortest paths."""
        next_arc = [0] * self.count
        way: list[int] = []
        node = SOURCE
        while True:
            if node == SINK:
                amount = min(self._left[arc] for arc in way)
                for arc in way:
                    self._left[arc] -= amount
                    self._left[arc ^ 1] += amount
                first = next(place for place, arc in enumerate(way) if not self._left[arc])
                node = self._heads[way[first] ^ 1]
                del way[first:]
                continue
            arcs = self._arcs[node]
            while next_arc[node] < len(arcs):
                arc = arcs[next_arc[node]]
                if self._left[arc] and distances[self._heads[arc]] == distances[node] + 1:
                    break
                next_arc[node] += 1
            if next_arc[node] < len(arcs):
                way.append(arcs[next_arc[node]])
                node = self._heads[way[-1]]
            elif way:
                node = self._heads[way.pop() ^ 1]
                next_arc[node] += 1
            else:
                return

    def _taken_apart(self) -> list[FlowPath]:
        flows = {arc: self._left[arc ^ 1] for arc in range(0, len(self._heads), 2) if self._left[arc ^ 1]}
        found: list[FlowPath] = []
        way: list[int] = []
        passed = {SOURCE: 0}
        """The nodes on the path, with their positions."""
        node = SOURCE
        while True:
            arc = next((arc for arc in self._arcs[node] if flows.get(arc, 0) and arc % 2 == 0), None)
            if arc is None:
                return found
            way.append(arc)
            node = self._heads[arc]
            start = passed.get(node, 0) if node != SINK else 0
            if node == SINK or node in passed:
                # A ring carries no flow to the sink, so its flow is removed.
                amount = min(flows[each] for each in way[start:])
                for each in way[start:]:
                    flows[each] -= amount
                if node == SINK:
                    found.append(FlowPath(amount, way))
                    way, passed, node = [], {SOURCE: 0}, SOURCE
                else:
                    for each in way[start:-1]:
                        del passed[self._heads[each]]
                    way = way[:start]
            else:
                passed[node] = len(way)
