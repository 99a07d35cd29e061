"""The strategy `naive` on targets with blocks: each op with unmet demands is wrapped in conversions of its own."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.npu.base import NpuOp
from ..common.target_layouts import OpDemands
from ..optimal.block_forms import fits
from ..optimal.modes import Mode
from ..optimal.reshaped_form import reshaped_form
from .naive import ALONE, restore_between
from .order_choice import OrderChoice, PlacementRule
from .rule_table import RuleTable


def choose_naive_in_blocks(table: RuleTable, pass_name: str) -> OrderChoice:
    """Write the ops that do not meet their demands in the first form for these that the target lists."""
    target_layouts = table.target_layouts
    choice = OrderChoice(table.table.module, target_layouts, PlacementRule.BEFORE_EACH_USER, pass_name)
    for op, modes in zip(table.choosers, table.modes, strict=True):
        if not isinstance(op, NpuOp):
            continue
        mode = _first_demanded(modes, [each.demands for each in target_layouts.alternatives(op)])
        if mode.relayout is None or mode.form is None:
            continue
        is_own = mode.form.is_own
        choice.relayouts[op] = mode.relayout if is_own else reshaped_form(op, mode, table.table.storage, target_layouts)
        demands = target_layouts.demands(op)
        reason = target_layouts.axis_reason(op) if demands is None else target_layouts.reason(op, demands)
        choice.reasons[op] = ALONE if reason is None else reason
    restore_between(choice)
    return choice


def _first_demanded(modes: Sequence[Mode], all_demands: Sequence[OpDemands]) -> Mode:
    """The present mode if it meets one of the demands, else the first mode for the first demands that have one."""
    if modes[0].relayout is None:
        return modes[0]
    meeting = (mode for demands in all_demands for mode in modes if _meets(mode, demands))
    return next(meeting, modes[0])


def _meets(mode: Mode, demands: OpDemands) -> bool:
    if mode.form is None or mode.relayout is None or not fits(demands, mode.form):
        return False
    read = [mode.relayout.operands[mode.relayout.place_of(index)] for index in range(len(demands.operands))]
    return demands.are_met(read, mode.relayout.results)
