"""The linear program of a problem, solved by HiGHS through SciPy.

Each mode of each op with a choice has a variable, which is 1 if the op is in that mode; each possible conversion of a
storage has one, too, and another one for each amount that it may cost more.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from math import gcd
from time import monotonic
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy import optimize as _optimize  # pyright: ignore[reportMissingTypeStubs]  # SciPy carries no types
from scipy import sparse as _sparse  # pyright: ignore[reportMissingTypeStubs]  # likewise
from scipy.sparse import csgraph as _csgraph  # pyright: ignore[reportMissingTypeStubs]  # likewise

from ....compat.process import STDOUT, kept_from_libraries
from .branch_and_bound import Mask, Relaxation, search
from .problem import Objective, Problem, Solution, accesses_of, cost_of_choice
from .storage_rows import Integers, RowCache

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
    is_tight: Mask
    """The constraints that hold with equality."""


class _Part(NamedTuple):
    """The variables of a face that may differ, and the constraints that are left of them."""

    free: Mask
    rows: Any
    limits: Vector
    may_bind: Mask
    """The constraints that do not hold anyway."""
    choices: Any
    chosen: Vector
    """The sum of the free modes of each op with a choice."""
    is_open: Mask
    """The ops that have any."""


class _Relaxed(NamedTuple):
    """The fractional optimum."""

    cost: float
    reduced: Vector
    """The reduced cost of each variable: the least that another value of it adds."""


class _Proof(NamedTuple):
    """The bound that some prices prove, in parts of a unit."""

    bound: int
    dearer: Any
    """The amount by which the bound of each mode is higher."""
    digits: int
    """The parts of a unit."""


class Certified(NamedTuple):
    """A lower bound for all choices of some modes, with whole prices of the constraints that prove it alone.

    Bound and prices are in parts of 1 / DIGITS, and no conversion pays more of the prices than it costs.
    """

    bound: int
    prices: Sequence[int]
    is_open: Mask
    """The modes with which the same prices prove no more than some cost."""
    point: Vector
    """The part of each mode at the fractional optimum, and of each step."""


class WholeProgram(NamedTuple):
    """A linear program in whole numbers, whose variables are at least 0."""

    sure: int
    """The cost that every choice has."""
    costs: Sequence[int]
    """The cost of each variable: of the modes of the ops with a choice, then of the steps."""
    rows: Sequence[Sequence[tuple[int, int]]]
    """The variables of each constraint, with their factors."""
    limits: Sequence[int]
    """The upper bound of each constraint."""


class LinearProgram:
    """The linear program of a problem."""

    def __init__(self, problem: Problem, alike: RowCache | None = None) -> None:
        """`alike` are the rows of other problems with the same ops."""
        self._problem = problem
        self._alike = RowCache(problem.has_prices) if alike is None else alike
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
        """For each step, true if it is paid once with each conversion."""
        self._rows, self._columns, self._values, self._limits = self._entries()
        self._size = len(self._costs)
        """The number of variables."""
        self._scale = gcd(*self._costs) or 1
        self._matrix = sparse.csr_array(
            sparse.coo_array((self._values, (self._rows, self._columns)), shape=(len(self._limits), self._size))
        )
        self._choices = self._choice_rows()
        self._relaxed = _Relaxed(0.0, np.zeros(self._size))
        self.firsts = np.array([first for first in self._first if first is not None], dtype=np.int64)
        """The first mode of each op with a choice, among all modes."""
        self.all_modes: Mask = np.ones(self._mode_count, dtype=bool)

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
        cost, face = self._cost(), self._face(self.all_modes)
        optimum = self._optimum(cost, face)
        if optimum is None:
            unsolved = self._unsolved()
            return unsolved.point, self._bound(self._proofs(unsolved, self.all_modes))
        point, bound, weights = optimum.point, self._bound(self._proofs(optimum, self.all_modes)), cost
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

    def relaxation(self, is_open: Mask, below: int) -> Relaxation:
        """The fractional optimum of some modes, and those of them with which a choice may cost less than this."""
        optimum = self._optimum(self._cost(), self._face(is_open)) or self._unsolved()
        proofs = self._proofs(optimum, is_open)
        most = (below - 1 - self._sure_cost) // self._scale
        for proof in proofs:
            is_open = is_open & (proof.dearer <= most * proof.digits - proof.bound)
        return Relaxation(self._bound(proofs), is_open, optimum.point[: self._mode_count])

    def certified(self, is_open: Mask, most: int) -> Certified:
        """The bound of some modes with all that proves it; modes stay open that may cost so many parts."""
        optimum = self._optimum(self._cost(), self._face(is_open)) if self._size else None
        optimum = optimum or self._unsolved()
        found: list[Certified] = []
        for digits in (DIGITS, 1):
            prices, unit = self._affordable(_rounded(optimum, digits), digits), self._scale * DIGITS // digits
            proof = self._proved(prices, is_open, digits)
            bound = self._sure_cost * DIGITS + proof.bound * unit
            still: Mask = is_open & np.array(proof.dearer <= (most - bound) // unit, dtype=bool)
            found.append(Certified(bound, [price * unit for price in prices], still, optimum.point))
        return max(found, key=lambda each: each.bound)

    def in_whole_numbers(self) -> WholeProgram:
        rows: list[list[tuple[int, int]]] = [[] for _ in self._limits]
        for entry in zip(self._rows, self._columns, self._values, strict=True):
            row, column, value = map(int, entry)
            rows[row].append((column, value))
        return WholeProgram(self._sure_cost, self._costs, rows, [*map(int, self._limits)])

    def _affordable(self, prices: Sequence[int], digits: int) -> Sequence[int]:
        """Prices lowered until no step pays more of them than it costs."""
        prices, paid = [*prices], dict[int, list[int]]()
        for row, column, value in zip(self._rows.tolist(), self._columns.tolist(), self._values, strict=True):
            if value < 0 and column >= self._mode_count and prices[row]:
                paid.setdefault(column, []).append(row)
        for step, rows in paid.items():
            excess = sum(prices[row] for row in rows) - self._costs[step] // self._scale * digits
            for row in rows:
                taken = min(max(excess, 0), prices[row])
                prices[row] -= taken
                excess -= taken
        return prices

    def _face(self, is_open: Mask) -> _Face:
        """All points with some modes."""
        high = np.concatenate([is_open.astype(np.float64), np.ones(len(self._step_storages))])
        return _Face(np.zeros(self._size), high, np.zeros(len(self._limits), dtype=bool))

    def _unsolved(self) -> _Optimum:
        """No point, and no prices, where the solver has no answer."""
        return _Optimum(np.full(self._size, 0.5), np.zeros(len(self._limits)), np.zeros(self._choices.shape[0]))

    def is_integral(self, point: Vector) -> bool:
        return not self.mixed_ops(point)

    def mixed_ops(self, point: Vector) -> set[int]:
        """The ops with fractional modes at a point."""
        is_mixed = np.abs(point - np.rint(point)) >= TOLERANCE
        ops = zip(self._first, self._problem.modes, strict=True)
        return {op for op, (first, count) in enumerate(ops) if first is not None and is_mixed[first:][:count].any()}

    def choice(self, point: Vector) -> list[int]:
        """The mode of each op with the largest value at a point."""
        return [
            0 if first is None else int(np.argmax(point[first : first + count]))
            for first, count in zip(self._first, self._problem.modes, strict=True)
        ]

    def cost_of(self, choice: Sequence[int]) -> int:
        """The cost of a choice, in whole numbers."""
        return cost_of_choice(self._problem, choice)

    def whole(self, point: Vector, time_limit: float) -> tuple[Vector, bool]:
        """A good integral point, and whether the solver takes it for the best; the given one if it finds none."""
        found = self._whole(self._cost(), np.zeros(self._size), np.ones(self._size), (), time_limit)
        return (point if found.x is None else found.x), found.x is not None and found.status == 0

    def ties_broken(self, best: Vector, tie_breakers: Sequence[Objective], time_limit: float) -> Vector:
        """The best of the integral points that cost no more than this one."""
        end, cost = monotonic() + time_limit, self._cost()
        low, high = self._as_cheap(np.zeros(self._size), np.ones(self._size), best)
        if self._problem.has_prices:
            # Each of these could take as long as the cheapest choice.
            tie_breakers = [each for each in tie_breakers if any(map(any, each.modes))]
        kept, objective = list[Any](), cost
        for breaker in tie_breakers:
            row = sparse.csr_array(objective[np.newaxis, :])
            kept.append(optimize.LinearConstraint(row, -np.inf, objective @ best + 0.5))
            objective = self._weights(breaker)
            found = self._whole(objective, low, high, kept, max(end - monotonic(), 0.0))
            if found.x is None or self.cost_of(self.choice(found.x)) > self.cost_of(self.choice(best)):
                # Where costs are large, the solver takes different ones for equal.
                break
            best = found.x
            if found.status != 0:
                break
        return best

    def _whole(self, objective: Vector, low: Vector, high: Vector, kept: Sequence[Any], time_limit: float) -> Any:
        """The answer of the solver, of which nothing is believed."""
        constraints: list[Any] = [
            optimize.LinearConstraint(self._matrix, -np.inf, self._limits),
            optimize.LinearConstraint(self._choices, 1, 1),
            *kept,
        ]
        # HiGHS prints a line now and then by `printf`, whatever its options say.
        with kept_from_libraries(STDOUT):
            return optimize.milp(
                objective,
                integrality=np.concatenate([np.ones(self._mode_count), np.zeros(len(self._step_storages))]),
                bounds=optimize.Bounds(low, high),
                constraints=constraints,
                options={"time_limit": time_limit, "mip_rel_gap": 0.0},
            )

    def _as_cheap(self, low: Vector, high: Vector, best: Vector) -> tuple[Vector, Vector]:
        """The bounds of the variables in choices that cost no more than the best one.

        Where conversions have prices these are the choices with its conversions, else all.
        """
        if self._problem.has_prices:
            low[self._mode_count :] = high[self._mode_count :] = np.rint(best[self._mode_count :])
            return low, high
        gap, reduced = float(self._cost() @ best) - self._relaxed.cost + 0.5, self._relaxed.reduced
        return np.where(reduced < -gap, high, low), np.where(reduced > gap, low, high)

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

    def _bound(self, proofs: Sequence[_Proof]) -> int:
        """A lower bound for all choices."""
        return self._sure_cost + self._scale * max(-(-proof.bound // proof.digits) for proof in proofs)

    def _proofs(self, optimum: _Optimum, is_open: Mask) -> list[_Proof]:
        """The proofs that the prices of an optimum give, for all choices of some modes.

        Any prices that are not negative prove a bound, so they are rounded first and the rest is exact arithmetic.
        Where costs are large, prices are whole numbers with small errors, which only coarse rounding removes.
        """
        return [self._proved(_rounded(optimum, digits), is_open, digits) for digits in (DIGITS, 1)]

    def _proved(self, prices: Sequence[int], is_open: Mask, digits: int) -> _Proof:
        """The proof by prices in multiples of 1 / digits: each op takes its cheapest open mode."""
        costs = [cost // self._scale * digits for cost in self._costs]
        largest = sum(prices) + sum(costs)
        whole = _whole_64 if largest < LARGEST_FAST else _whole_of_any_size
        limit_prices, reduced = whole(prices), whole(costs)
        np.add.at(reduced, self._columns, whole(self._values) * limit_prices[self._rows])
        paid = sum(np.minimum(reduced[self._mode_count :], 0).tolist())
        paid -= sum((whole(self._limits) * limit_prices).tolist())
        modes = reduced[: self._mode_count]
        if not self._mode_count:
            return _Proof(paid, modes, digits)
        open_prices = cast("Vector", np.where(is_open, modes, modes.max()))
        least = np.minimum.reduceat(open_prices, self.firsts)
        dearer = modes - np.repeat(least, np.diff(self.firsts, append=self._mode_count))
        return _Proof(paid + sum(least.tolist()), dearer, digits)


def _rounded(optimum: _Optimum, digits: int) -> Sequence[int]:
    """The prices of the constraints, rounded to multiples of 1 / digits."""
    return [int(price) for price in np.rint(np.maximum(optimum.limit_prices, 0) * digits).tolist()]


def _whole_64(numbers: Sequence[float] | Vector) -> Any:
    return np.array(numbers).astype(np.int64)


def _whole_of_any_size(numbers: Sequence[float] | Vector) -> Any:
    return np.array([int(number) for number in numbers], dtype=object)


def solve(
    problem: Problem,
    tie_breakers: Sequence[Objective] = (),
    time_limit: float = 60.0,
    alike: RowCache | None = None,
) -> Solution:
    """The cheapest choice; ties are broken by each further objective in turn.

    The answer is proved to be the cheapest unless time runs out on a program that needs branch and bound.
    """
    program = LinearProgram(problem, alike)
    point, bound = program.relaxed(tie_breakers)
    found = _cheapest(problem, [program.choice(point)], bound)
    if not (mixed := program.mixed_ops(point)):
        if found.cost > bound:
            # Where costs are large, a tie breaker may have taken different ones for equal.
            found = _cheapest(problem, [found.choice, program.choice(program.relaxed(())[0])], bound)
        if found.is_proved:
            return found
        # The rest is an error of rounding, which may be anywhere.
        mixed = range(len(problem.modes))
    choice, other = _branched(problem, found.choice, mixed, tie_breakers, time_limit, alike)
    # The best point at the time limit may be worse than the present modes of all ops.
    return _cheapest(problem, [choice, found.choice, [0] * len(problem.modes)], max(bound, other))


def _branched(
    problem: Problem,
    choice: list[int],
    mixed: Collection[int],
    tie_breakers: Sequence[Objective],
    time_limit: float,
    alike: RowCache | None,
) -> tuple[list[int], int]:
    """The cheapest choice, found by branch and bound in the parts with mixed ops, and the proved bound."""
    end = monotonic() + time_limit
    parts = [part for part in parts_of(problem) if not part.isdisjoint(mixed)]
    bound, is_left = 0, [True] * len(problem.storages)
    for left, part in zip(range(len(parts), 0, -1), parts, strict=True):
        is_used = [any(access.op in part for access in accesses_of(storage)) for storage in problem.storages]
        is_left = [left and not used for left, used in zip(is_left, is_used, strict=True)]
        breakers = [each._replace(storages=[*compress(each.storages, is_used)]) for each in tie_breakers]
        share = max(end - monotonic(), 0.0) / left
        found, least = _searched(LinearProgram(only(problem, part, is_used), alike), breakers, share)
        bound += least
        choice = [found[op] if op in part else mode for op, mode in enumerate(choice)]
    others = {*range(len(problem.modes))}.difference(*parts)
    return choice, bound + LinearProgram(only(problem, others, is_left), alike).relaxed(())[1]


def _searched(program: LinearProgram, tie_breakers: Sequence[Objective], time_limit: float) -> tuple[list[int], int]:
    """The cheapest choice of a part, and the proved bound. Half of the time is for the solver's own search."""
    end = monotonic() + time_limit
    best, is_best = program.whole(program.relaxed(())[0], time_limit / 2)
    first = program.choice(best)
    found, bound = search(program, first, end)
    if found != first or not is_best:
        return found, bound
    return program.choice(program.ties_broken(best, tie_breakers, max(end - monotonic(), 0.0))), bound


