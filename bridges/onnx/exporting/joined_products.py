"""Products of a tensor and a matrix of no higher rank than a target allows, in a graph that is complete."""

from typing import NamedTuple

from ....layout import DYNAMIC
from ..counterparts import ACTIVATIONS, BINARY, UNARY
from .graph import OnnxGraph, OnnxNode, OnnxTensor

Sizes = tuple[int, ...]
ELEMENTWISE = frozenset(row.kind for row in (*UNARY, *ACTIVATIONS, *BINARY))


class LowForm(NamedTuple):
    """A tensor of lower rank, and the sizes of the one that it stands for."""

    low: OnnxTensor
    sizes: Sizes


def join_products(graph: OnnxGraph) -> None:
    """Join axes in front of the rows that a matrix multiplies, where a product has too high a rank.

    Elementwise ops behind such a product, with numbers for each column alone, have the joined axes as well: two layers
    have one Reshape in front and one behind. What that does not mend is refused when the model is checked.
    """
    limit = graph.rules.product_rank
    if limit is None:
        return
    nodes, graph.nodes = graph.nodes, []
    joiner = _Joiner(graph, limit)
    for node in nodes:
        if not joiner.is_written_as_product(node) and not joiner.is_written_elementwise(node):
            graph.add(node)


class _Joiner:
    def __init__(self, graph: OnnxGraph, limit: int) -> None:
        self._graph, self._limit = graph, limit
        self._joined: dict[OnnxTensor, LowForm] = {}
        """By operands and results of products, and of ops behind them, what stands for them."""
        self._behind: set[OnnxTensor] = set()
        """The results among these."""

    def is_written_as_product(self, node: OnnxNode) -> bool:
        """Write a product with joined axes, if it has too many."""
        if node.kind != "MatMul" or node.domain:
            return False
        x, matrix = node.inputs
        sizes, columns = self._sizes(x), self._sizes(matrix)
        if x is None or sizes is None or columns is None or len(columns) != 2 or len(sizes) <= self._limit:
            return False
        found = (*sizes[:-1], columns[-1])
        if any(0 in each or each.count(DYNAMIC) > 1 for each in (sizes, found)):
            return False
        if x not in self._joined:
            self._joined[x] = LowForm(self._graph.reshape(x, self._low(sizes)), sizes)
        self._write(node, (self._joined[x].low, matrix), found)
        return True

    def is_written_elementwise(self, node: OnnxNode) -> bool:
        """Write an op behind a product on joined axes, if all that it reads has them, or only columns."""
        if node.domain or node.kind not in ELEMENTWISE or self._behind.isdisjoint(node.inputs):
            return False
        sizes = {each.sizes for x in node.inputs if x is not None and (each := self._joined.get(x)) is not None}
        own = sizes.pop()
        others = [self._sizes(x) for x in node.inputs if x is not None and x not in self._joined]
        if sizes or own[-1] == DYNAMIC or any(each not in ((), (1,), own[-1:]) for each in others):
            return False
        inputs = [x if x is None or x not in self._joined else self._joined[x].low for x in node.inputs]
        self._write(node, tuple(inputs), own)
        return True

    def _write(self, node: OnnxNode, inputs: tuple[OnnxTensor | None, ...], sizes: Sizes) -> None:
        """Write a node on joined axes, and a Reshape of its result, which falls away if nothing reads it."""
        (result,) = node.outputs
        assert result is not None
        low = OnnxTensor(result.element, sizes=self._low(sizes))
        low.node = OnnxNode(node.kind, inputs, node.attributes, (low,), name=node.name, implied=node.implied)
        self._graph.add(low.node)
        shape = self._graph.ints(*(-1 if size == DYNAMIC else size for size in sizes))
        result.node = OnnxNode("Reshape", (low, shape), {}, (result,))
        self._graph.add(result.node)
        self._joined[result] = LowForm(low, sizes)
        self._behind.add(result)

    def _low(self, sizes: Sizes) -> Sizes:
        """The sizes with neighbours in front of the last axis joined."""
        kept, last = self._limit - 2, len(sizes) - 1
        joined = 1
        for size in sizes[kept:last]:
            joined = DYNAMIC if DYNAMIC in (joined, size) else joined * size
        return (*sizes[:kept], joined, sizes[-1])

    def _sizes(self, x: OnnxTensor | None) -> Sizes | None:
        if x is None:
            return None
        if x in self._joined:
            return self._joined[x].sizes
        return x.sizes if x.weights is None else x.weights.shape
