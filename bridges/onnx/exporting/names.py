"""Unique names of tensors and nodes."""

from collections.abc import Iterable, Sequence
from typing import cast

from onnx import AttributeProto
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, SSAValue

from .bodies import nodes_within, taken_by
from .graph import Exported, OnnxNode, OnnxTensor
from .versions import subgraphs


class UniqueNames:
    """Generator of unique names."""

    def __init__(self, came: Iterable[str] = (), outer: "UniqueNames | None" = None) -> None:
        """Names inside a subgraph also differ from those of the graph around it, which has all of its names already.

        Names with a number are none of those that `came`.
        """
        self._taken: set[str] = set() if outer is None else {*outer._taken}
        self._came: set[str] = {*came} if outer is None else outer._came
        self._numbers: dict[str, int] = {}

    def reserve(self, name: str) -> None:
        """Mark a name as taken."""
        self._taken.add(name)

    def new(self, wanted: str) -> str:
        """The wanted name, with a number if it is taken or one of those that came."""
        return self.numbered(wanted) if wanted in self._came else self.unique(wanted)

    def unique(self, wanted: str) -> str:
        """The wanted name, with a number if it is taken."""
        if wanted in self._taken:
            return self.numbered(wanted)
        self._taken.add(wanted)
        return wanted

    def numbered(self, wanted: str, first: int = 1) -> str:
        """The wanted name with a number, from the first one on."""
        number = self._numbers.get(wanted, first)
        while (name := f"{wanted}_{number}") in self._taken or name in self._came:
            number += 1
        self._numbers[wanted] = number + 1
        self._taken.add(name)
        return name


def notes_of(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[DictionaryAttr]:
    """The attributes of each argument or result of a function."""
    return list(attributes) if attributes is not None else [DictionaryAttr({})] * count


def texts_of(dims: Iterable[Attribute]) -> tuple[str, ...]:
    """The names of dimensions, or `""` for those without one."""
    return tuple(each.data if isinstance(each, StringAttr) else "" for each in dims)


def name_interface(exported: Exported, names: UniqueNames, keeps: bool = False) -> None:
    """Name the inputs and outputs of a graph; a name that is kept may also be one of the graph around it.

    Unless the graph reads what has this name there.
    """
    read = {tensor.name for tensor in taken_by(exported)} if keeps else set[str | None]()
    function, graph = exported.function, exported.graph
    arguments, returned = function.body.block.args, function.get_return_op()
    assert returned is not None
    for tensors, values, attributes, word in (
        (graph.inputs, arguments, function.arg_attrs, "input"),
        (exported.outputs, returned.operands, function.res_attrs, "output"),
    ):
        # The last arguments of a subgraph are no inputs.
        found = zip(tensors, values, notes_of(attributes, len(values)), strict=False)
        for index, (tensor, value, notes) in enumerate(found):
            if tensor.name is None:
                wanted = _wanted(notes, value, f"{word}{index}")
                tensor.name = wanted if keeps and wanted not in read else names.unique(wanted)
                names.reserve(tensor.name)


def _wanted(notes: DictionaryAttr, value: SSAValue, otherwise: str) -> str:
    known = notes.data.get("onnx.name")
    return known.data if isinstance(known, StringAttr) else value.name_hint or otherwise


def name_tensors(exported: Exported, constants: Iterable[OnnxTensor], names: UniqueNames) -> None:
    """Name all other tensors of a graph, by their names in the imported model or the program if possible."""
    for node in nodes_within(exported):
        for name in defined_in_subgraphs(node):
            names.reserve(name)
    results = (tensor for node in exported.nodes for tensor in node.outputs if tensor is not None)
    present = dict.fromkeys((*results, *constants))
    for wanted in (exported.names, exported.hints):
        known = {tensor.original or tensor: name for tensor, name in reversed(wanted)}
        given = [(tensor, name) for tensor in present if (name := known.get(tensor.original or tensor)) is not None]
        # Views that a pass inserts in front of an op have its location, so the last one is the op. A constant keeps
        # its name where it is also read in another shape or order.
        named = (x for x in given if x[0].name is None and x[0].original is None and wanted is exported.names)
        last = {name: tensor for tensor, name in named}
        for tensor, name in (*((tensor, name) for name, tensor in last.items()), *given):
            if tensor.name is None:
                tensor.name = names.unique(name)
    for tensor in present:
        if tensor.name is None:
            tensor.name = _usual_name(tensor, names)


def _usual_name(tensor: OnnxTensor, names: UniqueNames) -> str:
    """The kind of the node, or a number for each constant.

    tpu-mlir calls the copies of a constant, one for each further use, by its name with a number.
    """
    return names.numbered("constant", 0) if tensor.node is None else names.new(tensor.node.kind.lower())


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
