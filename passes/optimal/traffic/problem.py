"""The problem of `cost=traffic` in numbers: what each conversion of a storage moves at least, and likely moves."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, cast

from xdsl.ir import Operation, SSAValue

from ....dialects.carrying.callers import calls_around
from ...common.storages.storage import ByteOrder
from ...cover.traffic_value import Converted
from ..choice.mode_choice import ModeChoice, ModeTable
from ..prices.module_problem import Precision, Solved, Weights, impossible_price
from ..solve.problem import Access, Prices, Problem, Solution, StorageTerm, byte_orders_of
from .bound import TrafficBound

PricesOf: TypeAlias = Mapping[Hashable, int]
"""The price of a conversion to each byte order."""


class TrafficProblem:
    """The ops and storages of a program, with prices of conversions behind which groups are only estimated."""

    def __init__(self, table: ModeTable) -> None:
        self.table = table
        self.bound = TrafficBound(table)
        self.modes = list(table.modes.of.values())
        self._deciders = list(table.modes.of)
        self._candidates = table.problem.with_precision("bytes", Precision.CANDIDATE)
        self._sizes = {root: table.problem.bytes_of(root) for root in table.problem.roots}
        self._calls = {root: calls_around(root) for root in table.problem.roots}
        self.weights: Weights = {root: size * self._calls[root] for root, size in self._sizes.items()}
        self.problem = table.problem.at(self.weights)
        self._weights_by: dict[tuple[tuple[Hashable, int], ...], Prices] = {}
        target = table.target_layouts.target
        has_conditions = any(not isinstance(stage.absorbs, bool) for stage in target.stages.values())
        self._has_every_order = not (has_conditions and target.blocks)
        """False if two conversions may be absorbed where one is not: an order between them is no mode of an op."""

    @property
    def _terms(self) -> Iterator[tuple[SSAValue, StorageTerm]]:
        return zip(self.table.problem.roots, self.problem.storages, strict=True)

    @cached_property
    def least_prices(self) -> Mapping[SSAValue, PricesOf]:
        """The data that a conversion of each storage moves at least, in all calls."""
        return {root: self._least_of(root, term) for root, term in self._terms}

    def _least_of(self, root: SSAValue, term: StorageTerm) -> PricesOf:
        made_by, size, calls = self._made_by(root), self._sizes[root], self._calls[root]
        read_by: dict[Hashable, list[int]] = {}
        for reader in term.readers:
            for byte_order in reader.byte_orders:
                read_by.setdefault(byte_order, []).append(self._stages_of(reader))
        may = self.bound.may_be_absorbed
        return {
            each: calls * self.bound.least_price(size, may(made_by, stages), made_by, stages)
            for each, stages in read_by.items()
        }

    def _made_by(self, root: SSAValue) -> int:
        return self.bound.stages_of(root.owner) if isinstance(root.owner, Operation) else 0

    def _stages_of(self, reader: Access) -> int:
        return self.bound.stages_of(self._deciders[reader.op])

    def likely_prices(self) -> Mapping[SSAValue, PricesOf]:
        """The data that a conversion likely moves: if it parts a group, its data is written and read as well."""
        return {root: dict(self._likely_of(root, term)) for root, term in self._terms}

    def _likely_of(self, root: SSAValue, term: StorageTerm) -> Iterator[tuple[Hashable, int]]:
        together = [each for each in term.readers if self.bound.are_together(root.owner, self._deciders[each.op])]
        parted = {byte_order for reader in together for byte_order in reader.byte_orders}
        for wanted, least in self.least_prices[root].items():
            yield wanted, least + 2 * cast("int", self.weights[root]) * (wanted in parted)

    def corrected(
        self, prices: Mapping[SSAValue, PricesOf], outside: Iterable[Converted]
    ) -> Mapping[SSAValue, PricesOf]:
        """The prices with those of some conversions as in no group at least."""
        found = {root: dict(of) for root, of in prices.items()}
        for root, wanted in outside:
            found[root][wanted] = max(
                found[root][wanted], self.bound.price_alone(self._sizes[root] * self._calls[root])
            )
        return found

    def solved(self, prices: Mapping[SSAValue, PricesOf], time_limit: float) -> Solved:
        """The cheapest choice at some prices of conversions."""
        return self._candidates.solved_at(self._weights_of(prices), time_limit)

    @cached_property
    def least_problem(self) -> tuple[Problem, int]:
        """The problem in which a conversion costs what it moves at least, and a price above that of every choice.

        Conversions that no single op does have prices above it.
        """
        weights = self._weights_of(self.least_prices)
        impossible = impossible_price(self.table.problem.at(weights))
        may_lack = {root for root, term in self._terms if self._lacks_conversions(root, term)}
        lacking = self.table.problem.of_one_transpose({root: weights[root] for root in may_lack}, impossible)
        return self.table.problem.at(weights | lacking), impossible

    def _lacks_conversions(self, root: SSAValue, term: StorageTerm) -> bool:
        given = set(term.producer.byte_orders if isinstance(term.producer, Access) else [term.producer])
        wanted = {each for reader in term.readers for each in reader.byte_orders}
        return not all(self._is_possible(root, one, other) for one in given for other in wanted)

    def _weights_of(self, prices: Mapping[SSAValue, PricesOf]) -> Weights:
        return {root: self._weight(of) for root, of in prices.items()}

    def _weight(self, prices: PricesOf) -> int | Prices:
        """The weight of a storage by the prices of its conversions: one number if they cost the same.

        Equal prices are one function, as storages with the same one are alike.
        """
        if len(amounts := set(prices.values())) <= 1:
            return next(iter(amounts), 0)
        return self._weights_by.setdefault(tuple(prices.items()), lambda given, wanted: prices[wanted])

    def choice(self, numbers: Sequence[int]) -> ModeChoice:
        solved = Solved(self.problem, Solution(self.table.problem.with_ties(numbers), 0, 0), self.weights)
        return self.table.choice(solved, self._has_every_order)

    def fewest_bytes(self, time_limit: float) -> list[int]:
        """The choice of `cost=bytes`."""
        problem = self.table.problem.with_precision("bytes", Precision.CHOICE)
        return problem.solved(time_limit).solution.choice

    @cached_property
    def converted(self) -> list[tuple[SSAValue, StorageTerm]]:
        """The storages that may be converted."""
        return [(root, term) for root, term in self._terms if self._sizes[root] and len(byte_orders_of(term)) > 1]

    def least(self, root: SSAValue, term: StorageTerm, choice: Mapping[int, int]) -> int | None:
        """The data that a storage's conversions move at least, by the modes chosen; None if one is impossible."""
        found = self.least_of_each(root, term, choice)
        return None if None in found.values() else sum(each for each in found.values() if each is not None)

    def least_of_each(
        self, root: SSAValue, term: StorageTerm, choice: Mapping[int, int]
    ) -> Mapping[Hashable, int | None]:
        """The data that each conversion of a storage moves at least, by the modes chosen; None if it is impossible."""
        producer = term.producer
        if isinstance(producer, Access) and producer.op not in choice:
            return {}
        given = producer.byte_orders[choice[producer.op]] if isinstance(producer, Access) else producer
        read_in: dict[Hashable, dict[int, int]] = {}
        for reader in term.readers:
            if reader.op in choice:
                read_in.setdefault(reader.byte_orders[choice[reader.op]], {})[reader.op] = self._stages_of(reader)
        others = [reader for reader in term.readers if reader.op not in choice]
        return {
            each: self._least_read(root, each, read_in, others) if self._is_possible(root, given, each) else None
            for each in read_in
            if each != given
        }

    def _least_read(
        self, root: SSAValue, wanted: Hashable, read_in: Mapping[Hashable, Mapping[int, int]], others: Sequence[Access]
    ) -> int:
        """The data that a conversion moves at least, by its known readers and those that it may have as well."""
        made_by, read_by = self._made_by(root), [*read_in[wanted].values()]
        may_read = [self._stages_of(reader) for reader in others if wanted in reader.byte_orders]
        is_absorbed = self.bound.may_all_be_absorbed(made_by, read_by, may_read, is_shared=len(read_in) > 1)
        price = self.bound.least_price(self._sizes[root], is_absorbed, made_by, [*read_by, *may_read])
        return price * self._calls[root]

    def _is_possible(self, root: SSAValue, given: Hashable, wanted: Hashable) -> bool:
        return self.table.problem.is_one_conversion(root, cast("ByteOrder", given), cast("ByteOrder", wanted))
