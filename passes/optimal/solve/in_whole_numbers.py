"""The solver of problems that need not be those of a module: large ones, and prices of any size.

Potentials bound all choices and close modes; what is left is eliminated, or solved as a linear program. Each step says
only what is proved in whole numbers, so that costs which floats cannot tell apart are no exception.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TypeAlias

import numpy as np

from .elimination import cheapest_choice
from .linear_program import only, parts_of, solve
from .potentials import Potentials
from .price_table import Numbers
from .problem import Access, Problem, Solution, StorageTerm, accesses_of, cost_of_choice

FEW_SWEEPS, MOST_SWEEPS = 1, 60
NARROW = (24, 12, 6, 3)
"""The numbers of modes of each op among which a good choice is looked for if all are too many."""
LARGEST_PROGRAM = 300_000
"""The largest number of modes and amounts in a linear program."""

Progress: TypeAlias = Callable[[int, int], None]
"""Takes the bound and the cost of the best choice so far."""


def solve_in_whole_numbers(problem: Problem, most: int, time_limit: float, progress: Progress) -> Solution:
    """The cheapest choice. If none costs at most `most`, the bound is larger; which choice it is then says nothing."""
    return _Search(problem, most, monotonic() + time_limit, progress).solution()


class _Search:
    """The best choice and the best bound so far."""

    def __init__(self, problem: Problem, most: int, end: float, progress: Progress) -> None:
        self._problem = problem
        self._most = most
        self._end = end
        self._progress = progress
        self._potentials = Potentials(problem, most)
        self._choice = [0] * len(problem.modes)
        self._cost = cost_of_choice(problem, self._choice)
        self._bound = 0

    def solution(self) -> Solution:
        self._sweep(FEW_SWEEPS)
        if not self._is_done() and not self._eliminate():
            self._sweep(MOST_SWEEPS)
            if not self._is_done():
                self._narrow()
                self._branch()
        return Solution(self._choice, self._cost, min(self._bound, self._cost))

    def _is_done(self) -> bool:
        return self._bound >= min(self._cost, self._most + 1)

    def _is_late(self) -> bool:
        return monotonic() >= self._end

    def _try(self, choice: list[int]) -> None:
        if (cost := cost_of_choice(self._problem, choice)) < self._cost:
            self._choice, self._cost = choice, cost

    def _sweep(self, most: int) -> None:
        """Sweep until it is proved, or until nothing much comes of it."""
        for _ in range(most):
            before = self._bound
            self._potentials.sweep(forward=True)
            self._potentials.sweep(forward=False)
            self._bound = max(self._bound, self._potentials.bound)
            self._try(self._potentials.choice())
            self._progress(self._bound, self._cost)
            gap = min(self._cost, self._most + 1) - self._bound
            if gap <= 0 or self._is_late() or (self._bound - before) * 100 < gap:
                return

    def _open(self) -> Sequence[Numbers]:
        """The modes with which a choice may be cheaper than the best one, and those of the best one."""
        found = self._potentials.is_open(min(self._cost, self._most + 1))
        for mode, is_open in zip(self._choice, found, strict=True):
            is_open[mode] = True
        return found

    def _eliminate(self) -> bool:
        """True if elimination has found the cheapest choice."""
        least = min(self._cost, self._most)
        found = cheapest_choice(self._problem, self._open(), least, self._end)
        if found is None:
            return False
        self._try(found)
        self._bound = min(self._cost, self._most + 1)
        return True

    def _narrow(self) -> None:
        """Take the cheapest choice among few modes of each op: those that the potentials find cheapest."""
        is_open = self._open()
        for count in NARROW:
            few = [self._potentials.cheapest(op, count) & each for op, each in enumerate(is_open)]
            for mode, each in zip(self._choice, few, strict=True):
                each[mode] = True
            found = cheapest_choice(self._problem, few, min(self._cost, self._most), self._end)
            if found is not None:
                self._try(found)
                return

    def _branch(self) -> None:
        """Solve what is left as a linear program."""
        modes = [np.flatnonzero(each) for each in self._open()]
        left = _of_modes(self._problem, modes)
        ops = {op for part in parts_of(left) for op in part}
        is_used = [any(each.op in ops for each in accesses_of(storage)) for storage in left.storages]
        part = only(left, ops, is_used)
        if self._is_late() or _size(part) > LARGEST_PROGRAM:
            return
        start = [int(np.flatnonzero(each == mode)[0]) for each, mode in zip(modes, self._choice, strict=True)]
        own = [mode if op in ops else 0 for op, mode in enumerate(start)]
        rest = self._cost - cost_of_choice(part, own)
        found = solve(part, (), max(self._end - monotonic(), 0.0))
        choice = [found.choice[op] if op in ops else mode for op, mode in enumerate(start)]
        self._try([int(each[mode]) for each, mode in zip(modes, choice, strict=True)])
        # No choice with a mode that is closed is cheaper.
        self._bound = max(self._bound, min(rest + found.bound, self._cost, self._most + 1))


def _of_modes(problem: Problem, modes: Sequence[Numbers]) -> Problem:
    """A problem with some modes of each op."""

    kept: list[list[int]] = [each.tolist() for each in modes]

    def some(access: Access) -> Access:
        return Access(access.op, tuple([access.byte_orders[mode] for mode in kept[access.op]]))

    storages = [
        replace(
            each,
            producer=some(each.producer) if isinstance(each.producer, Access) else each.producer,
            readers=[*map(some, each.readers)],
        )
        for each in problem.storages
    ]
    prices = {op: [own[mode] for mode in kept[op]] for op, own in problem.prices.items()}
    has_prices = any(callable(each.weight) for each in storages)
    return replace(problem, modes=[*map(len, kept)], storages=storages, prices=prices, has_prices=has_prices)


def _size(problem: Problem) -> int:
    """The number of modes, and of amounts that a conversion may cost."""
    return sum(problem.modes) + sum(map(_amounts, problem.storages))


def _amounts(storage: StorageTerm) -> int:
    producer = storage.producer
    wanted = {each for access in storage.readers for each in access.byte_orders}
    given = {*producer.byte_orders} if isinstance(producer, Access) else {producer}
    return len(wanted) * (len(given) ** 2 if callable(storage.weight) else 1)
