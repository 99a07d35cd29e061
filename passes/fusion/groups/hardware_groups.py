"""Groups of ops that one pass through the hardware executes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ....targets import Stage
from ...common.moves.conversion_ops import ConversionOp
from ..graph.graph import FusionNode, is_constant, values_used_by
from ..stages.stage_match import Matching, factors_of, values_beside
from ..stages.stage_reasons import reason_for_large_value
from .collecting import by_first_reader, producers_of


class Member(NamedTuple):
    """An op that a stage runs, and the ops without a stage that go with it."""

    op: Operation
    stage: Stage
    collected: tuple[Operation, ...]
    takes_use: bool = True
    """False for a transpose that the stage absorbs."""


@dataclass(eq=False)
class HardwareGroup:
    """Ops of one pass through the hardware, in the order in which they joined."""

    members: list[Member] = field(default_factory=list[Member])
    uses: Counter[str] = field(default_factory=Counter[str])
    """The number of ops that each stage runs."""

    def add(self, member: Member) -> None:
        self.members.append(member)
        self.uses[member.stage.name] += member.takes_use

    def cut(self, length: int) -> list[Member]:
        """Keep the first members up to this length, and return the others."""
        others = self.members[length:]
        del self.members[length:]
        self.uses -= Counter(member.stage.name for member in others if member.takes_use)
        return others

    @property
    def ops(self) -> list[Operation]:
        """All ops of the group."""
        return [op for member in self.members for op in (*member.collected, member.op)]

    @property
    def absorbs(self) -> bool:
        """True if it has an op that is no transpose, and so absorbs those that it has."""
        return not all(isinstance(member.op, ConversionOp) for member in self.members)

    @property
    def last_stage(self) -> Stage | None:
        return self.members[-1].stage if self.members else None


class NotJoined(NamedTuple):
    """The reason why an op did not join the newest group."""

    group: HardwareGroup
    reason: str


class Bound(NamedTuple):
    """A lower bound for all groups of a graph."""

    least: int
    """The bytes that travel at least."""
    is_best: bool = False
    """True if with no groups fewer bytes travel, and no fewer groups have as few."""


@dataclass
class Grouping:
    """The groups of a graph."""

    groups: list[HardwareGroup]
    reasons: dict[Operation, NotJoined]
    """For each op that began a group, the reason why it did not join the one before."""
    bound: Bound | None = None
    """The least that any groups could reach; None if that is not known."""

    def absorbs(self, op: ConversionOp) -> bool:
        """True if a transpose is in a group with an op that is none."""
        group = self.group_of.get(op)
        return group is not None and group.absorbs

    @cached_property
    def group_of(self) -> dict[Operation, HardwareGroup]:
        """Map each op in a group to its group."""
        return {op: group for group in self.groups for op in group.ops}


def hardware_groups(nodes: Sequence[FusionNode], matching: Matching, fused: Container[Operation] = ()) -> Grouping:
    """The groups of a graph.

    An op joins the newest group if a stage reachable from the group's last one runs it, if it uses a result of the
    group, and if no operand depends on the group through an op outside of it, since that would make a cycle of groups.
    Calls of fused functions are groups already.
    """
    walk = _Walk(nodes, matching, fused)
    return Grouping(walk.groups, walk.reasons)


class _Collected(NamedTuple):
    """The ops collected for an op, users first, and what the op reads of the group."""

    ops: list[Operation]
    reads_group: bool
    reads_beside: bool
    """True if it reads a result of the group beside its data."""
    reads_both_factors: bool
    largest: int
    """The bytes of the largest value that it reads of the group."""
    cycle_through: Operation | None
    """The op that would close a cycle."""


class _Walk:
    def __init__(self, nodes: Sequence[FusionNode], matching: Matching, fused: Container[Operation]) -> None:
        self.groups: list[HardwareGroup] = []
        self.reasons: dict[Operation, NotJoined] = {}
        self._matching = matching
        self._target = matching.target
        self._fused = fused
        self._ops = [node.source for node in nodes if isinstance(node.source, Operation)]
        self._places = {op: place for place, op in enumerate(self._ops)}
        self._previous = {node.source: node.previous for node in nodes if node.previous is not None}
        self._group_of: dict[Operation, HardwareGroup] = {}
        self._latest: HardwareGroup | None = None
        self._used_by_latest = Counter[Operation]()
        """The number of uses that the newest group has of each op's results."""
        self._first_readers: dict[Operation, int] = {}
        """The first member of the newest group that reads an op's results, also through collected ops, by its place."""
        self._use_counts: dict[Operation, int] = {}
        self._dependents: set[Operation] = set()
        """The ops outside the newest group that depend on it."""
        place = 0
        while place < len(self._ops):
            place = self._visit(place)
            if place == len(self._ops):
                place = self._finish_latest(place)
        self._add_waiting()

    def _visit(self, place: int) -> int:
        """Visit one op, and return the position at which the walk continues."""
        op = self._ops[place]
        if op in self._group_of or is_constant(op):
            return place + 1
        if op in self._fused and (resumed := self._finish_latest(place)) != place:
            return resumed
        if self._matching.needs_no_stage(op) or not self._matching.has_stage(op):
            self._leave_outside(op)
            return place + 1
        if self._latest is not None:
            reason = self._join(op, self._latest)
            if reason is None:
                self.reasons.pop(op, None)
                return place + 1
            if not self._matching.may_begin(op):
                self._leave_outside(op)
                return place + 1
            self.reasons[op] = NotJoined(self._latest, reason)
            resumed = self._finish_latest(place)
            if resumed != place:
                return resumed
        if not self._matching.may_begin(op):
            return place + 1
        self._latest = HardwareGroup()
        self._used_by_latest.clear()
        self._first_readers.clear()
        self._dependents = set()
        if self._join(op, self._latest) is None:
            self.groups.append(self._latest)
        else:
            self._latest = None
        return place + 1

    def _leave_outside(self, op: Operation) -> None:
        if any(self._depends(value) for value in values_used_by(op)) or self._previous.get(op) in self._dependents:
            self._dependents.add(op)

    def _depends(self, value: SSAValue) -> bool:
        """True if a value is produced by the newest group or depends on it."""
        producer = value.owner
        if not isinstance(producer, Operation) or self._latest is None:
            return False
        return self._group_of.get(producer) is self._latest or producer in self._dependents

    def _join(self, op: Operation, group: HardwareGroup) -> str | None:
        """Add an op to a group; return the reason if it cannot join."""
        reads_own = not self._matching.own_stages(op) or self._reads_own(op, group)
        stage = self._matching.find(op, group.last_stage, group.uses, reads_own=reads_own)
        if stage is None:
            return self._reason_for_no_stage(op, group, reads_own)
        found = self._collected(op, group, stage)
        if (found.reads_beside or found.reads_both_factors) and not stage.holds:
            stage = self._matching.find(op, group.last_stage, group.uses, reads_own=reads_own, needs_holding=True)
            found = found if stage is None else self._collected(op, group, stage)
        if stage is None:
            return "uses a result of the previous group beside its data"
        if group.members and not found.reads_group:
            return "uses no result of the previous group"
        if stage.most_bytes is not None and found.largest > stage.most_bytes:
            return reason_for_large_value(found.largest, stage.most_bytes)
        if found.cycle_through is not None:
            return f"would make a cycle: {found.cycle_through.name}, outside the group, depends on it"
        group.add(Member(op, stage, tuple(found.ops), self._matching.takes_use(stage, op)))
        # The collected ops are in the order users first.
        for each in (op, *found.ops):
            self._group_of[each] = group
            self._dependents.discard(each)
            self._used_by_latest.update(producers_of(each))
            place = self._first_readers.get(each, len(group.members) - 1)
            for producer in producers_of(each):
                self._first_readers[producer] = min(place, self._first_readers.get(producer, place))
        return None

    def _reads_own(self, op: Operation, group: HardwareGroup) -> bool:
        """True if all values that an op reads are results of a group."""
        owners = (value.owner for value in self._matching.sources(op))
        return all(isinstance(owner, Operation) and self._group_of.get(owner) is group for owner in owners)

    def _reason_for_no_stage(self, op: Operation, group: HardwareGroup, reads_own: bool) -> str:
        spent = self._matching.find(op, group.last_stage, {}, reads_own=reads_own)
        if spent is not None:
            return f"runs on {spent.name}, which is full (at most {spent.uses} ops of a group)"
        if not reads_own and (stage := self._matching.find(op, group.last_stage, {})) is not None:
            return f"runs on {stage.name}, but only if all operands are results of the group"
        runs = " or ".join(each.name for each in self._matching.stages_for(op))
        last = group.last_stage
        return f"runs on {runs}" if last is None else f"runs on {runs}, not reachable from {last.name}"

    def _collected(self, op: Operation, group: HardwareGroup, stage: Stage) -> _Collected:
        """The ops collected for an op.

        A producer is collected if it has no other users, or if it depends on the group and values may leave the group.
        Users are visited before producers, so each op is visited once, and none above a producer with other users.
        """
        collected: list[Operation] = []
        turned = set[Operation]()
        """The producers of data that is transposed while it is loaded."""
        reads_group, reads_beside, largest, cycle_through = False, False, 0, None
        beside = {value.owner for value in values_beside(op)}
        factors = [{factor.owner} for factor in factors_of(op)]
        flowing = set[int]()
        """The factors that come from the group."""
        here = len(group.members)
        reads = Counter(producers_of(op))
        first_readers = dict.fromkeys(reads, here)
        open_places = [-self._places[producer] for producer in reads]
        heapify(open_places)
        while open_places:
            producer = self._ops[-heappop(open_places)]
            owner = self._group_of.get(producer)
            if owner is not None:
                reads_group |= owner is group
                if stage.most_bytes is not None and owner is group and not is_constant(producer):
                    largest = max(largest, self._matching.size_of(producer))
                reads_beside |= owner is group and producer in beside
                flowing.update(place for place, each in enumerate(factors) if owner is group and producer in each)
                continue
            waits = producer in self._dependents
            may_load = not waits and producer not in turned
            first = min(first_readers[producer], self._first_readers.get(producer, here))
            loaded_for = stage if first == here else group.members[first].stage
            if not is_constant(producer) and not self._goes_with_users(producer, loaded_for, may_load):
                cycle_through = producer if waits else cycle_through
                continue
            is_ours = reads[producer] + self._used_by_latest[producer] == self._uses(producer)
            if is_ours or (waits and not self._target.forbids_escaping):
                collected.append(producer)
            elif waits:
                cycle_through = cycle_through or producer
            else:
                continue
            is_turned = producer in turned or not self._leaves_data(producer)
            for each in (beside, *factors):
                each.update(producers_of(producer) if producer in each else ())
            for above in producers_of(producer):
                if above not in reads:
                    heappush(open_places, -self._places[above])
                reads[above] += 1
                first_readers[above] = min(first, first_readers.get(above, here))
                turned.update([above] * is_turned)
        return _Collected(collected, reads_group, reads_beside, len(flowing) > 1, largest, cycle_through)

    def _leaves_data(self, op: Operation) -> bool:
        """True if an op that is collected moves no data while it is loaded."""
        return self._matching.moves_nothing(op) or self._matching.needs_no_stage(op)

    def _goes_with_users(self, op: Operation, stage: Stage, may_load: bool) -> bool:
        """True if an op may be collected by a user on a stage; data is loaded from outside, and transposed once."""
        return self._matching.needs_no_stage(op) or (may_load and self._matching.may_load(op, stage))

    def _add_waiting(self) -> None:
        """Add a group for each transpose that could be absorbed, but was not."""
        for op in self._ops:
            if op not in self._group_of and self._matching.is_absorbed_only(op):
                self.groups.append(HardwareGroup([Member(op, self._matching.absorbing(op)[0], (), takes_use=False)]))

    def _uses(self, op: Operation) -> int:
        """The number of uses of an op's results."""
        if op not in self._use_counts:
            self._use_counts[op] = sum(1 for result in op.results for _ in result.uses)
        return self._use_counts[op]

    def _finish_latest(self, place: int) -> int:
        """Close the newest group, and return the position at which the walk continues."""
        group, self._latest = self._latest, None
        if group is None:
            return place
        resumed = self._cut_escaping(group, place) if self._target.forbids_escaping else place
        self._settle(group)
        return resumed

    def _settle(self, group: HardwareGroup) -> None:
        """Let each collected op go with the first member that reads it."""
        collected = {op for member in group.members for op in member.collected}
        found = by_first_reader([member.op for member in group.members], collected, self._places)
        group.members = [member._replace(collected=found[member.op]) for member in group.members]

    def _cut_escaping(self, group: HardwareGroup, place: int) -> int:
        """Cut a group behind the first member that is used outside; return the position at which the walk continues."""
        kept = len(group.members)
        while (seen := _first_escaping(group.members[:kept])) < kept - 1:
            kept = seen + 1
        if kept == len(group.members):
            return place
        for member in group.cut(kept):
            for each in (member.op, *member.collected):
                del self._group_of[each]
            self.reasons[member.op] = NotJoined(group, "follows a value that is used outside of the group and ends it")
        return self._places[group.members[-1].op] + 1


def _first_escaping(members: Sequence[Member]) -> int:
    """Position of the first member with a result that is used outside of the group."""
    inside = {op for member in members for op in (*member.collected, member.op)}
    for place, member in enumerate(members):
        if any(_is_read_outside(op, inside) for op in (*member.collected, member.op)):
            return place
    return len(members) - 1


def _is_read_outside(op: Operation, inside: Iterable[Operation]) -> bool:
    return any(use.operation not in inside for result in op.results for use in result.uses)
