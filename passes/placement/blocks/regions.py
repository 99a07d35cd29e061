"""The strategies `regions`, `seed-plus` and `regions-plus` on targets with blocks: one decision for each region."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation, OpResult

from ...common.graph.op_classes import class_of, is_fixed, own_class
from ...optimal.modes.closure import MOST_MODES
from ...optimal.modes.modes import Decider
from ..union_find import UnionFind
from .table import RuleTable

State: TypeAlias = Mapping[int, int]
"""The number of the mode of each op of a region."""


def choose_regions(table: RuleTable, everywhere: bool, joins_tensors: bool = False) -> list[int]:
    """Store each region as its first demand asks, and the others as they are.

    `everywhere` stores them in blocks as well, where they have such a form.
    """
    regions = RuleRegions(table, joins_tensors)
    chosen = _first(table, regions, everywhere)
    return _improved(table, regions, chosen, only_impossible=True)


def choose_cheapest_regions(table: RuleTable, everywhere: bool) -> list[int]:
    """The modes by regions, with the decision for each that converts the fewest bytes, as long as one of them helps.

    The first mode of each op, as `naive` chooses, where regions convert more.
    """
    found: list[list[int]] = []
    for joins_tensors in (False, True):
        regions = RuleRegions(table, joins_tensors)
        found.append(_improved(table, regions, _first(table, regions, everywhere)))
    return min((*found, table.present()), key=table.cost)


class Link(NamedTuple):
    """A storage that one op produces and another one reads."""

    producer: int
    result: int
    reader: int
    operand: int


class RuleRegions:
    """Ops that agree: they have forms in which no storage between them has to be converted.

    In program order each op joins the regions that produce its operands, if they are of its class, or of any class if
    `joins_tensors`.
    """

    def __init__(self, table: RuleTable, joins_tensors: bool) -> None:
        self._table = table
        self._ops = UnionFind(range(len(table.modes)))
        self.states: dict[int, Sequence[State]] = {
            op: [{op: mode} for mode in range(len(modes))] for op, modes in enumerate(table.modes)
        }
        """The ways in which the ops of each region agree, those with the first modes of the first ops first."""
        links = [*self._all_links()]
        self._links: dict[int, list[Link]] = {op: [] for op in self.states}
        """The links to the ops of each region."""
        for link in links:
            self._links[link.producer].append(link)
            self._links[link.reader].append(link)
        for link in links:
            if joins_tensors or self._is_of_one_class(link):
                self._join(*self._regions_at(link))

    def _all_links(self) -> Iterator[Link]:
        """The links between ops that have forms, in program order."""
        for reader, op in enumerate(self._table.deciders):
            for operand, root in self._table.roots_read(op):
                if not _is_fixed(op) and isinstance(root, OpResult) and not self._is_given(root):
                    yield Link(self._table.numbers[root.op], root.index, reader, operand)

    def _is_given(self, root: OpResult) -> bool:
        return is_fixed(root.op) or self._table.table.storage.is_constant(root)

    def _is_of_one_class(self, link: Link) -> bool:
        producer, reader = self._table.deciders[link.producer], self._table.deciders[link.reader]
        assert isinstance(producer, Operation)
        assert isinstance(reader, Operation)
        cls = own_class(reader)
        return class_of(reader.operands[link.operand]) is cls and own_class(producer) is cls

    def _regions_at(self, link: Link) -> tuple[int, int]:
        return self._ops.find(link.producer), self._ops.find(link.reader)

    def _join(self, one: int, other: int) -> None:
        """Unite two regions, if all of their ops agree in some way."""
        if one == other:
            return
        pair, fewer = {one, other}, min(self._links[one], self._links[other], key=len)
        links = [link for link in fewer if {*self._regions_at(link)} == pair]
        states = [*islice(self._agreeing(one, other, links), MOST_MODES)]
        if not states:
            return
        self.states[one] = states
        del self.states[other]
        self._links[one] += self._links.pop(other)
        self._ops.union_nodes(other, one)

    def _agreeing(self, one: int, other: int, links: Sequence[Link]) -> Iterator[State]:
        of_other: dict[Hashable, list[State]] = {}
        for state in self.states[other]:
            of_other.setdefault(self._orders(links, state), []).append(state)
        for state in self.states[one]:
            yield from ({**state, **each} for each in of_other.get(self._orders(links, state), ()))

    def _orders(self, links: Sequence[Link], state: State) -> Hashable:
        """The byte orders of the storages between two regions in a state of one of them."""
        modes = self._table.modes
        return tuple(
            modes[link.producer][state[link.producer]].produces[link.result]
            if link.producer in state
            else modes[link.reader][state[link.reader]].reads[link.operand]
            for link in links
        )


def _is_fixed(decider: Decider) -> bool:
    return not isinstance(decider, Operation) or is_fixed(decider) or not decider.results


def _first(table: RuleTable, regions: RuleRegions, everywhere: bool) -> list[int]:
    """The first state of each region; `everywhere` the first in which ops work on blocks."""
    chosen = table.present()
    for states in regions.states.values():
        in_blocks = (state for state in states if everywhere and _has_blocks(table, state))
        for op, mode in next(in_blocks, states[0]).items():
            chosen[op] = mode
    return chosen


def _has_blocks(table: RuleTable, state: State) -> bool:
    forms = (table.modes[op][mode].form for op, mode in state.items())
    return any(form is not None and form.is_in_blocks for form in forms)


def _improved(table: RuleTable, regions: RuleRegions, chosen: list[int], only_impossible: bool = False) -> list[int]:
    """The choice after regions have changed their state, one after the other, as long as that saves bytes.

    `only_impossible`: as long as that saves conversions that nothing can do.
    """
    best = table.cost(chosen)
    while not (only_impossible and table.is_possible(best)):
        before = best
        for states in regions.states.values():
            chosen = _improved_region(table, states, chosen, only_impossible)
        best = table.cost(chosen)
        if best >= before:
            break
    return chosen


def _improved_region(table: RuleTable, states: Sequence[State], chosen: list[int], only_impossible: bool) -> list[int]:
    storages = table.touched(states[0])
    least = table.cost(chosen, storages)
    if len(states) == 1 or (only_impossible and table.is_possible(least)):
        return chosen
    for state in states:
        other = [state.get(op, mode) for op, mode in enumerate(chosen)]
        cost = table.cost(other, storages)
        if cost < least:
            chosen, least = other, cost
    return chosen
