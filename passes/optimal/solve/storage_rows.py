"""The steps and constraints of a storage in the linear program, made once for all storages that are alike.

A network repeats its layers: most storages are made and read in the same byte orders, at the same prices.
"""

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from .problem import Access, Both, Prices, StorageTerm, each_of, steps_of

Integers: TypeAlias = NDArray[np.int64]
Variable: TypeAlias = tuple[int, int]
"""An op, by its number among those of the storage, and one of its modes; behind the ops the steps."""


class Claim(NamedTuple):
    """The meaning of a constraint: a reader that wants one of some byte orders pays, unless one of others is given."""

    reader: int
    """Its place among the readers of the storage."""
    wanted: tuple[Hashable, ...]
    given: tuple[Hashable, ...]


class StorageRows(NamedTuple):
    """The steps of a storage that have a variable, and the constraints: each bounds a sum of variables from above."""

    sure: int
    """The cost that every choice has."""
    surely_paid: Sequence[tuple[Claim, int]]
    """The parts of this cost."""
    claims: Sequence[Claim]
    """The meaning of each constraint."""
    amounts: Sequence[int]
    are_conversions: Sequence[bool]
    rows: Integers
    """The constraint of each entry."""
    owners: Integers
    """The first part of the variable of each entry."""
    places: Integers
    """The second part."""
    values: NDArray[np.float64]
    limits: NDArray[np.float64]


class _Accesses(NamedTuple):
    """The accesses to a storage, with the numbers of byte orders in their place."""

    given: Access | int
    readers: tuple[Access, ...]
    ops: Sequence[int]
    """The ops, by the numbers that they have here."""


class RowCache:
    """The rows of all storages of a problem, or of several with the same ops."""

    def __init__(self, joins_steps: bool) -> None:
        """Steps of one reader may be joined, which changes no optimum, but the one that the solver finds."""
        self._joins_steps = joins_steps
        self._numbers: dict[Hashable, int] = {}
        """The byte orders met, with their numbers."""
        self._orders: list[Hashable] = []
        self._known: dict[Hashable, StorageRows] = {}
        self._accesses: dict[int, _Accesses] = {}
        """The accesses to each storage of the program, by its number."""

    def rows(self, storage: StorageTerm) -> tuple[StorageRows, Sequence[int]]:
        """The rows of a storage, and its ops. Where all conversions cost the same, the rows are for a cost of 1."""
        accesses = None if storage.number is None else self._accesses.get(storage.number)
        if accesses is None:
            accesses = self._numbered(storage)
        if storage.number is not None:
            self._accesses[storage.number] = accesses
        prices = storage.weight if callable(storage.weight) else None
        key = prices, accesses.given, accesses.readers
        if key not in self._known:
            weight = 1 if prices is None else self._by_number(prices)
            term = StorageTerm(weight, accesses.given, [*accesses.readers])
            self._known[key] = _Rows(term, len(accesses.ops), self._joins_steps).made()
        return self._known[key], accesses.ops

    def byte_orders(self, numbers: Sequence[Hashable]) -> list[Hashable]:
        """The byte orders of some numbers, such as those of a claim."""
        return [self._orders[cast("int", number)] for number in numbers]

    def _numbered(self, storage: StorageTerm) -> _Accesses:
        ops: dict[int, int] = {}
        producer = storage.producer
        given = self._access(producer, ops) if isinstance(producer, Access) else self._number(producer)
        readers = tuple([self._access(reader, ops) for reader in storage.readers])
        return _Accesses(given, readers, [*ops])

    def _access(self, access: Access, ops: dict[int, int]) -> Access:
        return Access(ops.setdefault(access.op, len(ops)), tuple([*map(self._numbers_of, access.byte_orders)]))

    def _numbers_of(self, used: Hashable) -> Hashable:
        return (
            Both(self._number(used.first), self._number(used.second)) if isinstance(used, Both) else self._number(used)
        )

    def _number(self, byte_order: Hashable) -> int:
        number = self._numbers.setdefault(byte_order, len(self._orders))
        if number == len(self._orders):
            self._orders.append(byte_order)
        return number

    def _by_number(self, prices: Prices) -> Prices:
        """Prices by the numbers of byte orders."""

        def price(given: Hashable, wanted: Hashable) -> int:
            return prices(self._orders[cast("int", given)], self._orders[cast("int", wanted)])

        return lru_cache(maxsize=None)(price)


class _RemainingStep(NamedTuple):
    """A step, or some steps of which at most one is paid."""

    wanted: tuple[Hashable, ...]
    giving: tuple[Variable, ...]
    """The modes of the producer that save it."""
    amount: int
    is_conversion: bool
    saved_by: tuple[Hashable, ...]
    """The byte orders that save it."""


