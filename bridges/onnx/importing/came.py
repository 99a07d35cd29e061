"""Notes about nodes as they come, so that they can leave as they came."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from onnx import NodeProto, TensorProto
from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.source import ConstantOp
from ...origins import node_of
from ..came import CameInput, CameNode, Place, ReadNumbers, ReadType, ReadValue
from ..made_ops import MOST_OPS, MadeOps, is_in_text, made_ops, type_text
from .graph import ImportedGraph
from .order import node_name
from .sizes import are_known, static
from .types import ONNX_TYPES, Array


def came_node(
    graph: ImportedGraph, proto: NodeProto, results: Sequence[SSAValue | None], parts: frozenset[str]
) -> CameNode | None:
    """The note about a node that became these values, as ops of these nodes; None if it cannot leave as it came."""
    last: dict[Operation, MadeOps] = {}
    numbers: dict[Operation, int] = {}
    outputs: list[Place | None] = []
    # A conversion may have made outputs that the node leaves out at its end.
    for value in results[: len(proto.output)]:
        if value is None:
            outputs.append(None)
            continue
        op = value.owner
        if not isinstance(value, OpResult) or not isinstance(op, Operation):
            return None
        if op not in last:
            if len(last) == MOST_OPS or (made := made_ops(op, parts)) is None:
                return None
            last[op], numbers[op] = made, len(last)
        outputs.append((numbers[op], value.index))
    if not last or any(each.t.data_location == TensorProto.EXTERNAL for each in proto.attribute):
        return None
    places: dict[SSAValue, list[Place]] = {}
    for number, made in enumerate(last.values()):
        for place, value in enumerate(made.leaves):
            places.setdefault(value, []).append((number, place))
    inputs: list[CameInput] = []
    for name in proto.input:
        found = _input(graph, name, places) if name else None
        if name and found is None:
            return None
        inputs.append(found)
    given = {place for each in inputs if isinstance(each, ReadValue) for place in each.places}
    if not all(given.issuperset(where) or is_in_text(value, parts) for value, where in places.items()):
        return None
    outputs += [None] * (len(proto.output) - len(outputs))
    texts = [(node_of(op) or "", made.text) for op, made in last.items()]
    return CameNode(proto, parts, texts, inputs, outputs, _has_equal_ranks(graph, proto))


def note_folded(graph: ImportedGraph, proto: NodeProto, result: Array) -> None:
    """Note a node of the model that is folded, if it computes sizes with an input of which some are unknown."""
    if graph.depth or node_name(proto) in graph.expanded or graph.shaped(proto.output[0]).element != i64:
        return
    folded, inputs = graph.came.folded, list[CameInput]()
    for name in proto.input:
        if not name or name in folded:
            inputs.append(ReadValue((), None) if name else None)
            continue
        value, known = graph.values[name], graph.known(name)
        if isinstance(value.ssa, BlockArgument) and not are_known(value.shaped.sizes):
            inputs.append(ReadType(value.ssa, type_text(value.ssa)))
        elif known is not None and known.dtype != np.object_:
            inputs.append(ReadNumbers(name, ONNX_TYPES[value.shaped.element], known))
        else:
            return
    if any(isinstance(each, ReadType | ReadValue) for each in inputs):
        folded[proto.output[0]] = CameNode(proto, frozenset(), (), inputs, (None,)), result


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
    if known is None and value.ssa is not None and isinstance(value.ssa.type, TensorType):
        return ReadType(value.ssa, type_text(value.ssa))
    if known is None or known.dtype == np.object_:
        return None
    return ReadNumbers(name, ONNX_TYPES[value.shaped.element], known)
