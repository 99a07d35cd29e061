"""Scales and zero points of integers that are moved: all data and results of such an op represent the same numbers.

The exporter learns of the numbers where they are used. Kernels compare the scales of data and result or convert one to
the other, and some do so if there are none.
"""

from collections import defaultdict
from collections.abc import Sequence

from .graph import LiteGraph, LiteNode, LiteTensor, Quantization
from .kernels import MOVES, NARROW, READS_ANY_NUMBERS, TAKES_NUMBERS

_DATA = {"PADV2": (0, 2), "SELECT_V2": (1, 2), "SPLIT": (1,)}
"""The operands that are moved, where these are not the first one alone or all."""


def with_same_numbers(graph: LiteGraph, nodes: Sequence[LiteNode]) -> list[LiteNode]:
    """The nodes with numbers that are the same wherever integers are moved, and reshapes where they change."""
    return _Numbers(graph, nodes).settled()


class _Numbers:
    def __init__(self, graph: LiteGraph, nodes: Sequence[LiteNode]) -> None:
        self._graph, self._nodes = graph, nodes
        self._uses: dict[LiteTensor, list[tuple[LiteNode, int]]] = defaultdict(list)
        self._behind: dict[LiteNode | None, list[LiteNode]] = defaultdict(list)
        """The new nodes behind each node, and behind the inputs."""
        for node in nodes:
            for place, tensor in enumerate(node.inputs):
                if tensor is not None and tensor.element in NARROW:
                    self._uses[tensor].append((node, place))

    def settled(self) -> list[LiteNode]:
        # The users of a tensor come behind it, so theirs are known before.
        for node in reversed(self._nodes):
            for tensor in node.outputs:
                self._settle(tensor)
            self._separate_results(node)
        for tensor in [each for each in self._uses if each.node is None]:
            self._settle(tensor)
        found = [*self._behind[None]]
        for node in self._nodes:
            found += [node, *self._behind[node]]
        return found

    def _settle(self, tensor: LiteTensor) -> None:
        """Decide on the numbers of a tensor, and give its users those that they take."""
        moves = [use for use in self._uses[tensor] if _moves(*use)]
        wanted = {node.outputs[0].quantization for node, _ in moves}
        others = [node for node, place in self._uses[tensor] if not _moves(node, place)]
        is_free = tensor.node is None or tensor.node.kind in TAKES_NUMBERS
        if tensor.quantization is None and is_free and all(map(_reads_any_numbers, others)):
            tensor.quantization = next(iter(wanted)) if len(wanted) == 1 else None
        changed: dict[Quantization | None, LiteTensor] = {tensor.quantization: tensor}
        for node, place in moves:
            numbers = node.outputs[0].quantization
            if numbers not in changed:
                changed[numbers] = self._changed(tensor, numbers)
            node.inputs[place] = changed[numbers]

    def _changed(self, tensor: LiteTensor, numbers: Quantization | None) -> LiteTensor:
        """A tensor whose integers represent other numbers, behind the node that computes them."""
        before = len(self._graph.nodes)
        result = self._graph.renumbered(tensor, numbers)
        self._behind[tensor.node] += self._graph.nodes[before:]
        return result

    def _separate_results(self, node: LiteNode) -> None:
        """Let all results of an op represent the same numbers: none, if the users do not agree."""
        if node.kind not in MOVES or _renumbers(node) or len({tensor.quantization for tensor in node.outputs}) == 1:
            return
        found: list[LiteTensor] = []
        for tensor in node.outputs:
            if tensor.quantization is None:
                found.append(tensor)
                continue
            bare = LiteTensor(tensor.element, tensor.shape, node, shift=tensor.shift)
            found.append(bare)
            before = len(self._graph.nodes)
            self._graph.renumbered(bare, tensor.quantization, tensor)
            self._behind[node] += self._graph.nodes[before:]
        node.outputs = tuple(found)


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