class _Rows:
    """The rows of a storage, collected."""

    def __init__(self, storage: StorageTerm, ops: int, joins_steps: bool) -> None:
        self._storage = storage
        self._ops = ops
        self._readers: dict[Access, int] = {}
        """The readers, each once, with their first places."""
        for place, reader in enumerate(storage.readers):
            self._readers.setdefault(reader, place)
        self._has_prices = callable(storage.weight)
        # A reader that runs twice may pay for two byte orders.
        has_pairs = any(isinstance(each, Both) for reader in self._readers for each in reader.byte_orders)
        self._joins_steps = joins_steps and self._has_prices and len(self._readers) == 1 and not has_pairs
        self._sure: list[tuple[Claim, int]] = []
        self._steps: list[_RemainingStep] = []
        """The steps that have a variable."""
        self._entries: list[tuple[int, Variable, float]] = []
        self._limits: list[float] = []
        self._claims: list[Claim] = []

    def made(self) -> StorageRows:
        alike: dict[tuple[Variable, ...], list[tuple[Variable, _RemainingStep]]] = {}
        for remaining in self._joined() if self._joins_steps else self._remaining():
            if (step := self._add_step(remaining)) is not None:
                alike.setdefault(remaining.giving, []).append((step, remaining))
        # Where all conversions cost the same, the others are as tight.
        for giving, steps in alike.items() if self._has_prices else ():
            if len(steps) > 1:
                self._add_alike(giving, steps)
        rows, variables, values = zip(*self._entries, strict=True) if self._entries else ((), (), ())
        owners, places = zip(*variables, strict=True) if variables else ((), ())
        return StorageRows(
            sum(amount for _, amount in self._sure),
            self._sure,
            self._claims,
            [step.amount for step in self._steps],
            [step.is_conversion for step in self._steps],
            np.array(rows, dtype=np.int64),
            np.array(owners, dtype=np.int64),
            np.array(places, dtype=np.int64),
            np.array(values),
            np.array(self._limits),
        )

    def _remaining(self) -> Iterator[_RemainingStep]:
        """The steps that not every mode of the producer saves."""
        producer = self._storage.producer
        for step in steps_of(self._storage):
            saved_by = set(step.saved_by)
            if isinstance(producer, Access):
                is_given, giving = _chosen(producer, saved_by)
            else:
                is_given, giving = producer in saved_by, ()
            if not is_given:
                yield _RemainingStep((step.wanted,), giving, step.amount, step.is_conversion, tuple(step.saved_by))

    def _joined(self) -> Iterator[_RemainingStep]:
        """The steps for one reader: it wants one byte order, so one of the steps that the same modes save is paid."""
        alike: dict[tuple[tuple[Variable, ...], int, bool], list[_RemainingStep]] = {}
        for each in self._remaining():
            alike.setdefault((each.giving, each.amount, each.is_conversion), []).append(each)
        return (_RemainingStep(_wanted(steps), *key, _saved_by(steps)) for key, steps in alike.items())

    def _add_step(self, remaining: _RemainingStep) -> Variable | None:
        """Constraint: a byte order that is read is produced, or converted to. The variable that says so, if needed."""
        reading: dict[tuple[bool, tuple[Variable, ...]], Claim] = {}
        for reader, place in self._readers.items():
            claim = Claim(place, remaining.wanted, remaining.saved_by)
            reading.setdefault(_chosen(reader, remaining.wanted), claim)
        surely = next((claim for (always, _), claim in reading.items() if always), None)
        if not remaining.giving and surely is not None:
            self._sure.append((surely, remaining.amount))
            return None
        step = self._ops, len(self._steps)
        self._steps.append(remaining)
        for (always, variables), claim in reading.items():
            self._add_row(claim, always, variables, remaining.giving, [step])
        return step

    def _add_alike(self, giving: Sequence[Variable], steps: Sequence[tuple[Variable, _RemainingStep]]) -> None:
        """Constraint that tightens the others: a reader of any of some steps that the same modes save pays one."""
        found = [remaining for _, remaining in steps]
        wanted, saved_by = _wanted(found), _saved_by(found)
        for reader, place in self._readers.items():
            claim = Claim(place, wanted, saved_by)
            self._add_row(claim, *_chosen(reader, set(wanted)), giving, [step for step, _ in steps])

    def _add_row(
        self,
        claim: Claim,
        always: bool,
        reading: Sequence[Variable],
        giving: Sequence[Variable],
        steps: Sequence[Variable],
    ) -> None:
        """Constraint: what is read is given, or one of some steps is paid."""
        if not always and not reading:
            return
        row = len(self._limits)
        self._entries += [(row, variable, 1.0) for variable in reading]
        self._entries += [(row, variable, -1.0) for variable in (*giving, *steps)]
        self._limits.append(-1.0 if always else 0.0)
        self._claims.append(claim)


def _wanted(steps: Sequence[_RemainingStep]) -> tuple[Hashable, ...]:
    """The byte orders that any of some steps are paid for."""
    return tuple(dict.fromkeys(each for step in steps for each in step.wanted))


def _saved_by(steps: Sequence[_RemainingStep]) -> tuple[Hashable, ...]:
    """The byte orders that save any of some steps, which the same modes save."""
    return tuple(dict.fromkeys(each for step in steps for each in step.saved_by))


def _chosen(access: Access, byte_orders: Collection[Hashable]) -> tuple[bool, tuple[Variable, ...]]:
    """True if an op uses one of these byte orders in every mode, else the modes that do."""
    uses = [any(each in byte_orders for each in each_of(used)) for used in access.byte_orders]
    variables = tuple([(access.op, mode) for mode, is_used in enumerate(uses) if is_used])
    return (True, ()) if len(variables) == len(access.byte_orders) else (False, variables)
