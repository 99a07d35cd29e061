"""Notes about nodes as they come, so that they can leave as they came."""

from collections.abc import Sequence

import numpy as np
from onnx import NodeProto, TensorProto
from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.npu.source import ConstantOp
from ...origins import node_of
from ..came import CameInput, CameNode, ReadNumbers, ReadValue
from ..made_ops import MOST_NUMBERS, is_in_text, made_ops
from .graph import ImportedGraph
from .order import node_name
from .sizes import static
from .types import ONNX_TYPES


def came_node(graph: ImportedGraph, proto: NodeProto, results: Sequence[SSAValue | None]) -> CameNode | None:
    """The note about a node that became these values; None if it cannot leave as it came."""
    last = _last(results)
    if any(each.t.data_location == TensorProto.EXTERNAL for each in proto.attribute):
        return None
    if last is None or node_of(last) != node_name(proto) or (made := made_ops(last)) is None:
        return None
    numbers = {value: number for number, value in enumerate(made.leaves)}
    inputs: list[CameInput] = []
    for name in proto.input:
        found = _input(graph, name, numbers) if name else None
        if name and found is None:
            return None
        inputs.append(found)
    given = {each.number for each in inputs if isinstance(each, ReadValue)}
    if not all(number in given or is_in_text(value) for value, number in numbers.items()):
        return None
    outputs = [value.index if isinstance(value, OpResult) else None for value in results]
    return CameNode(proto, made.text, inputs, [*outputs, *[None] * (len(proto.output) - len(outputs))])


def _last(results: Sequence[SSAValue | None]) -> Operation | None:
    """The op that computes all results, or None."""
    owners = {value.owner for value in results if value is not None}
    (owner,) = owners if len(owners) == 1 else (None,)
    return owner if isinstance(owner, Operation) else None


def _input(graph: ImportedGraph, name: str, numbers: dict[SSAValue, int]) -> CameInput:
    value = graph.values[name]
    if value.ssa is not None and (number := numbers.get(value.ssa)) is not None:
        is_constant = isinstance(value.ssa.owner, ConstantOp)
        return ReadValue(number, static(value.shaped.sizes) if is_constant else None)
    known = graph.known(name)
    if known is None or known.dtype == np.object_ or known.size > MOST_NUMBERS:
        return None
    return ReadNumbers(name, ONNX_TYPES[value.shaped.element], known)
