"""Topological order of the nodes of a graph, and captures of subgraphs."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from onnx import AttributeProto, GraphProto, NodeProto

from ..errors import OnnxError

DEFAULT_DOMAINS = ("", "ai.onnx")
CRASHING = frozenset({"DictVectorizer", "EyeLike", "LabelEncoder", "RegexFullMatch", "TreeEnsemble"})
"""Ops for which the shape inference of onnx (1.23) crashes if the type of an input is unknown."""


def subgraphs(node: NodeProto) -> Iterator[GraphProto]:
    """The subgraphs in the attributes of a node."""
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            yield attribute.g
        elif attribute.type == AttributeProto.GRAPHS:
            yield from attribute.graphs


def all_nodes(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """The nodes, and those in their subgraphs."""
    waiting = deque(nodes)
    while waiting:
        node = waiting.popleft()
        yield node
        for graph in subgraphs(node):
            waiting.extend(graph.node)


def within(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """The nodes in the subgraphs of the given nodes."""
    return (inner for node in nodes for graph in subgraphs(node) for inner in all_nodes(graph.node))


def is_dangerous(nodes: Iterable[NodeProto]) -> bool:
    """True if ONNX's shape inference may crash on the nodes, or not return."""
    return any(node.op_type in CRASHING or has_wrong_count(node) for node in all_nodes(nodes))


def has_wrong_count(node: NodeProto) -> bool:
    """True for a Split whose `num_outputs` is wrong; ONNX's shape inference makes that many results."""
    return node.op_type == "Split" and any(
        attribute.name == "num_outputs" and attribute.i != len(node.output) for attribute in node.attribute
    )


def captures(node: NodeProto) -> list[str]:
    """The outer names that the subgraphs of a node use, each once."""
    if not any(attribute.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS) for attribute in node.attribute):
        return []
    found: dict[str, None] = {}
    waiting: list[tuple[GraphProto, frozenset[str]]] = [(graph, frozenset()) for graph in subgraphs(node)]
    while waiting:
        graph, around = waiting.pop()
        own = around.union(
            (value.name for value in graph.input),
            (tensor.name for tensor in graph.initializer),
            (sparse.values.name for sparse in graph.sparse_initializer),
            *(each.output for each in graph.node),
        )
        read = [name for each in graph.node for name in each.input] + [value.name for value in graph.output]
        found.update(dict.fromkeys(name for name in read if name and name not in own))
        waiting += [(inner, own) for each in graph.node for inner in subgraphs(each)]
    return list(found)


def used_names(node: NodeProto) -> list[str]:
    """The names that a node uses, captures included."""
    return [*filter(None, node.input), *captures(node)]


def node_name(node: NodeProto) -> str:
    """The name of a node in the program; an unnamed node has that of its first output."""
    return node.name or next(filter(None, node.output), node.op_type)


def label(node: NodeProto) -> str:
    """The description of a node in messages."""
    return f"{node.op_type or 'a node without op_type'} '{node.name or next(iter(node.output), '')}'"


def ordered(nodes: Sequence[NodeProto], given: Iterable[str]) -> list[NodeProto]:
    """The nodes in topological order, otherwise in their given order."""
    producers: dict[str, int] = {}
    known = set(given)
    for index, node in enumerate(nodes):
        for name in filter(None, node.output):
            if name in producers or name in known:
                raise OnnxError(f"two nodes or inputs are called '{name}'")
            producers[name] = index
    needs = [{name for name in used_names(node) if name not in known} for node in nodes]
    for node, names in zip(nodes, needs, strict=True):
        if unknown := sorted(name for name in names if name not in producers):
            raise OnnxError(f"{label(node)} reads '{unknown[0]}', which no node computes")
    before = [{producers[name] for name in names} for names in needs]
    if all(all(producer < index for producer in indices) for index, indices in enumerate(before)):
        return list(nodes)
    return [nodes[index] for index in _sorted(before, nodes)]


def _sorted(before: Sequence[set[int]], nodes: Sequence[NodeProto]) -> list[int]:
    users: list[list[int]] = [[] for _ in before]
    for index, producers in enumerate(before):
        for producer in producers:
            users[producer].append(index)
    missing = [len(producers) for producers in before]
    ready = deque(index for index, count in enumerate(missing) if not count)
    result: list[int] = []
    while ready:
        index = ready.popleft()
        result.append(index)
        for user in users[index]:
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    if len(result) < len(nodes):
        stuck = next(index for index, count in enumerate(missing) if count)
        raise OnnxError(f"the graph has a cycle: {label(nodes[stuck])} needs its own result")
    return result
