"""The data that a choice of modes moves, counted on a copy of the program behind the best groups."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.npu.shape import AnyTransposeOp
from ....dialects.npu.views import views_above
from ...common.plans.apply import apply_plan
from ...common.plans.copied_plan import CopiedPlan
from ...common.plans.plan import Conversion
from ...common.words.reasons import Names
from ...cover.module import covered
from ...cover.parts import KnownParts
from ...cover.traffic_value import Converted, TrafficValue
from ..choice.mode_choice import ModeChoice
from ..choice.plan import PlanDraft


def value_of(choice: ModeChoice, known: KnownParts) -> TrafficValue:
    """The data that a program moves if it is written as chosen. Changes nothing."""
    plan = PlanDraft(choice).plan(lambda use: "")
    copied = CopiedPlan(plan)
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
