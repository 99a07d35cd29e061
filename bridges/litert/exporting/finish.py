"""The finished graph: reshapes merged, biases and activation functions joined with ops, unused nodes dropped."""

from collections.abc import Iterable, Sequence
from itertools import permutations
from math import prod

from .constants import with_halves
from .gelu import without_erf
from .graph import LiteGraph, LiteNode, LiteTensor
from .kinds import ACTIVATIONS, FUSES_ACTIVATION
from .reshapes import without_reshape_pairs, without_units_behind_transposes
from .same_numbers import with_same_numbers
from .uses import take_result, uses_of


def finished(graph: LiteGraph, outputs: Sequence[LiteTensor]) -> list[LiteNode]:
    """The used nodes in their order."""
    nodes = with_same_numbers(graph, _used(graph.nodes, outputs))
    nodes = without_erf(graph, nodes, outputs)
    nodes = _used(nodes, outputs)
    without_reshape_pairs(nodes, outputs)
    nodes = _used(nodes, outputs)
    without_units_behind_transposes(graph, nodes, outputs)
    nodes = _used(nodes, outputs)
    _join_biases(graph, nodes, outputs)
    nodes = _used(nodes, outputs)
    _join_activations(nodes, outputs)
    return with_halves(_used(nodes, outputs), outputs)


def _used(nodes: Sequence[LiteNode], outputs: Iterable[LiteTensor]) -> list[LiteNode]:
    wanted = set(outputs)
    found: list[LiteNode] = []
    for node in reversed(nodes):
        if wanted.intersection(node.outputs) or (node.kept is not None and node.kept.has_effects):
            found.append(node)
            wanted.update(tensor for tensor in node.inputs if tensor is not None)
    return found[::-1]


def _join_biases(graph: LiteGraph, nodes: Sequence[LiteNode], outputs: Sequence[LiteTensor]) -> None:
    """Let a product add the constant row whose sum is the only reader of its result."""
    uses = uses_of(nodes, outputs)
    for node in nodes:
        for total, bias in permutations(node.inputs) if node.kind == "ADD" and not node.stays else ():
            if total is None or bias is None or uses[total] > 1 or not _takes_bias(total, bias):
                continue
            assert total.node is not None
            total.node.inputs.append(graph.reshape(bias, bias.shape[-1:]))
            take_result(total.node, node)
            break


def _takes_bias(total: LiteTensor, bias: LiteTensor) -> bool:
    """True if one tensor is a product that adds nothing yet, and the other one has a number for each of its columns."""
    product = total.node
    is_product = product is not None and product.kind == "FULLY_CONNECTED" and len(product.inputs) == 2
    is_row = bias.data is not None and bias.data.size and bias.shape[-1:] == total.shape[-1:]
    is_row = is_row and prod(bias.shape[:-1]) == 1 and len(bias.shape) <= len(total.shape)
    return is_product and bool(is_row) and total.element.is_float


def _join_activations(nodes: Sequence[LiteNode], outputs: Sequence[LiteTensor]) -> None:
    """Let an op apply the activation function that is the only reader of its result."""
    uses = uses_of(nodes, outputs)
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
        take_result(before, node)
