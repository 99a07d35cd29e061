"""The branch of an `If` whose condition is known, as nodes of the graph around it."""

from collections.abc import Iterable, Mapping

from onnx import GraphProto, NodeProto, helper

from .order import DEFAULT_DOMAINS, subgraphs
from .types import Array


def chosen_branch(node: NodeProto, condition: Array | None) -> GraphProto | None:
    """The branch that runs, or None if that is not known, or the node has none."""
    if node.op_type != "If" or node.domain not in DEFAULT_DOMAINS:
        return None
    if condition is None or condition.size != 1 or condition.dtype.kind != "b":
        return None
    wanted = "then_branch" if condition.item() else "else_branch"
    found = next((attribute.g for attribute in node.attribute if attribute.name == wanted), None)
    return found if found is not None and len(found.output) == len(node.output) else None


def beside(graph: GraphProto, node: NodeProto, taken: Iterable[str]) -> GraphProto:
    """A copy of the branch of a node with names that are not taken, whose outputs are those of the node."""
    known, prefix = set(taken), f"{node.name or node.output[0]}/"
    own = _own_names(graph)
    while any(prefix + name in known for name in own):
        prefix += "_"
    copy = GraphProto()
    copy.CopyFrom(graph)
    _rename(copy, {name: prefix + name for name in own if name})
    copy.node.extend(
        helper.make_node("Identity", [value.name], [name])
        for value, name in zip(copy.output, node.output, strict=True)
        if name
    )
    return copy


def _own_names(graph: GraphProto) -> set[str]:
    """The names that a graph defines itself."""
    defined = [tensor.name for tensor in graph.initializer] + [value.name for value in graph.input]
    return {*defined, *(name for node in graph.node for name in node.output)}


def _rename(graph: GraphProto, names: Mapping[str, str]) -> None:
    """Rename values of a graph and, where they are not hidden by others, in the graphs inside of it."""
    for each in (*graph.initializer, *graph.value_info, *graph.output):
        each.name = names.get(each.name, each.name)
    for node in graph.node:
        for ends in (node.input, node.output):
            ends[:] = [names.get(name, name) for name in ends]
        for inner in subgraphs(node):
            hidden = _own_names(inner)
            _rename(inner, {name: new for name, new in names.items() if name not in hidden})
