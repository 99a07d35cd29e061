"""The problem of a module, in numbers, and its solution."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from enum import Enum
from functools import cached_property, lru_cache
from operator import add
from typing import NamedTuple, TypeAlias, cast

from xdsl.ir import OpResult, SSAValue

from ....dialects.carrying.callers import calls_around
from ....dialects.npu.values import encoding, shape_of
from ....layout import Order
from ....layout.byte_order import pieces_between
from ....layout.common_pieces import cuts_of, pieces_of
from ....layout.movement import steps_of
from ....targets import CostUnit
from ...common.graph.op_classes import order_of
from ...common.moves.transpose_cost import bits_of, whole_bytes
from ...common.storages.storage import ByteOrder
from ..modes.block_forms import Padding, bytes_with_padding
from ..modes.modes import Decider, Modes, place_of, producer_of, uses_of
from ..modes.module_storage import ModuleStorage
from ..modes.rewrites import Mode
from ..solve.linear_program import LinearProgram, solve
from ..solve.problem import (
    Access,
    Objective,
    Prices,
    Problem,
    Solution,
    StorageTerm,
    conversions_of,
    cost_of_choice,
    each_of,
    given_byte_order,
)
from ..solve.storage_rows import RowCache
from .conversion_prices import ConversionPrices

Readers: TypeAlias = dict[SSAValue, list[tuple[Decider, int]]]
"""For each storage the operands that read it."""
Weights: TypeAlias = dict[SSAValue, int | Prices]


class Solved(NamedTuple):
    """The solution of a problem."""

    problem: Problem
    solution: Solution
    """Without penalties."""
    weights: Weights
    """The cost of converting each storage once, by its root."""
    avoided: int = 0
    """The number of conversions that nothing can do."""

    @property
    def is_free(self) -> bool:
        """True if nothing could cost less."""
        return self.solution.cost == 0 and not self.avoided


class Precision(Enum):
    """The part of a solution that matters; of solutions that do not differ in it any is taken."""

    COST = "the cost"
    FIGURES = "the cost, the transposes and the bytes"
    CHOICE = "the choice"
    CANDIDATE = "the cost, and roughly the rest"


class ModuleProblem:
    """The ops of a module with modes, and the storages that are read at run time, in numbers."""

    def __init__(
        self,
        modes: Modes,
        storage: ModuleStorage,
        unit: CostUnit,
        prices: ConversionPrices | None,
        assumed_size: int,
        precision: Precision = Precision.CHOICE,
        most_axes: int | None = None,
    ) -> None:
        """`most_axes` is the number of axes that one transpose moves at most."""
        self._modes = modes
        self._storage = storage
        self._unit: CostUnit = unit
        self._assumed_size = assumed_size
        self._readers: Readers = {}
        for op in modes.of:
            for place, use in enumerate(uses_of(op)):
                if encoding(use.value.type) is not None and (op == use or use not in modes.of):
                    self._readers.setdefault(storage.data(storage.root(use.value)), []).append((op, place))
        self.roots = [root for root in self._readers if modes.counts(root) and not storage.has_any_order(root)]
        """The storages, by the numbers that they have in a problem."""
        numbers = {op: number for number, op in enumerate(modes.of)}
        self._deciding = [numbers[modes.tied_to(op)[0]] for op in modes.of]
        """The number whose mode an op, argument or result has: its own, or that of the first one it is tied to."""
        self._numbers = {op: self._deciding[number] for op, number in numbers.items()}
        self._calls = [calls_around(place_of(op)) for op in modes.of]
        self._prices = prices
        self._padding = Padding(storage, modes.byte_orders, modes.tiles) if modes.have_blocks else None
        self.precision = precision
        self._most_axes = None if unit == "traffic" or modes.have_blocks else most_axes
        self._bits: dict[SSAValue, int] = {}
        self._accesses: dict[SSAValue, tuple[Access | ByteOrder, list[Access]]] = {}
        self._alike: dict[bool, RowCache] = {}
        """The rows of the linear programs, which all problems share."""

    def readers(self, root: SSAValue) -> Sequence[tuple[Decider, int]]:
        """The operands that read a storage, in the order in which a problem lists them."""
        return self._readers[root]

    def with_precision(self, unit: CostUnit, precision: Precision) -> ModuleProblem:
        """The problem without prices of a target, for solutions of another unit and precision."""
        other = copy(self)
        other._unit, other._prices, other.precision = unit, None, precision
        return other

    def pairs(self, root: SSAValue) -> int:
        """The number of conversions that a storage could have, from each order produced to each one read."""
        producer, readers = self._accesses_of(root)
        produced = len({*producer.byte_orders}) if isinstance(producer, Access) else 1
        return produced * len({each for reader in readers for each in reader.byte_orders})

    def bound_at(self, weights: Weights, has_op_prices: bool) -> int:
        """The bound at some prices of conversions, with the prices of ops or without."""
        problem = self.at(weights)
        problem = replace(problem, prices=problem.prices if has_op_prices else {}, has_prices=False)
        return LinearProgram(problem, self._alike.setdefault(False, RowCache(False))).relaxed(())[1]

    def chosen(self, choice: list[int]) -> Solved:
        """A choice that rules have made, of which nothing is proved."""
        weights = self._weights(0)
        problem = self.at(weights)
        return Solved(problem, Solution(choice, cost_of_choice(problem, choice), 0), weights)

    def with_impossible(self) -> tuple[Problem, int]:
        """The problem in which a conversion that no single op does costs more than all others together, and how much
        more."""
        weights = self._weights(0)
        impossible = impossible_price(self.at(weights))
        return self.at(self.of_one_transpose(weights, impossible)), impossible

    def of_one_transpose(self, weights: Weights, impossible: int) -> Weights:
        """The prices of storages, with so much more for each conversion that no single op does."""
        return {root: self._of_one_transpose(root, weight, impossible) for root, weight in weights.items()}

    def solved(self, time_limit: float) -> Solved:
        """The cheapest choice; conversions that nothing can do are avoided at any price."""
        found = self.solved_at(self._weights(0), time_limit)
        if self._prices is None or not self._avoided(found):
            return found
        penalty = impossible_price(self.at(self._weights(0)))
        other = self.solved_at(self._weights(penalty), time_limit)
        avoided = self._avoided(other)
        cost = cost_of_choice(other.problem, other.solution.choice) - penalty * avoided
        bound = cost if other.solution.is_proved else min(found.solution.bound, cost)
        return other._replace(solution=Solution(other.solution.choice, cost, bound), avoided=avoided)

    def least_in_one_order(self, solved: Solved, root: SSAValue, time_limit: float) -> int | None:
        """The least cost of a program that reads a constant in one byte order, at the weights of a solution.

        None if no forms of its readers do.
        """
        impossible = impossible_price(solved.problem)
        cost = self.solved_at({**solved.weights, root: impossible}, time_limit).solution.cost
        return cost if cost < impossible else None

    def _avoided(self, solved: Solved) -> int:
        """The number of conversions that nothing can do."""
        assert self._prices is not None
        choice = solved.solution.choice
        return sum(
            self._prices.is_avoided(root, cast("ByteOrder", given_byte_order(term, choice)), cast("ByteOrder", wanted))
            for root, term in zip(self.roots, solved.problem.storages, strict=True)
            if not term.is_free
            for wanted in conversions_of(term, choice)
        )

    def solved_at(self, weights: Weights, time_limit: float) -> Solved:
        """The cheapest choice at some prices of conversions, of which each is one transpose.

        At first every conversion is taken for possible. Where no transpose leads from the pieces that an op produces to
        those that a user of its result reads, such conversions get a price above all others, and the problem is solved
        again. Modes over an op's own axes need none of them.
        """
        return self.of_one_transpose_each(weights, lambda problem: (problem, self._solution(problem, time_limit)))

    def of_one_transpose_each(self, weights: Weights, solved: Callable[[Problem], tuple[Problem, Solution]]) -> Solved:
        """The solution of a problem, maybe with more modes of some ops, whose conversions are one transpose each."""
        first = self.at(weights)
        problem, solution = solved(first)
        priced = set[SSAValue]()
        while incompatible := set(self._incompatible(problem, solution)) - priced:
            impossible = impossible_price(first)
            weights = weights | self.of_one_transpose({root: weights[root] for root in incompatible}, impossible)
            priced |= incompatible
            problem, solution = solved(self.at(weights))
        return Solved(problem, solution, weights)

    def _solution(self, problem: Problem, time_limit: float) -> Solution:
        alike = self._alike.setdefault(problem.has_prices, RowCache(problem.has_prices))
        found = solve(problem, list(self._tie_breakers(problem)), time_limit, alike)
        return replace(found, choice=self.with_ties(found.choice))

    def with_ties(self, choice: Sequence[int]) -> list[int]:
        """A choice in which tied arguments and results have the mode of the first one of them."""
        return [choice[deciding] for deciding in self._deciding]

    def at(self, weights: Weights) -> Problem:
        """The problem of all modes at some prices of conversions."""
        storages = [
            StorageTerm(weight, *self._accesses_of(root), number, self._storage.is_stored_as_read(root))
            for number, (root, weight) in enumerate(weights.items())
        ]
        all_modes = zip(self._modes.of.values(), self._calls, strict=True)
        prices = ([mode.price * calls for mode in of_op] for of_op, calls in all_modes)
        return Problem(
            [len(of_op) for of_op in self._modes.of.values()],
            storages,
            {op: of_op for op, of_op in enumerate(prices) if any(of_op)},
            self._prices is not None and self._prices.may_have_detours,
        )

    def _accesses_of(self, root: SSAValue) -> tuple[Access | ByteOrder, list[Access]]:
        """The producer and the readers of a storage, which all problems share."""
        if root not in self._accesses:
            readers = [
                Access(self._numbers[op], [*self._read(root, op, operand)]) for op, operand in self._readers[root]
            ]
            is_constant = self._storage.is_stored_as_read(root)
            self._accesses[root] = (readers[0], readers[1:]) if is_constant else (self._producer(root), readers)
        return self._accesses[root]

    def _read(self, root: SSAValue, decider: Decider, operand: int) -> Iterator[ByteOrder | None]:
        """The byte orders in which the modes of an op read a storage, or a constant that the root stands for."""
        reads = (mode.reads[operand] for mode in self._modes.of[decider])
        if len(self._storage.with_same_data(root)) == 1:
            return reads
        own = self._storage.root(uses_of(decider)[operand].value)
        return (read if read is None else self._storage.on_data(own, read) for read in reads)

    def _producer(self, root: SSAValue) -> Access | ByteOrder:
        node = producer_of(root, self._numbers)
        if node in self._numbers:
            place = root.index if isinstance(root, OpResult) and node is not root else 0
            return Access(self._numbers[node], [mode.produces[place] for mode in self._modes.of[node]])
        order = order_of(root)
        assert order is not None
        return self._storage.byte_order(root, order)

    def _incompatible(self, problem: Problem, solution: Solution) -> Iterator[SSAValue]:
        """The results that are produced in pieces of which no transpose makes those that a user reads."""
        for root, term in zip(self.roots, problem.storages, strict=True):
            if not isinstance(root, OpResult) or root.op not in self._modes.of or self._storage.is_constant(root):
                continue
            produced = each_of(given_byte_order(term, solution.choice))
            for wanted in conversions_of(term, solution.choice):
                given = min(produced, key=lambda each: term.price(each, wanted))
                if not self.is_one_conversion(root, cast("ByteOrder", given), cast("ByteOrder", wanted)):
                    yield root

    def is_one_conversion(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> bool:
        """True if one transpose, pack or unpack leads from one byte order of a storage to another."""
        possible = self._padding is None or self._padding.is_possible(root, given, wanted)
        return possible and pieces_between(given, wanted) is not None

    def _of_one_transpose(self, root: SSAValue, weight: int | Prices, impossible: int) -> Prices:
        """The prices of a storage whose conversions between pieces without a common cut are impossible."""

        def price(given: Hashable, wanted: Hashable) -> int:
            own = weight if isinstance(weight, int) else weight(given, wanted)
            one, other = cast("ByteOrder", given), cast("ByteOrder", wanted)
            return own + impossible * (not self.is_one_conversion(root, one, other))

        return lru_cache(maxsize=None)(price)

    def _weights(self, penalty: int) -> Weights:
        return {root: self._weight(root, penalty) for root in self.roots}

    def _weight(self, root: SSAValue, penalty: int) -> int | Prices:
        if self._prices is not None and self._unit != "count":
            return self._prices.weight(root, penalty)
        if self._unit != "count" and self._padding is not None and self._padding.may_have(root):
            return self._padded_weight(root)
        weight = calls_around(root) * (self.bytes_of(root) if self._unit != "count" else int(0 not in shape_of(root)))
        return self._weight_of_steps(weight) if weight and self._may_take_steps(root) else weight

    def steps(self, given: ByteOrder, wanted: ByteOrder) -> Sequence[Order]:
        """The permutations of the transposes that a conversion takes."""
        if self._most_axes is None:
            return ((),)
        found = pieces_between(given, wanted)
        return ((),) if found is None else steps_of(found[1], self._most_axes)

    def _may_take_steps(self, root: SSAValue) -> bool:
        """True if the pieces of a storage may be more than the axes that one transpose moves."""
        known = self._modes.byte_orders.get(root, ())
        cuts = cuts_of(*known)
        return self._most_axes is not None and any(len(pieces_of(each, cuts)) > self._most_axes for each in known)

    def _weight_of_steps(self, weight: int) -> Prices:
        def price(given: Hashable, wanted: Hashable) -> int:
            return weight * len(self.steps(cast("ByteOrder", given), cast("ByteOrder", wanted)))

        return lru_cache(maxsize=None)(price)

    def _padded_weight(self, root: SSAValue) -> Prices:
        def price(given: Hashable, wanted: Hashable) -> int:
            return calls * self.bytes_moved(root, cast("ByteOrder", given), cast("ByteOrder", wanted))

        calls = calls_around(root)
        return lru_cache(maxsize=None)(price)

    def bytes_moved(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> int:
        """The bytes that a conversion moves, with padding."""
        return bytes_with_padding(self._bits_of(root), (given, wanted), self._storage.view(root).sizes)

    def bytes_of(self, root: SSAValue) -> int:
        """The bytes of a storage."""
        return whole_bytes(self._bits_of(root))

    def _bits_of(self, root: SSAValue) -> int:
        if root not in self._bits:
            # The type of a root changes with the program.
            self._bits[root] = bits_of(root, self._storage.origins, self._assumed_size)
        return self._bits[root]

    def _tie_breakers(self, problem: Problem) -> Iterator[Objective]:
        """The units that are not minimised, then fewer rewritten ops, then later ops rather than earlier ones."""
        if self.precision is Precision.COST:
            return
        if self.precision is Precision.CANDIDATE:
            yield self._rough()
            return
        if self._unit != "bytes":
            yield Objective(self._sizes(), _nothing(problem))
        if self._unit != "count":
            are_constant = map(self._storage.is_constant, self.roots)
            pairs = zip(problem.storages, are_constant, strict=True)
            yield Objective([float(not (each.is_free or constant)) for each, constant in pairs], _nothing(problem))
        if self.precision is Precision.FIGURES:
            return
        changed = self._changed
        no_storage = [0.0] * len(problem.storages)
        yield Objective(no_storage, changed)
        yield Objective(
            no_storage, [[change * (len(changed) - place) for change in row] for place, row in enumerate(changed)]
        )

    def _rough(self) -> Objective:
        """Bytes, then transposes, then rewritten ops, each of which weighs much less than those before."""
        changed = [[change / 1000 for change in row] for row in self._changed]
        return Objective([1000 * size + (size > 0) for size in self._sizes()], changed)

    @cached_property
    def _changed(self) -> Sequence[Sequence[float]]:
        """The amount of change of each mode."""
        found = [[_change(mode) for mode in of_op] for of_op in self._modes.of.values()]
        for number, deciding in enumerate(self._deciding):
            if number != deciding:
                found[deciding] = [*map(add, found[deciding], found[number])]
                found[number] = [0.0] * len(found[number])
        return found

    def _sizes(self) -> list[float]:
        """The bytes of each storage, in proportion.

        The solver takes costs for equal up to a fixed difference.
        """
        sizes = [0 if self._storage.is_constant(root) else self.bytes_of(root) for root in self.roots]
        largest = max((*sizes, 1))
        return [size / largest for size in sizes]


def impossible_price(problem: Problem) -> int:
    """A price above the cost of every choice."""
    total = 1 + sum(map(max, problem.prices.values()))
    for storage in problem.storages:
        wanted = {byte_order for reader in storage.readers for byte_order in reader.byte_orders}
        given = storage.producer.byte_orders if isinstance(storage.producer, Access) else [storage.producer]
        total += sum(max(storage.price(each, byte_order) for each in set(given)) for byte_order in wanted)
    return total


def _nothing(problem: Problem) -> list[list[float]]:
    """No weight for any mode."""
    return [[0.0] * count for count in problem.modes]


def _change(mode: Mode) -> float:
    """The amount of change of a mode: less if the op keeps its axes."""
    if mode.relayout is None:
        return 0.0
    return 1.0 if mode.form is None or mode.form.is_own else 1.5
