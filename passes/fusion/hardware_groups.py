"""Groups of ops that one pass through the hardware executes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ...targets import Stage
from .graph import Node, is_constant, read_by
from .stage_match import Matching


class Member(NamedTuple):
    """An op that a stage runs, and the ops that were collected for it."""

    op: Operation
    stage: Stage
    collected: tuple[Operation, ...]


@dataclass(eq=False)
class HardwareGroup:
    """Ops of one pass through the hardware, in the sequence in which they joined."""

    members: list[Member] = field(default_factory=list[Member])
    uses: Counter[str] = field(default_factory=Counter[str])
    """How many ops each stage runs."""

    def add(self, member: Member) -> None:
        self.members.append(member)
        self.uses[member.stage.name] += 1

    def cut(self, length: int) -> list[Member]:
        """Keep so many members; the answer is the others."""
        others = self.members[length:]
        del self.members[length:]
        self.uses -= Counter(member.stage.name for member in others)
        return others

    @property
    def ops(self) -> list[Operation]:
        """All ops of the group."""
        return [op for member in self.members for op in (*member.collected, member.op)]

    @property
    def last_stage(self) -> Stage | None:
        return self.members[-1].stage if self.members else None


class Refusal(NamedTuple):
    """Why an op did not join the group that was the latest when it came."""

    group: HardwareGroup
    reason: str


@dataclass
class Grouping:
    """The groups of a graph."""

    groups: list[HardwareGroup]
    refusals: dict[Operation, Refusal]
    """For ops that began a group, if there was one before."""

    @cached_property
    def group_of(self) -> dict[Operation, HardwareGroup]:
        """The group of each op that is in one."""
        return {op: group for group in self.groups for op in group.ops}


def hardware_groups(nodes: Sequence[Node], matching: Matching, fused: Container[Operation] = ()) -> Grouping:
    """The groups of a graph.

    An op joins the latest group if a stage behind the last one runs it, if it reads a value of the group, and if it
    reads nothing that depends on the group by way of an op outside, so that groups never wait for each other. Calls of
    fused functions are groups that are there already.
    """
    walk = _Walk(nodes, matching, fused)
    return Grouping(walk.groups, walk.refusals)


class _Walk:
    def __init__(self, nodes: Sequence[Node], matching: Matching, fused: Container[Operation]) -> None:
        self.groups: list[HardwareGroup] = []
        self.refusals: dict[Operation, Refusal] = {}
        self._matching = matching
        self._target = matching.target
        self._fused = fused
        self._ops = [node.source for node in nodes if isinstance(node.source, Operation)]
        self._places = {op: place for place, op in enumerate(self._ops)}
        self._previous = {node.source: node.previous for node in nodes if node.previous is not None}
        self._group_of: dict[Operation, HardwareGroup] = {}
        self._latest: HardwareGroup | None = None
        self._read_by_latest = Counter[Operation]()
        """How often the latest group reads results of each op."""
        self._counted: dict[Operation, int] = {}
        self._waiting: set[Operation] = set()
        """The ops outside the latest group that depend on it."""
        place = 0
        while place < len(self._ops):
            place = self._visit(place)
            if place == len(self._ops):
                place = self._finish_latest(place)

    def _visit(self, place: int) -> int:
        """Deal with one op; the answer is where the walk goes on."""
        op = self._ops[place]
        if op in self._group_of or is_constant(op):
            return place + 1
        if op in self._fused and (resumed := self._finish_latest(place)) != place:
            return resumed
        if self._matching.needs_no_stage(op) or not self._matching.has_stage(op):
            self._stays_outside(op)
            return place + 1
        if self._latest is not None:
            refusal = self._joins(op, self._latest)
            if refusal is None:
                self.refusals.pop(op, None)
                return place + 1
            self.refusals[op] = Refusal(self._latest, refusal)
            resumed = self._finish_latest(place)
            if resumed != place:
                return resumed
        self._latest = HardwareGroup()
        self._read_by_latest.clear()
        self._waiting = set()
        if self._joins(op, self._latest) is None:
            self.groups.append(self._latest)
        else:
            self._latest = None
        return place + 1

    def _stays_outside(self, op: Operation) -> None:
        if any(self._depends(value) for value in read_by(op)) or self._previous.get(op) in self._waiting:
            self._waiting.add(op)

    def _depends(self, value: SSAValue) -> bool:
        """Whether a value is one of the latest group, or waits for one."""
        producer = value.owner
        if not isinstance(producer, Operation) or self._latest is None:
            return False
        return self._group_of.get(producer) is self._latest or producer in self._waiting

    def _joins(self, op: Operation, group: HardwareGroup) -> str | None:
        """Let an op join a group, or say why it may not."""
        stage = self._matching.find(op, group.last_stage, group.uses)
        if stage is None:
            return self._why_no_stage(op, group)
        collected, reads_group, waits_for = self._collected(op, group)
        if group.members and not reads_group:
            return "reads no value of the group before it"
        if waits_for is not None:
            return f"reads what {waits_for.name} makes outside of the group, which waits for the group"
        group.add(Member(op, stage, tuple(collected)))
        for each in (op, *collected):
            self._group_of[each] = group
            self._waiting.discard(each)
            self._read_by_latest.update(_producers(each))
        return None

    def _why_no_stage(self, op: Operation, group: HardwareGroup) -> str:
        spent = self._matching.find(op, group.last_stage, {})
        if spent is not None:
            return f"runs on {spent.name}, which runs no more than {spent.uses} of a group"
        runs = " or ".join(each.name for each in self._matching.stages_for(op))
        return f"runs on {runs}" if group.last_stage is None else f"runs on {runs}, not behind {group.last_stage.name}"

    def _collected(self, op: Operation, group: HardwareGroup) -> tuple[list[Operation], bool, Operation | None]:
        """What goes with an op, whether it reads a value of the group, and what it reads that waits for the group.

        Only what nobody else reads goes with it, and what depends on the group if it may be seen outside. Readers are
        looked at before what they read, so each is looked at once, and nothing above what others read as well.
        """
        collected: list[Operation] = []
        reads_group, waits_for = False, None
        reads = Counter(_producers(op))
        open_places = [-self._places[producer] for producer in reads]
        heapify(open_places)
        while open_places:
            producer = self._ops[-heappop(open_places)]
            owner = self._group_of.get(producer)
            if owner is not None:
                reads_group |= owner is group
                continue
            waits = producer in self._waiting
            if not is_constant(producer) and not self._matching.needs_no_stage(producer):
                waits_for = producer if waits else waits_for
                continue
            is_ours = reads[producer] + self._read_by_latest[producer] == self._uses(producer)
            if is_ours or (waits and not self._target.forbids_escaping):
                collected.append(producer)
            elif waits:
                waits_for = waits_for or producer
            else:
                continue
            for above in _producers(producer):
                if above not in reads:
                    heappush(open_places, -self._places[above])
                reads[above] += 1
        return collected, reads_group, waits_for

    def _uses(self, op: Operation) -> int:
        """How often the results of an op are read."""
        if op not in self._counted:
            self._counted[op] = sum(1 for result in op.results for _ in result.uses)
        return self._counted[op]

    def _finish_latest(self, place: int) -> int:
        """Close the latest group; where nothing may be seen of it but its last value, cut it behind the first other.

        The answer is where the walk goes on: behind the cut.
        """
        group, self._latest = self._latest, None
        if group is None or not self._target.forbids_escaping:
            return place
        kept = len(group.members)
        while (seen := _first_seen(group.members[:kept])) < kept - 1:
            kept = seen + 1
        if kept == len(group.members):
            return place
        for member in group.cut(kept):
            for each in (member.op, *member.collected):
                del self._group_of[each]
            self.refusals[member.op] = Refusal(group, "would read a value that the group may not show to others")
        return self._places[group.members[-1].op] + 1


def _producers(op: Operation) -> Iterator[Operation]:
    """The ops that make what an op reads, once for each operand."""
    return (value.owner for value in op.operands if isinstance(value.owner, Operation))


def _first_seen(members: Sequence[Member]) -> int:
    """The first member of which others read a value."""
    inside = {op for member in members for op in (*member.collected, member.op)}
    for place, member in enumerate(members):
        if any(_is_read_outside(op, inside) for op in (*member.collected, member.op)):
            return place
    return len(members) - 1


def _is_read_outside(op: Operation, inside: Iterable[Operation]) -> bool:
    return any(use.operation not in inside for result in op.results for use in result.uses)
