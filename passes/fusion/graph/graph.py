"""The forward data-flow graph of a block: edges from producers to users, each with a fusion kind."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike, IsTerminator, Pure, is_side_effect_free

from ....dialects.npu.base import NpuOp
from ....dialects.npu.fusion import FusionKind
from ....dialects.npu.values import has_one_element, rank_of, shape_of

Source: TypeAlias = Operation | BlockArgument
"""The source of a node: a block argument, or an op with all of its results."""


class Edge(NamedTuple):
    """A use of a node's value."""

    reader: int
    """Index of the node that uses the value."""
    kind: FusionKind


@dataclass
class FusionNode:
    """An argument or an op."""

    source: Source
    index: int
    kind: FusionKind
    edges: list[Edge] = field(default_factory=list[Edge])
    """The uses by other nodes, one for each operand."""
    is_used_outside: bool = False
    """True if it is returned, or used by an op that is no node."""
    previous: Operation | None = None
    """For an op with side effects, the one that has to be executed before it."""


def forward_graph(block: Block, without_effects: Container[Operation] = (), has_edges: bool = True) -> list[FusionNode]:
    """The nodes of a block in topological order, with side effects in program order.

    `without_effects` are ops that are known to have no side effects although their definition does not say so. Groups
    of stages do without edges and kinds.

    Arguments come first. The ops follow in the post-order of a depth-first walk from the returned values to their
    operands, from left to right; ops that no returned value depends on come last.
    """
    return _Walk(block, without_effects, has_edges).nodes


class _Walk:
    """The depth-first walk over a block; iterative, since networks are deep."""

    def __init__(self, block: Block, without_effects: Container[Operation], has_edges: bool) -> None:
        self._block = block
        self._has_edges = has_edges
        self.nodes: list[FusionNode] = []
        self._known: dict[Source, FusionNode] = {}
        self._uses: list[tuple[Source, Source, FusionKind]] = []
        self._outside: set[Source] = set()
        self._previous = effects_before(block.ops, without_effects)
        for argument in block.args:
            self._add(argument, FusionKind.OPAQUE)
            self._outside.add(argument)
        last = block.last_op
        self._end = last if isinstance(last, ReturnOp) else None
        for op in [*([] if last is None else [last]), *block.ops]:
            if op not in self._known:
                self._visit(op)
        for producer, reader, kind in self._uses:
            self._known[producer].edges.append(Edge(self._known[reader].index, kind))
        for source in self._outside:
            self._known[source].is_used_outside = True

    def _visit(self, root: Operation) -> None:
        """Add the producers of an op's operands, from left to right, and then the op."""
        waiting = [(root, self._producers_of(root))]
        while waiting:
            op, before = waiting[-1]
            for producer in before:
                if self._is_open(producer):
                    waiting.append((producer, self._producers_of(producer)))
                    break
            else:
                waiting.pop()
                if op not in self._known and op is not self._end:
                    self._add(op, kind_of(op) if self._has_edges else FusionKind.OPAQUE)

    def _is_open(self, op: Operation) -> bool:
        return op not in self._known and op.parent is self._block

    def _producers_of(self, op: Operation) -> Iterator[Operation]:
        """Record the uses of an op, and return the ops that have to be added before it."""
        if self._has_edges:
            self._note_uses(op)
        before = [value.op for value in values_used_by(op) if isinstance(value, OpResult)]
        if op in self._previous:
            before.append(self._previous[op])
        return iter(before)

    def _note_uses(self, op: Operation) -> None:
        kind = kind_of(op)
        for value in values_used_by(op):
            source = _source_of(value, self._block)
            if source is None:
                continue
            if isinstance(op, ReturnOp) or value not in op.operands:
                self._outside.add(source)
            else:
                self._uses.append((source, op, edge_kind(kind, op, value)))

    def _add(self, source: Source, kind: FusionKind) -> None:
        previous = self._previous.get(source) if self._previous and isinstance(source, Operation) else None
        node = FusionNode(source, len(self.nodes), kind, previous=previous)
        self.nodes.append(node)
        self._known[source] = node


def _source_of(value: SSAValue, block: Block) -> Source | None:
    """The source of a value, if it belongs to this block."""
    if isinstance(value, BlockArgument):
        return value if value.block is block else None
    assert isinstance(value.owner, Operation)
    return value.owner if value.owner.parent is block else None


def effects_before(ops: Iterable[Operation], without_effects: Container[Operation] = ()) -> dict[Operation, Operation]:
    """Map each op with side effects to the previous one, if there is one."""
    before: dict[Operation, Operation] = {}
    previous: Operation | None = None
    for op in ops:
        if op in without_effects or not has_effects(op):
            continue
        if previous is not None:
            before[op] = previous
        previous = op
    return before


def has_effects(op: Operation) -> bool:
    """True if an op may have side effects; a terminator has none."""
    return not computes_only(op) and not op.has_trait(IsTerminator, value_if_unregistered=False)


def computes_only(op: Operation) -> bool:
    """True if an op has no side effects."""
    return _is_pure(type(op)) or is_side_effect_free(op)


@lru_cache(maxsize=1024)
def _is_pure(kind: type[Operation]) -> bool:
    return kind.has_trait(Pure, value_if_unregistered=False)


def values_used_by(op: Operation) -> Iterable[SSAValue]:
    """The operands of an op and of all ops in its regions."""
    if not op.regions:
        return op.operands
    inner = (value for region in op.regions for each in region.walk() for value in each.operands)
    return [*op.operands, *inner]


def kind_of(op: Operation) -> FusionKind:
    """The fusion kind of an op. A constant of one element may join any group, so it is elementwise."""
    if is_scalar_constant(op):
        return FusionKind.ELEMENTWISE
    if is_constant(op):
        return FusionKind.OPAQUE
    return op.fusion_kind() if isinstance(op, NpuOp) else FusionKind.OPAQUE


def is_constant(op: Operation) -> bool:
    return _are_constants(type(op))


@lru_cache(maxsize=1024)
def _are_constants(kind: type[Operation]) -> bool:
    return kind.has_trait(ConstantLike, value_if_unregistered=False)


def is_scalar_constant(op: Operation) -> bool:
    """True if an op is a constant tensor of one element."""
    return is_constant(op) and isinstance(op.results[0].type, TensorType) and has_one_element(op.results[0])


def edge_kind(kind: FusionKind, reader: Operation, value: SSAValue) -> FusionKind:
    """The kind of a use: that of the user, or elementwise if a broadcast does not repeat this operand."""
    if kind is not FusionKind.BROADCAST or not isinstance(value.type, TensorType):
        return kind
    result = reader.results[0]
    same = rank_of(value) == rank_of(result) and shape_of(value) == shape_of(result)
    return FusionKind.ELEMENTWISE if same else kind
