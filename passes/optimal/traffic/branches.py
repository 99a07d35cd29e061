"""Branch and bound over the modes of a program; what a whole choice moves is counted in the placed program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...cover.traffic_value import TrafficValue
from ..solve.problem import Access
from .problem import TrafficProblem

MOST_CHOICES = 60
"""Programs with more ops with a choice are not searched."""
MOST_OPS = 1000
"""The maximum number of ops in all programs that are counted."""
MOST_NODES = 20_000
"""The maximum number of partial choices that are visited."""


class Branches:
    """The choices that may move less than the best one found so far."""

    def __init__(self, problem: TrafficProblem, ops: int) -> None:
        self._problem = problem
        self._least = 0
        self._tries_left = MOST_OPS // max(ops, 1)
        self._nodes_left = MOST_NODES
        self._ways = _different_ways(problem)
        self._order = [op for op, ways in enumerate(self._ways) if len(ways) > 1]
        self.has_choices = bool(self._order)
        self.is_complete = len(self._order) <= MOST_CHOICES
        self._storages: list[list[int]] = [[] for _ in self._ways]
        """The storages that each op uses, by number."""
        for number, storage in enumerate(problem.storages):
            for op in storage.ops if storage.is_converted else ():
                self._storages[op].append(number)
        self._choice = {op: ways[0] for op, ways in enumerate(self._ways) if len(ways) == 1}
        self._prices: list[int] = []
        """The data that the conversions of each storage move at least."""

    def search(self, least: int, tried: Callable[[Sequence[int]], TrafficValue]) -> None:
        """Try whole choices until no other one may move less than this; not complete if there are too many."""
        self._least = least
        if self.is_complete:
            self._prices = [storage.least(self._choice) or 0 for storage in self._problem.storages]
            self._branch(0, self._problem.bound.fixed + sum(self._prices), tried)

    def _branch(self, place: int, cost: int, tried: Callable[[Sequence[int]], TrafficValue]) -> None:
        if place == len(self._order):
            self._tries_left -= 1
            self._least = min(self._least, tried([self._choice[op] for op in range(len(self._ways))]).bytes)
            return
        op = self._order[place]
        before = [self._prices[number] for number in self._storages[op]]
        found: list[tuple[int, int, list[int]]] = []
        for way in self._ways[op]:
            self._choice[op] = way
            prices = [self._problem.storages[number].least(self._choice) for number in self._storages[op]]
            known = [price for price in prices if price is not None]
            if len(known) == len(prices):
                found.append((cost + sum(known) - sum(before), way, known))
        for least, way, prices in sorted(found):
            if least >= self._least or self._is_over():
                break
            self._choice[op] = way
            self._set_prices(op, prices)
            self._branch(place + 1, least, tried)
        self._set_prices(op, before)
        del self._choice[op]

    def _set_prices(self, op: int, prices: Sequence[int]) -> None:
        for number, price in zip(self._storages[op], prices, strict=True):
            self._prices[number] = price

    def _is_over(self) -> bool:
        self._nodes_left -= 1
        self.is_complete &= self._nodes_left > 0 and self._tries_left > 0
        return not self.is_complete


def _different_ways(problem: TrafficProblem) -> list[list[int]]:
    """For each op its modes that differ in more than the orders of constants."""
    accesses: list[list[Access]] = [[] for _ in problem.modes]
    for storage in problem.storages:
        for access in (storage.term.producer, *storage.term.readers):
            if isinstance(access, Access):
                accesses[access.op].append(access)
    found: list[list[int]] = []
    for op, modes in enumerate(problem.modes):
        numbers = range(len(modes))
        keys = ((problem.form(op, each), *(access.byte_orders[each] for access in accesses[op])) for each in numbers)
        first: dict[object, int] = {}
        for number, key in enumerate(keys):
            first.setdefault(key, number)
        found.append([*first.values()])
    return found
