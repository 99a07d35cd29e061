"""Ties: arguments and results that are stored in one order, whichever it is, as a cache that one function returns and
another one takes.

The attribute of each is `npu.tie = "NAME"`, or a list of names; those that share a name are tied, and so are those that
share one with a third.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ...compat.xdsl import is_array_of
from .interfaces import InterfaceValue, interface_of

TIE = "npu.tie"


class Tie(NamedTuple):
    """Arguments and results of one order."""

    ends: Sequence[InterfaceValue]
    """In program order."""

    @property
    def orders(self) -> set[tuple[int, ...]]:
        """The orders of the original dimensions in which they are stored: one, if the tie holds."""
        return {end.order for end in self.ends}

    def path(self, start: InterfaceValue, end: InterfaceValue) -> Sequence[InterfaceValue]:
        """The shortest way from one of them to another, where neighbours share a name."""
        before = {start: start}
        for each in (waiting := [start]):
            for other in self.ends:
                if other not in before and not tie_names(each).isdisjoint(tie_names(other)):
                    before[other] = each
                    waiting.append(other)
        way = [end]
        while way[-1] != start:
            way.append(before[way[-1]])
        return way[::-1]


def tie_names(value: InterfaceValue) -> set[str]:
    """The names that an argument or result shares with those that it is tied to."""
    match value.attributes.data.get(TIE):
        case StringAttr(data=name):
            return {name}
        case names if is_array_of(names, StringAttr):
            return {each.data for each in names}
        case _:
            return set()


def ties_of(module: ModuleOp) -> list[Tie]:
    """The ties of all functions of a module, in program order."""
    groups: dict[str, tuple[InterfaceValue, ...]] = {}
    places = {end: place for place, end in enumerate(_tied_ends(module))}
    for end in places:
        known = (each for name in tie_names(end) for each in groups.get(name, ()))
        merged = tuple(sorted({*known, end}, key=lambda each: places[each]))
        groups |= {name: merged for each in merged for name in tie_names(each)}
    return [Tie(group) for group in dict.fromkeys(groups.values())]


def _tied_ends(module: ModuleOp) -> Iterator[InterfaceValue]:
    for function in (op for op in module.walk() if isinstance(op, FuncOp)):
        yield from (end for end in interface_of(function) if TIE in end.attributes.data)


def tie(name: str, ends: Sequence[InterfaceValue]) -> None:
    """Tie arguments and results by a name."""
    for end in ends:
        names = [StringAttr(each) for each in sorted({*tie_names(end), name})]
        end.set_attributes({**end.attributes.data, TIE: names[0] if len(names) == 1 else ArrayAttr(names)})
