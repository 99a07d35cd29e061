"""The finished graph: activation functions joined with the ops before them, unused nodes dropped."""

from collections import Counter
from collections.abc import Iterable, Sequence

from .gelu import without_erf
from .graph import LiteGraph, LiteNode, LiteTensor
from .kinds import ACTIVATIONS, FUSES_ACTIVATION


def finished(graph: LiteGraph, outputs: Sequence[LiteTensor]) -> list[LiteNode]:
    """The used nodes in their order."""
    nodes = without_erf(graph, _used(graph.nodes, outputs), outputs)
    _join_activations(nodes, outputs)
    return _used(nodes, outputs)


def _used(nodes: Sequence[LiteNode], outputs: Iterable[LiteTensor]) -> list[LiteNode]:
    wanted = set(outputs)
    found: list[LiteNode] = []
    for node in reversed(nodes):
        if wanted.intersection(node.outputs):
            found.append(node)
            wanted.update(tensor for tensor in node.inputs if tensor is not None)
    return found[::-1]


def _join_activations(nodes: Sequence[LiteNode], outputs: Sequence[LiteTensor]) -> None:
    """Let an op apply the activation function that is the only reader of its result."""
    uses = Counter(tensor for node in nodes for tensor in node.inputs if tensor is not None)
    uses.update(outputs)
    for node in nodes:
        if node.kind not in ACTIVATIONS:
            continue
        (given,) = node.inputs
        assert given is not None
        before = given.node
        if before is None or before.kind not in FUSES_ACTIVATION or before.activation or uses[given] > 1:
            continue
        if not given.element.is_float:
            continue
        before.activation = node.kind
        before.outputs, node.outputs = node.outputs, before.outputs
        before.outputs[0].node = before
        node.outputs[0].node = node
        node.inputs = [before.outputs[0]]
