"""The stages that may run ops in any layout, for bounds that hold for all of them."""

from __future__ import annotations

from collections.abc import Container, Iterator

from xdsl.ir import Operation

from ....dialects.npu.packing import PackingOp, PackOp, UnpackOp
from ....dialects.npu.shape import ReshapeOp, TransposeOp, ViewOp
from ....targets import OperandKind, Rule, Stage, name_of
from ...fusion.stages.stage_match import Matching, uses_of

MOVING = (TransposeOp, PackOp, UnpackOp)
"""The ops that a layout pass inserts to move data."""


class LooseMatching(Matching):
    """The stages that run an op in at least one of the forms that a layout pass may give it.

    Views move nothing, as none of them need be left, and dead ops are ignored. Such a pass may swap operands, put
    transposes between ops or leave them out, and merge the axes of constants.
    """

    def __init__(self, as_it_is: Matching, live: Container[Operation], reshaped: Container[Operation]) -> None:
        """`reshaped` are the ops that may be written over pieces of their axes."""
        super().__init__(as_it_is.target, as_it_is.layouts)
        self._as_it_is = as_it_is
        self.origins = as_it_is.origins
        self.order = as_it_is.order
        self._live = live
        self._reshaped = reshaped

    def moves_nothing(self, op: Operation) -> bool:
        if isinstance(op, ViewOp) or op not in self._live or super().moves_nothing(op):
            return True
        # In other orders a pack that adds no padding may leave all data where it is.
        return isinstance(op, PackingOp) and not any(layout.padded_axes for layout in op.layouts())

    def reads_for_nothing(self, op: Operation) -> bool:
        return op in self._live and super().reads_for_nothing(op)

    def needs_no_stage(self, op: Operation) -> bool:
        return self._as_it_is.needs_no_stage(op)

    @property
    def turning(self) -> list[Stage]:
        """The stages that may run or absorb a transpose."""
        return [
            stage
            for stage in self.target.stages.values()
            if stage.absorbs is not False or any(stage.rules_for(op.name) for op in MOVING)
        ]

    def _fits(self, rule: Rule, op: Operation) -> bool:
        if rule.before is not None and not self._is_followed_by(self.target.stage(rule.before), op):
            return False
        count = len(op.operands)
        kind = rule.operand_kind
        if kind is OperandKind.CHANNEL_CONSTANT and op in self._reshaped:
            kind = OperandKind.CONSTANT
        return kind is OperandKind.ANY or not count or any(self._others_fit(kind, op, data) for data in range(count))

    def _is_followed_by(self, stage: Stage, op: Operation) -> bool:
        # A layout pass may put these behind any op.
        if any(stage.rules_for(each.name) for each in (*MOVING, ReshapeOp)):
            return True
        return any(stage.rules_for(name_of(reader)) for reader in self._readers(op))

    def _readers(self, op: Operation) -> Iterator[Operation]:
        """The ops that read the results of an op, also through those that may be passed."""
        waiting, passed = [op], {op}
        while waiting:
            for reader in (use.operation for use in uses_of(waiting.pop())):
                yield reader
                if reader not in passed and (isinstance(reader, ViewOp) or self._is_passed(reader)):
                    passed.add(reader)
                    waiting.append(reader)
