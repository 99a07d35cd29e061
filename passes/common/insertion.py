"""Insertion points that stay valid while ops are being replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter


@dataclass(frozen=True, slots=True)
class Before:
    """Right before an op, behind all ops inserted there earlier."""

    op: Operation


@dataclass(frozen=True, slots=True)
class After:
    """Right behind an op and all ops inserted there earlier."""

    op: Operation


@dataclass(frozen=True, slots=True)
class AtStart:
    """At the start of a block, behind all ops inserted there earlier."""

    block: Block


InsertionPoint: TypeAlias = Before | After | AtStart


def right_behind(value: SSAValue) -> InsertionPoint:
    """Right behind the producer of a value."""
    if isinstance(value, OpResult):
        return After(value.op)
    assert isinstance(value, BlockArgument)
    return AtStart(value.block)


def before_user(value: SSAValue, user: Operation) -> Before:
    """Right before a user, or before its ancestor in the block of the value."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    ancestor = block and block.find_ancestor_op_in_block(user)
    return Before(ancestor or user)


class Inserter:
    """Inserts new ops."""

    def __init__(self, replaced: Mapping[Operation, Operation]) -> None:
        self._replaced = replaced
        """The current op for each replaced op that an insertion point may name."""
        self._last: dict[Operation | Block, Operation] = {}
        """The last op inserted behind an op, or at the start of a block."""

    def put(self, ops: Sequence[Operation], point: InsertionPoint, location: LocationAttr, name: str | None) -> None:
        """Insert ops with a location and a name hint for their results."""
        for op in ops:
            op.location = location
            op.results[0].name_hint = name
        match point:
            case Before(op):
                Rewriter.insert_op(ops, InsertPoint.before(self._replaced.get(op, op)))
            case After(op):
                op = self._replaced.get(op, op)
                Rewriter.insert_op(ops, InsertPoint.after(self._last.get(op, op)))
                self._last[op] = ops[-1]
            case AtStart(block):
                last = self._last.get(block)
                Rewriter.insert_op(ops, InsertPoint.at_start(block) if last is None else InsertPoint.after(last))
                self._last[block] = ops[-1]
