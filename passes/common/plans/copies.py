"""Ops that run twice: a copy behind each of them, and the uses that read the copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.builtin import NameLoc, StringAttr
from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.npu.shape import ViewOp
from ..graph.producers import Use
from ..words.reasons import Names


class CopyPlan(NamedTuple):
    """The ops to copy, and who reads a copy."""

    ops: Sequence[Operation]
    """In program order."""
    moved: Sequence[Use]
    """The uses of results of these ops, or of views of them, that read the copy instead."""
    moved_of_copies: Sequence[Use]
    """The uses whose op has a copy that reads a copy instead."""


@dataclass
class Copies:
    """The copies that a plan has made, which can be taken back."""

    made: dict[Operation, Operation]
    """For each op that runs twice its copy."""
    views: dict[SSAValue, OpResult]
    """The results of copies, and the views of them, by those that they are copies of."""
    before: list[tuple[Use, SSAValue]]
    """The operands that were replaced, of ops that were there."""

    def take_back(self) -> None:
        """Leave the program as it came."""
        for use, value in self.before:
            use.op.operands[use.operand] = value
        added = dict.fromkeys([*self.made.values(), *(value.op for value in self.views.values())])
        for op in added:
            op.detach()
        for op in added:
            op.erase(safe_erase=False)


def apply_copies(plan: CopyPlan, strategy: str, names: Names) -> Copies:
    """Copy ops, and the views between a copy and those that read it."""
    copies = Copies({}, {}, [])
    for op in plan.ops:
        copy = op.clone()
        reason = f"{strategy}: {names.of(op)} runs twice"
        copy.location = NameLoc(StringAttr(reason), op.location)
        _insert_behind(op, copy)
        copies.made[op] = copy
        _enter(copies, op, copy, names)
    for use in plan.moved:
        value = use.value
        copies.before.append((use, value))
        use.op.operands[use.operand] = _copied(copies, value, names)
    for use in plan.moved_of_copies:
        copy = copies.made[use.op]
        copy.operands[use.operand] = _copied(copies, copy.operands[use.operand], names)
    return copies


def _copied(copies: Copies, value: SSAValue, names: Names) -> OpResult:
    """A view of the copy of what a value is a view of."""
    if value not in copies.views:
        view = value.owner
        assert isinstance(view, ViewOp)
        copy = view.clone({view.input: _copied(copies, view.input, names)})
        _insert_behind(view, copy)
        _enter(copies, view, copy, names)
    return copies.views[value]


def _enter(copies: Copies, op: Operation, copy: Operation, names: Names) -> None:
    for result, copied in zip(op.results, copy.results, strict=True):
        copies.views[result] = copied
        names.alias(copied, result)


def _insert_behind(op: Operation, copy: Operation) -> None:
    block = op.parent
    assert block is not None
    block.insert_op_after(copy, op)
