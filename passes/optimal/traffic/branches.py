"""Branch and bound over the modes of a program; what a whole choice moves is counted in the placed program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.ir import SSAValue

from ..modes.rewrites import Mode
from ..solve.problem import Access, StorageTerm, accesses_of
from .problem import TrafficProblem

MOST_CHOICES = 60
"""Programs with more ops with a choice are not searched."""
MOST_OPS = 1000
"""The maximum number of ops in all programs that are counted."""
MOST_NODES = 20_000
"""The maximum number of partial choices that are visited."""


class Branches:
    """The choices that may move less than the best one found so far."""

    def __init__(self, problem: TrafficProblem, ops: int, count: Callable[[Sequence[int]], int]) -> None:
        """`count` counts the data that a whole choice moves."""
        self._problem = problem
        self._count = count
        self._least = 0
        self._tries_left = MOST_OPS // max(ops, 1)
        self._nodes_left = MOST_NODES
        self.ways = _different_ways(problem)
        """For each op its modes, those together that differ in the orders of constants only."""
        self.order = [op for op, ways in enumerate(self.ways) if len(ways) > 1]
        self.has_choices = bool(self.order)
        self.is_complete = len(self.order) <= MOST_CHOICES
        self.choice = {op: ways[0][0] for op, ways in enumerate(self.ways) if len(ways) == 1}
        """The modes that are chosen at present."""
        self._storages: list[list[tuple[SSAValue, StorageTerm]]] = [[] for _ in self.ways]
        """The storages that each op uses."""
        for root, term in problem.converted:
            for op in {access.op for access in accesses_of(term)}:
                self._storages[op].append((root, term))

    def search(self, least: int) -> None:
        """Count whole choices until no other one may move less than this; not complete if there are too many."""
        self._least = least
        if self.is_complete:
            self._branch(0, self.sure)

    @property
    def sure(self) -> int:
        """The data that is moved at least by the modes chosen."""
        sure = (self._problem.least(*each, self.choice) or 0 for each in self._problem.converted)
        return self._problem.bound.fixed + sum(sure)

    def whole(self) -> list[int]:
        """The modes of all ops, if all are chosen."""
        return [self.choice[op] for op in range(len(self.ways))]

    def tried(self, place: int, cost: int) -> Iterator[tuple[int | None, int]]:
        """Choose each way of an op: yields what is moved at least, if that is possible, and the mode."""
        op = self.order[place]
        before = self._price(op) or 0
        for way in self.ways[op]:
            self.choice[op] = way[0]
            price = self._price(op)
            yield None if price is None else cost + price - before, way[0]
        del self.choice[op]

    def _branch(self, place: int, cost: int) -> None:
        if place == len(self.order):
            self._tries_left -= 1
            self._least = min(self._least, self._count(self.whole()))
            return
        found = [(least, way) for least, way in self.tried(place, cost) if least is not None]
        op = self.order[place]
        for least, way in sorted(found):
            if least >= self._least or self._is_over():
                break
            self.choice[op] = way
            self._branch(place + 1, least)
        self.choice.pop(op, None)

    def _price(self, op: int) -> int | None:
        """The data that conversions of the storages of an op move at least; None if one is impossible."""
        found = [self._problem.least(*each, self.choice) for each in self._storages[op]]
        known = [price for price in found if price is not None]
        return sum(known) if len(known) == len(found) else None

    def _is_over(self) -> bool:
        self._nodes_left -= 1
        self.is_complete &= self._nodes_left > 0 and self._tries_left > 0
        return not self.is_complete


def _different_ways(problem: TrafficProblem) -> list[list[list[int]]]:
    """For each op its modes, those together that differ in the orders of constants only."""
    accesses: list[list[Access]] = [[] for _ in problem.modes]
    for access in (each for _, term in problem.converted for each in accesses_of(term)):
        accesses[access.op].append(access)
    found: list[list[list[int]]] = []
    for op, modes in enumerate(problem.modes):
        alike: dict[object, list[int]] = {}
        for number, mode in enumerate(modes):
            key = _form(number, mode), *(access.byte_orders[number] for access in accesses[op])
            alike.setdefault(key, []).append(number)
        found.append([*alike.values()])
    return found


def _form(number: int, mode: Mode) -> object:
    """The part of a mode that decides which stages run the op."""
    if mode.form is not None and not mode.form.is_own:
        return number
    return None if mode.relayout is None else mode.relayout.operand_permutation
