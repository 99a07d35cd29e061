"""The problem of choosing one mode for each op at the least cost.

An op in one of its modes reads storages in some byte orders and produces others in some byte orders. Each byte order in
which a storage is read but not produced costs the weight of the storage once, shared by all users. This is a linear
program: its optimum bounds all choices from below, and if it is integral it is the best choice. Otherwise branch and
bound finds the best one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Access(NamedTuple):
    """The access of an op to a storage: its byte order in each of the op's modes."""

    op: int
    byte_orders: Sequence[Hashable]


@dataclass(frozen=True)
class StorageTerm:
    """A storage with its weight, producer and users."""

    weight: int
    """The cost of converting it once."""
    producer: Access | Hashable
    """The access of the op that produces it, or the byte order of an argument."""
    readers: list[Access] = field(default_factory=list[Access])


@dataclass(frozen=True)
class Problem:
    """All ops and storages."""

    modes: Sequence[int]
    """The number of modes of each op."""
    storages: Sequence[StorageTerm]


@dataclass(frozen=True)
class Solution:
    """A choice of modes."""

    choice: list[int]
    cost: int
    bound: int
    """A proved lower bound for all choices."""

    @property
    def is_proved(self) -> bool:
        return self.cost == self.bound


def cost_of_choice(problem: Problem, choice: Sequence[int]) -> int:
    """The cost of a choice."""
    return sum(storage.weight * len(conversions_of(storage, choice)) for storage in problem.storages)


def conversions_of(storage: StorageTerm, choice: Sequence[int]) -> set[Hashable]:
    """The byte orders to which a storage is converted."""
    producer = storage.producer
    given = producer.byte_orders[choice[producer.op]] if isinstance(producer, Access) else producer
    return {reader.byte_orders[choice[reader.op]] for reader in storage.readers} - {given}


def accesses_of(storage: StorageTerm) -> list[Access]:
    """All accesses to a storage, that of its producer first."""
    return [storage.producer, *storage.readers] if isinstance(storage.producer, Access) else storage.readers


def byte_orders_of(storage: StorageTerm) -> list[Hashable]:
    """All byte orders in which a storage could be produced or read."""
    given = [] if isinstance(storage.producer, Access) else [storage.producer]
    used = (byte_order for access in accesses_of(storage) for byte_order in access.byte_orders)
    return list(dict.fromkeys([*given, *used]))


class Objective(NamedTuple):
    """A tie breaker: a number for each conversion of a storage, and for each mode of each op."""

    storages: Sequence[float]
    modes: Sequence[Sequence[float]]
