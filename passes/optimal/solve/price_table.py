"""The prices of conversions as a table, which several storages share, each with a factor of its own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .problem import StorageTerm

Numbers = NDArray[Any]
"""Whole numbers of 64 bits, or of any size."""
LARGEST_FAST = 2**62
"""Numbers from this one on do not have 64 bits."""


@dataclass(frozen=True, eq=False)
class PriceTable:
    """The price of each conversion between some byte orders."""

    places: Mapping[Hashable, int]
    """The row and column of each byte order."""
    prices: Numbers
    """The price from the byte order of a row to that of a column."""
    impossible: Numbers
    """The conversions that do not exist."""

    @cached_property
    def largest(self) -> int:
        return int(self.prices.max(initial=0))


def as_table(byte_orders: Sequence[Hashable], prices: Sequence[Sequence[int | None]]) -> PriceTable:
    """A table of some byte orders; None is the price of a conversion that does not exist."""
    impossible = np.array([[each is None for each in row] for row in prices])
    numbers = [[each or 0 for each in row] for row in prices]
    is_small = max(map(max, numbers)) < LARGEST_FAST
    places = {each: place for place, each in enumerate(byte_orders)}
    return PriceTable(places, np.array(numbers, dtype=np.int64 if is_small else object), impossible)


@dataclass(frozen=True)
class TablePrices:
    """The prices of a storage that has a table: it is called as any other `Prices`."""

    table: PriceTable
    factor: int
    impossible: int
    """The price of a conversion that does not exist, whatever the factor."""

    def __call__(self, given: Hashable, wanted: Hashable) -> int:
        place = self.table.places[given], self.table.places[wanted]
        return self.impossible if self.table.impossible[place] else int(self.table.prices[place]) * self.factor

    def matrix(self, given: Sequence[Hashable], wanted: Sequence[Hashable]) -> Numbers:
        """The prices of several conversions at once; a row for each byte order given."""
        prices = self.table.prices
        if max(self.largest, self.impossible) >= LARGEST_FAST:
            prices = prices.astype(object)
        place = np.ix_([self.table.places[each] for each in given], [self.table.places[each] for each in wanted])
        return np.where(self.table.impossible[place], self.impossible, prices[place] * self.factor)

    @property
    def largest(self) -> int:
        """A price that no conversion exceeds."""
        return max(self.table.largest * self.factor, self.impossible * bool(self.table.impossible.any()))


def prices_between(storage: StorageTerm, given: Sequence[Hashable], wanted: Sequence[Hashable]) -> Numbers:
    """The prices of all conversions of a storage; a row for each byte order given."""
    weight = storage.weight
    if isinstance(weight, TablePrices):
        return weight.matrix(given, wanted)
    if callable(weight):
        return np.array([[storage.price(one, other) for other in wanted] for one in given], dtype=object)
    found = np.full((len(given), len(wanted)), weight, dtype=np.int64 if weight < LARGEST_FAST else object)
    columns = {each: place for place, each in enumerate(wanted)}
    for row, each in enumerate(given):
        if each in columns:
            found[row, columns[each]] = 0
    return found


def at_most(numbers: Any, most: int, number_type: Any) -> Numbers:
    """Numbers of which all above some number are that number, with 64 bits or of any size."""
    found = np.asarray(numbers)
    if found.dtype == object or most < LARGEST_FAST:
        found = np.minimum(found, most)
    return np.asarray(found, dtype=number_type)
