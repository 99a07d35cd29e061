"""Transposes and views of no higher rank than a target allows, in a graph that is complete."""

from collections.abc import Sequence
from dataclasses import replace

from ....layout import DYNAMIC, Movement, Order, movement, permute
from ....layout.movement import FEWEST_AXES, steps_of
from ..counterparts import UNARY_KINDS
from .graph import OnnxGraph, OnnxNode, OnnxTensor
from .transposes import VIEWS, sizes_before, transposed_by

Sizes = tuple[int, ...]


def obey_ranks(graph: OnnxGraph) -> None:
    """Write transposes of too many axes with neighbours joined, or as several, and views of views in one step where a
    value has too high a rank.

    Unary ops of too high a rank between an input and a transpose are of the joined axes as well: compilers that take a
    Reshape from the front of a Transpose to behind it would make the one of too many axes again. Other readers of these
    ops keep them. What that does not mend is refused when the model is checked.
    """
    rules = graph.rules
    if rules.transposed is None and rules.max_rank is None and rules.unary_rank is None:
        return
    nodes, graph.nodes = graph.nodes, []
    writer = _Writer(graph, set(nodes))
    for node in nodes:
        writer.write(node)


class _Writer:
    def __init__(self, graph: OnnxGraph, own: set[OnnxNode]) -> None:
        self._graph, self._own = graph, own
        self._most = graph.rules.max_rank
        self._split: set[OnnxTensor] = set()
        """The results of Transposes that were joined, as they were."""

    def write(self, node: OnnxNode) -> None:
        """Add a node again, or the nodes that compute the same."""
        order = transposed_by(node)
        if order is not None:
            ops = self._unary_ops(node)
            limits = (self._most, self._graph.rules.transposed, self._graph.rules.unary_rank if ops else None)
            most = min((each for each in limits if each is not None), default=len(order))
            if len(order) > most:
                self._write_joined(node, order, ops, most)
                return
        source = next(iter(node.inputs), None)
        if source is not None and node.kind in VIEWS and order is None and not node.domain and self._is_between(source):
            self._read_through(node, source)
        self._graph.add(node)

    def _unary_ops(self, node: OnnxNode) -> Sequence[OnnxNode]:
        """The unary ops between an input and a Transpose, from the last one on."""
        (x,), ops = node.inputs, list[OnnxNode]()
        if self._graph.rules.unary_rank is None or x is None:
            return ops
        while x.node in self._own and x.node.kind in UNARY_KINDS and not x.node.domain:
            assert x.node.inputs[0] is not None
            ops.append(x.node)
            x = x.node.inputs[0]
        return ops if x in self._graph.inputs else []

    def _write_joined(self, node: OnnxNode, order: Order, ops: Sequence[OnnxNode], most: int) -> None:
        """Write a Transpose of joined axes between two Reshapes, or several if that is not enough."""
        source, result, sizes = node.inputs[0], node.outputs[0], sizes_before(node)
        assert source is not None
        assert result is not None
        joined = None if sizes is None or 0 in sizes else movement(order, sizes)
        if sizes is None or joined is None or sizes.count(DYNAMIC) > 1 or not _is_possible(joined, most):
            self._graph.add(node)
            return
        x, between = self._joined(source, ops, joined.sizes), joined.sizes
        for step in () if joined.moves_nothing else steps_of(joined.permutation, most):
            x, between = self._transposed(node, x, movement(step, between)), permute(between, step)
        result.node = OnnxNode("Reshape", (x, self._shape(permute(sizes, order))), {}, (result,))
        self._own.add(result.node)
        self._split.add(result)
        self._graph.add(result.node)

    def _joined(self, x: OnnxTensor, ops: Sequence[OnnxNode], sizes: Sizes) -> OnnxTensor:
        """A tensor to transpose: the result of unary ops of these sizes, if there are any."""
        if not ops:
            return self._origin(x)
        (start,) = ops[-1].inputs
        assert start is not None
        low = self._graph.reshape(start, sizes)
        for op in reversed(ops):
            (result,) = op.outputs
            assert result is not None
            made = replace(op, inputs=(low,), is_as_it_came=False, implied=frozenset())
            low = OnnxTensor(result.element, made, sizes=sizes)
            made.outputs = (low,)
            self._graph.add(made)
        return low

    def _transposed(self, node: OnnxNode, x: OnnxTensor, step: Movement) -> OnnxTensor:
        """Add a Transpose of blocks, which takes the place of a node."""
        low = x if x.sizes == step.sizes else self._graph.reshape(x, step.sizes)
        low.sizes = step.sizes
        made = replace(node, inputs=(low,), attributes={"perm": [*step.permutation]}, is_as_it_came=False)
        result = OnnxTensor(low.element, made, sizes=permute(step.sizes, step.permutation))
        made.implied, made.outputs = frozenset(), (result,)
        self._graph.add(made)
        return result

    def _is_between(self, x: OnnxTensor) -> bool:
        """True for a value that only has a rank that the target does not want."""
        return x in self._split or (self._most is not None and x.sizes is not None and len(x.sizes) > self._most)

    def _read_through(self, view: OnnxNode, source: OnnxTensor) -> None:
        """Let a view read what its source is a view of."""
        (result,) = view.outputs
        sizes, origin = None if result is None else result.sizes, self._origin(source)
        if origin is source or sizes is None or 0 in sizes or sizes.count(DYNAMIC) > 1:
            return
        view.kind, view.inputs, view.attributes = "Reshape", (origin, self._shape(sizes)), {}
        view.is_as_it_came, view.implied = False, frozenset()

    def _origin(self, x: OnnxTensor) -> OnnxTensor:
        """The tensor of which this one is a view."""
        while x.node in self._own and x.node.kind in VIEWS - {"Transpose"} and not x.node.domain:
            assert x.node.inputs[0] is not None
            x = x.node.inputs[0]
        return x

    def _shape(self, sizes: Sizes) -> OnnxTensor:
        return self._graph.ints(*(-1 if size == DYNAMIC else size for size in sizes))


def _is_possible(joined: Movement, most: int) -> bool:
    return len(joined.sizes) <= most or most >= FEWEST_AXES
