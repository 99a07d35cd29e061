"""Insertion points that stay valid while ops are being replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import LocationAttr
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.npu.source import ConstantOp


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
    if user.parent is block:
        return Before(user)
    ancestor = block and block.find_ancestor_op_in_block(user)
    return Before(ancestor or user)


def at_border(value: SSAValue, users: Sequence[Operation], is_rewritten: bool) -> InsertionPoint:
    """The border of the rewritten part of the program: behind arguments and constants, and where a value leaves it."""
    if not isinstance(value, OpResult) or isinstance(value.op, ConstantOp):
        return right_behind(value)
    return at_exit(value, users, is_rewritten)


def at_exit(value: SSAValue, users: Sequence[Operation], is_rewritten: bool) -> InsertionPoint:
    """Behind a producer that is rewritten, unless the value is only returned; else before the first user."""
    if is_rewritten and not all(isinstance(user, ReturnOp) for user in users):
        return right_behind(value)
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    if len({user.parent for user in users}) > 1 and not all(
        block and block.find_ancestor_op_in_block(user) for user in users
    ):
        return right_behind(value)
    return before_user(value, users[0])


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
                op = self._replaced.get(op, op)
                _block_of(op).insert_ops_before(ops, op)
            case After(op):
                op = self._replaced.get(op, op)
                last = self._last.get(op, op)
                _block_of(last).insert_ops_after(ops, last)
                self._last[op] = ops[-1]
            case AtStart(block):
                last = self._last.get(block)
                Rewriter.insert_op(ops, InsertPoint.at_start(block) if last is None else InsertPoint.after(last))
                self._last[block] = ops[-1]


def _block_of(op: Operation) -> Block:
    assert op.parent is not None
    return op.parent
