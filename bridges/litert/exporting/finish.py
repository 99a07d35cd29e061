"""The finished graph: reshapes merged, biases and activation functions joined with ops, unused nodes dropped."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import permutations
from math import prod

from xdsl.ir import Block
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ..dialect import LiteNode, LiteTensor, take_result
from ..errors import NotExportable
from .constants import with_halves
from .gelu import without_erf
from .graph import LiteGraph
from .kinds import ACTIVATIONS, FUSES_ACTIVATION
from .reshapes import without_reshape_pairs, without_units_behind_transposes
from .same_numbers import with_same_numbers


def finish(block: Block, rewrites: Collection[str] | None = None) -> None:
    """Rewrite the nodes of a function in place: in all ways, or in those of these names."""
    if unknown := {*(rewrites or ())} - REWRITES.keys():
        raise NotExportable(f"expected some of {', '.join(REWRITES)} as rewrites, found {', '.join(sorted(unknown))}")
    for name, rewrite in REWRITES.items():
        if rewrites is None or name in rewrites:
            _drop_unused(block)
            graph = LiteGraph(block)
            rewrite(graph, graph.nodes)
            graph.name_sources()
    _drop_unused(block)


def _drop_unused(block: Block) -> None:
    for op in reversed(list(block.ops)):
        if is_trivially_dead(op):
            block.erase_op(op)


def join_biases(graph: LiteGraph, nodes: Sequence[LiteNode]) -> None:
    """Let a product add the constant row whose sum is the only reader of its result."""
    for node in nodes:
        for total, bias in permutations(node.inputs) if node.kind == "ADD" and not node.said.stays else ():
            if total is None or bias is None or not total.value.has_one_use() or not _takes_bias(total, bias):
                continue
            assert total.node is not None
            total.node.operands = [*total.node.operands, graph.reshape(bias, bias.shape[-1:]).value]
            take_result(total.node, node)
            break


def _takes_bias(total: LiteTensor, bias: LiteTensor) -> bool:
    """True if one tensor is a product that adds nothing yet, and the other one has a number for each of its columns."""
    product = total.node
    is_product = product is not None and product.kind == "FULLY_CONNECTED" and len(product.operands) == 2
    is_row = bias.data is not None and bias.data.size and bias.shape[-1:] == total.shape[-1:]
    is_row = is_row and prod(bias.shape[:-1]) == 1 and len(bias.shape) <= len(total.shape)
    return is_product and bool(is_row) and total.element.is_float


def join_activations(_: LiteGraph, nodes: Sequence[LiteNode]) -> None:
    """Let an op apply the activation function that is the only reader of its result."""
    for node in nodes:
        if node.kind not in ACTIVATIONS:
            continue
        (given,) = node.inputs
        assert given is not None
        before = given.node
        if before is None or before.kind not in FUSES_ACTIVATION or before.activation or not given.value.has_one_use():
            continue
        if given.element.is_float:
            before.change(activation=node.kind)
            take_result(before, node)


REWRITES: Mapping[str, Callable[[LiteGraph, Sequence[LiteNode]], None]] = {
    "same-numbers": with_same_numbers,
    "gelu": without_erf,
    "reshape-pairs": without_reshape_pairs,
    "unit-axes": without_units_behind_transposes,
    "biases": join_biases,
    "activations": join_activations,
    "halves": with_halves,
}
"""The rewrites by name, in their order."""
