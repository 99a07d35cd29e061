"""The constants and free ops that go with the ops of a group."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from xdsl.ir import Operation

from ..stages.stage_match import Matching


class Collecting:
    """The ops without a stage that groups of one block collect."""

    def __init__(self, matching: Matching, ops: Iterable[Operation]) -> None:
        """`ops` are those of the block, producers first."""
        self._matching = matching
        self._ops = list(ops)
        self._places = {op: place for place, op in enumerate(self._ops)}

    def collected(
        self, members: Sequence[Operation], carried: Collection[Operation]
    ) -> Mapping[Operation, tuple[Operation, ...]]:
        """For each member of a group the ops that go with it: it is the first one that reads them.

        Those are the carried ones, those between members, and those whose users are all in the group.
        """
        inside = {*members, *carried}
        inside |= self._between(inside)
        self._add_own(inside)
        return by_first_reader(members, inside, self._places)

    def _between(self, inside: Collection[Operation]) -> set[Operation]:
        """The free ops on the paths from ops of a group to others."""
        below: dict[Operation, None] = {}
        waiting = list(inside)
        while waiting:
            fresh = [each for each in _readers(waiting.pop()) if each not in inside and each not in below]
            fresh = [each for each in fresh if self._is_open(each)]
            below |= dict.fromkeys(fresh)
            waiting += fresh
        found: set[Operation] = set()
        for op in sorted(below, key=self._places.__getitem__, reverse=True):
            if any(reader in inside or reader in found for reader in _readers(op)):
                found.add(op)
        return found

    def _add_own(self, inside: set[Operation]) -> None:
        """Add the ops whose users are all in a group. Users are visited first, so each op is visited once."""
        seen = set(inside)
        waiting = [-self._places[each] for op in inside for each in self._fresh_producers(op, seen)]
        heapify(waiting)
        while waiting:
            op = self._ops[-heappop(waiting)]
            if all(reader in inside for reader in _readers(op)):
                inside.add(op)
                for producer in self._fresh_producers(op, seen):
                    heappush(waiting, -self._places[producer])

    def _fresh_producers(self, op: Operation, seen: set[Operation]) -> Iterator[Operation]:
        for producer in producers_of(op):
            if producer not in seen and self._is_open(producer):
                seen.add(producer)
                yield producer

    def _is_open(self, op: Operation) -> bool:
        return op in self._places and self._matching.moves_nothing(op)


def by_first_reader(
    members: Sequence[Operation], inside: Collection[Operation], places: Mapping[Operation, int]
) -> Mapping[Operation, tuple[Operation, ...]]:
    """For each member of a group, in their order, the other ops of it that it reads and no member before it does."""
    taken = set(members)
    return {member: tuple(_above(member, inside, taken, places)) for member in members}


def _above(
    op: Operation, inside: Collection[Operation], taken: set[Operation], places: Mapping[Operation, int]
) -> list[Operation]:
    """The ops of a group that an op reads and that go with no member yet, producers first."""
    found: list[Operation] = []
    waiting = [op]
    while waiting:
        for producer in producers_of(waiting.pop()):
            if producer in inside and producer not in taken:
                taken.add(producer)
                waiting.append(producer)
                found.append(producer)
    return sorted(found, key=places.__getitem__)


def producers_of(op: Operation) -> Iterator[Operation]:
    """The producers of an op's operands, once for each operand."""
    return (value.owner for value in op.operands if isinstance(value.owner, Operation))


def _readers(op: Operation) -> Iterator[Operation]:
    return (use.operation for result in op.results for use in result.uses)
