"""Conditions and prices as values of keys of a target file, with errors at their lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from .toml_table import Float, Text, TomlTable

if TYPE_CHECKING:
    from .conditions import Condition
    from .prices import Price

# Conditions and prices are imported late: few targets have any.


def condition_at(table: TomlTable, key: str, names: Collection[str] | None) -> Condition | None:
    """The condition under an optional key. `names` are those of operands and results, None for a transpose."""
    return condition_of(table, Text(table.text(key), table.at(key)), names) if key in table.values else None


def condition_of(table: TomlTable, text: Text, names: Collection[str] | None) -> Condition:
    from .conditions import parse_condition
    from .expressions import ExpressionError

    try:
        return parse_condition(text.value, names)
    except ExpressionError as error:
        raise table.error(f"'{text.value}', {error}", text.path) from None


def price_at(table: TomlTable, key: str, names: Collection[str] | None, further: Sequence[str] = ()) -> Price:
    """The price under a key: a text, or a number for a fixed one. It may count `further` quantities."""
    from .expressions import ExpressionError
    from .prices import QUANTITIES, Price, PriceTerm, parse_price

    if key not in table.values:
        raise table.missing(key, "a number, or a text such as '2 x bytes'")
    if type(table.values[key]) is not str:
        return Price((PriceTerm(number_at(table, key)),))

    text = table.text(key)
    try:
        return parse_price(text, names, (*QUANTITIES, *further))
    except ExpressionError as error:
        raise table.error(f"'{text}', {error}", table.at(key)) from None


def number_at(table: TomlTable, key: str) -> int:
    """A number in billionths of a unit; 0 without the key."""
    from .prices import MOST_DIGITS, MOST_UNITS, factor

    value = table.values.get(key, 0)
    found = None
    if type(value) is int and value >= 0:
        found = factor(str(value))
    elif isinstance(value, Float):
        found = factor(value.plain)
    elif type(value) is not int:
        table.expect(value, int, f"'{key}'", table.at(key))
    if found is None:
        limits = f"from 0 to {MOST_UNITS}, with at most {MOST_DIGITS} digits behind the point"
        raise table.error(f"'{key}' must be {limits}, found {value}", table.at(key))
    return found
