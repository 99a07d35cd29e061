"""The data that a choice of modes moves, counted on a copy of the program behind the best groups."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from ....dialects.npu.shape import AnyTransposeOp, ViewOp
from ....dialects.npu.views import views_above
from ...common.graph.producers import Use
from ...common.plans.apply import apply_plan
from ...common.plans.insertion import After, AtStart, Before, InsertionPoint
from ...common.plans.plan import Conversion, LayoutPlan, Source
from ...common.words.reasons import Names
from ...cover.module import covered
from ...cover.parts import KnownParts
from ...cover.traffic_value import Converted, TrafficValue
from ..choice.mode_choice import ModeChoice
from ..choice.plan import plan_of


def value_of(choice: ModeChoice, known: KnownParts) -> TrafficValue:
    """The data that a program moves if it is written as chosen. Changes nothing."""
    plan = plan_of(choice, lambda use: "")
    copied = _Copied(plan)
    made = apply_plan(copied.plan, Names(copied.plan.module))
    found = covered(copied.plan.module, choice.table.target_layouts.target, choice.table.assumed_size, known)
    outside: dict[Converted, None] = {}
    for use in choice.uses:
        if use.is_converted and not choice.table.storage.is_constant(use.root):
            source, view = plan.reads[use.use], _last_transpose(use.value)
            while isinstance(source, Conversion) and not source.is_counted:
                source = source.behind
            if isinstance(source, Conversion):
                moving = made[copied.conversions[source]].op
            else:
                moving = None if view is None else copied.ops[view]
            if moving is not None and moving not in found.absorbed:
                outside[use.root, use.byte_order] = None
    return TrafficValue.of(found, choice.cost)._replace(outside=list(outside))


def _last_transpose(value: SSAValue) -> AnyTransposeOp | None:
    """The transpose of the program behind which a value is the same data; it stays if it is the conversion of a use."""
    return next((view for view in views_above(value) if isinstance(view, AnyTransposeOp)), None)


class _Copied:
    """A plan for a copy of its program."""

    def __init__(self, plan: LayoutPlan) -> None:
        module = plan.module.clone()
        self.ops = dict(zip(plan.module.walk(), module.walk(), strict=True))
        self._blocks: dict[Block, Block] = {}
        for op, other in self.ops.items():
            for region, copy in zip(op.regions, other.regions, strict=True):
                self._blocks |= zip(region.blocks, copy.blocks, strict=True)
        self.conversions: dict[Conversion, Conversion] = {}
        for conversion in plan.conversions:
            self.conversions[conversion] = self._conversion(conversion)
        self.plan = LayoutPlan(
            module,
            plan.strategy,
            {self.ops[op]: form for op, form in plan.relayouts.items()},
            [*self.conversions.values()],
            {Use(self.ops[use.op], use.operand): self._source(source) for use, source in plan.reads.items()},
            [self.ops[op] for op in plan.dead],
            [cast("ViewOp", self.ops[view]) for view in plan.views],
            {cast("BlockArgument", self._value(each)): type_ for each, type_ in plan.arguments.items()},
            [cast("FuncOp", self.ops[each]) for each in plan.functions],
        )

    def _value(self, value: SSAValue) -> SSAValue:
        if isinstance(value, OpResult):
            return self.ops[value.op].results[value.index]
        assert isinstance(value, BlockArgument)
        return self._blocks[value.block].args[value.index]

    def _source(self, source: Source) -> Source:
        return self.conversions[source] if isinstance(source, Conversion) else self._value(source)

    def _conversion(self, conversion: Conversion) -> Conversion:
        return replace(
            conversion,
            source=self._value(conversion.source),
            behind=None if conversion.behind is None else self.conversions[conversion.behind],
            served=self.ops[conversion.served],
            point=self._point(conversion.point),
            reason=None,
        )

    def _point(self, point: InsertionPoint | None) -> InsertionPoint | None:
        match point:
            case None:
                return None
            case Before(op):
                return Before(self.ops[op])
            case After(op):
                return After(self.ops[op])
            case AtStart(block):
                return AtStart(self._blocks[block])
