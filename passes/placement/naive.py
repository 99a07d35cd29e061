"""The strategy `naive`: every op on features or weights is wrapped in transposes of its own."""

from collections.abc import Mapping
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ..common.op_classes import is_cnn, is_fixed, only_transposes, order_of, works_on_cnn
from ..common.plan import Reshaped
from ..common.producers import Use
from ..common.reasons import Reason
from ..common.target_layouts import TargetLayouts
from .order_choice import OrderChoice, PlacementRule

ALONE: Final = Reason(None, "is wrapped alone")


def choose_naive(module: ModuleOp, target_layouts: TargetLayouts) -> OrderChoice:
    """Convert operands to the target's preferred order before each op, and results back behind it."""
    forms: dict[Operation, Relayout] = {}
    for op in module.walk():
        if not isinstance(op, NpuOp) or is_fixed(op) or only_transposes(op):
            continue
        present, demands, relayout = [order_of(value) for value in op.operands], target_layouts.demands(op), None
        if works_on_cnn(op) and any(map(is_cnn, op.operands)):
            relayout = target_layouts.preferred_relayout(op, present)
        if relayout is None and demands is not None:
            relayout = target_layouts.demanded_relayout(op, demands, present)
        if relayout is not None:
            forms[op] = relayout
    return choose_alone(module, target_layouts, forms, "layout-preset")


def choose_alone(
    module: ModuleOp, target_layouts: TargetLayouts, forms: Mapping[Operation, Relayout | Reshaped], pass_name: str
) -> OrderChoice:
    """Write ops in these forms, each with its own conversions, and restore the orders of the program between them."""
    choice = OrderChoice(module, target_layouts, PlacementRule.BEFORE_EACH_USER, pass_name)
    choice.why_via = "is converted back, as each op is wrapped alone"
    for op, form in forms.items():
        choice.reasons[op] = ALONE
        choice.write(op, form)
    for op in module.walk():
        for index, value in enumerate(op.operands):
            order = order_of(value)
            if order is not None and (op in choice.relayouts or value.owner in choice.relayouts):
                choice.via[Use(op, index)] = order
    return choice
