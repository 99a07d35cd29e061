"""The second run of an op in words: its two forms, and what it saves."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.npu.values import encoding
from ...common.moves.transpose_cost import units_text
from ...common.storages.storage import ByteOrder
from ...common.words.reasons import Names
from ..choice.copied_ops import CopiedOps
from ..choice.mode_choice import ModeTable


def second_run_lines(
    copied: CopiedOps, table: ModeTable, value: SSAValue, names: Names, least_without: Callable[[Operation], int]
) -> list[str]:
    """The second run of the op behind a value, if it has one, and the cost of the program with all second runs.

    `least_without` is the least cost of the program in which some op runs once.
    """
    root = table.storage.root(value)
    if not copied.modes:
        return []
    unit, count = table.unit_text, copied.count
    ops = f"{count} ops that run" if count > 1 else "1 op that runs"
    in_all = f"{units_text(copied.cost)} {unit} in all, {units_text(copied.price)} of them for the second runs"
    lines = [f"  with {ops} twice: {in_all}"]
    if isinstance(root, OpResult) and root.op in copied.modes:
        first, second = (form_text(root, mode.produces[root.index], table) for mode in copied.modes[root.op])
        saved, price = least_without(root.op) - copied.cost, copied.prices[root.op]
        twice = f"{names.of(root.op)} runs twice, {first} and {second}, for {units_text(price)} {unit}"
        lines.insert(0, f"  {twice}: that saves {units_text(saved)} {unit}")
    return lines


def form_text(root: SSAValue, byte_order: ByteOrder | None, table: ModeTable) -> str:
    """A byte order of a storage in words."""
    layout = encoding(root.type)
    order = None if byte_order is None else table.storage.order(root, byte_order)
    return "in pieces of its axes" if layout is None or order is None else f"in {layout.with_order(order)}"
