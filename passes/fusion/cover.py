"""Groups with the fewest bytes between them, by a search over the steps of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from .collecting import Collecting
from .cover_moves import CoverMoves
from .cover_problem import CoverBy, CoverProblem
from .cover_state import Decision, Key, State
from .hardware_groups import Bound, Grouping, HardwareGroup, Member
from .stage_match import Matching
from .stage_order import lowest_bit
from .traffic import Traffic

WIDTH = 48
"""The number of states that are kept at each step."""


def best_cover(
    traffic: Traffic, matching: Matching, by: CoverBy, greedy: Callable[[], Grouping], width: int = WIDTH
) -> Grouping:
    """The cover of a graph, or the given groups if they are better."""
    found = cover(traffic, matching, by, width)
    if found.bound is not None and found.bound.is_best:
        return found
    return min((found, replace(greedy(), bound=found.bound)), key=lambda each: _sums(each, traffic, by))


def _sums(grouping: Grouping, traffic: Traffic, by: CoverBy) -> tuple[int, int]:
    sums = traffic.travelling(grouping), len(grouping.groups)
    return sums if by == "bytes" else (sums[1], sums[0])


def cover(traffic: Traffic, matching: Matching, by: CoverBy, width: int = WIDTH) -> Grouping:
    """The groups of a graph with which the fewest bytes travel, or those of the smallest number."""
    problem = CoverProblem(traffic, matching, by)
    best, bound = _Sweep(problem, width).result()
    groups = _Members(traffic, matching, problem).groups(_parts(best.decisions).values())
    return Grouping(groups, {}, Bound(by, problem.measured(bound + problem.fixed), bound == best.cost))


class _Sweep:
    """The steps one after the other. Of all states with the same future the cheapest is kept.

    Where more states are left than the width, the dearest are dropped. No way through a state costs less than it did
    there and the further steps cost in any case; that is the bound.
    """

    def __init__(self, problem: CoverProblem, width: int) -> None:
        self._problem = problem
        self._width = width
        self._moves = CoverMoves(problem)
        self._lost = 0
        """The cost that the ways dropped so far may be cheaper than those that were kept."""
        self._dropped: int | None = None
        """The least cost of the ways dropped since all ways met, with the sure cost of the steps since."""

    def result(self) -> tuple[State, int]:
        states = [State({}, {})]
        last_join = -1
        for step, each in enumerate(self._problem.flow.steps):
            sure = self._problem.sure_price(step)
            if self._dropped is not None:
                self._dropped += sure
            states = self._after(states, step)
            last_join = max(last_join, *(self._problem.last_join[value] for value in each.results), -1)
            if last_join <= step:
                # No group of any state can grow: they differ in nothing any more.
                self._meet(states[0].cost)
        best = min(states, key=lambda state: state.cost)
        self._meet(best.cost)
        return best, best.cost - self._lost

    def _after(self, states: Sequence[State], step: int) -> list[State]:
        found: dict[Key, State] = {}
        for state in states:
            following, is_complete = self._moves.after(state, step)
            if not is_complete:
                self._drop(state, self._problem.sure_price(step))
            for each in following:
                key = each.key()
                if key not in found or each.cost < found[key].cost:
                    found[key] = each
        ordered = sorted(found.values(), key=lambda state: state.cost)
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
        return reads + len(waiting) * self._problem.group_price

    def _meet(self, cost: int) -> None:
        """All ways meet in one state."""
        if self._dropped is not None:
            self._lost += max(cost - self._dropped, 0)
            self._dropped = None


@dataclass
class CoverPart:
    """The steps of one group."""

    staged: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Steps with their stages, in the order of the group."""
    carried: list[int] = field(default_factory=list[int])
    """Steps without a stage of their own."""

    @property
    def first(self) -> int:
        return min([*self.carried, *(step for step, _ in self.staged)])


def _parts(last: Decision | None) -> dict[int, CoverPart]:
    parts: dict[int, CoverPart] = {}
    for each in reversed(list(_chain(last))):
        part = parts.setdefault(each.group, CoverPart())
        for group in each.absorbed:
            part.carried += parts.pop(group).carried
        if each.stage is None:
            part.carried.append(each.step)
        else:
            part.staged.insert(len(part.staged) - each.behind, (each.step, each.stage))
    return parts


def _chain(last: Decision | None) -> Iterator[Decision]:
    while last is not None:
        yield last
        last = last.before


class _Members:
    """Groups of ops, with the constants and free ops that go with them."""

    def __init__(self, traffic: Traffic, matching: Matching, problem: CoverProblem) -> None:
        self._ops = [step.op for step in traffic.steps]
        self._matching = matching
        self._problem = problem
        block = self._ops[0].parent if self._ops else None
        self._collecting = Collecting(matching, () if block is None else block.ops)

    def groups(self, parts: Iterable[CoverPart]) -> list[HardwareGroup]:
        """The groups in the order of their first ops. A transpose that no group absorbs is one if a stage runs it."""
        whole = [each for part in parts for each in (self._alone(part) if not part.staged else [part])]
        return [self._group(part) for part in sorted(whole, key=lambda part: part.first)]

    def _alone(self, part: CoverPart) -> Iterator[CoverPart]:
        for step in part.carried:
            if entries := self._problem.entries[step]:
                yield CoverPart([(step, lowest_bit(entries))])

    def _group(self, part: CoverPart) -> HardwareGroup:
        members = [self._ops[step] for step, _ in part.staged]
        collected = self._collecting.collected(members, [self._ops[step] for step in part.carried])
        group = HardwareGroup()
        for op, (_, stage) in zip(members, part.staged, strict=True):
            runs_on = self._problem.order.stages[stage]
            group.add(Member(op, runs_on, collected[op], self._matching.takes_use(runs_on, op)))
        return group
