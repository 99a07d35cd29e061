"""The strategy `naive` on targets with blocks: each op with unmet demands is wrapped in conversions of its own."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ...common.demands.target_layouts import OpDemands
from ...common.plans.plan import Reshaped
from ...optimal.modes.block_forms import fits
from ...optimal.modes.modes import Mode
from ...optimal.modes.reshaped_form import reshaped_form
from .table import RuleTable


def forms_of_naive(table: RuleTable) -> dict[Operation, Relayout | Reshaped]:
    """The forms of the ops that do not meet their demands: the first one that the target lists."""
    found: dict[Operation, Relayout | Reshaped] = {}
    for op, modes in zip(table.choosers, table.modes, strict=True):
        if not isinstance(op, NpuOp):
            continue
        mode = _first_demanded(modes, [each.demands for each in table.target_layouts.alternatives(op)])
        if mode.relayout is not None and mode.form is not None:
            is_own = mode.form.is_own
            found[op] = mode.relayout if is_own else reshaped_form(op, mode, table.table.storage, table.target_layouts)
    return found


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
