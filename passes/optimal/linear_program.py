"""The linear program of a problem, solved by HiGHS through SciPy.

Each mode of each op with a choice has a variable, which is 1 if the op is in that mode; each possible conversion of a
storage has one, too, and another one for each amount that it may cost more.
"""

from collections.abc import Iterator, Sequence
from math import ceil, gcd, isfinite
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import optimize as _optimize  # pyright: ignore[reportMissingTypeStubs]  # SciPy carries no types
from scipy import sparse as _sparse  # pyright: ignore[reportMissingTypeStubs]  # likewise
from scipy.sparse import csgraph as _csgraph  # pyright: ignore[reportMissingTypeStubs]  # likewise

from ...compat.process import STDOUT, kept_from_libraries
from .problem import Objective, Problem, Solution, cost_of_choice
from .storage_rows import AlikeStorages, Integers

Vector: TypeAlias = NDArray[np.float64]

optimize: Any = _optimize
sparse: Any = _sparse
csgraph: Any = _csgraph

TOLERANCE = 1e-6
"""The tolerance for integrality of the solver's answer."""
DIGITS = 2**10
"""Dual values are rounded to multiples of 1 / DIGITS before they are used as a proof."""
LARGEST_FAST = 2**62
"""The largest sum for which 64 bits are enough."""
_NO_INTEGERS, _NO_NUMBERS = np.zeros(0, dtype=np.int64), np.zeros(0)


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


class _Part(NamedTuple):
    """The variables of a face that may differ, and the constraints that are left of them."""

    free: NDArray[np.bool_]
    rows: Any
    limits: Vector
    may_bind: NDArray[np.bool_]
    """The constraints that do not hold anyway."""
    choices: Any
    chosen: Vector
    """The sum of the free modes of each op with a choice."""
    is_open: NDArray[np.bool_]
    """The ops that have any."""


class _Relaxed(NamedTuple):
    """The fractional optimum."""

    cost: float
    reduced: Vector
    """The reduced cost of each variable: the least that another value of it adds."""


