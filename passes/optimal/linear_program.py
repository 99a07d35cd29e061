"""The linear program of a problem, solved by HiGHS through SciPy.

Each mode of each op with a choice has a variable, which is 1 if the op is in that mode; each possible conversion of a
storage has one, too, and another one for each amount that it may cost more.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from math import ceil, gcd, isfinite
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize as _optimize  # pyright: ignore[reportMissingTypeStubs]  # SciPy carries no types
from scipy import sparse as _sparse  # pyright: ignore[reportMissingTypeStubs]  # likewise
from scipy.sparse import csgraph as _csgraph  # pyright: ignore[reportMissingTypeStubs]  # likewise

from .problem import Access, Objective, PriceStep, Problem, Solution, StorageTerm, cost_of_choice, steps_of
from .quiet import quiet_stdout

Vector = NDArray[np.float64]

optimize: Any = _optimize
sparse: Any = _sparse
csgraph: Any = _csgraph

TOLERANCE = 1e-6
"""The tolerance for integrality of the solver's answer."""
DIGITS = 2**10
"""Dual values are rounded to multiples of 1 / DIGITS before they are used as a proof."""
LARGEST_FAST = 2**62
"""The largest sum for which 64 bits are enough."""


class _Optimum(NamedTuple):
    """The optimum of a face, and the dual values that prove it."""

    point: Vector
    limit_prices: Vector
    """The dual value of each constraint; not negative, except for equalities."""
    choice_prices: Vector


class _Face(NamedTuple):
    """The face over which the next objective is optimised."""

    low: Vector
    high: Vector
    is_tight: NDArray[np.bool_]
    """The constraints that hold with equality."""


class _Due(NamedTuple):
    """The meaning of a variable behind those of the modes: a step of a storage."""

    storage: int
    amount: int
    is_conversion: bool


class _Relaxed(NamedTuple):
    """The fractional optimum."""

    cost: float
    reduced: Vector
    """The reduced cost of each variable: the least that another value of it adds."""


