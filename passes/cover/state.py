"""A state of the search for groups: the groups that may still grow, and the values that are still read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

NONE: frozenset[int] = frozenset()
Key: TypeAlias = tuple[object, ...]


class OpenGroup(NamedTuple):
    """A group with a value that other ops may read inside of it. Groups are named by their first steps."""

    stages: tuple[int, ...] = ()
    """The stages of its ops in their order, from the first op that others may follow; empty if it has only ops that
    are absorbed by the group of their users."""
    uses: tuple[tuple[int, int], ...] = ()
    """The number of ops on the stages that run a limited number."""
    below: frozenset[int] = NONE
    """The open groups that it depends on."""
    entries: int | None = None
    """For a group that is to be absorbed: the stages that can do it, as a set of bits; -1 if it needs none, 0 if one of
    its values may not leave the group that absorbs it."""
    owed: int | None = 0
    """The price of its transposes, to be paid when an op that is none joins; None behind that."""


class Value(NamedTuple):
    """A value that is still read."""

    group: int | None = None
    """The open group that produces it."""
    place: int = 0
    """The place of its producer among the stages of the group."""
    is_written: bool = True
    read_by: frozenset[int] = NONE
    """The other open groups that have read it."""
    below: frozenset[int] = NONE
    """The open groups that it depends on, if no open group produces it."""
    is_unserved: bool = False
    """True for the result of a free transpose that no op of its group has read yet."""


class Decision(NamedTuple):
    """The group of a step, and its place in it."""

    step: int
    group: int
    stage: int | None
    """None for an op that a group absorbs without a stage of its own."""
    behind: int
    """The number of ops of the group that come behind it."""
    absorbed: tuple[int, ...]
    """The groups that become a part of this one."""
    before: Decision | None


@dataclass(slots=True)
class State:
    """The groups and values at a step. A value without a record is written, and depends on no open group."""

    groups: dict[int, OpenGroup]
    values: dict[int, Value]
    cost: int = 0
    decisions: Decision | None = None

    def copy(self) -> State:
        return State(dict(self.groups), dict(self.values), self.cost, self.decisions)

    def key(self) -> Key:
        """Equal for states with the same future."""
        number: dict[int, int] = {}
        values = sorted(self.values.items())
        for _, value in values:
            if value.group is not None:
                number.setdefault(value.group, len(number))
        read = [(each, *_facts(value, number)) for each, value in values]
        groups = [self.groups[group] for group in number]
        numbered = ((each, _numbers(each.below, number)) for each in groups)
        return (*read, *((each.stages, each.uses, below, each.entries, each.owed) for each, below in numbered))

    def below(self, value: int) -> frozenset[int]:
        """The open groups on which the reader of a value depends."""
        found = self.values.get(value)
        if found is None:
            return NONE
        return found.below if found.group is None else self.groups[found.group].below | {found.group}

    def depend(self, group: int, others: frozenset[int]) -> None:
        """Record that a group depends on others, and with it all that depend on the group."""
        if not others:
            return
        for each, found in self.groups.items():
            if each == group or group in found.below:
                self.groups[each] = found._replace(below=found.below | others)
        for each, value in self.values.items():
            if group in value.below:
                self.values[each] = value._replace(below=value.below | others)

    def rename(self, group: int, other: int, place: int) -> None:
        """Make a group a part of another one, at a place there."""
        del self.groups[group]
        for each, found in self.groups.items():
            self.groups[each] = found._replace(below=_renamed(found.below, group, other) - {each})
        for each, value in self.values.items():
            self.values[each] = value._replace(
                group=other if value.group == group else value.group,
                place=place if value.group == group else value.place,
                read_by=_renamed(value.read_by, group, other),
                below=_renamed(value.below, group, other),
            )

    def forget(self, closed: Iterable[int]) -> None:
        """Remove groups that cannot grow any more."""
        gone = frozenset(closed)
        if not gone:
            return
        for each, value in self.values.items():
            below = self.below(each) if value.group in gone else value.below
            group = None if value.group in gone else value.group
            place, unserved = (0, False) if group is None else (value.place, value.is_unserved)
            self.values[each] = Value(group, place, value.is_written, value.read_by - gone, below - gone, unserved)
        self.groups = {
            each: found._replace(below=found.below - gone) for each, found in self.groups.items() if each not in gone
        }


def _facts(value: Value, number: Mapping[int, int]) -> Key:
    group = -1 if value.group is None else number[value.group]
    read_by, below = _numbers(value.read_by, number), _numbers(value.below, number)
    return group, value.place, value.is_written, read_by, below, value.is_unserved


def _numbers(groups: frozenset[int], number: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(sorted(number[group] for group in groups)) if groups else ()


def _renamed(groups: frozenset[int], group: int, other: int) -> frozenset[int]:
    return (groups - {group}) | {other} if group in groups else groups
