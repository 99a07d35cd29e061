"""Notes about nodes as they come, so that they can leave as they came."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from onnx import NodeProto, TensorProto
from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of
from ...building import are_known, static
from ...came_nodes import Place, ReadType, ReadValue, last_ops
from ...made_ops import is_in_text, made_ops, type_text
from ...origins import node_of
from ..came import BareNode, CameInput, OnnxCameNode, ReadNumbers, ReadSizes
from .graph import ImportedGraph
from .order import node_name
from .types import ONNX_TYPES, Array


def came_node(
    graph: ImportedGraph, proto: NodeProto, results: Sequence[SSAValue | None], parts: frozenset[str]
) -> OnnxCameNode | None:
    """The note about a node that became these values, as ops of these nodes; None if it cannot leave as it came."""
    # A conversion may have made outputs that the node leaves out at its end.
    last = last_ops(results[: len(proto.output)], parts)
    if last is None or any(each.t.data_location == TensorProto.EXTERNAL for each in proto.attribute):
        return None
    places = last.places
    inputs: list[CameInput] = []
    for name in proto.input:
        found = _input(graph, name, places) if name else None
        if name and found is None:
            return None
        inputs.append(found)
    if not last.have_all_in(inputs, parts):
        return None
    outputs = [*last.outputs, *[None] * (len(proto.output) - len(last.outputs))]
    return OnnxCameNode(proto, parts, last.texts, inputs, outputs, _has_equal_ranks(graph, proto))


def note_folded(graph: ImportedGraph, proto: NodeProto, result: Array) -> None:
    """Note a node that is folded. Where the user has asked for constants it has to compute with unknown sizes.

    A Transpose of known numbers is a constant in the file, and so is what is computed from it.
    """
    is_known = result.dtype != np.object_
    if node_name(proto) in graph.expanded or (is_known and proto.op_type == "Transpose"):
        return
    numbers = _numbers(graph, proto)
    if graph.takes_branches and is_known and not any(_has_unknown_sizes(graph, name) for name in proto.input if name):
        return
    shaped = graph.shaped(proto.output[0])
    graph.own.bare[proto.output[0]] = BareNode(
        proto, numbers, (ONNX_TYPES[shaped.element],), shaped.rank, result if is_known else None
    )


def _has_unknown_sizes(graph: ImportedGraph, name: str) -> bool:
    return name in graph.own.bare or not are_known(graph.shaped(name).sizes)


def note_graph(graph: ImportedGraph, nodes: Iterable[tuple[NodeProto, bool]]) -> None:
    """Note the values of a graph that is complete, and its nodes without ops; true ones can leave as they came."""
    own = graph.own
    for name, value in graph.values.items():
        if isinstance(value.ssa, BlockArgument) and isinstance(value.ssa.type, TensorType):
            own.arguments[name] = type_text(value.ssa)
        elif value.ssa is not None and isinstance(value.ssa.owner, ConstantOp) and graph.names.get(value.ssa) == name:
            own.constants[name] = value.ssa.owner.value
    for proto, is_noted in nodes:
        if node_name(proto) not in graph.expanded:
            _note_bare(graph, proto, is_noted)


def _note_bare(graph: ImportedGraph, proto: NodeProto, is_noted: bool) -> None:
    values = [graph.values[name].ssa if name else None for name in proto.output]
    elements = [0 if value is None else ONNX_TYPES.get(element_type_of(value), 0) for value in values]
    numbers: Mapping[str, ReadNumbers] | None = None
    for name, value in zip(proto.output, values, strict=True):
        if value is None:
            continue
        root, known = graph.names.get(value, name), graph.own.bare.get(name)
        is_gone = isinstance(value.owner, Operation) and value.owner.parent is None
        shows = root if root != name and not is_gone else None
        if shows is not None and proto.op_type == "Transpose":
            # It moves nothing, and engines may move it.
            continue
        is_view = [*_views(value)][1:] != []
        has_ops = known is None and not is_gone and shows is None and not is_view
        if has_ops and (is_noted or not _note_together(graph, value)):
            continue
        if known is None:
            numbers = _numbers(graph, proto) if numbers is None else numbers
            known = BareNode(proto, numbers, elements, graph.shaped(name).rank)
        graph.own.bare[name] = replace(known, shows=shows, text=type_text(value), has_ops=has_ops)


def _note_together(graph: ImportedGraph, value: SSAValue) -> bool:
    """Note an op that several nodes became; false if it reads values of which the model has no names."""
    op = value.owner
    if not isinstance(op, Operation) or (name := node_of(op)) is None:
        return False
    parts = frozenset({name})
    made = made_ops(op, parts)
    if made is None:
        return False
    inputs: list[CameInput] = []
    proto = NodeProto(output=[graph.names.get(result, "") for result in op.results])
    for place, leaf in enumerate(made.leaves):
        if leaf in graph.names:
            proto.input.append(graph.names[leaf])
            inputs.append(ReadValue(((0, place),), None))
        elif not is_in_text(leaf, parts):
            return False
    outputs = [(0, place) if given else None for place, given in enumerate(proto.output)]
    graph.came.note(OnnxCameNode(proto, parts, [(name, made.text)], inputs, outputs))
    return True


def _numbers(graph: ImportedGraph, proto: NodeProto) -> Mapping[str, ReadNumbers]:
    """The short constants of the model that a node reads."""
    result: dict[str, ReadNumbers] = {}
    for name in filter(None, proto.input):
        value = graph.values[name]
        if value.tensor is not None and (known := graph.known(name)) is not None:
            result[name] = ReadNumbers(name, ONNX_TYPES[value.shaped.element], known)
    return result


def _has_equal_ranks(graph: ImportedGraph, proto: NodeProto) -> bool:
    if proto.domain or proto.op_type != "MatMul":
        return False
    left, right = (graph.values[name].shaped for name in proto.input)
    return left.whole is right.whole is None and len(left.sizes) == len(right.sizes)


def _views(value: SSAValue) -> Iterator[SSAValue]:
    """The value, and the constant that it is in another shape."""
    yield value
    source = value
    while isinstance(source.owner, ReshapeOp):
        source = source.owner.input
    if isinstance(source.owner, ConstantOp):
        yield source


def _input(graph: ImportedGraph, name: str, places: Mapping[SSAValue, Sequence[Place]]) -> CameInput:
    value = graph.values[name]
    for source in () if value.ssa is None else _views(value.ssa):
        if (found := places.get(source)) is not None:
            return ReadValue(found, static(value.shaped.sizes) if isinstance(source.owner, ConstantOp) else None)
    known = graph.known(name)
    if known is not None and known.dtype == np.object_:
        return ReadSizes()
    if known is None and value.ssa is not None and isinstance(value.ssa.type, TensorType):
        return ReadType(value.ssa, type_text(value.ssa))
    if known is None:
        return None
    return ReadNumbers(name, ONNX_TYPES[value.shaped.element], known)
