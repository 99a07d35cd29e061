"""The strategy `naive`: every op on features or weights is wrapped in transposes of its own."""

from collections.abc import Mapping
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ..common.demands.demand_reasons import axis_reason, demands_reason
from ..common.demands.target_layouts import TargetLayouts
from ..common.graph.op_classes import is_cnn, is_fixed, only_transposes, order_of, works_on_cnn
from ..common.graph.producers import Use
from ..common.plans.plan import Reshaped
from ..common.words.reasons import Reason
from .order_choice import OrderChoice, PlacementRule

ALONE: Final = Reason(None, "is wrapped alone")


def choose_naive(module: ModuleOp, target_layouts: TargetLayouts) -> OrderChoice:
    """Convert operands to the target's preferred order before each op, and results back behind it."""
    choice = choose_preferred(module, target_layouts, PlacementRule.BEFORE_EACH_USER)
    _restore_between(choice)
    return choice


def choose_preferred(module: ModuleOp, target_layouts: TargetLayouts, rule: PlacementRule) -> OrderChoice:
    """Write each op on features or weights in the target's preferred order, and others as demands ask, op by op."""
    choice = OrderChoice(module, target_layouts, rule, "layout-preset")
    for op in module.walk():
        if not isinstance(op, NpuOp) or is_fixed(op) or only_transposes(op):
            continue
        demands = target_layouts.demands(op)
        relayout = None
        if works_on_cnn(op) and any(map(is_cnn, op.operands)):
            relayout = target_layouts.preferred_relayout(op, [order_of(value) for value in op.operands])
        if relayout is None and demands is not None:
            relayout = target_layouts.demanded_relayout(op, demands, [order_of(value) for value in op.operands])
        if relayout is not None:
            choice.reasons[op] = ALONE
            choice.write(op, relayout)
    return choice


def choose_alone(
    module: ModuleOp, target_layouts: TargetLayouts, forms: Mapping[Operation, Relayout | Reshaped], pass_name: str
) -> OrderChoice:
    """Write the ops in these forms on a target that demands blocks, each with its own conversions."""
    choice = OrderChoice(module, target_layouts, PlacementRule.BEFORE_EACH_USER, pass_name)
    for op, form in forms.items():
        demands = target_layouts.demands(op)
        reason = axis_reason(target_layouts, op) if demands is None else demands_reason(target_layouts, op, demands)
        choice.reasons[op] = ALONE if reason is None else reason
        choice.write(op, form)
    _restore_between(choice)
    return choice


def _restore_between(choice: OrderChoice) -> None:
    """Restore the orders of the input program between all ops."""
    choice.why_via = "is converted back, as each op is wrapped alone"
    for op in choice.module.walk():
        for index, value in enumerate(op.operands):
            order = order_of(value)
            if order is not None and (op in choice.relayouts or value.owner in choice.relayouts):
                choice.via[Use(op, index)] = order
