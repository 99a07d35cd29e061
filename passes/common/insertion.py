"""Where new ops stand, and putting them there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter


@dataclass(frozen=True, slots=True)
class Before:
    """Right before an op, behind what was put there earlier."""

    op: Operation


@dataclass(frozen=True, slots=True)
class After:
    """Right behind an op and what was put there earlier."""

    op: Operation


@dataclass(frozen=True, slots=True)
class AtHead:
    """At the head of a block, behind what was put there earlier."""

    block: Block


InsertionPoint: TypeAlias = Before | After | AtHead


def right_behind(value: SSAValue) -> InsertionPoint:
    """Right behind what a value comes from."""
    if isinstance(value, OpResult):
        return After(value.op)
    assert isinstance(value, BlockArgument)
    return AtHead(value.block)


def before_reader(value: SSAValue, reader: Operation) -> Before:
    """Right before an op, or before the op around it that stands in the block of the value that it reads."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    ancestor = block and block.find_ancestor_op_in_block(reader)
    return Before(ancestor or reader)


class Inserter:
    """Puts new ops into a program."""

    def __init__(self, replaced: Mapping[Operation, Operation]) -> None:
        self._replaced = replaced
        """What became of ops that stands may name."""
        self._last: dict[Operation | Block, Operation] = {}
        """The last op that was put behind an op, or at the head of a block."""

    def put(self, ops: Sequence[Operation], point: InsertionPoint, location: LocationAttr, name: str | None) -> None:
        """Put ops somewhere, say where they come from, and give their results a name."""
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
            case AtHead(block):
                last = self._last.get(block)
                Rewriter.insert_op(ops, InsertPoint.at_start(block) if last is None else InsertPoint.after(last))
                self._last[block] = ops[-1]
