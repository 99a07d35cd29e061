"""The constants of a choice that are kept in several orders, and what each order beside the first costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....targets import CostUnit, Target
from ...common.storages.constants import Kept, kept_constants, kept_in
from ...common.storages.storage import ByteOrder

if TYPE_CHECKING:
    from .mode_choice import ModeChoice, ModeTable


def weighs_constants(target: Target, unit: CostUnit) -> bool:
    """True if each order of a constant beside the first costs something. Blocks are packed for each op that has any."""
    return unit == "target" and not target.blocks and target.costs is not None and target.costs.weighs_constants


def kept_by(choice: ModeChoice, table: ModeTable) -> Kept:
    """The constants that a choice keeps in several orders, at the prices of a table."""
    costs = table.target_layouts.target.costs
    return Kept() if costs is None else kept_constants(orders_by(choice, table), costs, table.storage.origins)


def orders_by(choice: ModeChoice, table: ModeTable) -> Mapping[SSAValue, Sequence[ByteOrder]]:
    """For each constant that has a price the byte orders in which a choice reads it."""
    storage, found = table.storage, dict[SSAValue, dict[ByteOrder, None]]()
    for use in choice.uses:
        if storage.is_constant(use.root) and not storage.has_any_order(use.root):
            given = {} if storage.is_stored_as_read(use.root) else {choice.given(use.root)[1]: None}
            found.setdefault(storage.data(use.root), given)[storage.on_data(use.root, use.byte_order)] = None
    return {root: [*orders] for root, orders in found.items()}


def kept_as_it_is(table: ModeTable) -> Kept:
    """The constants that the program as it is reads in several orders, at the prices of a table."""
    target = table.target_layouts.target
    is_weighed = target.costs is not None and weighs_constants(target, table.cost_unit)
    return kept_in(table.module, target.costs) if is_weighed and target.costs is not None else Kept()


def price_of_further_order(table: ModeTable, value: SSAValue) -> int:
    """The price of each byte order beside the first of a value that constants decide, in ticks."""
    target = table.target_layouts.target
    if target.costs is None or not weighs_constants(target, table.cost_unit):
        return 0
    return target.costs.constant.ticks_of(table.problem.bytes_of(value))
