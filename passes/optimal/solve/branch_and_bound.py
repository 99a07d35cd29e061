"""Branch and bound over the modes of ops: the least cost, proved without trust in the solver.

Each node leaves some modes of each op open. Its bound is what rounded dual values prove in whole numbers for all
choices of open modes, and modes with which no choice is cheaper than the best one found are closed.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from time import monotonic
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.bool_]


class Relaxation(NamedTuple):
    """The fractional optimum of the open modes of a node."""

    bound: int
    """A proved lower bound for all choices of open modes."""
    is_open: Mask
    """The modes with which a choice may be cheaper than the best one found; none of an op if no choice is."""
    point: NDArray[np.float64]
    """The part of each mode."""


class Relaxed(Protocol):
    """A problem with fractional optima."""

    firsts: NDArray[np.int64]
    """The first mode of each op with a choice, among all modes."""
    all_modes: Mask

    def relaxation(self, is_open: Mask, below: int) -> Relaxation:
        """The fractional optimum of some modes, and those of them with which a choice may cost less than this."""
        ...

    def choice(self, point: NDArray[np.float64]) -> list[int]:
        """The mode of each op with the largest value."""
        ...

    def cost_of(self, choice: Sequence[int]) -> int:
        """The cost of a choice, in whole numbers."""
        ...


def search(problem: Relaxed, best: list[int], end: float) -> tuple[list[int], int]:
    """A cheapest choice, the given one if none is cheaper, and the bound, which is its cost unless the time is up."""
    cost = problem.cost_of(best)
    waiting: list[tuple[int, int, Relaxation]] = []
    made, bound, halves = 0, 0, [problem.all_modes]
    while True:
        for half in halves:
            found = problem.relaxation(half, cost)
            choice = problem.choice(_open_parts(found))
            if (other := problem.cost_of(choice)) < cost:
                best, cost = choice, other
            # Of one open mode for each op, the choice has just been counted.
            if np.any(_open_modes(problem, found) > 1):
                made += 1
                # Of equal bounds the newest node comes first, which is the one with the fewest open modes.
                heappush(waiting, (max(bound, found.bound), -made, found))
        if not waiting or waiting[0][0] >= cost:
            return best, cost
        if monotonic() >= end:
            return best, waiting[0][0]
        bound, _, found = heappop(waiting)
        halves = [*halves_of(problem, found)]


def halves_of(problem: Relaxed, found: Relaxation) -> Iterator[Mask]:
    """Two nodes with fewer open modes: the op whose largest part is the least has this mode, or any other one."""
    parts = _open_parts(found)
    largest = np.maximum.reduceat(parts, problem.firsts)
    op = int(np.argmin(np.where(_open_modes(problem, found) > 1, largest, np.inf)))
    first, end = int(problem.firsts[op]), int(np.append(problem.firsts, len(parts))[op + 1])
    mode = first + int(np.argmax(parts[first:end]))
    one, others = found.is_open.copy(), found.is_open.copy()
    one[first:end] = False
    one[mode], others[mode] = True, False
    yield others
    yield one


def _open_modes(problem: Relaxed, found: Relaxation) -> NDArray[np.int64]:
    """The number of open modes of each op with a choice."""
    return np.add.reduceat(found.is_open.astype(np.int64), problem.firsts)


def _open_parts(found: Relaxation) -> NDArray[np.float64]:
    """The parts of open modes; those of the others are negative."""
    return np.where(found.is_open, found.point, -1.0)
