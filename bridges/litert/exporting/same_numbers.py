"""Scales and zero points of integers that are moved: all data and results of such an op represent the same numbers.

The exporter learns of the numbers where they are used. Kernels compare the scales of data and result or convert one to
the other, and some do so if there are none.
"""

from collections import defaultdict
from collections.abc import Sequence

from ..dialect import LiteNode, LiteTensor, Quantization
from .graph import LiteGraph
from .kernels import MOVES, NARROW, READS_ANY_NUMBERS, TAKES_NUMBERS

_DATA = {"PADV2": (0, 2), "SELECT_V2": (1, 2), "SPLIT": (1,)}
"""The operands that are moved, where these are not the first one alone or all."""


def with_same_numbers(graph: LiteGraph, nodes: Sequence[LiteNode]) -> None:
    """Let numbers be the same wherever integers are moved, with reshapes where they change."""
    _Numbers(graph, nodes).settle()


class _Numbers:
    def __init__(self, graph: LiteGraph, nodes: Sequence[LiteNode]) -> None:
        self._graph, self._nodes = graph, nodes
        self._uses: dict[LiteTensor, list[tuple[LiteNode, int]]] = defaultdict(list)
        for node in nodes:
            for place, tensor in enumerate(node.inputs):
                if tensor is not None and tensor.element in NARROW:
                    self._uses[tensor].append((node, place))

    def settle(self) -> None:
        # The users of a tensor come behind it, so theirs are known before.
        for node in reversed(self._nodes):
            self._graph.before = node.next_op
            for tensor in node.outputs:
                if tensor.element in NARROW:
                    self._settle(tensor)
            self._separate_results(node)
        self._graph.before = self._nodes[0] if self._nodes else None
        for tensor in [each for each in self._uses if each.node is None]:
            self._settle(tensor)

    def _settle(self, tensor: LiteTensor) -> None:
        """Decide on the numbers of a tensor, and give its users those that they take."""
        moves = [use for use in self._uses[tensor] if _moves(*use)]
        wanted = {node.outputs[0].quantization for node, _ in moves}
        others = [node for node, place in self._uses[tensor] if not _moves(node, place)]
        is_free = tensor.node is None or tensor.node.kind in TAKES_NUMBERS
        if tensor.quantization is None and is_free and all(map(_reads_any_numbers, others)):
            tensor.change(quantization=next(iter(wanted)) if len(wanted) == 1 else None)
        changed: dict[Quantization | None, LiteTensor] = {tensor.quantization: tensor}
        for node, place in moves:
            numbers = node.outputs[0].quantization
            if numbers not in changed:
                changed[numbers] = self._graph.renumbered(tensor, numbers)
            node.operands[place] = changed[numbers].value

    def _separate_results(self, node: LiteNode) -> None:
        """Let all results of an op represent the same numbers: none, if the users do not agree."""
        if node.kind not in MOVES or _renumbers(node) or len({tensor.quantization for tensor in node.outputs}) == 1:
            return
        for tensor in node.outputs:
            if (numbers := tensor.quantization) is None:
                continue
            users = list(tensor.value.uses)
            name = tensor.type.name
            tensor.change(quantization=None, name=None)
            changed = self._graph.renumbered(tensor, numbers)
            changed.change(name=name)
            for use in users:
                use.operation.operands[use.index] = changed.value


def _moves(node: LiteNode, place: int) -> bool:
    """True if an op moves the integers of an operand to its results."""
    if node.kind not in MOVES or _renumbers(node):
        return False
    return node.kind == "CONCATENATION" or place in _DATA.get(node.kind, (0,))


def _reads_any_numbers(node: LiteNode) -> bool:
    return node.kind in READS_ANY_NUMBERS or _renumbers(node)


def _renumbers(node: LiteNode) -> bool:
    """True for a reshape to the same shape, whose result has numbers of its own."""
    data = node.inputs[0] if node.kind == "RESHAPE" else None
    return data is not None and data.shape == node.outputs[0].shape
