"""The layouts with which the fewest bytes travel, where the groups of `fuse-ops-hw` absorb transposes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from ..common.interface_choice import Ends
from ..common.target_layouts import TargetLayouts
from ..common.transpose_cost import cost_of_program
from ..fusion.covered import covered
from .mode_choice import ModeChoice, ModeTable
from .problem import Solution
from .traffic_branches import Branches
from .traffic_problem import Signature, TrafficProblem
from .traffic_value import Converted, TrafficValue, value_of

MOST_ROUNDS = 8
"""The maximum number of times that the prices of a linear program are corrected."""


def choose_by_traffic(
    module: ModuleOp, target_layouts: TargetLayouts, assumed_size: int, time_limit: float, ends: Ends
) -> ModeChoice:
    """The choice of modes with which the fewest bytes travel."""
    table = ModeTable.of(module, target_layouts, "traffic", assumed_size, ends)
    return _Search(TrafficProblem(table), time_limit).result()


class _Search:
    """Candidates of linear programs first; then branch and bound, if the bound is not reached."""

    def __init__(self, problem: TrafficProblem, time_limit: float) -> None:
        self._problem = problem
        self._table = problem.table
        self._time_limit = time_limit
        self._known: dict[Signature, TrafficValue] = {}
        self._best: tuple[list[int], TrafficValue] | None = None

    def result(self) -> ModeChoice:
        present = self._present()
        if present is not None and present.order <= (self._problem.bound.fixed, 0):
            # No other program moves less, and none has smaller transposes.
            return self._choice([0] * len(self._problem.modes), present, present.bytes, is_kept=True)
        bound = self._candidates()
        if self._least > bound:
            branches = Branches(self._problem, len(self._table.live), self._least)
            branches.search(self._tried)
            bound = max(bound, self._least_of_tried) if branches.is_complete else bound
        assert self._best is not None
        numbers, value = self._best
        if present is not None and present.order <= value.order:
            return self._choice([0] * len(numbers), present, bound, is_kept=True)
        return self._choice(numbers, value, bound, is_kept=False)

    def _choice(self, numbers: list[int], value: TrafficValue, bound: int, is_kept: bool) -> ModeChoice:
        choice = replace(
            self._problem.choice(numbers), solution=Solution(numbers, value.bytes, min(bound, value.bytes))
        )
        choice.traffic = value._replace(is_kept=is_kept, is_bound_known=self._problem.bound.is_known)
        return choice

    def _present(self) -> TrafficValue | None:
        """The data that the program moves as it is; None if some op has to be written anew."""
        if any(modes[0].relayout is not None for modes in self._problem.modes):
            return None
        table = self._table
        found = covered(table.module, table.target_layouts.target, table.assumed_size)
        return TrafficValue.of(found, cost_of_program(table.module, table.assumed_size))

    @property
    def _least(self) -> int:
        assert self._best is not None
        return self._best[1].bytes

    @property
    def _least_of_tried(self) -> int:
        """The data that the choices tried so far move at least, in whatever groups."""
        return min(value.least for value in self._known.values())

    def _candidates(self) -> int:
        """Try the best choices of linear programs, and return the bound for all choices."""
        problem = self._problem
        self._tried(problem.fewest_bytes(self._time_limit))
        if self._least <= problem.bound.fixed:
            return problem.bound.fixed
        numbers, bound = problem.solved({}, self._time_limit)
        bound += problem.bound.fixed
        self._corrected(numbers, {}, bound)
        prices = problem.likely_prices()
        self._corrected(problem.solved(prices, self._time_limit)[0], prices, bound)
        return bound

    def _corrected(self, numbers: Sequence[int], prices: Mapping[Converted, int], bound: int) -> None:
        """Solve again with the full price of each conversion that is not absorbed, until there are no others."""
        for _ in range(MOST_ROUNDS):
            outside = self._tried(numbers).outside
            if self._least <= bound or all(each in prices for each in outside):
                return
            prices = {**prices, **self._problem.full_prices(outside)}
            numbers = self._problem.solved(prices, self._time_limit)[0]

    def _tried(self, numbers: Sequence[int]) -> TrafficValue:
        """The data that a choice moves; of equal ones that with the smallest transposes is kept."""
        signature = self._problem.signature(numbers)
        if signature not in self._known:
            self._known[signature] = value = value_of(self._problem.choice(numbers))
            if self._best is None or value.order < self._best[1].order:
                self._best = [*numbers], value
        return self._known[signature]
