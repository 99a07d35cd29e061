"""Finished graphs: their used nodes, what they take from around them, and the places of their constants."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ....dialects.notes.interfaces import results_of
from ..element_types import NARROW
from .graph import Exported, OnnxGraph, OnnxNode, OnnxTensor
from .joined_products import join_products
from .ranks import obey_ranks
from .split_transposes import split_transposes

SMALL = 1 << 10
"""Constants of a subgraph up to this size in bytes are written into it: runtimes read shapes and axes from there."""
LARGEST_INSIDE = 1 << 26
"""The largest size of others that are written into a subgraph, whose data is in memory for that."""
DEEPEST = 30
"""The deepest nesting of subgraphs; protobuf reads messages that are nested 100 deep."""


def finish(exported: Exported, outputs: Sequence[OnnxTensor]) -> None:
    """Set the outputs of a graph, which are results of its nodes, and its used nodes.

    An input that the imported model returned under its own name is an output as well. Outputs are distinct, unless the
    model lists one twice.
    """
    graph = exported.graph
    own = set(graph.nodes)
    listed: dict[tuple[OnnxTensor, str], OnnxTensor] = {}
    exported.outputs = []
    for index, (tensor, end) in enumerate(zip(outputs, results_of(exported.function), strict=True)):
        is_own = (tensor.node is not None and tensor.node in own) or _is_returned(exported, tensor, index)
        if (tensor, end.name) not in listed:
            is_new = is_own and tensor not in exported.outputs
            listed[tensor, end.name] = tensor if is_new else _copied(graph, tensor)
        exported.outputs.append(listed[tensor, end.name])
    obey_ranks(graph)
    join_products(graph)
    exported.nodes, needed = _used(graph.nodes, exported.outputs)
    split_transposes(graph, exported.nodes, _reads(exported.nodes, exported.outputs))
    needed.update(tensor for tensor, _ in exported.names)
    for node in exported.nodes:
        if node.is_as_it_came:
            node.outputs = tuple(tensor if tensor in needed else None for tensor in node.outputs)


def _is_returned(exported: Exported, tensor: OnnxTensor, index: int) -> bool:
    function, inputs = exported.function, exported.graph.inputs
    if function.sym_visibility is not None or function.arg_attrs is None or function.res_attrs is None:
        return False
    if tensor not in inputs or index >= len(function.res_attrs):
        return False
    name = function.arg_attrs.data[inputs.index(tensor)].data.get("onnx.name")
    return name is not None and name == function.res_attrs.data[index].data.get("onnx.name")


def _copied(graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    # ONNX Runtime has no Identity for elements of few bits.
    if x.element in NARROW:
        return graph.node("Cast", x, to=x.element)
    return graph.node("Identity", x)


def _used(nodes: Sequence[OnnxNode], outputs: Iterable[OnnxTensor]) -> tuple[list[OnnxNode], set[OnnxTensor | None]]:
    """The nodes on which the outputs depend, and those with effects, and all tensors that are read."""
    needed: set[OnnxTensor | None] = set(outputs)
    kept: list[OnnxNode] = []
    for node in reversed(nodes):
        if not node.is_pure or any(tensor in needed for tensor in node.outputs):
            kept.append(node)
            needed.update(read_by(node))
    return kept[::-1], needed


def _reads(nodes: Iterable[OnnxNode], outputs: Iterable[OnnxTensor]) -> Counter[OnnxTensor | None]:
    """The number of readers of each tensor; an output has one more."""
    return Counter([*outputs, *(tensor for node in nodes for tensor in read_by(node))])


def read_by(node: OnnxNode) -> Iterator[OnnxTensor]:
    """The tensors that a node and its subgraphs read, except those of the subgraphs."""
    yield from (tensor for tensor in node.inputs if tensor is not None)
    yield from node.captures.values()
    for body in node.bodies.values():
        yield from taken_by(body)


def taken_by(body: Exported) -> dict[OnnxTensor, None]:
    """The tensors that a subgraph takes from around it, and all constants that it reads."""
    own = {*body.graph.inputs, *(tensor for node in body.nodes for tensor in node.outputs if tensor is not None)}
    return dict.fromkeys(tensor for node in body.nodes for tensor in read_by(node) if tensor not in own)


def graphs_within(exported: Exported) -> Iterator[Exported]:
    """A graph and the subgraphs of its nodes, outer ones first."""
    waiting = [exported]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += [body for node in found.nodes for body in node.bodies.values()][::-1]


def nodes_within(exported: Exported) -> Iterator[OnnxNode]:
    """The nodes of a graph and of all subgraphs."""
    return (node for graph in graphs_within(exported) for node in graph.nodes)


def placed_constants(exported: Exported, came_inside: Container[str]) -> Mapping[Exported, Sequence[OnnxTensor]]:
    """The constants of each graph.

    Those that only one subgraph reads are its own if they are small, or came inside of one: ONNX Runtime's LSTM makes
    other last digits of weights that are outside. All others are constants of the outermost graph.
    """
    inner = {tensor for tensor, name in exported.names if name in came_inside}
    readers: dict[OnnxTensor, dict[Exported, None]] = {}
    for graph in graphs_within(exported):
        for node in graph.nodes:
            for tensor in (*node.inputs, *node.captures.values()):
                if tensor is not None and tensor.weights is not None:
                    readers.setdefault(tensor, {})[graph] = None
    found: dict[Exported, list[OnnxTensor]] = {graph: [] for graph in graphs_within(exported)}
    for tensor, graphs in readers.items():
        assert tensor.weights is not None
        limit = LARGEST_INSIDE if tensor in inner else SMALL
        is_inner = len(graphs) == 1 and tensor.weights.size <= limit
        found[next(iter(graphs)) if is_inner else exported].append(tensor)
    return found
