"""The parts of a block whose best groups do not depend on each other, and the structure on which they depend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ..common.moves.conversion_ops import ConversionOp
from ..fusion.stages.stage_order import lowest_bit
from .problem import CoverProblem
from .state import Decision, Key


@dataclass
class CoverGroup:
    """The steps of one group."""

    staged: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Steps with their stages, in the order of the group."""
    carried: list[int] = field(default_factory=list[int])
    """Steps without a stage of their own."""

    @property
    def first(self) -> int:
        return min([*self.carried, *(step for step, _ in self.staged)])

    def moved_by(self, distance: int) -> CoverGroup:
        staged = [(step + distance, stage) for step, stage in self.staged]
        return CoverGroup(staged, [step + distance for step in self.carried])


class CoveredPart(NamedTuple):
    """Some steps in a row, of which none can be in a group with others, in their best groups."""

    first: int
    cost: int
    least: int
    """The cost of any groups of these steps is not less."""
    groups: Sequence[CoverGroup]

    def moved_to(self, first: int) -> CoveredPart:
        """The part for equal steps that begin elsewhere."""
        if first == self.first:
            return self
        distance = first - self.first
        return self._replace(first=first, groups=[group.moved_by(distance) for group in self.groups])


KnownParts: TypeAlias = dict[Key, CoveredPart]
"""Parts with their best groups, by their structure."""


@dataclass(frozen=True)
class CoveredFlow:
    """The best groups of a block."""

    problem: CoverProblem
    parts: Sequence[CoveredPart]

    @property
    def is_best(self) -> bool:
        """True if no groups cost less."""
        return all(part.cost == part.least for part in self.parts)

    @property
    def is_all_known(self) -> bool:
        """True if the best groups move as much as is known, and pay no stage for transposes."""
        return self.is_best and not self.problem.has_stage_prices

    @property
    def least(self) -> int:
        """The bytes that any groups read and write at least, or their number."""
        return self.problem.measured(sum(part.least for part in self.parts) + self.problem.fixed)

    @property
    def count(self) -> int:
        """The number of groups."""
        return sum(1 for _ in self.groups)

    @property
    def groups(self) -> Iterator[CoverGroup]:
        """A transpose that no group absorbs is one if a stage runs it."""
        for group in (group for part in self.parts for group in part.groups):
            if group.staged:
                yield group
            else:
                yield from self._alone(group.carried)

    def _alone(self, steps: Iterable[int]) -> Iterator[CoverGroup]:
        for step in steps:
            if entries := self.problem.entries[step]:
                yield CoverGroup([(step, lowest_bit(entries))])

    @property
    def absorbed(self) -> frozenset[ConversionOp]:
        """The conversions in groups with other ops."""
        return frozenset(op for group in self.groups for op in self._absorbed(group))

    def _absorbed(self, group: CoverGroup) -> Iterator[ConversionOp]:
        ops = [self.problem.flow.steps[step].op for step, _ in group.staged]
        if not all(isinstance(op, ConversionOp) for op in ops):
            ops += [self.problem.flow.steps[step].op for step in group.carried]
            yield from (op for op in ops if isinstance(op, ConversionOp))


def ends_of_parts(problem: CoverProblem) -> Iterator[int]:
    """The steps behind which no group of the steps before can grow."""
    last_join = -1
    for step, each in enumerate(problem.flow.steps):
        last_join = max(last_join, *(problem.last_join[value] for value in each.results), -1)
        if last_join <= step:
            yield step + 1


def structure(problem: CoverProblem, first: int, end: int) -> Key:
    """Equal for parts with the same best groups: their steps, and the values that they use, with what decides."""
    steps = problem.flow.steps[first:end]
    used = sorted({value for each in steps for value in (*each.reads, *each.results)})
    number = {value: place for place, value in enumerate(used)}
    facts = [
        (
            *problem.facts_of(step),
            tuple([number[value] for value in each.reads]),
            tuple([number[value] for value in each.results]),
            tuple([number[value] for value in each.beside]),
            tuple([tuple([number[value] for value in factor]) for factor in each.factors]),
        )
        for step, each in enumerate(steps, first)
    ]
    values = [
        (
            problem.prices[value],
            problem.escapes[value],
            max(min(problem.last_reader[value], end) - first, -1),
            max(min(problem.last_join[value], end) - first, -1),
        )
        for value in used
    ]
    return problem.has_stage_prices, *facts, *values


def groups_of(last: Decision | None) -> list[CoverGroup]:
    """The groups that some decisions make."""
    found: dict[int, CoverGroup] = {}
    for each in reversed(list(_chain(last))):
        group = found.setdefault(each.group, CoverGroup())
        for other in each.absorbed:
            group.carried += found.pop(other).carried
        if each.stage is None:
            group.carried.append(each.step)
        else:
            group.staged.insert(len(group.staged) - each.behind, (each.step, each.stage))
    return list(found.values())


def _chain(last: Decision | None) -> Iterator[Decision]:
    while last is not None:
        yield last
        last = last.before
