"""The price of each pin: the cost of the best program with it, and of the best one without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ....dialects.notes.value_pins import Pin, without_pins
from ....targets import CostUnit
from ...common.moves.transpose_cost import Cost, units_text
from ...common.words.reasons import Names


class PinPrice(NamedTuple):
    """A pin with its price."""

    name: str
    """The value, as `%conv`."""
    layout: str
    place: str
    """`file:line:col` of the pin in a plan, or empty."""
    cost: Cost
    """The least cost of the program with all pins."""
    cost_without: Cost
    """The least cost of the program with all pins but this one."""

    @property
    def is_free(self) -> bool:
        return self.cost == self.cost_without

    @property
    def text(self) -> str:
        """The price in words: `costs 2 transposes, 1536 bytes`."""
        return f"costs {_difference(self.cost_without, self.cost)}"

    def __str__(self) -> str:
        return f"pin of {self.name} to {self.layout} {self.text}"


class PinPrices(NamedTuple):
    """The prices of all pins of a program."""

    each: Sequence[PinPrice]
    """In program order."""
    cost: Cost
    """The least cost of the program with all pins."""
    cost_without: Cost
    """The least cost of the program without any."""

    def lines(self) -> Iterator[str]:
        """A line for each pin that costs anything, one for the others, and one for all."""
        free = [each for each in self.each if each.is_free]
        are_listed = len(free) < 2
        yield from (_note(each.place, str(each)) for each in self.each if are_listed or not each.is_free)
        if not are_listed:
            yield _note("", f"{len(free)} {'other ' * (len(free) < len(self.each))}pins cost nothing each")
        if len(self.each) > 1 and self.cost != self.cost_without:
            yield _note("", f"the {len(self.each)} pins together: {self.cost_without.reduced_to(self.cost)}")


def prices_of(pins: Sequence[Pin], names: Names, cost: Cost, unit: CostUnit, solve: Callable[[], Cost]) -> PinPrices:
    """The prices of the pins of a program with this cost.

    `solve` finds the least cost of the program with the pins that it has then. Groups of pins without which it costs
    the same are free, so that few programs are solved if few pins cost anything.
    """
    if not pins:
        return PinPrices((), cost, cost)
    without: dict[Pin, Cost] = {}
    cost_without = cost
    waiting = [list(pins)]
    while waiting:
        group = waiting.pop()
        with without_pins(group):
            found = solve()
        cost_without = found if len(group) == len(pins) else cost_without
        if found.counted(unit) == cost.counted(unit):
            continue
        if len(group) == 1:
            without[group[0]] = found
        else:
            middle = len(group) // 2
            waiting += [group[middle:], group[:middle]]
    each = [PinPrice(names.of(pin.value), str(pin.layout), pin.place, cost, without.get(pin, cost)) for pin in pins]
    return PinPrices(each, cost, cost_without)


def under_text(pins: Sequence[object]) -> str:
    """The pins behind a proof in words: ` under 2 pins`."""
    return f" under {len(pins)} pin{'s' * (len(pins) > 1)}" if pins else ""


def _note(place: str, text: str) -> str:
    return f"{place}: note: {text}" if place else f"note: {text}"


def _difference(before: Cost, after: Cost) -> str:
    """The additional cost in words: `2 transposes, 1536 bytes`."""
    about = "~" * after.is_assumed
    amounts = [
        (after.transposes - before.transposes, "", "transpose"),
        (after.bytes - before.bytes, about, "byte"),
        ((after.travelling or 0) - (before.travelling or 0), about, "travelling byte"),
    ]
    more = [f"{sign}{count} {unit}{'s' * (count != 1)}" for count, sign, unit in amounts if count > 0]
    less = [f"{sign}{-count} {unit}{'s' * (count != -1)}" for count, sign, unit in amounts if count < 0]
    ticks = after.total - before.total
    if ticks:
        (more if ticks > 0 else less).append(f"{about}{units_text(abs(ticks))} {after.unit}")
    text = ", ".join(more) or "nothing"
    return f"{text}, and saves {', '.join(less)}" if less else text
