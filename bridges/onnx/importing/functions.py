"""Inlining of the functions of a model."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from onnx import FunctionProto, ModelProto, NodeProto, inliner

from ..errors import OnnxError, brief
from .order import DEFAULT_DOMAINS, all_nodes

MOST_NODES = 1 << 18
"""The largest number of nodes after inlining."""
MOST_BYTES = 1 << 30
"""The largest total size of the inlined bodies."""
DEEPEST = 256
"""The deepest nesting of calls."""

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Cost:
    """The size of some nodes after inlining of their calls."""

    nodes: int
    size: int
    depth: int


def inlined(model: ModelProto) -> ModelProto:
    """The model with its functions inlined."""
    if not model.functions:
        return model
    check_functions(model)
    try:
        return inliner.inline_local_functions(model, convert_version=True)
    except Exception as error:
        # The package onnx has no common exception class.
        raise OnnxError(f"the functions of the model cannot be inlined: {brief(error)}") from error


def check_functions(model: ModelProto) -> None:
    """Check that functions are not recursive, and that inlining stays within the limits."""
    functions: dict[Key, FunctionProto] = {}
    for function in model.functions:
        if functions.setdefault(key := _key(function.domain, function.name, function.overload), function) != function:
            raise OnnxError(f"two functions are called '{_name(key)}'")
    costs: dict[Key, _Cost] = {}
    for key in _callees_first(functions):
        function = functions[key]
        cost = _cost(function.node, costs)
        costs[key] = _Cost(cost.nodes, cost.size + function.ByteSize(), cost.depth + 1)
    whole = _cost(model.graph.node, costs)
    if whole.depth > DEEPEST:
        raise OnnxError(f"calls of functions are nested {whole.depth} deep; the limit is {DEEPEST}")
    if whole.nodes > MOST_NODES or whole.size > MOST_BYTES:
        most = f"the limit is {MOST_NODES} nodes and {MOST_BYTES} bytes"
        raise OnnxError(f"inlining the functions would make {whole.nodes} nodes of {whole.size} bytes; {most}")


def _key(domain: str, name: str, overload: str) -> Key:
    return ("" if domain in DEFAULT_DOMAINS else domain, name, overload)


def _name(key: Key) -> str:
    return ".".join(filter(None, key))


def _called(nodes: Iterable[NodeProto]) -> Iterator[Key]:
    return (_key(node.domain, node.op_type, node.overload) for node in all_nodes(nodes))


def _cost(nodes: Iterable[NodeProto], costs: dict[Key, _Cost]) -> _Cost:
    found = [costs.get(key, _Cost(1, 0, 0)) for key in _called(nodes)]
    return _Cost(
        sum(each.nodes for each in found),
        sum(each.size for each in found),
        max((each.depth for each in found), default=0),
    )


def _callees_first(functions: dict[Key, FunctionProto]) -> Iterator[Key]:
    """The functions, callees before callers."""
    done: set[Key] = set()
    entered: set[Key] = set()
    waiting = list(reversed(functions))
    while waiting:
        key = waiting[-1]
        if key in done:
            waiting.pop()
            continue
        if key in entered:
            waiting.pop()
            done.add(key)
            yield key
            continue
        entered.add(key)
        for callee in _called(functions[key].node):
            if callee in entered and callee not in done:
                raise OnnxError(f"the function '{_name(callee)}' calls itself")
            if callee in functions and callee not in done:
                waiting.append(callee)
