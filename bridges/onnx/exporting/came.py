"""Nodes that leave as they came, because no pass has changed the ops that they became."""

from collections.abc import Sequence
from typing import TypeAlias

from onnx import NodeProto, defs
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.shape import ReshapeOp, TransposeOp
from ....dialects.npu.values import element_type_of, shape_of
from ....dialects.settings.file_rules import FileRules
from ...came_nodes import ReadValue, Unchanged
from ..came import CameInput, ReadNumbers
from ..errors import NotExportable
from ..importing.order import node_name
from ..nchwc import DOMAIN as BLOCKS
from .elements import DTYPES, I64, carrier
from .graph import OnnxGraph, OnnxNode, OnnxTensor, numbers_of
from .versions import KeptNode, translated
from .weights import from_array

MOST_REPEATED = 1 << 20
"""The most bytes of a constant that a file may have in several orders or shapes."""


Kept: TypeAlias = Unchanged[NodeProto, OnnxTensor]


def is_constant(last: Operation, inputs: Sequence[OnnxTensor | None]) -> bool:
    """True for a view of a constant, which is a constant in the file; a large one is there once."""
    if not isinstance(last, ReshapeOp | TransposeOp):
        return False
    sizes = [0 if x is None else x.weights and x.weights.size for x in inputs]
    return None not in sizes and (max(filter(None, sizes), default=0) <= MOST_REPEATED or not _is_read_besides(last))


def _is_read_besides(view: ReshapeOp | TransposeOp) -> bool:
    """True if an op reads what is viewed in another way, in its own order or through other views."""
    while True:
        alike = type(view), view.properties, view.result.type
        users = (use.operation for use in view.input.uses)
        if any(alike != (type(user), user.properties, *(x.type for x in user.results)) for user in users):
            return True
        if not isinstance(view.input.owner, ReshapeOp | TransposeOp):
            return False
        view = view.input.owner


def add_came(
    proto: NodeProto,
    given: Sequence[OnnxTensor | None],
    outputs: Sequence[int],
    rank: int,
    graph: OnnxGraph,
    names: list[tuple[OnnxTensor, str]],
) -> OnnxNode | None:
    """Add a node as it came, and the names that its tensors have in the model; None if the opset lacks it.

    Its outputs have these element types, and the first one this rank.
    """
    tensors = [OnnxTensor(element) for element in outputs]
    elements = [None if x is None else x.element for x in given]
    use = KeptNode(proto.op_type, list(proto.attribute), given, len(tensors), numbers_of, lambda x: x.sizes, elements)
    kept = _in_opset(use, proto.domain, tensors, graph)
    if kept is None:
        return None
    made = OnnxNode(kept.kind, tuple(kept.inputs), kept.attributes, tuple(tensors), proto.domain, is_as_it_came=True)
    if made.kind == "Transpose":
        order = next((list(each.ints) for each in proto.attribute), None)
        made.implied = frozenset({"perm"} if order is None else ())
        made.attributes = {"perm": order or [*range(rank)][::-1]}
    for tensor in tensors:
        tensor.node = made
    graph.add(made)
    made.name = node_name(proto)
    named = [x for x in zip(made.inputs, proto.input, strict=False) if x[0] is not None and x[0].weights is not None]
    ends = (*named, *zip(tensors, proto.output, strict=True))
    names += [(tensor, name) for tensor, name in ends if tensor is not None and name]
    return made


def element_of(value: SSAValue | None) -> int:
    """The element type of an output; that of one without a use is of no matter."""
    return I64 if value is None else carrier(element_type_of(value))


def rank_of_first(node: Kept) -> int:
    """The rank of the first output of a node."""
    return 0 if node.outputs[0] is None else len(shape_of(node.outputs[0]))


def is_allowed(proto: NodeProto, inputs: Sequence[OnnxTensor | None], rules: FileRules) -> bool:
    """True unless the target refuses the node; other nodes can then take its place."""
    if proto.domain or proto.op_type not in ("Gemm", "MatMul"):
        return bool(proto.domain) or proto.op_type not in rules.lacks
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


def given_tensor(given: CameInput, operand: OnnxTensor | None, graph: OnnxGraph) -> OnnxTensor | None:
    """An input of the node: one that its ops read, or a constant that they have as attributes."""
    if isinstance(given, ReadNumbers):
        return numbers_tensor(given, graph)
    is_constant = operand is not None and operand.weights is not None
    if not isinstance(given, ReadValue) or given.shape is None or operand is None or not is_constant:
        return operand
    result = graph.reshape(operand, given.shape)
    result.came = operand.came
    return result


def numbers_tensor(given: ReadNumbers, graph: OnnxGraph) -> OnnxTensor | None:
    """A short constant of the model; None if numpy lacks its element type."""
    if given.element not in DTYPES:
        return None
    result = graph.named(given.name, OnnxTensor(given.element, weights=from_array(given.array, given.element)))
    result.came = given.name
    return result


def _in_opset(
    node: KeptNode[OnnxTensor], domain: str, outputs: Sequence[OnnxTensor], graph: OnnxGraph
) -> KeptNode[OnnxTensor] | None:
    """The node in the opset of the graph, or None."""
    before, after = graph.foreign_opset, graph.opset.number
    if domain:
        # The size of blocks of channels is in no node.
        return node if domain in graph.domains and domain != BLOCKS else None
    if before == after:
        # ONNX Runtime runs some ops in opsets that do not have them yet.
        return node
    if not defs.has(node.kind, after) or defs.get_schema(node.kind, after).deprecated:
        return None
    if before is None:
        return node
    try:
        found = translated(node, before, after, graph.constants_like(node.inputs[:1]))
        elements = [None if x is None else x.element for x in found.inputs]
        graph.opset.check(found.kind, elements, outputs[0].element, {each.name: each for each in found.attributes})
    except NotExportable:
        return None
    return found
