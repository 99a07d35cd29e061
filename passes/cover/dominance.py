"""The states of the search for groups that are not worth following, as another one allows all that they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .state import NONE, Key, OpenGroup, State

FEWEST = 3
"""Fewer states are not compared: following them takes less time."""


class _Limits(NamedTuple):
    """All in a state that only limits what its groups and values may become."""

    groups: Sequence[OpenGroup]
    """By number; the groups on which each depends are numbered as well."""
    below: Sequence[frozenset[int]]
    """The groups on which each value depends."""

    def allow_all_of(self, other: _Limits) -> bool:
        """True if each way to go on from a state with the other limits is one from this state as well."""
        pairs = zip(self.groups, other.groups, strict=True)
        return all(map(frozenset[int].issubset, self.below, other.below)) and all(_is_looser(*pair) for pair in pairs)


def undominated(states: list[State]) -> list[State]:
    """The states, cheapest first, without those that cost no less than one before them and allow no more."""
    if len(states) < FEWEST:
        return states
    kept: list[State] = []
    known: dict[Key, list[_Limits]] = {}
    for state in states:
        key, limits = _parts_of(state)
        alike = known.setdefault(key, [])
        if not any(each.allow_all_of(limits) for each in alike):
            alike.append(limits)
            kept.append(state)
    return kept


def _parts_of(state: State) -> tuple[Key, _Limits]:
    """The part of a state in which comparable ones are equal, and the rest."""
    number: dict[int, int] = {}
    values = sorted(state.values.items())
    for _, value in values:
        if value.group is not None:
            number.setdefault(value.group, len(number))
    key = (
        *(
            (each, number.get(value.group, -1), value.place, value.is_written, value.is_unserved)
            if value.group is not None
            else (each, value.is_written, value.is_unserved)
            for each, value in values
        ),
        *(_numbered(value.read_by, number) for _, value in values),
        *((state.groups[group].entries, state.groups[group].owed) for group in number),
    )
    groups = [state.groups[group]._replace(below=_numbered(state.groups[group].below, number)) for group in number]
    return key, _Limits(groups, [_numbered(value.below, number) for _, value in values])


def _numbered(groups: frozenset[int], number: dict[int, int]) -> frozenset[int]:
    return frozenset([number[group] for group in groups]) if groups else NONE


def _is_looser(group: OpenGroup, other: OpenGroup) -> bool:
    """True if a group has no more stages than another one, in front of those that only that one has."""
    if other.stages[: len(group.stages)] != group.stages or not group.below <= other.below:
        return False
    uses = dict(other.uses)
    return all(count <= uses.get(stage, 0) for stage, count in group.uses)
