"""A choice for the program in which some ops run twice, where that costs less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...common.moves.kept_constants import Kept
from ...common.moves.transpose_cost import units_text
from ...common.plans.copies import apply_copies
from ...common.words.reasons import Names
from .mode_choice import ModeChoice, ModeTable, WiderProblem

if TYPE_CHECKING:
    from .copied_ops import CopiedOps


@dataclass(frozen=True)
class CopyTrial:
    """A try of a program in which some ops run twice."""

    choice: ModeChoice
    """The choice for the program as it came."""
    copied: CopiedOps
    choose: Callable[[], ModeChoice]
    """Chooses for the program as it is then."""
    counts: bool
    """True if transposes count more than prices."""
    copied_in: Callable[[ModeTable], CopiedOps | None]
    """Finds the ops that may run twice in a table with other modes."""

    def best(self, strategy: str, names: Names) -> tuple[ModeChoice, bool]:
        """The choice for the program with copies, which is left so, and true if it costs less; else the one before."""
        if not self.copied.plan.ops:
            return self._without(), False
        before, transposes = _price(self.choice), _transposes(self.choice)
        copies = apply_copies(self.copied.plan, strategy, names)
        found = self.choose()
        is_less = found.as_it_came is None and _price(found) + self.copied.price < before
        if not is_less or (self.counts and _transposes(found) > transposes):
            copies.take_back()
            return self._without(), False
        known = self.choice.second_runs
        runs = known.with_more(self.copied.count, self.copied.price, self._are_all())
        return replace(self._bounded(found, self.copied.bound - self.copied.price), second_runs=runs), True

    def _without(self) -> ModeChoice:
        """The choice for the program as it is."""
        runs = self.choice.second_runs.with_more(0, 0, self._are_all())
        found = replace(self._bounded(self.choice, self.copied.bound), second_runs=runs)
        is_bounded = found.table.cost_unit == "target" and not self.counts
        return replace(found, wider=self._wider) if is_bounded else found

    def _wider(self) -> WiderProblem:
        """The problem in which ops may run twice, also in modes that only prices may favour."""
        if self.choice.wider is None:
            return self.copied.wider
        further = self.choice.wider()
        found = self.copied_in(further.table)
        return further if found is None else found.wider

    def _are_all(self) -> bool:
        """True if no limit has kept out what is proved; where transposes count nothing is proved of second runs."""
        return self.counts or self.copied.are_all

    def _bounded(self, choice: ModeChoice, bound: int) -> ModeChoice:
        """The choice with a bound that holds for programs in which ops run twice as well."""
        if choice.table.cost_unit != "target" or self.counts:
            return choice
        solution = choice.solution
        return choice.with_solution(replace(solution, bound=min(solution.bound, bound)))


def _price(choice: ModeChoice) -> int:
    """The price of a program, in ticks."""
    if choice.as_it_came is not None:
        return choice.as_it_came.total
    return choice.solution.cost if choice.priced is None else choice.priced.ticks_of(choice)


def _transposes(choice: ModeChoice) -> int:
    return (choice.cost if choice.as_it_came is None else choice.as_it_came).transposes


def twice_text(choice: ModeChoice) -> str:
    """The ops that run twice and the constants that are kept in several orders in words, with what they cost."""
    runs, costs = choice.second_runs, choice.table.target_layouts.target.with_prices.costs
    if costs is None:
        return ""
    ops = "ops run" if runs.ops > 1 else "op runs"
    text = f", and {runs.ops} {ops} twice for {units_text(runs.ticks)} {costs.unit}" if runs.ops else ""
    return text + _kept_text(choice.kept, costs.unit)


def as_it_came_text(choice: ModeChoice) -> str:
    """The constants that the program keeps in several orders as it came in words, with what they cost."""
    table = choice.priced or choice.table
    return _kept_text(table.constants.as_it_is, table.unit_text)


def _kept_text(kept: Kept, unit: str) -> str:
    if not kept.constants:
        return ""
    constants = "constants are" if kept.constants > 1 else "constant is"
    return f", and {kept.constants} {constants} kept {kept.how} for {units_text(kept.ticks)} {unit}"