class LinearProgram:
    """The linear program of a problem."""

    def __init__(self, problem: Problem, alike: AlikeStorages | None = None) -> None:
        """`alike` are the rows of other problems with the same ops."""
        self._problem = problem
        self._alike = AlikeStorages(problem.has_prices) if alike is None else alike
        self._first: list[int | None] = []
        """The variable of the first mode of each op with a choice."""
        self._mode_count = 0
        for count in problem.modes:
            self._first.append(self._mode_count if count > 1 else None)
            self._mode_count += count if count > 1 else 0
        self._sure_cost = sum(min(prices) for prices in problem.prices.values())
        """The cost that every choice has."""
        self._costs = [*self._mode_prices()]
        """The cost of each variable, without what every choice costs."""
        self._step_storages: list[int] = []
        """The storage of each variable behind those of the modes: each is a step."""
        self._are_conversions: list[bool] = []
        """For each step, true if it is due once with each conversion."""
        self._rows, self._columns, self._values, self._limits = self._entries()
        self._size = len(self._costs)
        """The number of variables."""
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
                least = min(prices)
                yield from (price - least for price in prices)

    def _entries(self) -> tuple[Integers, Integers, Vector, Vector]:
        """The constraints of all storages: row, column and value of each entry, and the limit of each row."""
        rows, columns, values, limits = [_NO_INTEGERS], [_NO_INTEGERS], [_NO_NUMBERS], [_NO_NUMBERS]
        height = 0
        for number, storage in enumerate(self._problem.storages):
            found, ops = self._alike.rows(storage)
            scale = storage.weight if isinstance(storage.weight, int) else 1
            # The single mode of an op has no variable, and no entry.
            first = np.array([*(self._first[op] or 0 for op in ops), len(self._costs)])
            rows.append(found.rows + height)
            columns.append(first[found.owners] + found.places)
            values.append(found.values)
            limits.append(found.limits)
            height += len(found.limits)
            self._sure_cost += found.sure * scale
            self._costs += [amount * scale for amount in found.amounts]
            self._step_storages += [number] * len(found.amounts)
            self._are_conversions += found.are_conversions
        return np.concatenate(rows), np.concatenate(columns), np.concatenate(values), np.concatenate(limits)

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
            if np.array_equal(face.low, face.high):
                break
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
            optimize.LinearConstraint(self._matrix, -np.inf, self._limits),
            optimize.LinearConstraint(self._choices, 1, 1),
        ]
        whole = np.concatenate([np.ones(self._mode_count), np.zeros(len(self._step_storages))])
        if self._problem.has_prices:
            # Each of these could take as long as the cheapest choice.
            tie_breakers = [each for each in tie_breakers if any(map(any, each.modes))]
        best, cost = point, self._cost()
        for place, objective in enumerate([cost, *map(self._weights, tie_breakers)]):
            # HiGHS prints a line now and then by `printf`, whatever its options say.
            with kept_from_libraries(STDOUT):
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
                low, high = self._as_cheap(low, high, best)
            row = sparse.csr_array(objective[np.newaxis, :])
            constraints.append(optimize.LinearConstraint(row, -np.inf, objective @ best + 0.5))
        return best, bound

    def _as_cheap(self, low: Vector, high: Vector, best: Vector) -> tuple[Vector, Vector]:
        """The bounds of the variables in choices that cost no more than the best one.

        Where conversions have prices these are the choices with its conversions, else all.
        """
        if self._problem.has_prices:
            low[self._mode_count :] = high[self._mode_count :] = np.rint(best[self._mode_count :])
            return low, high
        gap, reduced = float(self._cost() @ best) - self._relaxed.cost + 0.5, self._relaxed.reduced
        return np.where(reduced < -gap, high, low), np.where(reduced > gap, low, high)

    def _cost_at(self, point: Vector) -> int:
        """The cost of the choice at a point, in whole numbers."""
        return cost_of_choice(self._problem, self.choice(point))

    def _settled(self, point: Vector) -> NDArray[np.bool_]:
        """The variables of the parts that are integral already."""
        links = sparse.vstack([self._matrix, self._choices])
        _, part = csgraph.connected_components(sparse.block_array([[None, links], [links.T, None]]), directed=False)
        part = part[links.shape[0] :]
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
        conversions = np.array(objective.storages)[self._step_storages] * self._are_conversions
        return np.concatenate([weights, conversions])

    def _optimum(self, weights: Vector, face: _Face) -> _Optimum | None:
        """The optimum of a face."""
        part = self._part(face)
        loose, tight = part.may_bind & ~face.is_tight, face.is_tight
        solved: Any = optimize.linprog(
            weights[part.free],
            A_ub=part.rows[loose],
            b_ub=part.limits[loose],
            A_eq=sparse.vstack([part.choices[part.is_open], part.rows[tight]]),
            b_eq=np.concatenate([part.chosen[part.is_open], part.limits[tight]]),
            bounds=np.column_stack([face.low, face.high])[part.free],
            method="highs",
        )
        if solved.x is None:
            return None
        height = np.count_nonzero(part.is_open)
        point, limit_prices, choice_prices = face.low.copy(), np.zeros(len(loose)), np.zeros(len(part.is_open))
        point[part.free] = solved.x
        limit_prices[loose] = -solved.ineqlin.marginals
        limit_prices[tight] = -solved.eqlin.marginals[height:]
        choice_prices[part.is_open] = solved.eqlin.marginals[:height]
        return _Optimum(point, limit_prices, choice_prices)

    def _part(self, face: _Face) -> _Part:
        """The part of the program that a face leaves open, as far as it pays to leave out the rest."""
        every_row, every_choice = np.ones(len(self._limits), dtype=bool), np.ones(self._choices.shape[0])
        if not self._problem.has_prices:
            free = np.ones(self._size, dtype=bool)
            return _Part(free, self._matrix, self._limits, every_row, self._choices, every_choice, every_choice > 0)
        free = face.low < face.high
        fixed = np.where(free, 0.0, face.low)
        rows, choices = self._matrix[:, free], self._choices[:, free]
        limits, chosen = self._limits - self._matrix @ fixed, every_choice - self._choices @ fixed
        return _Part(
            free, rows, limits, rows.maximum(0).sum(axis=1) > limits, choices, chosen, np.diff(choices.indptr) > 0
        )

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


def solve(
    problem: Problem,
    tie_breakers: Sequence[Objective] = (),
    time_limit: float = 60.0,
    alike: AlikeStorages | None = None,
) -> Solution:
    """The cheapest choice; ties are broken by each further objective in turn.

    The answer is proved to be the cheapest unless time runs out on a program that needs branch and bound.
    """
    program = LinearProgram(problem, alike)
    point, bound = program.relaxed(tie_breakers)
    if not program.is_integral(point):
        point, bound = program.branched(point, bound, tie_breakers, time_limit)
        # The best point at the time limit may be worse than the present modes of all ops.
        return _cheapest(problem, [program.choice(point), [0] * len(problem.modes)], bound)
    found = _cheapest(problem, [program.choice(point)], bound)
    if found.cost > bound:
        # Where costs are large, a tie breaker may have taken different ones for equal.
        return _cheapest(problem, [found.choice, program.choice(program.relaxed(())[0])], bound)
    return found


def _cheapest(problem: Problem, choices: Sequence[list[int]], bound: int) -> Solution:
    cost, choice = min(((cost_of_choice(problem, choice), choice) for choice in choices), key=lambda found: found[0])
    return Solution(choice, cost, min(bound, cost))
