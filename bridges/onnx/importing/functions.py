"""Inlining of the functions of a model."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from onnx import AttributeProto, FunctionProto, ModelProto, NodeProto, OperatorSetIdProto, defs, inliner

from ..errors import OnnxError, brief
from .checking import OTHER_MEANING
from .order import DEFAULT_DOMAINS, all_nodes, label

MOST_NODES = 1 << 18
"""The largest number of nodes after inlining."""
MOST_BYTES = 1 << 30
"""The largest total size of the inlined bodies."""
DEEPEST = 256
"""The deepest nesting of calls."""
RUNTIME_DOMAIN = "com.microsoft"
"""The domain of ONNX Runtime, which takes its own op where a function has the same name."""

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
    _Defaults(model.functions).write(model)
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
    nodes = [*model.graph.node, *(node for each in model.functions for node in each.node)]
    _check_names(functions, all_nodes(nodes))
    _check_overloads(functions)
    for key in functions.keys() & set(_called(nodes)):
        _check_version(functions[key], _version(model.opset_import))
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


def _check_names(functions: Collection[Key], nodes: Iterable[NodeProto]) -> None:
    """Check that no node means an op or a function, depending on the runtime."""
    for node in nodes:
        key = _key(node.domain, node.op_type, node.overload)
        if key in functions and (node.domain == RUNTIME_DOMAIN or defs.has(node.op_type, domain=key[0])):
            raise OnnxError(
                f"{label(node)}: the model has a function with the name of this op, and runtimes differ in which of the"
                " two they run: rename the function, or remove it"
            )


def _check_overloads(functions: Mapping[Key, FunctionProto]) -> None:
    """Check that no function calls an overload of a function in the place of which ONNX Runtime calls another one."""
    for node in all_nodes(node for each in functions.values() for node in each.node):
        key, plain = (_key(node.domain, node.op_type, overload) for overload in (node.overload, ""))
        if key != plain and key in functions and plain in functions:
            raise OnnxError(
                f"{label(node)}: a call of '{_name(key)}' in a function, for which ONNX Runtime takes '{_name(plain)}':"
                " rename one of the two functions"
            )


def _version(imports: Iterable[OperatorSetIdProto]) -> int:
    return max((each.version for each in imports if each.domain in DEFAULT_DOMAINS), default=0)


def _check_version(function: FunctionProto, version: int) -> None:
    """Check that the ops of a function mean the same in the version of the model, by which runtimes run them."""
    own = _version(function.opset_import) or version
    first, last = sorted((own, version))
    for node in all_nodes(function.node):
        changed = OTHER_MEANING.get(node.op_type, 0) if node.domain in DEFAULT_DOMAINS else 0
        if first < changed <= last:
            raise OnnxError(
                f"{label(node)}: in ONNX {own}, the version of the function '{function.name}', this is another op than"
                f" in ONNX {version}, that of the model, and runtimes take the op of the model: give both one version"
            )


class _Defaults:
    """Default values of attributes of functions, which the inliner of the package onnx (1.23) drops.

    A default applies as well if a function hands on an attribute that its own caller has left out. Such calls are of
    copies of the function, without the attribute.
    """

    def __init__(self, functions: Iterable[FunctionProto]) -> None:
        self._originals = {_key(each.domain, each.name, each.overload): each for each in functions}
        self._copies: dict[tuple[Key, frozenset[str]], FunctionProto] = {}
        self._waiting: list[tuple[FunctionProto, frozenset[str]]] = []
        self._names = {each.name for each in self._originals.values()}

    def write(self, model: ModelProto) -> None:
        """Write the defaults at all calls in a model."""
        self._complete(model.graph.node, frozenset())
        while self._waiting:
            function, absent = self._waiting.pop()
            self._complete(function.node, absent)
        del model.functions[:]
        model.functions.extend(self._copies.values())

    def _complete(self, nodes: Iterable[NodeProto], absent: frozenset[str]) -> None:
        """Complete the calls in a body, whose function is called without some attributes."""
        for node in all_nodes(nodes):
            kept = [each for each in node.attribute if each.ref_attr_name not in absent]
            _replace(node, kept)
            key = _key(node.domain, node.op_type, node.overload)
            if (function := self._originals.get(key)) is None:
                continue
            given = {each.name for each in kept}
            _replace(node, [*kept, *(each for each in function.attribute_proto if each.name not in given)])
            node.op_type = self._called(key, frozenset(function.attribute) - given)

    def _called(self, key: Key, absent: frozenset[str]) -> str:
        """The name of a function that is called without these attributes."""
        if (key, absent) not in self._copies:
            copy = FunctionProto()
            copy.CopyFrom(self._originals[key])
            while absent and copy.name in self._names:
                copy.name += "_"
            self._names.add(copy.name)
            self._copies[key, absent] = copy
            self._waiting.append((copy, absent))
        return self._copies[key, absent].name


def _replace(node: NodeProto, attributes: list[AttributeProto]) -> None:
    if len(attributes) != len(node.attribute):
        copies = [AttributeProto.FromString(each.SerializeToString()) for each in attributes]
        del node.attribute[:]
        node.attribute.extend(copies)


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
