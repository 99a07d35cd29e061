"""The data that a choice of modes moves, counted on a copy of the program behind the best groups."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from ...dialects.npu.shape import ViewOp
from ..common.apply import apply_plan
from ..common.insertion import After, AtStart, Before, InsertionPoint
from ..common.plan import Conversion, LayoutPlan, Source
from ..common.producers import Use
from ..common.reasons import Names
from ..fusion.cover_parts import KnownParts
from ..fusion.covered import covered
from .conversions import plan_of
from .mode_choice import ModeChoice
from .traffic_value import TrafficValue


def value_of(choice: ModeChoice, known: KnownParts) -> TrafficValue:
    """The data that a program moves if it is written as chosen. Changes nothing."""
    copied = _Copied(plan_of(choice, lambda use: ""))
    apply_plan(copied.plan, Names(copied.plan.module))
    found = covered(copied.plan.module, choice.target_layouts.target, choice.assumed_size, known)
    return TrafficValue.of(found, choice.cost)


class _Copied:
    """A plan for a copy of its program."""

    def __init__(self, plan: LayoutPlan) -> None:
        module = plan.module.clone()
        self._ops = dict(zip(plan.module.walk(), module.walk(), strict=True))
        self._blocks: dict[Block, Block] = {}
        for op, other in self._ops.items():
            for region, copy in zip(op.regions, other.regions, strict=True):
                self._blocks |= zip(region.blocks, copy.blocks, strict=True)
        self._conversions: dict[Conversion, Conversion] = {}
        for conversion in plan.conversions:
            self._conversions[conversion] = self._conversion(conversion)
        self.plan = LayoutPlan(
            module,
            plan.strategy,
            {self._ops[op]: form for op, form in plan.relayouts.items()},
            [*self._conversions.values()],
            {Use(self._ops[use.op], use.operand): self._source(source) for use, source in plan.reads.items()},
            [self._ops[op] for op in plan.dead],
            [cast("ViewOp", self._ops[view]) for view in plan.views],
            {cast("BlockArgument", self._value(each)): type_ for each, type_ in plan.arguments.items()},
            [cast("FuncOp", self._ops[each]) for each in plan.functions],
        )

    def _value(self, value: SSAValue) -> SSAValue:
        if isinstance(value, OpResult):
            return self._ops[value.op].results[value.index]
        assert isinstance(value, BlockArgument)
        return self._blocks[value.block].args[value.index]

    def _source(self, source: Source) -> Source:
        return self._conversions[source] if isinstance(source, Conversion) else self._value(source)

    def _conversion(self, conversion: Conversion) -> Conversion:
        return replace(
            conversion,
            source=self._value(conversion.source),
            behind=None if conversion.behind is None else self._conversions[conversion.behind],
            served=self._ops[conversion.served],
            point=self._point(conversion.point),
            reason=None,
        )

    def _point(self, point: InsertionPoint | None) -> InsertionPoint | None:
        match point:
            case None:
                return None
            case Before(op):
                return Before(self._ops[op])
            case After(op):
                return After(self._ops[op])
            case AtStart(block):
                return AtStart(self._blocks[block])
