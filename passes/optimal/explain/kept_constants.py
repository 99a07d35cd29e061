"""A constant that is kept in several orders in words: who reads it in which, and what one order alone would cost."""

from __future__ import annotations

from xdsl.dialects.func import ReturnOp
from xdsl.ir import SSAValue

from ...common.moves.transpose_cost import units_text
from ...common.storages.storage import ByteOrder
from ...common.words.pins import output_name
from ...common.words.reasons import Names
from ..choice.mode_choice import ModeChoice, ModeTable, ModeUse
from .second_runs import form_text


def kept_lines(choice: ModeChoice, value: SSAValue, names: Names, time_limit: float) -> list[str]:
    """A line for the constant that a value is a view of, if it is kept in several orders at a price."""
    table = choice.table if choice.priced is None else choice.priced
    data = table.storage.data(table.storage.root(value))
    orders = choice.orders_of_constants(table).get(data, ())
    if len(orders) < 2:
        return []
    uses = [use for use in choice.uses if table.storage.data(use.root) == data]
    read = (_readers(data, each, uses, table, names) for each in orders)
    price = units_text(table.constants.of_further_order(table.problem.bytes_of(data)) * (len(orders) - 1))
    text = f"  {names.of(data)} is kept {' and '.join(read)}, for {price} {table.unit_text}"
    return [text + _of_one_order(choice, data, time_limit) if choice.priced is None else text]


def _readers(data: SSAValue, byte_order: ByteOrder, uses: list[ModeUse], table: ModeTable, names: Names) -> str:
    """A byte order, with the first op that reads it and the number of others."""
    read = [use for use in uses if table.storage.on_data(use.root, use.byte_order) == byte_order]
    form, more = form_text(data, byte_order, table), len({use.op for use in read}) - 1
    if not read:
        return f"{form} as a reshape makes it"
    first = read[0]
    name = output_name(first.op, first.operand) if isinstance(first.op, ReturnOp) else names.of(first.op)
    return f"{form} for {name}" + (f" and {more} more op{'s' * (more > 1)}" if more else "")


def _of_one_order(choice: ModeChoice, data: SSAValue, time_limit: float) -> str:
    """The additional cost of the program if it reads a constant in one order."""
    least = choice.table.problem.least_in_one_order(choice.solved, data, time_limit)
    if least is None:
        return ": no forms of these ops read it in one layout"
    more = f"{units_text(least - choice.solution.cost)} {choice.table.unit_text} more"
    return f": in one layout alone, the program costs {more}"
