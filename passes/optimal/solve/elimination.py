"""The cheapest choice by elimination, in whole numbers: exact, and fast where a program is long rather than wide.

Each storage is a table of costs over the modes of the ops that use it. To eliminate an op is to add its tables up and
to keep, for the modes of the other ops in them, the least cost. The sizes of tables decide whether that is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import prod
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from .price_table import Numbers, at_most, prices_between
from .problem import Access, Problem, StorageTerm, accesses_of

LARGEST_TABLE = 2**22
"""The maximum number of costs in one table."""
LARGEST_SUM = 2**28
"""The maximum number of costs in all tables."""
MOST_AXES = 30
"""NumPy has 32."""
MOST_TABLES = 2**12
"""Tables whose sum is sure to have 64 bits."""
FEW_TABLES = 16
"""Variables with more tables than this are not counted again whenever one of these changes."""


class _Table(NamedTuple):
    """The costs of some variables."""

    variables: tuple[int, ...]
    costs: Numbers


class _Best(NamedTuple):
    """The best value of a variable, for those of others that were eliminated later."""

    variable: int
    others: tuple[int, ...]
    values: Numbers


def cheapest_choice(problem: Problem, is_open: Sequence[Numbers], most: int, end: float) -> list[int] | None:
    """The cheapest choice of open modes, or any one if all cost more than `most`; None if tables or times are too
    large."""
    try:
        return _Elimination(problem, is_open, most).choice(end)
    except _TooLargeError:
        return None


class _TooLargeError(Exception):
    """A table is too large."""


class _Elimination:
    """The tables of a problem, and those that are left of them."""

    def __init__(self, problem: Problem, is_open: Sequence[Numbers], most: int) -> None:
        self._problem = problem
        self._modes = [np.flatnonzero(each) for each in is_open]
        self._most = most + 1
        """More than the cost of any choice that is searched."""
        self._type: Any = np.int64 if self._most * MOST_TABLES < 2**62 else object
        self._sizes = [len(each) for each in self._modes]
        """The number of values of each variable: the ops with their modes, then conversions that are paid or not."""
        self._tables: dict[int, _Table] = {}
        self._users: list[set[int]] = [set() for _ in self._sizes]
        """The tables of each variable, by their numbers."""
        self._number = 0
        self._total = 0
        """The number of costs in all tables so far."""

    def choice(self, end: float) -> list[int]:
        for table in self._all_tables():
            self._add(table)
        found = self._eliminated(end)
        values = [0] * len(self._sizes)
        for best in reversed(found):
            values[best.variable] = int(best.values[tuple(values[other] for other in best.others)])
        return [int(modes[value]) for modes, value in zip(self._modes, values, strict=False)]

    def _all_tables(self) -> Iterator[_Table]:
        for op, prices in self._problem.prices.items():
            if self._sizes[op] > 1:
                yield _Table((op,), self._costs(prices)[self._modes[op]])
        for storage in self._problem.storages:
            if storage.readers and not storage.is_free:
                yield from self._tables_of(storage)

    def _costs(self, costs: Any) -> Numbers:
        return np.array([min(cost, self._most) for cost in costs], dtype=self._type)

    def _clipped(self, costs: Any) -> Numbers:
        """Costs of which all above the largest one that matters are alike."""
        return at_most(np.asarray(costs, dtype=self._type), self._most, self._type)

    def _tables_of(self, storage: StorageTerm) -> Iterator[_Table]:
        """The costs of a storage: one table if that is small, else one for each reader and byte order."""
        made, *read = self._numbered(storage)
        given, wanted = made.orders, [*dict.fromkeys(each for reader in read for each in reader.orders)]
        prices = at_most(prices_between(storage, given, wanted), self._most, self._type)
        columns = {each: column for column, each in enumerate(wanted)}
        readers = [(each.op, np.array([columns[order] for order in each.orders])[each.at]) for each in read]
        ops = sorted({op for op, _ in [(made.op, made.at), *readers] if op is not None and self._sizes[op] > 1})
        joint = prod(self._sizes[op] for op in ops)
        if joint <= max(2 ** min(len(wanted) + 2, MOST_AXES), 2**12) and len(ops) <= MOST_AXES:
            self._check(joint)
            yield self._joint(made, readers, ops, prices)
            return
        for column in range(len(wanted)):
            if any(bool((each == column).any()) for _, each in readers):
                yield from self._of_one_order(made, readers, column, prices)

    def _numbered(self, storage: StorageTerm) -> list[_Used]:
        """The accesses to a storage in open modes, that of its producer first."""
        accesses = accesses_of(storage)
        found = [] if isinstance(storage.producer, Access) else [_Used(None, [storage.producer], np.zeros(1, int))]
        for op, byte_orders in accesses:
            used = [byte_orders[mode] for mode in self._modes[op].tolist()]
            orders = [*dict.fromkeys(used)]
            numbers = {each: number for number, each in enumerate(orders)}
            found.append(_Used(op, orders, np.array([numbers[each] for each in used])))
        return found

    def _joint(
        self, made: _Used, readers: Sequence[tuple[int | None, Numbers]], ops: Sequence[int], prices: Numbers
    ) -> _Table:
        """The cost of all conversions of a storage, over the modes of all of its ops."""
        given = _along(made.op, made.at, ops)
        read = [_along(op, at, ops) for op, at in readers]
        total: Any = np.zeros((1,) * len(ops), dtype=self._type)
        for place, wanted in enumerate(read):
            paid = prices[given, wanted]
            if place:
                # A conversion is paid once.
                is_paid: Any = np.zeros((1,) * len(ops), dtype=bool)
                for other in read[:place]:
                    is_paid = is_paid | (other == wanted)
                paid = np.where(is_paid, 0, paid)
            total = total + paid
        shape = tuple(self._sizes[op] for op in ops)
        return _Table(tuple(ops), self._clipped(np.broadcast_to(total, shape)))

    def _of_one_order(
        self, made: _Used, readers: Sequence[tuple[int | None, Numbers]], column: int, prices: Numbers
    ) -> Iterator[_Table]:
        """The cost of one conversion, which is a variable of its own: 1 if it is paid."""
        paid = self._new_variable()
        of_given = prices[made.at, column]
        if made.op is None or self._sizes[made.op] == 1:
            yield _Table((paid,), self._costs([0, of_given[0]]))
        else:
            yield _Table((made.op, paid), np.stack([np.zeros_like(of_given), of_given], axis=1))
        for op, at in readers:
            assert op is not None
            needs = np.where(at == column, self._most, 0).astype(self._type)
            if self._sizes[op] == 1:
                yield _Table((paid,), self._costs([needs[0], 0]))
            else:
                yield _Table((op, paid), np.stack([needs, np.zeros_like(needs)], axis=1))

    def _new_variable(self) -> int:
        self._sizes.append(2)
        self._users.append(set())
        return len(self._sizes) - 1

    def _add(self, table: _Table) -> None:
        """Keep a table; one of variables that have a single value says nothing."""
        if table.variables:
            self._tables[self._number] = table
            for variable in table.variables:
                self._users[variable].add(self._number)
            self._number += 1

    def _check(self, size: int) -> None:
        """Count the costs of a table."""
        self._total += size
        if size > LARGEST_TABLE or self._total > LARGEST_SUM:
            raise _TooLargeError

    def _eliminated(self, end: float) -> list[_Best]:
        """Eliminate all variables, those with the smallest tables first."""
        waiting = [(self._size(each), each) for each, users in enumerate(self._users) if users]
        heapify(waiting)
        found, done = list[_Best](), set[int]()
        while waiting:
            known, variable = heappop(waiting)
            if variable in done:
                continue
            size = self._size(variable)
            if size > known and waiting and size > waiting[0][0]:
                heappush(waiting, (size, variable))
                continue
            self._check(size)
            if len(found) % 64 == 0 and monotonic() > end:
                raise _TooLargeError
            best = self._eliminate(variable)
            done.add(variable)
            found.append(best)
            for other in best.others:
                # Those with many tables are counted when their turn comes.
                if len(self._users[other]) <= FEW_TABLES:
                    heappush(waiting, (self._size(other), other))
        return found

    def _neighbours(self, variable: int) -> list[int]:
        """All variables of the tables of one, which comes last."""
        tables = (self._tables[number].variables for number in self._users[variable])
        return [*sorted({each for variables in tables for each in variables} - {variable}), variable]

    def _size(self, variable: int) -> int:
        return prod(self._sizes[each] for each in self._neighbours(variable))

    def _eliminate(self, variable: int) -> _Best:
        """Replace the tables of a variable by one of its best value for each value of the others."""
        axes = self._neighbours(variable)
        if len(axes) > MOST_AXES:
            raise _TooLargeError
        places = {each: place for place, each in enumerate(axes)}
        numbers = sorted(self._users[variable])
        total: Any = np.zeros((1,) * len(axes), dtype=self._type)
        for count, number in enumerate(numbers, 1):
            table = self._tables.pop(number)
            for each in table.variables:
                self._users[each].discard(number)
            total = total + _spread(table, places)
            if count % MOST_TABLES == MOST_TABLES - 1:
                total = self._clipped(total)
        total = np.broadcast_to(total, tuple(self._sizes[each] for each in axes))
        values = total.argmin(axis=-1)
        self._add(_Table(tuple(axes[:-1]), self._clipped(total.min(axis=-1))))
        return _Best(variable, tuple(axes[:-1]), values.astype(np.int32))


def _spread(table: _Table, places: Mapping[int, int]) -> Numbers:
    """A table with an axis for each of some variables."""
    in_order = sorted(range(len(table.variables)), key=lambda axis: places[table.variables[axis]])
    shape = [1] * len(places)
    for axis in in_order:
        shape[places[table.variables[axis]]] = table.costs.shape[axis]
    return table.costs.transpose(in_order).reshape(shape)


class _Used(NamedTuple):
    """The access of an op to a storage, in its open modes."""

    op: int | None
    orders: Sequence[Any]
    at: Numbers
    """The number of the byte order in each mode."""


def _along(op: int | None, numbers: Numbers, ops: Sequence[int]) -> Numbers:
    """Numbers for the modes of an op along its axis."""
    shape = [1] * len(ops)
    if op in ops:
        shape[ops.index(op)] = len(numbers)
    return numbers.reshape(shape)