def parts_of(problem: Problem) -> list[set[int]]:
    """The ops with a choice, in parts that have no storage in common."""
    count = len(problem.modes)
    uses = {
        (access.op, count + number)
        for number, storage in enumerate(problem.storages)
        for access in accesses_of(storage)
        if problem.modes[access.op] > 1
    }
    ops, numbers = zip(*sorted(uses), strict=True) if uses else ((), ())
    size = count + len(problem.storages)
    links = sparse.coo_array((np.ones(len(ops)), (ops, numbers)), shape=(size, size))
    _, labels = csgraph.connected_components(links, directed=False)
    parts: dict[int, set[int]] = {}
    for op, label in enumerate(labels[:count].tolist()):
        if problem.modes[op] > 1:
            parts.setdefault(label, set()).add(op)
    return [*parts.values()]


def only(problem: Problem, ops: Collection[int], is_kept: Sequence[bool]) -> Problem:
    """Some ops of a problem, with some of its storages; the numbers of the ops are the same."""
    return replace(
        problem,
        modes=[count if op in ops else 1 for op, count in enumerate(problem.modes)],
        storages=[*compress(problem.storages, is_kept)],
        prices={op: prices for op, prices in problem.prices.items() if op in ops},
    )


def _cheapest(problem: Problem, choices: Sequence[list[int]], bound: int) -> Solution:
    cost, choice = min(((cost_of_choice(problem, choice), choice) for choice in choices), key=lambda found: found[0])
    return Solution(choice, cost, min(bound, cost))
