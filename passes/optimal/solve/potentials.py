"""Bounds by potentials, in whole numbers: no solver, and time linear in the accesses.

Each reader of a storage has a potential for each byte order: it pays that of the one it reads, and the producer is paid
that of the one it gives. Together the readers pay no more than a conversion costs, so that what all ops pay at least is
a bound for all choices: the dual of the linear program (docs/theory.md). A sweep walks the ops in program order or
back; each op takes what the storages behind it can pass on, and passes it to those in front of it. On a chain two
sweeps find the optimum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .price_table import LARGEST_FAST, Numbers, TablePrices, at_most, prices_between
from .problem import Access, Both, Problem, StorageTerm, accesses_of

PARTS = 48
"""Potentials are multiples of 1 / PARTS, so that some readers can share a cost."""
FEW_READERS, SMALL = 3, 2**12
"""The sum that readers pay is kept if they are more than this, or the conversions are fewer than this."""
MOST_KEPT = 2**26
"""The number of prices that are kept; the others are computed whenever they are needed."""


class _Pattern:
    """The byte order of each mode of an access, as a number."""

    def __init__(self, byte_orders: Sequence[Hashable]) -> None:
        self.orders = [*dict.fromkeys(byte_orders)]
        """The byte orders, each once."""
        numbers = {each: number for number, each in enumerate(self.orders)}
        self.at = np.array([numbers[each] for each in byte_orders], dtype=np.intp)
        self._is_own = len(self.orders) == len(byte_orders)
        self._sorted = np.argsort(self.at, kind="stable")
        self._starts = np.searchsorted(self.at[self._sorted], np.arange(len(self.orders)))

    def least(self, of_modes: Numbers) -> Numbers:
        """The least number of the modes with each byte order."""
        return of_modes if self._is_own else np.minimum.reduceat(of_modes[self._sorted], self._starts)


class _Stored:
    """A storage, with the prices of its conversions in parts."""

    def __init__(self, op: int, pattern: _Pattern, prices: Callable[[], Numbers], is_kept: bool, readers: int) -> None:
        self.op = op
        """The op that produces it."""
        self.pattern = pattern
        self._compute = prices
        known = prices()
        self._prices = known if is_kept else None
        self.links: list[_Link] = []
        self.size = known.shape[1]
        """The number of byte orders that are read."""
        keeps_sum = readers > FEW_READERS or (1 < readers and known.size <= SMALL)
        self.paid = np.zeros_like(known) if keeps_sum else None
        """The sum that all readers pay for each conversion, unless it is computed."""

    @property
    def prices(self) -> Numbers:
        return self._compute() if self._prices is None else self._prices


class _Link:
    """A reader of a storage, with its potentials."""

    def __init__(self, stored: _Stored, op: int, pattern: _Pattern, columns: Numbers, number_type: Any) -> None:
        self.stored = stored
        self.op = op
        self.pattern = pattern
        self.columns = columns
        """The columns of the prices for the byte orders that it reads."""
        self._reads_all = columns.tolist() == [*range(stored.size)]
        self.wanted: Numbers = np.zeros(len(columns), dtype=number_type)
        """The potentials of the byte orders that it reads: what it pays."""
        self.given: Numbers = np.zeros(len(stored.pattern.orders), dtype=number_type)
        """The potentials of the byte orders that are produced: what the producer is paid."""

    def room(self) -> Numbers:
        """The price of each conversion, without what the other readers pay."""
        prices = self._of(self.stored.prices)
        if len(self.stored.links) == 1:
            return prices
        if self.stored.paid is not None:
            return prices - self._of(self.stored.paid) + self._paid()
        paid = np.zeros_like(self.stored.prices)
        for link in self.stored.links:
            paid[:, link.columns] += link._paid()
        return prices - self._of(paid) + self._paid()

    def _of(self, numbers: Numbers) -> Numbers:
        """The columns of the byte orders that it reads."""
        return numbers if self._reads_all else numbers[:, self.columns]

    def _paid(self) -> Numbers:
        return np.maximum(self.wanted - self.given[:, np.newaxis], 0)

    def change(self, wanted: Numbers, given: Numbers) -> None:
        if self.stored.paid is None:
            self.wanted, self.given = wanted, given
            return
        before = self._paid()
        self.wanted, self.given = wanted, given
        self.stored.paid[:, self.columns] += self._paid() - before


class _End(NamedTuple):
    """An end of a link, at an op."""

    link: _Link
    reads: bool
    """True at the reader, False at the producer."""


class Potentials:
    """The potentials of a problem in which no op runs twice."""

    def __init__(self, problem: Problem, most: int) -> None:
        """Choices that cost more than `most` are all alike."""
        self._problem = problem
        given = [each for each in problem.storages if not isinstance(each.producer, Access)]
        self._most = (most + 1) * PARTS
        """More than any choice costs, in parts: a larger difference of potentials decides nothing more."""
        links = Counter(access.op for storage in problem.storages for access in accesses_of(storage))
        most_links = max((*links.values(), *(len(storage.readers) for storage in problem.storages), 1))
        self._type: Any = np.int64 if self._most * (2 * most_links + 4) < LARGEST_FAST else object
        count = len(problem.modes)
        self._own = [
            self._numbers(problem.prices[op]) if op in problem.prices else np.zeros(modes, dtype=self._type)
            for op, modes in enumerate(problem.modes)
        ]
        # What is given in one byte order has an op of its own, with one mode.
        self._own += [self._numbers((0,)) for _ in given]
        self._paid = [each.copy() for each in self._own]
        """The amount that each op pays in each of its modes."""
        self._order = [*range(count, len(self._own)), *range(count)]
        places = {op: place for place, op in enumerate(self._order)}
        self._before: list[list[_End]] = [[] for _ in self._own]
        """For each op the links whose other end is in front of it."""
        self._after: list[list[_End]] = [[] for _ in self._own]
        self._patterns: dict[tuple[Hashable, ...], _Pattern] = {}
        self._scaled: dict[Any, Numbers] = {}
        self._kept = 0
        """The number of prices in there."""
        number = count
        for storage in problem.storages:
            op, number = (storage.producer.op, number) if isinstance(storage.producer, Access) else (number, number + 1)
            for link in self._links(storage, op):
                producer, reader = _End(link, reads=False), _End(link, reads=True)
                if link.op == op:
                    continue
                is_forward = places[op] < places[link.op]
                (self._after if is_forward else self._before)[op].append(producer)
                (self._before if is_forward else self._after)[link.op].append(reader)

    def _numbers(self, numbers: Sequence[int]) -> Numbers:
        """Costs in parts."""
        return np.array([min(each * PARTS, self._most) for each in numbers], dtype=self._type)

    def _links(self, storage: StorageTerm, op: int) -> Iterator[_Link]:
        """The readers of a storage that may cost something."""
        if storage.is_free or not storage.readers:
            return
        producer = storage.producer
        made = self._pattern(producer.byte_orders if isinstance(producer, Access) else (producer,))
        patterns = [self._pattern(reader.byte_orders) for reader in storage.readers]
        wanted = patterns[0].orders
        if any(each is not patterns[0] for each in patterns):
            wanted = [*dict.fromkeys(order for each in patterns for order in each.orders)]
        prices, is_kept = self._prices(storage, made.orders, wanted)
        stored = _Stored(op, made, prices, is_kept, len(storage.readers))
        numbers = {order: number for number, order in enumerate(wanted)}
        for reader, pattern in zip(storage.readers, patterns, strict=True):
            columns = np.array([numbers[each] for each in pattern.orders], dtype=np.intp)
            stored.links.append(_Link(stored, reader.op, pattern, columns, self._type))
        yield from stored.links

    def _pattern(self, byte_orders: Sequence[Hashable]) -> _Pattern:
        key = tuple(byte_orders)
        if key not in self._patterns:
            assert not any(isinstance(each, Both) for each in key)
            self._patterns[key] = _Pattern(key)
        return self._patterns[key]

    def _prices(
        self, storage: StorageTerm, given: Sequence[Hashable], wanted: Sequence[Hashable]
    ) -> tuple[Callable[[], Numbers], bool]:
        """The prices of a storage in parts, and whether they are kept: not all of those fit that have many columns."""

        def computed() -> Numbers:
            prices = prices_between(storage, given, wanted)
            return at_most(prices, most, self._type) * PARTS

        key, most = (storage.weight, tuple(given), tuple(wanted)), self._most // PARTS
        if key not in self._scaled and self._kept <= MOST_KEPT:
            self._scaled[key] = computed()
            self._kept += self._scaled[key].size
        kept = self._scaled.get(key)
        return (computed, False) if kept is None else (lambda: kept, True)

    @property
    def bound(self) -> int:
        """The least cost of all choices that the potentials prove."""
        return -(-self._bound_in_parts() // PARTS)

    def _bound_in_parts(self) -> int:
        return sum(int(paid.min()) for paid in self._paid)

    def sweep(self, forward: bool) -> None:
        """Pass potentials on in program order, or back."""
        order, behind, ahead = self._order, self._before, self._after
        if not forward:
            order, behind, ahead = order[::-1], ahead, behind
        for op in order:
            for end in behind[op]:
                self._take(op, end)
            left = len(ahead[op])
            for end in ahead[op]:
                self._give(op, end, left)
                left -= 1

    def _take(self, op: int, end: _End) -> None:
        """Let an op pay as much as a link allows, or be paid as little."""
        link = end.link
        if end.reads:
            wanted = (link.room() + link.given[:, np.newaxis]).min(axis=0)
            wanted = np.minimum(wanted, wanted.min() + self._most)
            self._paid[op] += (wanted - link.wanted)[link.pattern.at]
            link.change(wanted, link.given)
        else:
            given = (link.wanted - link.room()).max(axis=1)
            given = np.maximum(given, given.max() - self._most)
            self._paid[op] -= (given - link.given)[link.stored.pattern.at]
            link.change(link.wanted, given)

    def _give(self, op: int, end: _End, left: int) -> None:
        """Pass a share of what an op pays above the least on to a link, one of as many as are left."""
        link, paid = end.link, self._paid[op]
        pattern = link.pattern if end.reads else link.stored.pattern
        share = pattern.least(paid)
        share = (share - share.min()) // left
        paid -= share[pattern.at]
        if end.reads:
            link.change(link.wanted - share, link.given)
        else:
            link.change(link.wanted, link.given + share)

    def ops_in_use(self) -> list[int]:
        """The ops between which potentials have been passed on: without the others they prove the same."""
        found = set[int]()
        for op, ends in enumerate(self._before):
            if any(link.wanted.any() or link.given.any() for link, _ in ends):
                found |= {op, *(link.stored.op if reads else link.op for link, reads in ends)}
        return sorted(op for op in found if op < len(self._problem.modes))

    def is_open(self, below: int) -> list[Numbers]:
        """For each op the modes with which a choice may cost less than this."""
        room = (below - 1) * PARTS - self._bound_in_parts()
        return [paid - paid.min() <= room for paid in self._paid[: len(self._problem.modes)]]

    def cheapest(self, op: int, count: int) -> Numbers:
        """The modes in which an op pays least, as many as this."""
        paid = self._paid[op]
        found = np.zeros(len(paid), dtype=bool)
        found[np.argsort(paid, kind="stable")[:count]] = True
        return found

    def choice(self) -> list[int]:
        """A choice: each op, in program order, takes what is cheapest by those in front of it, and by the potentials
        of what is behind. On a chain it is the best one behind a sweep back."""
        made: dict[_Stored, int] = {}
        read: dict[_Stored, list[int]] = {}
        found = [0] * len(self._own)
        for op in self._order:
            cost = self._own[op].copy()
            for end in self._before[op]:
                cost += self._known(end, made, read)
            for link, reads in self._after[op]:
                cost += link.wanted[link.pattern.at] if reads else -link.given[link.stored.pattern.at]
            found[op] = mode = int(np.argmin(cost))
            for link, reads in (*self._before[op], *self._after[op]):
                if reads:
                    read.setdefault(link.stored, []).append(int(link.columns[link.pattern.at[mode]]))
                else:
                    made[link.stored] = int(link.stored.pattern.at[mode])
        return found[: len(self._problem.modes)]

    def _known(self, end: _End, made: dict[_Stored, int], read: dict[_Stored, list[int]]) -> Numbers:
        """The cost of each mode of an op for a link whose other end is chosen."""
        link, stored = end.link, end.link.stored
        if end.reads:
            row = stored.prices[made[stored]].copy()
            row[read.get(stored, [])] = 0
            return row[link.columns][link.pattern.at]
        # All readers in front of the producer pay together: each link stands for one of them.
        total = stored.prices[:, [*dict.fromkeys(read[stored])]].sum(axis=1)
        return (total // len(read[stored]))[stored.pattern.at]


def largest_cost(problem: Problem) -> int:
    """A cost that no choice exceeds."""
    return sum(map(max, problem.prices.values())) + sum(map(_largest_cost_of, problem.storages))


def _largest_cost_of(storage: StorageTerm) -> int:
    producer = storage.producer
    wanted = {each for access in storage.readers for each in access.byte_orders}
    # A reader wants one byte order.
    count = min(len(wanted), len(storage.readers))
    if isinstance(storage.weight, int):
        return storage.weight * count
    if isinstance(storage.weight, TablePrices):
        return storage.weight.largest * count
    given = {*producer.byte_orders} if isinstance(producer, Access) else {producer}
    return int(prices_between(storage, [*given], [*wanted]).max(axis=0, initial=0).sum())
