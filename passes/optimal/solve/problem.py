"""The problem of choosing one mode for each op at the least cost.

An op in one of its modes reads storages in some byte orders and produces others in some byte orders. Each byte order in
which a storage is read but not produced costs a conversion of the storage, shared by all users; running an op in a mode
may have a price as well. This is a linear program: its optimum bounds all choices from below, and if it is integral it
is the best choice. Otherwise branch and bound finds the best one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

Prices: TypeAlias = Callable[[Hashable, Hashable], int]
"""The cost of a conversion from one byte order to another."""


@dataclass(frozen=True)
class Both:
    """The byte orders of a storage that an op uses which runs twice, in two of its modes."""

    first: Hashable
    second: Hashable


class Access(NamedTuple):
    """The access of an op to a storage: its byte order in each of the op's modes, or both if it runs twice."""

    op: int
    byte_orders: Sequence[Hashable]


@dataclass(frozen=True)
class StorageTerm:
    """A storage with its weight, producer and users."""

    weight: int | Prices
    """The cost of converting it once, or a function for it where that depends on the byte orders."""
    producer: Access | Hashable
    """The access of the op that produces it, or the byte order of an argument."""
    readers: list[Access] = field(default_factory=list[Access])
    number: int | None = None
    """Its number in a program, whose problems share the accesses to it."""
    is_constant: bool = False
    """True if it is stored in the byte orders in which it is read, of which the first costs nothing.

    Its producer is the access of one of its readers: the weight is one number, so that it may be any.
    """

    @property
    def is_free(self) -> bool:
        """True if every conversion of it is known to cost nothing."""
        return self.weight == 0

    def price(self, given: Hashable, wanted: Hashable) -> int:
        """The cost of converting it from one byte order to another."""
        if given == wanted:
            return 0
        return self.weight if isinstance(self.weight, int) else self.weight(given, wanted)


@dataclass(frozen=True)
class Problem:
    """All ops and storages."""

    modes: Sequence[int]
    """The number of modes of each op."""
    storages: Sequence[StorageTerm]
    prices: Mapping[int, Sequence[int]] = field(default_factory=dict[int, Sequence[int]])
    """For each op whose modes have prices: the price of each."""
    has_prices: bool = False
    """True if conversions have prices by their byte orders, which takes several times as many variables."""


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


class PriceStep(NamedTuple):
    """An amount that is paid if a storage is read in a byte order, unless it is produced in one of some."""

    wanted: Hashable
    saved_by: Collection[Hashable]
    amount: int
    is_conversion: bool
    """True for the one step of a byte order that is paid with each conversion to it."""


def each_of(byte_order: Hashable) -> tuple[Hashable, ...]:
    """The byte orders of an access in one mode."""
    return (byte_order.first, byte_order.second) if isinstance(byte_order, Both) else (byte_order,)


def steps_of(storage: StorageTerm) -> Iterator[PriceStep]:
    """The cost of all conversions of a storage as a sum of steps.

    The cheapest conversion to a byte order is paid unless the storage is produced in it. What a dearer one costs more
    is paid unless the storage is produced in a byte order from which the conversion is cheaper.
    """
    wanted = dict.fromkeys(each for reader in storage.readers for used in reader.byte_orders for each in each_of(used))
    if isinstance(storage.weight, int):
        yield from (PriceStep(byte_order, (byte_order,), storage.weight, is_conversion=True) for byte_order in wanted)
        return
    producer = storage.producer
    given_in_modes = producer.byte_orders if isinstance(producer, Access) else [producer]
    produced = dict.fromkeys(each for made in given_in_modes for each in each_of(made))
    for byte_order in wanted:
        prices = {given: storage.price(given, byte_order) for given in produced if given != byte_order}
        paid = 0
        for amount in sorted(set(prices.values())):
            saved_by = [byte_order, *(given for given, price in prices.items() if price < amount)]
            yield PriceStep(byte_order, saved_by, amount - paid, is_conversion=len(saved_by) == 1)
            paid = amount


def cost_of_choice(problem: Problem, choice: Sequence[int]) -> int:
    """The cost of a choice."""
    stored = sum(cost_of_conversions(storage, choice) for storage in problem.storages)
    return stored + sum(prices[choice[op]] for op, prices in problem.prices.items())


def cost_of_conversions(storage: StorageTerm, choice: Sequence[int]) -> int:
    """The cost of all conversions of a storage."""
    if storage.is_free:
        return 0
    given = each_of(given_byte_order(storage, choice))
    wanted = conversions_of(storage, choice)
    if len(given) == 1:
        return sum(storage.price(given[0], each) for each in wanted)
    return sum(min(storage.price(made, each) for made in given) for each in wanted)


def given_byte_order(storage: StorageTerm, choice: Sequence[int]) -> Hashable:
    """The byte order in which a storage is produced, or both."""
    producer = storage.producer
    return producer.byte_orders[choice[producer.op]] if isinstance(producer, Access) else producer


def conversions_of(storage: StorageTerm, choice: Sequence[int]) -> set[Hashable]:
    """The byte orders to which a storage is converted."""
    given = given_byte_order(storage, choice)
    read = [reader.byte_orders[choice[reader.op]] for reader in storage.readers]
    # The hash of a byte order takes long, and most storages are read as they are produced.
    if all(each == given for each in read):
        return set()
    return {each for used in read for each in each_of(used)}.difference(each_of(given))


def accesses_of(storage: StorageTerm) -> list[Access]:
    """All accesses to a storage, that of its producer first."""
    return [storage.producer, *storage.readers] if isinstance(storage.producer, Access) else storage.readers


def byte_orders_of(storage: StorageTerm) -> list[Hashable]:
    """All byte orders in which a storage could be produced or read."""
    given = [] if isinstance(storage.producer, Access) else [storage.producer]
    used = (each for access in accesses_of(storage) for used in access.byte_orders for each in each_of(used))
    return list(dict.fromkeys([*given, *used]))


class Objective(NamedTuple):
    """A tie breaker: a number for each conversion of a storage, and for each mode of each op."""

    storages: Sequence[float]
    modes: Sequence[Sequence[float]]