class LinearProgram:
    """The linear program of a problem."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._first: list[int | None] = []
        """The variable of the first mode of each op with a choice."""
        self._mode_count = 0
        for count in problem.modes:
            self._first.append(self._mode_count if count > 1 else None)
            self._mode_count += count if count > 1 else 0
        self._again: list[_Due] = []
        """The meaning of each variable behind those of the modes."""
        self._sure_cost = sum(min(prices) for prices in problem.prices.values())
        """The cost that every choice has."""
        self._limits: list[float] = []
        self._rows: list[int] = []
        self._columns: list[int] = []
        self._values: list[float] = []
        for number, storage in enumerate(problem.storages):
            self._add_storage(number, storage)
        self._size = self._mode_count + len(self._again)
        """The number of variables."""
        self._costs = [*self._mode_prices(), *(due.amount for due in self._again)]
        """The cost of each variable, without what every choice costs."""
        self._scale = gcd(*self._costs) or 1
        self._matrix = sparse.csr_array(
            sparse.coo_array((self._values, (self._rows, self._columns)), shape=(len(self._limits), self._size))
        )
        self._choices = self._choice_rows()
        self._relaxed = _Relaxed(0.0, np.zeros(self._size))

    def _mode_prices(self) -> Iterator[int]:
        """The price of each mode of the ops with a choice, without that of the op's cheapest mode."""
        for op, count in enumerate(self._problem.modes):
            if self._first[op] is not None:
                prices = self._problem.prices.get(op, (0,) * count)
                yield from (price - min(prices) for price in prices)

    def _add_storage(self, number: int, storage: StorageTerm) -> None:
        alike: dict[tuple[int, ...], list[tuple[int, Hashable]]] = {}
        for step in steps_of(storage):
            is_given, giving = self._chosen_by_producer(storage.producer, step.spared_by)
            if not is_given and (again := self._add_step(number, storage, step, giving)) is not None:
                alike.setdefault(tuple(giving), []).append((again, step.wanted))
        # Where all conversions cost the same, the others are as tight.
        for giving, steps in alike.items() if callable(storage.weight) else ():
            if len(steps) > 1:
                self._add_alike(storage, giving, dict(steps))

    def _add_alike(self, storage: StorageTerm, giving: Sequence[int], steps: Mapping[int, Hashable]) -> None:
        """Constraint that tightens the others: steps that the same modes spare are due to a reader of any of them."""
        for reader in storage.readers:
            always, variables = self._chosen(reader, set(steps.values()))
            if always or variables:
                entries = [(variable, 1.0) for variable in variables]
                entries += [(variable, -1.0) for variable in (*giving, *steps)]
                self._add_row(entries, -1.0 if always else 0.0)

    def _add_step(self, number: int, storage: StorageTerm, step: PriceStep, giving: Sequence[int]) -> int | None:
        """Constraint: a byte order that is read is produced, or converted to. The variable that says so, if needed."""
        reading = [self._chosen(reader, (step.wanted,)) for reader in storage.readers]
        if not giving and any(always for always, _ in reading):
            self._sure_cost += step.amount
            return None
        again = self._mode_count + len(self._again)
        self._again.append(_Due(number, step.amount, step.is_conversion))
        for always, variables in dict.fromkeys((always, tuple(variables)) for always, variables in reading):
            if always or variables:
                entries = [(variable, 1.0) for variable in variables]
                entries += [(variable, -1.0) for variable in (*giving, again)]
                self._add_row(entries, -1.0 if always else 0.0)
        return again

    def _chosen_by_producer(
        self, producer: Access | Hashable, byte_orders: Collection[Hashable]
    ) -> tuple[bool, list[int]]:
        return self._chosen(producer, byte_orders) if isinstance(producer, Access) else (producer in byte_orders, [])

    def _chosen(self, access: Access, byte_orders: Collection[Hashable]) -> tuple[bool, list[int]]:
        """True if an op uses one of these byte orders in every mode, else the variables of the modes that do."""
        first = self._first[access.op]
        if first is None:
            return access.byte_orders[0] in byte_orders, []
        variables = [first + mode for mode, each in enumerate(access.byte_orders) if each in byte_orders]
        return (True, []) if len(variables) == len(access.byte_orders) else (False, variables)

    def _add_row(self, entries: Sequence[tuple[int, float]], limit: float) -> None:
        for column, value in entries:
            self._rows.append(len(self._limits))
            self._columns.append(column)
            self._values.append(value)
        self._limits.append(limit)

    def _choice_rows(self) -> Any:
        """One row for each op with a choice: its modes sum up to 1."""
        rows: list[int] = []
        columns: list[int] = []
        for first, count in zip(self._first, self._problem.modes, strict=True):
            if first is not None:
                rows += [rows[-1] + 1 if rows else 0] * count
                columns += range(first, first + count)
        height = rows[-1] + 1 if rows else 0
        return sparse.csr_array(sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(height, self._size)))

    def relaxed(self, tie_breakers: Sequence[Objective]) -> tuple[Vector, int]:
        """The fractional optimum, and the bound that it proves for all choices."""
        if not self._size:
            return np.zeros(0), self._sure_cost
        cost = self._cost()
        face = _Face(np.zeros(self._size), np.ones(self._size), np.zeros(len(self._limits), dtype=bool))
        optimum = self._optimum(cost, face)
        assert optimum is not None
        point, bound, weights = optimum.point, self._bound(optimum), cost
        self._relaxed = _Relaxed(float(cost @ point), self._reduced(cost, optimum))
        for breaker in tie_breakers:
            face = self._best_face(weights, face, optimum)
            weights = self._weights(breaker)
            optimum = self._optimum(weights, face)
            if optimum is None or cost @ optimum.point > cost @ point + TOLERANCE * max(1.0, cost @ point):
                break
            point = optimum.point
        return point, bound

    def is_integral(self, point: Vector) -> bool:
        modes = point[: self._mode_count]
        return bool(np.all(np.abs(modes - np.rint(modes)) < TOLERANCE))

    def choice(self, point: Vector) -> list[int]:
        """The mode of each op with the largest value at a point."""
        return [
            0 if first is None else int(np.argmax(point[first : first + count]))
            for first, count in zip(self._first, self._problem.modes, strict=True)
        ]

    def branched(
        self, point: Vector, bound: int, tie_breakers: Sequence[Objective], time_limit: float
    ) -> tuple[Vector, int]:
        """The integral optimum, found by branch and bound, and the proved bound.

        Only parts with fractional modes are searched; the others keep their integral optimum.
        """
        end = monotonic() + time_limit
        settled = self._settled(point)
        low, high = np.where(settled, np.rint(point), 0.0), np.where(settled, np.rint(point), 1.0)
        constraints: list[Any] = [
            optimize.LinearConstraint(self._matrix, -np.inf, np.array(self._limits)),
            optimize.LinearConstraint(self._choices, 1, 1),
        ]
        whole = np.concatenate([np.ones(self._mode_count), np.zeros(len(self._again))])
        best, cost = point, self._cost()
        for place, objective in enumerate([cost, *map(self._weights, tie_breakers)]):
            # HiGHS prints a line now and then, whatever its options say.
            with quiet_stdout():
                found = optimize.milp(
                    objective,
                    integrality=whole,
                    bounds=optimize.Bounds(low, high),
                    constraints=constraints,
                    options={"time_limit": max(end - monotonic(), 0.0), "mip_rel_gap": 0.0},
                )
            if found.x is not None and place and self._cost_at(found.x) > self._cost_at(best):
                # Where costs are large, the solver takes different ones for equal.
                break
            best = best if found.x is None else found.x
            if place == 0 and found.mip_dual_bound is not None and isfinite(found.mip_dual_bound):
                # All costs are whole numbers, so a small error does not matter.
                bound = max(bound, self._sure_cost + self._scale * ceil(found.mip_dual_bound - 0.5))
            if found.status != 0:
                break
            if place == 0:
                low, high = self._without_dearer(low, high, float(cost @ best))
            row = sparse.csr_array(objective[np.newaxis, :])
            constraints.append(optimize.LinearConstraint(row, -np.inf, objective @ best + 0.5))
        return best, bound

    def _without_dearer(self, low: Vector, high: Vector, best: float) -> tuple[Vector, Vector]:
        """The bounds of the variables in all choices that cost no more than the best one."""
        gap, reduced = best - self._relaxed.cost + 0.5, self._relaxed.reduced
        return np.where(reduced < -gap, high, low), np.where(reduced > gap, low, high)

    def _cost_at(self, point: Vector) -> int:
        """The cost of the choice at a point, in whole numbers."""
        return cost_of_choice(self._problem, self.choice(point))

    def _settled(self, point: Vector) -> NDArray[np.bool_]:
        """The variables of the parts that are integral already."""
        links = sparse.vstack([abs(self._matrix), self._choices])
        _, part = csgraph.connected_components(links.T @ links, directed=False)
        mixed = np.abs(point - np.rint(point)) >= TOLERANCE
        mixed[self._mode_count :] = False
        return ~np.isin(part, part[mixed])

    def _cost(self) -> Vector:
        return np.array([cost // self._scale for cost in self._costs], dtype=np.float64)

    def _weights(self, objective: Objective) -> Vector:
        weights = [
            weight
            for first, modes in zip(self._first, objective.modes, strict=True)
            if first is not None
            for weight in modes
        ]
        conversions = (objective.storages[due.storage] * due.is_conversion for due in self._again)
        return np.array([*weights, *conversions], dtype=np.float64)

    def _optimum(self, weights: Vector, face: _Face) -> _Optimum | None:
        """The optimum of a face."""
        limits = np.array(self._limits)
        loose = ~face.is_tight
        solved: Any = optimize.linprog(
            weights,
            A_ub=self._matrix[loose],
            b_ub=limits[loose],
            A_eq=sparse.vstack([self._choices, self._matrix[face.is_tight]]),
            b_eq=np.concatenate([np.ones(self._choices.shape[0]), limits[face.is_tight]]),
            bounds=np.column_stack([face.low, face.high]),
            method="highs",
        )
        if solved.x is None:
            return None
        height = self._choices.shape[0]
        prices = np.zeros(len(self._limits))
        prices[loose] = -solved.ineqlin.marginals
        prices[face.is_tight] = -solved.eqlin.marginals[height:]
        return _Optimum(solved.x, prices, solved.eqlin.marginals[:height])

    def _reduced(self, weights: Vector, optimum: _Optimum) -> Vector:
        """The reduced cost of each variable."""
        return weights + self._matrix.T @ optimum.limit_prices - self._choices.T @ optimum.choice_prices

    def _best_face(self, weights: Vector, face: _Face, optimum: _Optimum) -> _Face:
        """All optima of a face: variables and constraints with a price are fixed."""
        reduced = self._reduced(weights, optimum)
        return _Face(
            np.where(reduced < -0.5 / DIGITS, face.high, face.low),
            np.where(reduced > 0.5 / DIGITS, face.low, face.high),
            face.is_tight | (optimum.limit_prices > 0.5 / DIGITS),
        )

    def _bound(self, optimum: _Optimum) -> int:
        """A lower bound for all choices.

        Any prices that are not negative prove a bound, so they are rounded first and the rest is exact arithmetic.
        Where costs are large, prices are whole numbers with small errors, which only coarse rounding removes.
        """
        return self._sure_cost + self._scale * max(self._proved(optimum, digits) for digits in (DIGITS, 1))

    def _proved(self, optimum: _Optimum, digits: int) -> int:
        """The bound that the dual values prove after rounding them to multiples of 1 / digits."""
        limit_prices = np.rint(np.maximum(optimum.limit_prices, 0) * digits)
        choice_prices = np.rint(optimum.choice_prices * digits)
        costs = [cost // self._scale * digits for cost in self._costs]
        largest = limit_prices.sum() + np.abs(choice_prices).sum() + sum(costs)
        whole = _whole_64 if largest < LARGEST_FAST else _whole_of_any_size
        limit_prices, choice_prices = whole(limit_prices), whole(choice_prices)
        reduced = whole(costs)
        np.add.at(reduced, self._columns, whole(self._values) * limit_prices[self._rows])
        rows, columns = self._choices.nonzero()
        np.subtract.at(reduced, columns, choice_prices[rows])
        paid = sum(choice_prices.tolist()) - sum((whole(self._limits) * limit_prices).tolist())
        return -(-(paid + sum(np.minimum(reduced, 0).tolist())) // digits)


def _whole_64(numbers: Sequence[float] | Vector) -> Any:
    return np.array(numbers).astype(np.int64)


def _whole_of_any_size(numbers: Sequence[float] | Vector) -> Any:
    return np.array([int(number) for number in numbers], dtype=object)


def solve(problem: Problem, tie_breakers: Sequence[Objective] = (), time_limit: float = 60.0) -> Solution:
    """The cheapest choice; ties are broken by each further objective in turn.

    The answer is proved to be the cheapest unless time runs out on a program that needs branch and bound.
    """
    program = LinearProgram(problem)
    point, bound = program.relaxed(tie_breakers)
    choices = [program.choice(point)]
    if not program.is_integral(point):
        point, bound = program.branched(point, bound, tie_breakers, time_limit)
        # The best point at the time limit may be worse than the present modes of all ops.
        choices = [program.choice(point), [0] * len(problem.modes)]
    elif cost_of_choice(problem, choices[0]) > bound:
        # Where costs are large, a tie breaker may have taken different ones for equal.
        choices.append(program.choice(program.relaxed(())[0]))
    cost, choice = min(((cost_of_choice(problem, choice), choice) for choice in choices), key=lambda found: found[0])
    return Solution(choice, cost, min(bound, cost))
