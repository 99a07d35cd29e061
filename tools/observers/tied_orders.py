"""`--what-if` for ties: what each order costs in which tied arguments and results can be stored, each solved again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from io import StringIO
from itertools import permutations
from math import factorial
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp

from ...dialects.notes.interfaces import InterfaceValue
from ...dialects.notes.ties import Tie, ties_of
from ...dialects.npu.values import shape_of
from ...dialects.settings.assumed_sizes import assuming
from ...layout import Order, identity
from ...passes.common.demands.target_layouts import TargetLayouts
from ...passes.common.moves.transpose_cost import Cost
from ...passes.common.plans.interface_choice import Freedom, Interface, stored_as
from ...passes.common.plans.interfaces import noted_interfaces, store_as_named
from ...passes.common.words.reasons import Names
from ...passes.layout_optimal import LayoutOptimal
from ...passes.optimal.choice.mode_choice import ModeTable
from ...passes.optimal.prices.module_problem import Precision
from ...passes.placement.layout_pass import colour
from ...targets import CostUnit, load

MOST_ORDERS = factorial(4)
"""The maximum number of orders of a set, each of which takes as long as the pass."""
KNOWN_NAMES = {"BHNC": ("LBHNC", "BLHNC", "BHLNC"), "BNHC": ("LBNHC", "BLNHC"), "HBNC": ("LHBNC",)}
"""The names that vLLM has for the order of a cache: L are the layers, whose caches are apart in a file."""

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class SolvedOrder:
    """The cheapest program with tied arguments and results in one order."""

    order: Order
    """The dimension of the original program at each place."""
    letters: str
    """The letters of the dimensions of a cache in this order; empty for what is no cache."""
    cost: Cost
    """In all calls."""
    by_function: Mapping[str, Cost]
    """For each call of the functions with tied ends."""
    is_proved: bool
    is_least: bool
    """True for the order that the pass takes."""

    @property
    def text(self) -> str:
        known = f" ({', '.join(self._names)})" if self._names else ""
        name = f" {self.letters}{known}" * bool(self.letters)
        unproved = " (best found)" * (not self.is_proved)
        mark = " (the minimum)" * self.is_least
        calls = (f"{function} {cost.text}" for function, cost in self.by_function.items())
        return f"  {[*self.order]}{name}: {'; '.join((self.cost.text, *calls))}{unproved}{mark}"

    @property
    def _names(self) -> Sequence[str]:
        return KNOWN_NAMES.get(self.letters, ())

    def as_json(self) -> Mapping[str, object]:
        named = {"letters": self.letters, "names": self._names} if self.letters else {}
        calls = {name: _numbers(cost) for name, cost in self.by_function.items()}
        figures = {**_numbers(self.cost), "calls": calls, "proved": self.is_proved, "minimum": self.is_least}
        return {"order": [*self.order], **named, **figures}


@dataclass(frozen=True)
class SetOfTies:
    """Ties that move together, as those of the keys of all layers."""

    ends: str
    """The tied arguments and results in words."""
    orders: Sequence[SolvedOrder]
    """The best ones first; none if there are too many."""

    def lines(self) -> Iterator[str]:
        if not self.orders:
            yield f"what if: {self.ends}: more than {MOST_ORDERS} layouts are possible; --interface chooses one"
            return
        yield f"what if: {self.ends}, in all calls; in each call:"
        yield from (each.text for each in self.orders)

    def as_json(self) -> Mapping[str, object]:
        return {"ties": self.ends, "orders": [each.as_json() for each in self.orders]}


def text_of_sets(sets: Sequence[SetOfTies], format: str) -> str:
    """The orders of all sets as lines, or as one line of JSON."""
    if format == "json":
        return json.dumps({"ties": [each.as_json() for each in sets]})
    return "\n".join(line for each in sets for line in each.lines())


def _numbers(cost: Cost) -> Mapping[str, object]:
    priced = {"cost": cost.units, "unit": cost.unit} if cost.unit else {}
    return {"transposes": cost.transposes, **cost.moved, **priced}


def orders_of_ties(
    layout_pass: LayoutOptimal, module: ModuleOp, progress: Progress = lambda done, total: None
) -> Sequence[SetOfTies]:
    """Solve a program again for each order of each set of free ties. The module is not changed."""
    if not ties_of(module) or layout_pass.unit(load(layout_pass.target)) == "traffic":
        return []
    copy = module.clone()
    with assuming(layout_pass.assume), redirect_stderr(StringIO()):
        names = colour(copy, layout_pass.default_layout())
        interface = layout_pass.chosen_interface(copy, names)
        free = [place for place, tie in enumerate(ties_of(copy)) if {*map(interface.get, tie.ends)} == {Freedom.FREE}]
        return _Orders(layout_pass, copy, free).sets(progress) if free else []


class _Orders:
    """A coloured program, and the orders of its free ties."""

    def __init__(self, layout_pass: LayoutOptimal, module: ModuleOp, free: Sequence[int]) -> None:
        self._pass = layout_pass
        self._module = module
        target = load(layout_pass.target)
        self._unit: CostUnit = layout_pass.unit(target)
        """The figure by which orders are ranked."""
        self._target_layouts = TargetLayouts(target, layout_pass.assume)
        self._ties = ties_of(module)
        placed, interface, names = self._copy()
        with noted_interfaces(placed):
            layout_pass.place(placed, names, interface)
        ties = ties_of(placed)
        self._taken = {place: self._moving([place], ties[place].ends[0].order) for place in free}
        """The order of each tie in the cheapest program, of the axes that have more than one element."""

    def _copy(self) -> tuple[ModuleOp, Interface, Names]:
        copy = self._module.clone()
        names = Names(copy)
        return copy, self._pass.chosen_interface(copy, names), names

    def sets(self, progress: Progress) -> Sequence[SetOfTies]:
        found = [*self._together()]
        orders = [self._orders(ties) for ties in found]
        total, done = sum(map(len, orders)), 0
        solved: list[SetOfTies] = []
        for ties, of_set in zip(found, orders, strict=True):
            rows: list[SolvedOrder] = []
            for order in of_set:
                rows.append(self._solved(ties, order))
                progress(done := done + 1, total)
            rows.sort(key=lambda row: self._rank(row.cost))
            solved.append(SetOfTies(self._in_words(ties), rows))
        return solved

    def _together(self) -> Iterator[Sequence[int]]:
        """The ties that move together, and at last all of one rank, if those are several sets."""
        alike: dict[object, list[int]] = {}
        for place, taken in self._taken.items():
            ends = self._ties[place].ends
            shapes = tuple(_shape(end) for end in ends)
            alike.setdefault((_pattern(self._ties[place]), shapes, taken), []).append(place)
        yield from alike.values()
        ranks: dict[int, list[Sequence[int]]] = {}
        for ties in alike.values():
            ranks.setdefault(self._ties[ties[0]].ends[0].rank, []).append(ties)
        yield from (sorted(sum(map(list, sets), list[int]())) for sets in ranks.values() if len(sets) > 1)

    def _orders(self, ties: Sequence[int]) -> Sequence[Order]:
        """The orders in which ties can be stored: those that differ in the place of axes of one element are one."""
        rank = self._ties[ties[0]].ends[0].rank
        if factorial(len(self._moving(ties, identity(rank)))) > MOST_ORDERS:
            return []
        found: dict[Order, Order] = {}
        for order in permutations(range(rank)):
            found.setdefault(self._moving(ties, order), order)
        return [*found.values()]

    def _moving(self, ties: Sequence[int], order: Order) -> Order:
        """An order without the axes that have one element at all ends."""
        shapes = [_shape(end) for place in ties for end in self._ties[place].ends]
        return tuple(axis for axis in order if any(shape[axis] != 1 for shape in shapes))

    def _solved(self, ties: Sequence[int], order: Order) -> SolvedOrder:
        copy, interface, _ = self._copy()
        every = ties_of(copy)
        interface = {**interface, **{end: stored_as(end, order) for place in ties for end in every[place].ends}}
        store_as_named(interface, self._pass.name)
        table = ModeTable.of(copy, self._target_layouts, self._unit, self._pass.assume, interface)
        # The proof over orders that are not tried takes longer than all else.
        least = replace(table, precision=Precision.FIGURES).best(self._pass.time_limit)
        calls = least.table.costs_by_function(least.solved)
        functions = dict.fromkeys(end.function for place in ties for end in every[place].ends)
        by_function = {each.sym_name.data: calls.get(each, Cost(unit=least.cost.unit)) for each in functions}
        is_proved = least.table.modes.is_complete and least.solved.solution.is_proved
        is_least = all(self._taken[place] == self._moving([place], order) for place in ties)
        return SolvedOrder(order, self._letters(ties, order), least.cost, by_function, is_proved, is_least)

    def _rank(self, cost: Cost) -> tuple[int, ...]:
        return (cost.counted(self._unit), cost.transposes, cost.bytes)

    def _in_words(self, ties: Sequence[int]) -> str:
        """The tied arguments and results, with a star in the place of the numbers that differ."""
        alike: dict[str, list[Tie]] = {}
        for tie in (self._ties[place] for place in ties):
            alike.setdefault(_pattern(tie), []).append(tie)
        texts = (pattern if len(each) > 1 else _text(each[0]) for pattern, each in alike.items())
        return " and ".join(texts) + f" ({len(ties)} ties)" * (len(ties) > 1)

    def _letters(self, ties: Sequence[int], order: Order) -> str:
        """An order in the letters of a cache."""
        letters = {_letters(self._ties[place]) for place in ties}
        (own,) = letters if len(letters) == 1 else ("",)
        return "".join(own[axis] for axis in order if own)


def _letters(tie: Tie) -> str:
    """The letters of the original dimensions of a cache: batch, heads, tokens, channels; empty for what is none.

    Tokens are the only ones of the two inner dimensions that differ in size, or whose size is unknown.
    """
    shapes = [_shape(end) for end in tie.ends]
    if {*map(len, shapes)} != {4}:
        return ""
    grows = [axis for axis in (1, 2) if len({shape[axis] for shape in shapes}) > 1 or shapes[0][axis] < 0]
    return {1: "BNHC", 2: "BHNC"}[grows[0]] if len(grows) == 1 else ""


def _shape(end: InterfaceValue) -> tuple[int, ...]:
    """The sizes of the original dimensions."""
    assert end.value is not None
    shape = shape_of(end.value)
    return tuple(shape[end.order.index(axis)] for axis in range(len(shape)))


def _text(tie: Tie) -> str:
    return " = ".join(f"{end.function.sym_name.data}:{end.name.removeprefix('%')}" for end in tie.ends)


def _pattern(tie: Tie) -> str:
    """The ends of a tie without the numbers in their names."""
    ends = (f"{end.function.sym_name.data}:{re.sub(r'[0-9]+', '*', end.name.removeprefix('%'))}" for end in tie.ends)
    return " = ".join(ends)
