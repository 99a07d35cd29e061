"""The problem of `cost=traffic` in numbers: what each conversion of a storage moves at least."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple, TypeAlias, cast

from xdsl.ir import Operation, SSAValue

from ....dialects.npu.shape import ReshapeOp
from ...common.storages.storage import ByteOrder
from ...cover.traffic_value import Converted
from ..choice.mode_choice import ModeChoice, ModeTable
from ..prices.module_problem import Precision, Solved, Weights
from ..solve.problem import Access, Prices, Solution, StorageTerm, byte_orders_of
from .bound import TrafficBound

Signature: TypeAlias = tuple[object, ...]


class StorageReader(NamedTuple):
    """An op that reads a storage."""

    access: Access
    stages: int
    """The stages that may run it, as a set of bits."""


class TrafficStorage:
    """A storage with the ops that use it."""

    def __init__(
        self,
        term: StorageTerm,
        size: int,
        made_by: int,
        readers: Sequence[StorageReader],
        bound: TrafficBound,
        may_convert: Callable[[ByteOrder, ByteOrder], bool],
    ) -> None:
        """`may_convert` is true if one transpose, pack or unpack leads from one byte order to another."""
        self.term = term
        self.readers = readers
        self.full_price = bound.price(size)
        """The data that a conversion moves in no group."""
        self._size = size
        self._made_by = made_by
        self._bound = bound
        self._may_convert = may_convert
        self.is_converted = size > 0 and len(byte_orders_of(term)) > 1
        """True if it may be converted."""

    @property
    def ops(self) -> list[int]:
        """The ops that use it."""
        producer = self.term.producer
        first = [producer.op] if isinstance(producer, Access) else []
        return list(dict.fromkeys([*first, *(reader.access.op for reader in self.readers)]))

    def least_prices(self) -> Mapping[Hashable, int]:
        """The data that a conversion to each byte order moves at least."""
        wanted: dict[Hashable, list[int]] = {}
        for reader in self.readers:
            for byte_order in reader.access.byte_orders:
                wanted.setdefault(byte_order, []).append(reader.stages)
        may = self._bound.may_be_absorbed
        return {each: self._least_price(may(self._made_by, stages), stages) for each, stages in wanted.items()}

    def _least_price(self, is_absorbed: bool, read_by: Iterable[int]) -> int:
        """The data that a conversion moves at least, with the price of the stage that may absorb it."""
        if not is_absorbed:
            return self.full_price
        return min(self.full_price, self._bound.absorbed_price(self._size, self._made_by, read_by))

    def least(self, choice: Mapping[int, int]) -> int | None:
        """The data that conversions move at least, where modes of some ops are chosen; None if one is impossible."""
        producer = self.term.producer
        if isinstance(producer, Access):
            if producer.op not in choice:
                return 0
            given = producer.byte_orders[choice[producer.op]]
        else:
            given = producer
        read_in: dict[Hashable, dict[int, int]] = {}
        for access, stages in self.readers:
            if access.op in choice:
                read_in.setdefault(access.byte_orders[choice[access.op]], {})[access.op] = stages
        total = 0
        for wanted, read_by in read_in.items():
            if wanted == given:
                continue
            if not self._may_convert(cast("ByteOrder", given), cast("ByteOrder", wanted)):
                return None
            others = [
                stages for access, stages in self.readers if access.op not in choice and wanted in access.byte_orders
            ]
            is_absorbed = self._bound.may_all_be_absorbed(
                self._made_by, [*read_by.values()], others, is_shared=len(read_in) > 1
            )
            total += self._least_price(is_absorbed, [*read_by.values(), *others])
        return total

    def pattern(self, choice: Sequence[int]) -> Iterator[Hashable]:
        """The byte orders of all uses, each with the number of its first use."""
        numbers: dict[Hashable, int] = {}
        producer = self.term.producer
        given = producer.byte_orders[choice[producer.op]] if isinstance(producer, Access) else producer
        for byte_order in (given, *(access.byte_orders[choice[access.op]] for access, _ in self.readers)):
            yield numbers.setdefault(byte_order, len(numbers))


class TrafficProblem:
    """The ops and storages of a program, with what their conversions move at least."""

    def __init__(self, table: ModeTable) -> None:
        self.table = table
        self.bound = TrafficBound(table)
        self.modes = list(table.modes.of.values())
        self._choosers = list(table.modes.of)
        self._candidates = table.problem.with_precision("bytes", Precision.CANDIDATE)
        self._sizes = {root: table.problem.bytes_of(root) for root in table.problem.roots}
        self.weights: Weights = {**self._sizes}
        self.problem = table.problem.at(self.weights)
        self.storages = [
            self._storage(root, term) for root, term in zip(table.problem.roots, self.problem.storages, strict=True)
        ]
        self._weights_by: dict[tuple[tuple[Hashable, int], ...], Prices] = {}
        target = table.target_layouts.target
        has_conditions = any(not isinstance(stage.absorbs, bool) for stage in target.stages.values())
        self._is_all_seen = has_conditions or bool(target.blocks) or not target.is_free(ReshapeOp.name)
        """True if the stages, the ops between them, or the padding depend on more than which data is converted."""
        self._has_every_order = not (has_conditions and target.blocks)
        """False if two conversions may be absorbed where one is not: an order between them is no mode of an op."""

    def _storage(self, root: SSAValue, term: StorageTerm) -> TrafficStorage:
        owner = root.owner
        made_by = self.bound.stages_of(owner) if isinstance(owner, Operation) else 0
        readers = [StorageReader(each, self.bound.stages_of(self._choosers[each.op])) for each in term.readers]
        may_convert = partial(self.table.problem.is_one_conversion, root)
        return TrafficStorage(term, self._sizes[root], made_by, readers, self.bound, may_convert)

    @cached_property
    def _least_prices(self) -> Mapping[SSAValue, Mapping[Hashable, int]]:
        roots = self.table.problem.roots
        return {root: storage.least_prices() for root, storage in zip(roots, self.storages, strict=True)}

    def solved(self, prices: Mapping[Converted, int], time_limit: float) -> tuple[list[int], int]:
        """The cheapest choice where each conversion costs this, or what it moves at least; and the bound."""
        found = {root: dict(least) for root, least in self._least_prices.items()}
        for (root, wanted), price in prices.items():
            found[root][wanted] = price
        weights: Weights = {root: self._weight(of) for root, of in found.items()}
        return self._candidates.solved_at(weights, time_limit)

    def _weight(self, prices: Mapping[Hashable, int]) -> int | Prices:
        """The weight of a storage by the prices of its conversions: one number if they cost the same.

        Equal prices are one function, as storages with the same one are alike.
        """
        if len(amounts := set(prices.values())) <= 1:
            return next(iter(amounts), 0)
        return self._weights_by.setdefault(tuple(prices.items()), lambda given, wanted: prices[wanted])

    def choice(self, numbers: Sequence[int]) -> ModeChoice:
        solved = Solved(self.problem, Solution([*numbers], 0, 0), self.weights)
        return self.table.choice(solved, self._has_every_order)

    def fewest_bytes(self, time_limit: float) -> list[int]:
        """The choice of `cost=bytes`."""
        problem = self.table.problem.with_precision("bytes", Precision.CHOICE)
        return problem.solved(time_limit).solution.choice

    def full_prices(self, conversions: Iterable[Converted]) -> dict[Converted, int]:
        """The prices of conversions in no group."""
        sizes = dict(zip(self.table.problem.roots, self.storages, strict=True))
        return {(root, wanted): sizes[root].full_price for root, wanted in conversions}

    def likely_prices(self) -> dict[Converted, int]:
        """Prices with which a conversion is absorbed only if one op reads the storage."""
        shared = [
            (root, cast("ByteOrder", wanted))
            for root, storage in zip(self.table.problem.roots, self.storages, strict=True)
            if len({access.op for access, _ in storage.readers}) > 1
            for wanted in byte_orders_of(storage.term)
        ]
        return self.full_prices(shared)

    def signature(self, choice: Sequence[int]) -> Signature:
        """Equal for choices that move the same data: with the same conversions, and ops on the same stages."""
        if self._is_all_seen:
            return tuple(choice)
        forms = (self.form(op, mode) for op, mode in enumerate(choice) if len(self.modes[op]) > 1)
        stored = (tuple(storage.pattern(choice)) for storage in self.storages if storage.is_converted)
        return (*forms, *stored)

    def form(self, op: int, number: int) -> object:
        """The part of a mode that decides which stages run the op."""
        mode = self.modes[op][number]
        if mode.form is not None and not mode.form.is_own:
            return number
        return None if mode.relayout is None else mode.relayout.operand_permutation
