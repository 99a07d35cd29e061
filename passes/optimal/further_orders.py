"""Byte orders that nothing in a program leads to, tried where prices may favour them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from xdsl.ir import SSAValue

from ..common.storage import ByteOrder
from .conversion_prices import ConversionPrices
from .detours import Detours
from .every_order import every_order
from .modes import Modes
from .module_problem import Solved
from .module_storage import ModuleStorage
from .problem import conversions_of, given_byte_order


class FurtherOrders(NamedTuple):
    """The modes of a program with further byte orders."""

    modes: Modes | None
    """None if none were tried."""
    are_all: bool
    """True if no byte order that is left could help."""


def further_orders(modes: Modes, storage: ModuleStorage, prices: ConversionPrices, solved: Solved) -> FurtherOrders:
    """All byte orders if they are few; else those on detours, if the best program without them would gain by any.

    The best program is that of the modes so far.
    """
    if solved.is_free or not (modes.are_priced or prices.may_have_detours) or _is_needed(modes, solved):
        return FurtherOrders(None, True)
    with_all = modes.with_orders(lambda known: every_order(known, storage, prices))
    if with_all is not None and with_all.has_all_orders:
        return FurtherOrders(with_all, True)
    detours = Detours(prices)
    if not any(detours.are_shorter(prices.data(root), *both) for root, *both in _conversions(solved)):
        return FurtherOrders(None, False)
    return FurtherOrders(modes.with_orders(detours.between), False)


def _is_needed(modes: Modes, solved: Solved) -> bool:
    """True if conversions alone cost anything, and the program needs each of them whatever orders are tried."""
    problem, choice = solved.problem, solved.solution.choice
    if solved.avoided or any(of_op[choice[op]] for op, of_op in problem.prices.items()):
        return False
    for root, given, wanted in _conversions(solved):
        produced, read = modes.always_used(root)
        if given not in produced or wanted not in read:
            return False
    return True


def _conversions(solved: Solved) -> Iterator[tuple[SSAValue, ByteOrder, ByteOrder]]:
    """The conversions of a solution that cost anything."""
    choice = solved.solution.choice
    for root, term in zip(solved.weights, solved.problem.storages, strict=True):
        for wanted in () if term.is_free else conversions_of(term, choice):
            yield root, cast("ByteOrder", given_byte_order(term, choice)), cast("ByteOrder", wanted)
