"""The regions of a model in which a written one differs because transposes are gone or others are there.

They are read from both models alone. A value is moved if a transpose around it is gone or new, or if its axes are in
another order. A changed node has a reason if it reads or computes a moved value, and then its results are moved: a
shape does not tell in which order the elements of merged axes are. So are operands of which the shape does not tell
that they are not. Results of nodes that are as they came are never moved.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from onnx import NodeProto

from support.oracles.model_graphs import Graph, Shape, may_be_equal


class Pair(NamedTuple("Pair", [("given", Graph), ("found", Graph)])):
    """A graph, and that of the written model."""

    def root(self, name: str) -> str:
        """The value that a value is, in front of nodes without effect that the written graph lacks."""
        same = [name, *self.given.idle_from(name)]
        return same[0] if name in self.found.names and not self._is_renamed(name) else same[-1]

    def _is_renamed(self, name: str) -> bool:
        """True for a result of the graph that is computed by the node in front of one without effect."""
        one, two = self.given.producers.get(name), self.found.producers.get(name)
        return one is not None and two is not None and self.given.is_idle(one) and not self.found.is_idle(two)

    def is_one(self, name: str, other: str) -> bool:
        """True for a name that stays, or one of the same value."""
        return name == other or (bool(name and other) and self.root(name) == self.root(other))

    def has_one_shape(self, name: str) -> bool:
        return name not in self.found.names or may_be_equal(self.given.shape(name), self.found.shape(name))

    def counterpart(self, node: NodeProto) -> NodeProto | None:
        """The node of the written graph that computes a result of this one."""
        names = [name for name in node.output if name]
        producers = self.found.producers
        direct = next((producers[name] for name in names if name in producers), None)
        if direct is not None or not names:
            return direct
        # A result of the graph may be that of nodes without effect behind this one.
        alike = (name for name in self.given.outputs if names[0] in self.given.idle_from(name))
        return next((producers[name] for name in alike if name in producers), None)


@dataclass(frozen=True)
class Change:
    """A node that is another one in the written graph, is gone, is new, or computes another shape."""

    node_before: NodeProto | None
    node_after: NodeProto | None
    text: str
    is_translated: bool = False
    """True if the op has another definition in the opset of the written model, or is a function of the model."""

    @property
    def nodes(self) -> Sequence[NodeProto]:
        return [each for each in (self.node_before, self.node_after) if each is not None]

    @property
    def node(self) -> NodeProto:
        return self.nodes[0]

    @property
    def results(self) -> set[str]:
        return {name for node in self.nodes for name in node.output if name}

    @property
    def values(self) -> set[str]:
        return {name for node in self.nodes for name in (*node.input, *node.output) if name}

    def touches(self, moved: set[str]) -> bool:
        return not moved.isdisjoint(self.values)


def moved_values(pair: Pair, changes: Sequence[Change]) -> set[str]:
    """The values that are moved, and the results of changed nodes that may be because of them."""
    results = {name for each in changes for name in each.results}
    moved = {*_moved_axes(pair), *(name for each in changes if _is_seed(pair, each) for name in each.values & results)}
    waiting = [*changes]
    while reached := [each for each in waiting if each.touches(moved)]:
        waiting = [each for each in waiting if each not in reached]
        for each in reached:
            moved |= results & {*each.results, *(name for name in each.values if _may_be_moved(pair, name))}
    return moved


def _may_be_moved(pair: Pair, name: str) -> bool:
    """True for a value that only one graph has, or that may have its axes in another order."""
    if name not in pair.given.names & pair.found.names:
        return True
    shape = pair.given.shape(name)
    return shape is None or not pair.has_one_shape(name) or "" in shape or len({*_sizes(shape)}) < len(_sizes(shape))


def _moved_axes(pair: Pair) -> Iterator[str]:
    for name in pair.given.names & pair.found.names:
        one, two = pair.given.shape(name), pair.found.shape(name)
        if one is not None and two is not None and _is_moved(one, two):
            yield name


def _is_moved(one: Shape, two: Shape) -> bool:
    """True for axes of more than one element in another order. An unknown size is no reason."""
    if "" in (*one, *two):
        return False
    return _sizes(one) != _sizes(two) and sorted(_sizes(one)) == sorted(_sizes(two))


def _sizes(shape: Shape) -> list[str]:
    return [str(each) for each in shape if each != 1]


def _is_seed(pair: Pair, change: Change) -> bool:
    """True for a transpose that is not in both graphs and moves something, and for a node that is translated."""
    sides = [(change.node_before, pair.given), (change.node_after, pair.found)]
    transposes = ((node, graph) for node, graph in sides if node is not None and node.op_type == "Transpose")
    return change.is_translated or any(graph.moves(node) for node, graph in transposes)
