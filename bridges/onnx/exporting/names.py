"""Unique names of tensors and nodes."""

from collections.abc import Iterable, Sequence
from typing import cast

from onnx import AttributeProto
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import SSAValue

from .elements import I4, U4
from .graph import OnnxGraph, OnnxNode, OnnxTensor
from .program import Exported
from .versions import subgraphs


class UniqueNames:
    """Generator of unique names."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def reserve(self, name: str) -> None:
        """Mark a name as taken."""
        self._taken.add(name)

    def unique(self, wanted: str) -> str:
        """The wanted name, with a number appended if it is taken."""
        name = wanted
        while name in self._taken:
            self._numbers[wanted] = self._numbers.get(wanted, 0) + 1
            name = f"{wanted}_{self._numbers[wanted]}"
        self._taken.add(name)
        return name


def notes_of(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[DictionaryAttr]:
    """The attributes of each argument or result of a function."""
    return list(attributes) if attributes is not None else [DictionaryAttr({})] * count


def name_ends(exported: Exported, names: UniqueNames) -> list[OnnxTensor]:
    """Name the inputs and outputs of the graph, and return the outputs, which are distinct results of nodes."""
    function, graph = exported.function, exported.graph
    arguments = function.body.block.args
    for tensor, argument, notes in zip(
        graph.inputs, arguments, notes_of(function.arg_attrs, len(arguments)), strict=True
    ):
        tensor.name = names.unique(_wanted(notes, argument, f"input{argument.index}"))
    returned = function.get_return_op()
    assert returned is not None
    outputs: list[OnnxTensor] = []
    notes = notes_of(function.res_attrs, len(returned.operands))
    for index, (tensor, value) in enumerate(zip(exported.outputs, returned.operands, strict=True)):
        if tensor.node is None or tensor in outputs:
            tensor = _copied(graph, tensor)
        tensor.name = names.unique(_wanted(notes[index], value, f"output{index}"))
        outputs.append(tensor)
    return outputs


def _wanted(notes: DictionaryAttr, value: SSAValue, otherwise: str) -> str:
    known = notes.data.get("onnx.name")
    return known.data if isinstance(known, StringAttr) else value.name_hint or otherwise


def _copied(graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    # ONNX Runtime has no Identity for elements of 4 bits.
    if x.element in (I4, U4):
        return graph.node("Cast", x, to=x.element)
    return graph.node("Identity", x)


def name_tensors(nodes: Sequence[OnnxNode], exported: Exported, names: UniqueNames) -> None:
    """Name all other tensors, by their names in the imported model or the program if possible."""
    for node in nodes:
        for name in defined_in_subgraphs(node):
            names.reserve(name)
    tensors = [tensor for node in nodes for tensor in (*node.inputs, *node.captures.values(), *node.outputs)]
    present = dict.fromkeys(tensor for tensor in tensors if tensor is not None)
    for wanted in (exported.names, exported.hints):
        known = {tensor.original or tensor: name for tensor, name in reversed(wanted)}
        for tensor in present:
            name = known.get(tensor.original or tensor)
            if name is not None and tensor.name is None:
                tensor.name = names.unique(name)
    for tensor in present:
        if tensor.name is None:
            tensor.name = names.unique(_usual_name(tensor))


def _usual_name(tensor: OnnxTensor) -> str:
    return "constant" if tensor.node is None else tensor.node.kind.lower()


def _attributes(node: OnnxNode) -> Sequence[AttributeProto]:
    return cast("Sequence[AttributeProto]", node.attributes) if isinstance(node.attributes, list) else ()


def defined_in_subgraphs(node: OnnxNode) -> Iterable[str]:
    """The names defined in the subgraphs of a node, which must not be defined outside."""
    waiting = list(subgraphs(_attributes(node)))
    while waiting:
        graph = waiting.pop()
        yield from (each.name for each in (*graph.input, *graph.initializer))
        for inner in graph.node:
            yield from inner.output
            waiting += subgraphs(inner.attribute)


def renamed_captures(node: OnnxNode) -> Sequence[AttributeProto]:
    """The attributes of an opaque node, with the captures of its subgraphs renamed."""
    new_names = {old: tensor.name for old, tensor in node.captures.items() if tensor.name != old}
    if not new_names:
        return _attributes(node)
    copies: list[AttributeProto] = []
    for attribute in _attributes(node):
        copy = AttributeProto()
        copy.CopyFrom(attribute)
        copies.append(copy)
    waiting = list(subgraphs(copies))
    while waiting:
        graph = waiting.pop()
        for inner in graph.node:
            for index, name in enumerate(inner.input):
                inner.input[index] = new_names.get(name) or name
            waiting += subgraphs(inner.attribute)
        for output in graph.output:
            output.name = new_names.get(output.name) or output.name
    return copies
