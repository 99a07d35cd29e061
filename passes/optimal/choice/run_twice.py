"""A choice for the program in which some ops run twice, where that costs less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...common.moves.transpose_cost import units_text
from ...common.plans.copies import apply_copies
from ...common.words.reasons import Names
from .mode_choice import ModeChoice, ModeTable, RunTwice

if TYPE_CHECKING:
    from .copied_ops import CopiedOps


@dataclass(frozen=True)
class Trial:
    """A try of a program in which some ops run twice."""

    choice: ModeChoice
    """The choice for the program as it came."""
    copied: CopiedOps
    choose: Callable[[], ModeChoice]
    """Chooses for the program as it is then."""
    priced: Callable[[], ModeTable]
    """All modes of the program as it is then at the prices of the target."""
    counts: bool
    """True if transposes count more than prices."""

    def best(self, strategy: str, names: Names) -> ModeChoice:
        """The choice for the program with copies, which is left so, if it costs less; else the one as it came."""
        if not self.copied.plan.ops:
            return self._as_it_came()
        before, transposes = self._price(self.choice, self.priced), _transposes(self.choice)
        copies = apply_copies(self.copied.plan, strategy, names)
        found = self.choose()
        after = self._price(found, self.priced) + self.copied.price
        is_less = found.as_it_came is None and after < before
        if not is_less or (self.counts and _transposes(found) > transposes):
            copies.take_back()
            return self._as_it_came()
        twice = RunTwice(len(copies.made), self.copied.price, self.copied.are_all)
        return replace(self._bounded(found, self.copied.bound - self.copied.price), run_twice=twice)

    def _as_it_came(self) -> ModeChoice:
        return replace(
            self._bounded(self.choice, self.copied.bound), run_twice=RunTwice(0, 0, self.copied.are_all)
        )

    def _bounded(self, choice: ModeChoice, bound: int) -> ModeChoice:
        """The choice with a bound that holds for programs in which ops run twice as well."""
        if choice.table.cost_unit != "target" or self.counts:
            return choice
        solution = choice.solution
        return choice.with_solution(replace(solution, bound=min(solution.bound, bound)))

    def _price(self, choice: ModeChoice, priced: Callable[[], ModeTable]) -> int:
        """The price of a program, in ticks."""
        if choice.as_it_came is not None:
            return choice.as_it_came.ticks
        return choice.solution.cost if choice.table.cost_unit == "target" else priced().ticks_of(choice)


def _transposes(choice: ModeChoice) -> int:
    return (choice.cost if choice.as_it_came is None else choice.as_it_came).transposes


def twice_text(choice: ModeChoice) -> str:
    """The ops that run twice in words, with the price of their second runs."""
    twice, costs = choice.run_twice, choice.table.target_layouts.target.with_prices.costs
    if twice is None or not twice.ops or costs is None:
        return ""
    plural = "ops run" if twice.ops > 1 else "op runs"
    return f", and {twice.ops} {plural} twice for {units_text(twice.ticks)} {costs.unit}"
