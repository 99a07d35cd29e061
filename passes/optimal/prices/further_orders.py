"""Byte orders that nothing in a program leads to, tried where prices may favour them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple, cast

from xdsl.ir import Operation, SSAValue

from ...common.storages.storage import ByteOrder
from ..modes.closure import with_orders
from ..modes.components import Components, PricedConversion
from ..modes.modes import Modes
from ..modes.module_storage import ModuleStorage
from ..solve.problem import conversions_of, given_byte_order
from .conversion_prices import ConversionPrices
from .detours import Detours
from .every_order import every_order
from .module_problem import Solved


class FurtherOrders(NamedTuple):
    """The parts of a program that further byte orders may make cheaper, with the modes of these orders."""

    modes: Modes | None
    """None if none were tried."""
    are_all: bool
    """True if no byte order that is left could help."""
    avoided: int = 0
    """The conversions that nothing can do of these parts, without further orders."""
    cost: int = 0
    """The cost of these parts, without further orders."""
    roots: Collection[SSAValue] = ()
    """The storages of these parts."""


def further_orders(modes: Modes, storage: ModuleStorage, prices: ConversionPrices, solved: Solved) -> FurtherOrders:
    """All byte orders if they are few; else those on detours, if the best program without them would gain by any.

    The best program is that of the modes so far. Further orders are tried in the parts of it that could cost less.
    """
    if solved.is_free or not (modes.rewrites.are_priced or prices.may_have_detours):
        return FurtherOrders(None, True)
    paid, priced = [*_conversions(solved)], dict(_priced(modes, solved))
    roots = Components(modes, storage).improvable(paid, priced)
    if not roots:
        return FurtherOrders(None, True)
    inside = [each for each in paid if each.root in roots]
    tried, are_all = _tried(modes, storage, prices, inside, roots)
    part = with_orders(modes, lambda known: {}, roots) if tried is None else tried
    assert part is not None
    cost = sum(prices.ticks(*each) for each in inside) + sum(price for op, price in priced.items() if op in part.of)
    return FurtherOrders(tried, are_all, sum(prices.is_avoided(*each) for each in inside), cost, roots)


def with_every_order(modes: Modes, storage: ModuleStorage, prices: ConversionPrices, solved: Solved) -> Modes | None:
    """The modes of a small program with all byte orders of the parts that cost anything; None if these are too many."""
    roots = Components(modes, storage).priced([*_conversions(solved)], dict(_priced(modes, solved)))
    found = with_orders(modes, lambda known: every_order(known, storage, prices, len(modes.of)), roots)
    return modes.with_part(found) if found is not None and found.has_all_orders else None


def _tried(
    modes: Modes,
    storage: ModuleStorage,
    prices: ConversionPrices,
    paid: Collection[PricedConversion],
    roots: Collection[SSAValue],
) -> tuple[Modes | None, bool]:
    """The modes of some storages with further orders, if any are tried; true if no order that is left could help."""
    with_all = with_orders(modes, lambda known: every_order(known, storage, prices, len(modes.of)), roots)
    if with_all is not None and with_all.has_all_orders:
        return with_all, True
    detours = Detours(prices)
    if not any(detours.are_shorter(prices.data(root), *both) for root, *both in paid):
        return None, False
    return with_orders(modes, detours.between, roots), False


def _conversions(solved: Solved) -> Iterator[PricedConversion]:
    """The conversions of a solution that cost anything."""
    choice = solved.solution.choice
    for root, term in zip(solved.weights, solved.problem.storages, strict=True):
        given = given_byte_order(term, choice)
        for wanted in () if term.is_free else conversions_of(term, choice):
            if term.price(given, wanted):
                yield PricedConversion(root, cast("ByteOrder", given), cast("ByteOrder", wanted))


def _priced(modes: Modes, solved: Solved) -> Iterator[tuple[Operation, int]]:
    """The ops that cost anything in their modes, with their prices."""
    deciders = [*modes.of]
    for number, prices in solved.problem.prices.items():
        op, price = deciders[number], prices[solved.solution.choice[number]]
        if price and isinstance(op, Operation):
            yield op, price
