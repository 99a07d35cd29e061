"""The layouts with which the fewest bytes travel, where the groups of `fuse-ops-hw` absorb transposes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp

from ...common.demands.target_layouts import TargetLayouts
from ...common.moves.transpose_cost import Cost
from ...common.plans.interface_choice import Interface
from ...cover.module import covered_graphs, present_cost
from ...cover.traffic_value import TrafficValue
from ..choice.mode_choice import GroupedProblem, ModeChoice, ModeTable
from ..solve.problem import Solution
from ..solve.proof_nodes import GroupCosts
from .branches import Branches
from .placed_copy import value_of
from .problem import TrafficProblem

MOST_ROUNDS = 8
"""The maximum number of times that the prices of a linear program are corrected."""


def choose_by_traffic(
    module: ModuleOp, target_layouts: TargetLayouts, assumed_size: int, time_limit: float, interface: Interface
) -> ModeChoice:
    """The choice of modes with which the fewest bytes travel."""
    table = ModeTable.of(module, target_layouts, "traffic", assumed_size, interface, may_carry=False)
    return _Search(TrafficProblem(table), time_limit).result()


class _Search:
    """Candidates of linear programs first; then branch and bound, if the bound is not reached."""

    def __init__(self, problem: TrafficProblem, time_limit: float) -> None:
        self._problem = problem
        self._table = problem.table
        self._time_limit = time_limit
        self._known: dict[tuple[int, ...], TrafficValue] = {}
        self._sure = problem.bound.fixed
        """The data that is moved in any case, by what is known so far."""
        self._best: tuple[list[int], TrafficValue] | None = None
        self._proving: Branches | None = None
        """The search, if the bound is that of the choices that it counted."""

    def result(self) -> ModeChoice:
        fixed = self._problem.bound.fixed
        if self._can_be_kept and self._present_transposes.bytes == 0:
            present = self._present
            if present.bytes <= fixed:
                # No other program moves less, and none has smaller transposes.
                return self._choice([0] * len(self._problem.modes), present, present.bytes, is_kept=True)
        bound = self._candidates()
        if self._least > bound:
            bound = self._searched(bound)
        assert self._best is not None
        numbers, value = self._best
        if self._is_present_best(value):
            return self._choice([0] * len(numbers), self._present, bound, is_kept=True)
        return self._choice(numbers, value, bound, is_kept=False)

    def _is_present_best(self, value: TrafficValue) -> bool:
        """True if nothing moves less than the program as it is."""
        if not self._can_be_kept:
            return False
        if value.bytes <= self._sure and value.transposes.bytes < self._present_transposes.bytes:
            return False
        return self._present.order <= value.order

    def _choice(self, numbers: list[int], value: TrafficValue, bound: int, is_kept: bool) -> ModeChoice:
        choice = self._problem.choice(numbers).with_solution(Solution(numbers, value.bytes, min(bound, value.bytes)))
        traffic = value._replace(is_kept=is_kept, is_bound_known=self._problem.bound.is_known)
        return replace(choice, traffic=traffic, grouped=lambda: self._grouped(choice.solution))

    def _grouped(self, solution: Solution) -> GroupedProblem:
        """The problem that proves the bound of a choice."""
        # Imported late: only certificates need the proof.
        from .proof import proof_of_branches

        if not self._problem.bound.is_known:
            # Nothing is claimed of sizes that are assumed.
            problem = self._table.problem.at(dict.fromkeys(self._table.problem.roots, 0))
            return GroupedProblem(problem, 1, GroupCosts(0, solution.cost, proved=solution.choice))
        if self._proving is not None:
            return proof_of_branches(self._problem, self._proving, solution.bound, solution.cost)
        problem, impossible = self._problem.least_problem
        proved = self._problem.solved(self._problem.least_prices, self._time_limit).solution.choice
        return GroupedProblem(problem, impossible, GroupCosts(self._problem.bound.fixed, solution.cost, proved=proved))

    @property
    def _can_be_kept(self) -> bool:
        """False if some op has to be written anew."""
        return all(modes[0].relayout is None for modes in self._problem.modes)

    @cached_property
    def _present_transposes(self) -> Cost:
        return present_cost(self._problem.bound.graphs, self._table.assumed_size)

    @cached_property
    def _present(self) -> TrafficValue:
        """The data that the program moves as it is."""
        found = covered_graphs(self._problem.bound.graphs, self._table.assumed_size, self._problem.bound.parts)
        return TrafficValue.of(found, self._present_transposes)

    @property
    def _least(self) -> int:
        assert self._best is not None
        return self._best[1].bytes

    @property
    def _least_of_tried(self) -> int:
        """The data that the choices tried so far move at least, in whatever groups."""
        return min(value.least for value in self._known.values())

    def _candidates(self) -> int:
        """Try the choices with the fewest bytes in transposes, and in those that no group absorbs; return the bound.

        If one of them reaches the bound, no other program that does has smaller transposes.
        """
        problem = self._problem
        self._tried(problem.fewest_bytes(self._time_limit))
        if self._least <= problem.bound.fixed:
            return problem.bound.fixed
        solution = problem.solved(problem.least_prices, self._time_limit).solution
        self._tried(solution.choice)
        # The program as it is may have more than one transpose where a choice has one, none of which moves less.
        self._sure += solution.bound
        return self._sure

    def _searched(self, bound: int) -> int:
        """Try the choices that likely move the least, then all choices of a small program; return the bound."""
        branches = Branches(self._problem, len(self._table.live), lambda numbers: self._tried(numbers).bytes)
        if branches.has_choices:
            self._try_likely(bound)
        if self._least > bound:
            branches.search(self._least)
            if branches.is_complete and self._least_of_tried > bound:
                self._proving, bound = branches, self._least_of_tried
        return bound

    def _try_likely(self, bound: int) -> None:
        """Solve with likely prices, then with the full price of each conversion that turned out to be in no group."""
        prices = self._problem.likely_prices()
        for _ in range(MOST_ROUNDS):
            value = self._tried(self._problem.solved(prices, self._time_limit).solution.choice)
            corrected = self._problem.corrected(prices, value.outside)
            if self._least <= bound or corrected == prices:
                return
            prices = corrected

    def _tried(self, numbers: Sequence[int]) -> TrafficValue:
        """The data that a choice moves; of equal ones that with the smallest transposes is kept."""
        key = tuple(numbers)
        if key not in self._known:
            self._known[key] = value = value_of(self._problem.choice(numbers), self._problem.bound.parts)
            if self._best is None or value.order < self._best[1].order:
                self._best = [*numbers], value
        return self._known[key]
