"""Nodes that leave as they came, because no pass has changed the ops that they became."""

from collections.abc import Sequence
from typing import TypeAlias

from onnx import NodeProto, defs
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ....dialects.file_rules import FileRules
from ....dialects.npu.shape import ReshapeOp, TransposeOp
from ....dialects.npu.values import element_type_of, shape_of
from ...origins import node_of
from ..came import CameInput, CameNode, CameNodes, ReadNumbers
from ..errors import NotExportable
from ..made_ops import MadeOps, made_ops
from ..nchwc import DOMAIN as BLOCKS
from .elements import I64, carrier
from .graph import OnnxGraph, OnnxNode, OnnxTensor, numbers_of
from .versions import KeptNode, translated
from .weights import from_array

Unchanged: TypeAlias = dict[Operation, tuple[CameNode, MadeOps]]
"""The node of each op that is the last one of those that a node became, as they still are."""


def unchanged(function: FuncOp, came: CameNodes) -> Unchanged:
    """The ops that are as the nodes of the model became."""
    found: Unchanged = {}
    left = {name: [*nodes] for name, nodes in came.by_name.items()}
    for op in function.body.block.ops if left else ():
        noted = left.get(node_of(op) or "", [])
        made = made_ops(op) if noted else None
        if made is not None and (node := next((each for each in noted if each.text == made.text), None)) is not None:
            noted.remove(node)
            found[op] = node, made
    return found


def is_constant(last: Operation, leaves: Sequence[OnnxTensor]) -> bool:
    """True for a view of a constant, which is a constant in the file."""
    return isinstance(last, ReshapeOp | TransposeOp) and all(x.weights is not None for x in leaves)


def as_it_came(node: CameNode, operands: Sequence[OnnxTensor], last: Operation, graph: OnnxGraph) -> OnnxNode | None:
    """Add the node; None if the opset of the graph does not have it, or the target refuses it."""
    proto = node.proto
    outputs = [OnnxTensor(I64 if each is None else _element(last.results[each])) for each in node.outputs]
    inputs = [None if each is None else _input(each, operands, graph) for each in node.inputs]
    if not _is_allowed(proto, inputs, graph.rules):
        return None
    given = KeptNode(proto.op_type, list(proto.attribute), inputs, len(outputs), numbers_of)
    kept = _in_opset(given, proto.domain, outputs, graph)
    if kept is None:
        return None
    made = OnnxNode(kept.kind, tuple(kept.inputs), kept.attributes, tuple(outputs), proto.domain, is_as_it_came=True)
    if made.kind == "Transpose":
        order = next((list(each.ints) for each in proto.attribute), None)
        made.implied = frozenset({"perm"} if order is None else ())
        made.attributes = {"perm": order or [*range(len(shape_of(last.results[0])))][::-1]}
    for tensor in outputs:
        tensor.node = made
    graph.add(made)
    return made


def _is_allowed(proto: NodeProto, inputs: Sequence[OnnxTensor | None], rules: FileRules) -> bool:
    """True unless the target refuses the node, which can then leave in another form."""
    if proto.domain or proto.op_type not in ("Gemm", "MatMul"):
        return True
    left, right = inputs[:2]
    if left is None or right is None:
        return True
    if rules.no_constant_lhs and left.weights is not None:
        return False
    ranks = [_rank(left), _rank(right)]
    return not rules.equal_ranks or ranks[1] == 2 or ranks[0] == ranks[1] or None in ranks


def _rank(x: OnnxTensor) -> int | None:
    sizes = x.sizes if x.weights is None else x.weights.shape
    return None if sizes is None else len(sizes)


def _element(value: SSAValue) -> int:
    return carrier(element_type_of(value))


def _input(given: CameInput, operands: Sequence[OnnxTensor], graph: OnnxGraph) -> OnnxTensor | None:
    """An input of the node: one that its ops read, or a constant that they have as attributes."""
    if given is None:
        return None
    if isinstance(given, ReadNumbers):
        return graph.named(given.name, OnnxTensor(given.element, weights=from_array(given.array, given.element)))
    operand = operands[given.number]
    if given.shape is None or operand.weights is None:
        return operand
    return graph.reshape(operand, given.shape)


def _in_opset(
    node: KeptNode[OnnxTensor], domain: str, outputs: Sequence[OnnxTensor], graph: OnnxGraph
) -> KeptNode[OnnxTensor] | None:
    """The node in the opset of the graph, or None."""
    before, after = graph.foreign_opset, graph.opset.number
    if domain:
        # The size of blocks of channels is in no node.
        return node if domain in graph.domains and domain != BLOCKS else None
    if not defs.has(node.kind, after) or defs.get_schema(node.kind, after).deprecated:
        return None
    if before in (None, after):
        return node
    try:
        found = translated(node, before, after, graph.constants_like(node.inputs[:1]))
        elements = [None if x is None else x.element for x in found.inputs]
        graph.opset.check(found.kind, elements, outputs[0].element, {each.name: each for each in found.attributes})
    except NotExportable:
        return None
    return found
