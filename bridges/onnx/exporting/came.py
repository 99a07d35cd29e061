"""Nodes that leave as they came, because no pass has changed the ops that they became."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from onnx import NodeProto, defs
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects.npu.shape import RelabelOp, ReshapeOp, TransposeOp
from ....dialects.npu.values import element_type_of, shape_of
from ....dialects.settings.file_rules import FileRules
from ...origins import node_of
from ..came import CameInput, CameNode, CameNodes, ReadNumbers, ReadType, ReadValue
from ..errors import NotExportable
from ..importing.order import node_name
from ..made_ops import MadeOps, is_part, made_ops, type_text
from ..nchwc import DOMAIN as BLOCKS
from .elements import DTYPES, I64, carrier
from .graph import OnnxGraph, OnnxNode, OnnxTensor, numbers_of
from .versions import KeptNode, translated
from .weights import from_array

Found: TypeAlias = Sequence[tuple[Operation, MadeOps] | None]
"""Ops that compute the outputs of a node as they did; None for one that is not there."""
MOST_REPEATED = 1 << 20
"""The most bytes of a constant that a file may have in several orders or shapes."""
Ops: TypeAlias = Mapping[str | None, Sequence[Operation]]
"""The ops of each node."""


@dataclass(slots=True)
class Unchanged:
    """A node whose ops are as it became them."""

    came: CameNode
    inputs: Sequence[SSAValue | None]
    """The values of the program that it reads; None for an input that is left out or has its numbers in the ops."""
    outputs: Sequence[SSAValue | None]
    inner: Sequence[Operation] = ()
    """The ops between both, which nothing else uses: they are not in the file if the node is."""
    passed: list[Operation] = field(default_factory=list[Operation])
    """The inner ops in front of the node's first one."""
    results: Mapping[SSAValue, OnnxTensor] | None = None
    """The results of the node, as soon as it is in the graph."""
    is_possible: bool = True
    """False if the node cannot be where its first op is, or in the opset of the file."""


def unchanged(function: FuncOp, came: CameNodes) -> dict[Operation, Unchanged]:
    """The nodes of the model that the ops of a function still are, by each op that computes outputs."""
    places = {op: place for place, op in enumerate(function.body.block.ops)} if came.by_name else {}
    ops: dict[str | None, list[Operation]] = {}
    for op in places:
        ops.setdefault(node_of(op), []).append(op)
    result: dict[Operation, Unchanged] = {}
    noted = dict.fromkeys(node for name in ops for node in came.by_name.get(name or "", ()))
    finder = _Finder(ops, result)
    for node in noted:
        found = finder.found(node)
        values = None if found is None else _inputs(node, found)
        if found is None or values is None:
            continue
        if all(
            value is not None for value, given in zip(values, node.inputs, strict=True) if isinstance(given, ReadValue)
        ):
            last = [None if each is None else each[0] for each in found]
            outputs = [None if at is None or (op := last[at[0]]) is None else op.results[at[1]] for at in node.outputs]
            ops_of = {op for each in found if each is not None for op in each[1].ops}
            same = Unchanged(node, values, outputs, _inner(ops_of, last, places))
            result.update((op, same) for op in last if op is not None)
    return result


def _inner(ops: Iterable[Operation], last: Container[Operation], places: Mapping[Operation, int]) -> list[Operation]:
    """The ops in front of the last ones that these alone use, with relabels between them."""
    between = {op: None for op in ops if op not in last}
    waiting = [*between]
    while waiting:
        for user in _users(waiting.pop()):
            if isinstance(user, RelabelOp) and user not in between:
                between[user] = None
                waiting.append(user)
    inner: dict[Operation, None] = {}
    for op in sorted(between, key=lambda op: places[op], reverse=True):
        if all(user in inner or user in last for user in _users(op)):
            inner[op] = None
    return [*inner]


def _users(op: Operation) -> Iterator[Operation]:
    return (use.operation for result in op.results for use in result.uses)


class _Finder:
    """Finds the ops of nodes among those of a function that are not taken."""

    def __init__(self, ops: Ops, taken: Container[Operation]) -> None:
        self._ops = ops
        self._taken = taken
        self._made = cache(made_ops)

    def found(self, node: CameNode) -> Found | None:
        """The ops that compute the outputs of a node; None if one of them is another now. Unused ones may be gone."""
        found: list[tuple[Operation, MadeOps] | None] = []
        for name, text in node.last:
            alike = (each for each in self._alike(name, text, node.parts) if _inputs(node, [*found, each]) is not None)
            found.append(next(alike, None))
        if None not in found:
            return found
        seen = {op for each in found if each is not None for op in each[1].ops}
        parts = (op for name in node.parts for op in self._ops.get(name, ()) if is_part(op, node.parts))
        return found if seen and all(op in seen for op in parts) else None

    def _alike(self, name: str, text: str, parts: frozenset[str]) -> Iterator[tuple[Operation, MadeOps]]:
        for op in self._ops.get(name, ()):
            both = (self._made(op, parts, shares) for shares in (False, True) if op not in self._taken)
            if (made := next((each for each in both if each is not None and each.text == text), None)) is not None:
                yield op, made


def _inputs(node: CameNode, found: Found) -> Sequence[SSAValue | None] | None:
    """The values that these ops read as the inputs of a node; None if two of them read different ones as the same.

    Where they have the type of a value only, it has to be of that type, and one that is computed anyway.
    """
    values: list[SSAValue | None] = []
    for given in node.inputs:
        if isinstance(given, ReadType):
            is_there = isinstance(given.value, BlockArgument) or given.value.first_use is not None
            if not is_there or type_text(given.value) != given.text:
                return None
            values.append(given.value)
            continue
        places = given.places if isinstance(given, ReadValue) else ()
        read = [each[1].leaves[place] for number, place in places for each in found[number : number + 1] if each]
        if any(value is not read[0] for value in read):
            return None
        values.append(read[0] if read else None)
    return values


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


def rank_of_first(node: Unchanged) -> int:
    """The rank of the first output of a node."""
    return 0 if node.outputs[0] is None else len(shape_of(node.outputs[0]))


def is_allowed(proto: NodeProto, inputs: Sequence[OnnxTensor | None], rules: FileRules) -> bool:
    """True unless the target refuses the node; other nodes can then take its place."""
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
