"""Groups with the fewest bytes between them, by a search over the steps of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ..fusion.groups.collecting import Collecting
from ..fusion.groups.hardware_groups import Bound, Grouping, HardwareGroup, Member
from ..fusion.groups.traffic import Traffic
from ..fusion.stages.stage_match import Matching
from .dominance import undominated
from .moves import CoverMoves
from .parts import CoveredFlow, CoveredPart, CoverGroup, KnownParts, ends_of_parts, groups_of, structure
from .problem import GROUP_PRICE, CoverProblem
from .state import Key, State

WIDTH = 48
"""The number of states that are kept at each step."""


def best_cover(traffic: Traffic, matching: Matching, greedy: Callable[[], Grouping], width: int = WIDTH) -> Grouping:
    """The cover of a graph, or the given groups if they are better."""
    return better(cover(traffic, matching, width), traffic, greedy)


def better(found: Grouping, traffic: Traffic, greedy: Callable[[], Grouping]) -> Grouping:
    """The groups that were found, or the given ones if they are better."""
    if found.bound is not None and found.bound.is_best:
        return found
    return min((found, replace(greedy(), bound=found.bound)), key=lambda each: _sums(each, traffic))


def _sums(grouping: Grouping, traffic: Traffic) -> tuple[int, int]:
    return traffic.travelling(grouping), len(grouping.groups)


def cover(traffic: Traffic, matching: Matching, width: int = WIDTH) -> Grouping:
    """The groups of a graph with which the fewest bytes travel."""
    return grouping(covered_flow(CoverProblem(traffic, matching), {}, width), matching)


def grouping(found: CoveredFlow, matching: Matching) -> Grouping:
    """The best groups of a block, with the constants and free ops that go with their ops."""
    problem = found.problem
    groups = _Members(problem, matching).groups(found.groups)
    return Grouping(groups, {}, Bound(found.least, found.is_best))


def covered_flow(problem: CoverProblem, known: KnownParts, width: int = WIDTH) -> CoveredFlow:
    """The best groups, part by part; those of parts with a known structure are not searched again."""
    sweep = _Sweep(problem, width)
    parts: list[CoveredPart] = []
    first = 0
    for end in ends_of_parts(problem):
        key = structure(problem, first, end)
        if key not in known:
            known[key] = sweep.part(first, end)
        parts.append(known[key].moved_to(first))
        first = end
    return CoveredFlow(problem, parts)


class _Sweep:
    """The steps one after the other. Of all states with the same future the cheapest is kept.

    Where more states are left than the width, the dearest are dropped. No way through a state costs less than it did
    there and the further steps cost in any case; that is the bound.
    """

    def __init__(self, problem: CoverProblem, width: int) -> None:
        self._problem = problem
        self._width = width
        self._moves = CoverMoves(problem)
        self._dropped: int | None = None
        """The least cost of the ways dropped so far, with the sure cost of the steps since."""

    def part(self, first: int, end: int) -> CoveredPart:
        """The best groups of the steps of a part."""
        self._dropped = None
        states = [State({}, {})]
        for step in range(first, end):
            if self._dropped is not None:
                self._dropped += self._problem.sure_prices[step]
            states = self._after(states, step)
        best = min(states, key=lambda state: state.cost)
        least = best.cost if self._dropped is None else min(best.cost, self._dropped)
        return CoveredPart(first, best.cost, least, groups_of(best.decisions))

    def _after(self, states: Sequence[State], step: int) -> list[State]:
        following: list[State] = []
        for state in states:
            found, is_complete = self._moves.after(state, step)
            if not is_complete:
                self._drop(state, self._problem.sure_prices[step])
            following += found
        ordered = undominated(_cheapest(following))
        kept = ordered[: self._width]
        if len(ordered) > self._width and not any(map(self._moves.is_safe, kept)):
            kept[-1] = next(filter(self._moves.is_safe, ordered))
        for state in ordered[self._width - 1 :]:
            if state is not kept[-1]:
                self._drop(state)
        return kept

    def _drop(self, state: State, sure: int = 0) -> None:
        least = state.cost + sure - self._refunds(state)
        self._dropped = least if self._dropped is None else min(least, self._dropped)

    def _refunds(self, state: State) -> int:
        """The most that is paid back where groups become parts of others."""
        waiting = {group for group, found in state.groups.items() if found.entries}
        reads = sum(self._problem.prices[each] * len(value.read_by & waiting) for each, value in state.values.items())
        return reads + len(waiting) * GROUP_PRICE


def _cheapest(states: list[State]) -> list[State]:
    """The cheapest of all states with the same future, for each future; cheapest first."""
    if len(states) == 1:
        return states
    found: dict[Key, State] = {}
    for state in states:
        key = state.key()
        if key not in found or state.cost < found[key].cost:
            found[key] = state
    return sorted(found.values(), key=lambda state: state.cost)


class _Members:
    """Groups of ops, with the constants and free ops that go with them."""

    def __init__(self, problem: CoverProblem, matching: Matching) -> None:
        self._ops = [step.op for step in problem.flow.steps]
        self._matching = matching
        self._problem = problem
        block = self._ops[0].parent if self._ops else None
        self._collecting = Collecting(matching, () if block is None else block.ops)

    def groups(self, groups: Iterable[CoverGroup]) -> list[HardwareGroup]:
        """The groups in the order of their first ops."""
        return [self._group(group) for group in sorted(groups, key=lambda group: group.first)]

    def _group(self, group: CoverGroup) -> HardwareGroup:
        members = [self._ops[step] for step, _ in group.staged]
        collected = self._collecting.collected(members, [self._ops[step] for step in group.carried])
        found = HardwareGroup()
        for op, (_, stage) in zip(members, group.staged, strict=True):
            runs_on = self._problem.order.stages[stage]
            found.add(Member(op, runs_on, collected[op], self._matching.takes_use(runs_on, op)))
        return found
