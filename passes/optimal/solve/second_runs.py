"""Ops that may run twice, in numbers alone: a pair of modes is one mode more.

In a pair an op reads the byte orders of both modes and produces both. It costs what both modes cost, and the price of
a second run. A byte order that is wanted is converted from the one of the two from which that costs less. So the linear
program with pairs has the rows of the one without, and its bound holds for all programs in which these ops may run
twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .linear_program import only, parts_of, solve
from .problem import (
    Access,
    Both,
    Objective,
    Problem,
    Solution,
    StorageTerm,
    accesses_of,
    cost_of_choice,
    cost_of_conversions,
)

MOST_PAIRS = 300
"""The maximum number of pairs of modes tried for one op: those of all orders of four axes are fewer."""
Prices: TypeAlias = Mapping[int, int]
"""For each op that may run twice the price of its second run."""
Matrix: TypeAlias = NDArray[np.float64]
ALMOST = 1 + 1e-9
"""Floats are only taken for less where they are less by more than their errors."""


@dataclass(frozen=True)
class Paired:
    """A problem in which some ops may run twice."""

    problem: Problem
    single: Sequence[int]
    """The number of modes of each op without pairs."""
    pairs: Mapping[int, Sequence[tuple[int, int]]]
    """The modes of each pair of an op, in the order in which they follow its own modes."""
    is_complete: bool
    """True if no limit has kept a pair out."""

    def modes(self, op: int, mode: int) -> tuple[int, ...]:
        """The modes in which an op runs: one or two."""
        return (mode,) if mode < self.single[op] else self.pairs[op][mode - self.single[op]]


class SecondRuns(NamedTuple):
    """The cheapest choice of a problem in which ops may run twice."""

    paired: Paired
    solution: Solution

    @property
    def modes(self) -> Mapping[int, tuple[int, int]]:
        """The modes of the ops that run twice."""
        chosen = ((op, self.paired.modes(op, mode)) for op, mode in enumerate(self.solution.choice))
        return {op: (modes[0], modes[1]) for op, modes in chosen if len(modes) == 2}


def with_pairs(problem: Problem, prices: Prices) -> Paired:
    """A problem with the pairs of modes that may save more than a second run costs."""
    found, is_complete = dict[int, Sequence[tuple[int, int]]](), True
    results: dict[int, list[StorageTerm]] = {}
    for storage in problem.storages:
        producer = None if storage.is_constant or storage.is_free else storage.producer
        if isinstance(producer, Access) and producer.op in prices:
            results.setdefault(producer.op, []).append(storage)
    wanted = _wanted(results)
    for op, storages in results.items():
        if sum(wanted[op]) < 2:
            continue
        own = np.array(problem.prices.get(op, (0,) * problem.modes[op]), dtype=np.float64)
        pairs = _worth(own, [*zip(storages, wanted[op], strict=True)], prices[op])
        is_complete = is_complete and len(pairs) <= MOST_PAIRS
        if pairs:
            found[op] = pairs[:MOST_PAIRS]
    return Paired(_with(problem, found, prices), problem.modes, found, is_complete)


def _wanted(results: Mapping[int, Sequence[StorageTerm]]) -> Mapping[int, Sequence[int]]:
    """For each result of some ops the number of byte orders in which it is read at most.

    A reader wants two if it may run twice itself, as it does only if its own results are read in two.
    """
    twice = set[int]()
    while True:
        found = {
            op: [sum(1 + (reader.op in twice) for reader in each.readers) for each in storages]
            for op, storages in results.items()
        }
        if twice == (twice := {op for op, counts in found.items() if sum(counts) > 1}):
            return found


def _worth(own: Matrix, results: Sequence[tuple[StorageTerm, int]], price: int) -> list[tuple[int, int]]:
    """The pairs of modes that may cost less than either mode, those that may save the most first.

    The operands of a pair are those of both modes, so that it can save nothing but conversions of results.
    """
    saved: Matrix = sum((_saved(*each) for each in results), np.zeros((len(own), len(own))))
    margin = saved * ALMOST - price - own[np.newaxis, :]
    margin = np.minimum(margin, margin.T)
    first, second = np.nonzero(np.triu(margin > 0, 1))
    ranked = np.argsort(-margin[first, second], kind="stable")
    return [(int(first[place]), int(second[place])) for place in ranked]


def _saved(storage: StorageTerm, most: int) -> Matrix:
    """For two modes of its producer what a storage could save at most if it has the byte order of the second, too.

    `most` is the number of byte orders in which it is read at most.
    """
    assert isinstance(storage.producer, Access)
    produced = dict.fromkeys(storage.producer.byte_orders)
    wanted = dict.fromkeys(each for reader in storage.readers for each in reader.byte_orders)
    costs = np.array([[storage.price(given, each) for each in wanted] for given in produced], dtype=np.float64)
    less: Matrix = np.maximum(costs[:, np.newaxis, :] - costs[np.newaxis, :, :], 0)
    if most < len(wanted):
        less = np.sort(less, axis=2)[:, :, -most:]
    numbers = {each: number for number, each in enumerate(produced)}
    at = np.array([numbers[each] for each in storage.producer.byte_orders])
    sums: Any = less.sum(axis=2)
    return sums[np.ix_(at, at)]


def _with(problem: Problem, pairs: Mapping[int, Sequence[tuple[int, int]]], prices: Prices) -> Problem:
    counts = [count + len(pairs.get(op, ())) for op, count in enumerate(problem.modes)]
    of_ops = {**problem.prices}
    further = _further_orders(problem, pairs)
    for op, found in pairs.items():
        own = problem.prices.get(op, (0,) * problem.modes[op])
        both = (own[first] + own[second] + prices[op] for first, second in found)
        of_ops[op] = [*own, *map(add, both, further[op])]

    def extended(access: Access) -> Access:
        if access.op not in pairs:
            return access
        own = access.byte_orders
        return Access(access.op, [*own, *(_both(own[first], own[second]) for first, second in pairs[access.op])])

    storages = [
        replace(
            each,
            producer=extended(each.producer) if isinstance(each.producer, Access) else each.producer,
            readers=[*map(extended, each.readers)],
        )
        for each in problem.storages
    ]
    return replace(problem, modes=counts, storages=storages, prices=of_ops)


def _further_orders(problem: Problem, pairs: Mapping[int, Sequence[tuple[int, int]]]) -> Mapping[int, Sequence[int]]:
    """For each pair of an op the price of the constants that it reads in two byte orders, if it stands for their first.

    The term of such a constant takes both for its first one.
    """
    prices = {op: [0] * len(found) for op, found in pairs.items()}
    for storage in problem.storages:
        if storage.is_constant and isinstance(storage.producer, Access) and storage.producer.op in pairs:
            (op, own), weight = storage.producer, storage.weight
            assert isinstance(weight, int)
            for place, (first, second) in enumerate(pairs[op]):
                prices[op][place] += weight if own[first] != own[second] else 0
    return prices


def _both(first: object, second: object) -> object:
    return first if first == second else Both(first, second)


def solve_with_pairs(problem: Problem, prices: Prices, known: Solution, time_limit: float) -> SecondRuns:
    """The cheapest choice in which ops may run twice, if the cheapest one without is known.

    Where that is proved, the parts of it that cost nothing stay as they are.
    """
    ops = {op for part in _dear_parts(problem, known) for op in part}
    paired = with_pairs(problem, {op: price for op, price in prices.items() if op in ops})
    if not paired.pairs:
        return SecondRuns(paired, known)
    is_used = [any(each.op in ops for each in accesses_of(storage)) for storage in problem.storages]
    part = only(paired.problem, ops, is_used)
    start = [mode if op in ops else 0 for op, mode in enumerate(known.choice)]
    before = cost_of_choice(part, start)
    fewest = [
        [float(mode >= count) for mode in range(most)] for count, most in zip(paired.single, part.modes, strict=True)
    ]
    found = solve(part, [Objective([0.0] * len(part.storages), fewest)], time_limit)
    bound = known.cost - before + found.bound
    if found.cost >= before:
        return SecondRuns(paired, Solution(known.choice, known.cost, min(bound, known.cost)))
    chosen = _without_useless(paired, part, found.choice)
    choice = [chosen[op] if op in ops else mode for op, mode in enumerate(known.choice)]
    return SecondRuns(paired, Solution(choice, known.cost - before + found.cost, bound))


def _dear_parts(problem: Problem, known: Solution) -> Iterator[Collection[int]]:
    """The parts of a problem that cost more than nothing; all of them if the solution is not proved."""
    parts = parts_of(problem)
    if not known.is_proved:
        yield from parts
        return
    of_op = {op: number for number, part in enumerate(parts) for op in part}
    dear: set[int] = set()
    for storage in problem.storages:
        if cost_of_conversions(storage, known.choice):
            dear |= {of_op[each.op] for each in accesses_of(storage) if each.op in of_op}
    dear |= {of_op[op] for op, own in problem.prices.items() if op in of_op and own[known.choice[op]] > min(own)}
    yield from (parts[number] for number in sorted(dear))


def _without_useless(paired: Paired, part: Problem, choice: list[int]) -> list[int]:
    """A choice that costs as much, in which no op runs twice that could as well run once."""
    cost, found = cost_of_choice(part, choice), [*choice]
    for op in paired.pairs:
        for mode in paired.modes(op, found[op]) if found[op] >= paired.single[op] else ():
            other = [*found[:op], mode, *found[op + 1 :]]
            if cost_of_choice(part, other) <= cost:
                found = other
                break
    return found
