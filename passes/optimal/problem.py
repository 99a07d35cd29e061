"""The cheapest choice of one mode for each op, and how cheap any choice can be.

Families of values are stored in sequences. An op in one of its modes reads a family in some sequence and gives another
one in some sequence. Each sequence in which a family is read but not given costs the family's weight once, however
many read it. That is a linear program: its solution is a bound for all choices, and where it is integral it is the
best choice. Otherwise branch and bound looks for the best one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Access(NamedTuple):
    """An op that reads or gives a family, and the sequence in which it does so in each of its modes."""

    op: int
    byte_orders: Sequence[Hashable]


@dataclass(frozen=True)
class StorageTerm:
    """Values that are stored together."""

    weight: int
    """What it costs to store them in another sequence."""
    producer: Access | Hashable
    """The op that gives them, or the sequence in which they come in."""
    readers: list[Access] = field(default_factory=list[Access])


@dataclass(frozen=True)
class Problem:
    """Which sequences the modes of all ops are about."""

    modes: Sequence[int]
    """How many modes each op has."""
    storages: Sequence[StorageTerm]


@dataclass(frozen=True)
class Solution:
    """A choice of modes."""

    choice: list[int]
    cost: int
    bound: int
    """No choice costs less."""

    @property
    def is_proved(self) -> bool:
        return self.cost == self.bound


def cost_of_choice(problem: Problem, choice: Sequence[int]) -> int:
    """What a choice costs."""
    return sum(storage.weight * len(conversions_of(storage, choice)) for storage in problem.storages)


def conversions_of(storage: StorageTerm, choice: Sequence[int]) -> set[Hashable]:
    """The sequences in which a family has to be stored again."""
    producer = storage.producer
    given = producer.byte_orders[choice[producer.op]] if isinstance(producer, Access) else producer
    return {reader.byte_orders[choice[reader.op]] for reader in storage.readers} - {given}


class Objective(NamedTuple):
    """What is counted besides the cost: a number for each family that is stored again, and for each mode of each op."""

    storages: Sequence[float]
    modes: Sequence[Sequence[float]]
