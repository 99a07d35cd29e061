"""New permutes and views of quantised numbers, made those of the integers.

Backends find an operator that they run on integers by the dequantisation in front of it and the quantisation behind it,
and leave it to others if a node is in between.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from torch.fx import Graph, Node

from .inputs import FreeNames
from .model import is_view
from .reading import operator_of
from .strides import Strides


class IntegerViews:
    """The permutes and views of a new graph but for the nodes that came."""

    def __init__(
        self, graph: Graph, names: FreeNames, strides: Strides, came: Container[Node], results: set[Node]
    ) -> None:
        self._graph, self._names, self._strides, self._came, self._results = graph, names, strides, came, results
        self.instead: dict[Node, Node] = {}
        """The results in place of others."""

    def move(self) -> None:
        for node in [*self._views()]:
            source = node.args[0]
            if isinstance(source, Node) and _is_call(source, "dequantize_per_tensor"):
                self._exchange(source, node, node)
        for node in [*self._views()][::-1]:
            reader = next(iter(node.users), None)
            is_alone = len(node.users) == 1 and node not in self._results
            if is_alone and reader is not None and _is_call(reader, "quantize_per_tensor"):
                self._exchange(node, reader, reader)

    def _views(self) -> Iterator[Node]:
        return (node for node in self._graph.nodes if node not in self._came and is_view(node))

    def _exchange(self, first: Node, second: Node, place: Node) -> None:
        """Call the second operator on what the first one reads, and the first one on its result."""
        below: Any = first.args[0]
        for each in (second, first):
            with self._graph.inserting_before(place):
                name = self._names.free(each.name)
                made = self._graph.create_node("call_function", each.target, (below, *each.args[1:]), each.kwargs, name)
            made.meta = {**each.meta, "val": self._strides.value_of(made)}
            below = made
        second.replace_all_uses_with(below)
        if second in self._results:
            self.instead[second] = below
            self._results.add(below)
        self._graph.erase_node(second)
        if not first.users and first not in self._results:
            self._graph.erase_node(first)


def _is_call(node: Node, name: str) -> bool:
    schema = getattr(operator_of(node), "_schema", None)
    return schema is not None and schema.name == f"quantized_decomposed::{name}"
