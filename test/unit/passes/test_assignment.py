"""The linear program behind `layout-optimal` and its branch and bound, against all choices of small problems."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from npu_opt.passes.optimal.solve import linear_program as linear_program
from npu_opt.passes.optimal.solve.linear_program import solve
from npu_opt.passes.optimal.solve.problem import (
    Access,
    Objective,
    Prices,
    Problem,
    Solution,
    StorageTerm,
    conversions_of,
    cost_of_choice,
)
from npu_opt.passes.optimal.solve.storage_rows import RowCache

PROBLEMS = 300
LARGE_PRIMES = 2_000_003, 3_000_017, 2_500_009


def random_problem(seed: int) -> Problem:
    rng = Random(seed)
    modes = [rng.randint(1, 3) for _ in range(rng.randint(1, 7))]
    unit = rng.choice((1, 1, 7, 1_000_003))
    storages: list[StorageTerm] = []
    for _ in range(rng.randint(0, 8)):
        sequences = range(rng.randint(1, 4))

        def access(sequences: range = sequences) -> Access:
            op = rng.randrange(len(modes))
            return Access(op, [rng.choice(sequences) for _ in range(modes[op])])

        producer = access() if rng.random() < 0.8 else rng.choice(sequences)
        weight = rng.choice((0, 1, 2, 3, 5, 8, 24)) * unit
        storages.append(StorageTerm(weight, producer, [access() for _ in range(rng.randint(0, 4))]))
    return Problem(modes, storages)


def tie_breakers(problem: Problem) -> list[Objective]:
    """Fewer conversions, then fewer modes other than the first, then later ones."""
    nothing = [0.0] * len(problem.storages)
    count = len(problem.modes)
    return [
        Objective(
            [float(not storage.is_free) for storage in problem.storages], [[0.0] * each for each in problem.modes]
        ),
        Objective(nothing, [[float(mode > 0) for mode in range(each)] for each in problem.modes]),
        Objective(
            nothing,
            [[float(mode > 0) * (count - op) for mode in range(each)] for op, each in enumerate(problem.modes)],
        ),
    ]


def worth(problem: Problem, choice: Sequence[int]) -> tuple[float, ...]:
    """The cost of a choice, and its values under all tie breakers."""

    def values() -> Iterator[float]:
        yield cost_of_choice(problem, choice)
        for breaker in tie_breakers(problem):
            stored = zip(breaker.storages, problem.storages, strict=True)
            yield sum(weight * len(conversions_of(storage, choice)) for weight, storage in stored) + sum(
                weights[mode] for weights, mode in zip(breaker.modes, choice, strict=True)
            )

    return tuple(values())


def choices(problem: Problem) -> Iterator[tuple[int, ...]]:
    return product(*map(range, problem.modes))


@pytest.mark.parametrize("seed", range(PROBLEMS))
def test_the_best_choice_is_found(seed: int):
    problem = random_problem(seed)
    solution = solve(problem, tie_breakers(problem))
    assert worth(problem, solution.choice) == min(worth(problem, choice) for choice in choices(problem))
    assert solution.cost == solution.bound == cost_of_choice(problem, solution.choice)


def test_the_bound_of_the_linear_program_is_one():
    """By itself, that is without the cost of the choice that is found, above which no bound is given."""
    for seed in range(60):
        problem = random_problem(seed)
        _, bound = linear_program.LinearProgram(problem).relaxed([])
        assert bound <= min(cost_of_choice(problem, choice) for choice in choices(problem))


def test_problems_of_the_same_ops_share_their_rows():
    """The prices differ, and so may the producers of storages with the same readers."""
    for seed in range(12):
        rng, first = Random(seed), random_problem(seed)
        alike = RowCache(joins_steps=False)
        for _ in range(3):
            storages = [replace(each, weight=_other_weight(rng)) for each in first.storages]
            storages += [replace(each, producer=rng.choice(storages).producer) for each in storages]
            problem = Problem(first.modes, storages)
            other = Problem(first.modes, [replace(each, readers=[*each.readers]) for each in storages])
            assert solve(problem, tie_breakers(problem), alike=alike) == solve(other, tie_breakers(other))


def _other_weight(rng: Random) -> int | Prices:
    low, high = rng.randrange(4), rng.randrange(9)
    return high if rng.random() < 0.5 else lambda given, wanted: high if wanted == 0 else low


def ring(weights: Sequence[int], first: int = 0) -> list[StorageTerm]:
    """Ops in a ring: each reads what the one before gives, and in one place the sequences are swapped.

    Every choice converts one storage; halves of both modes would convert none.
    """
    storages: list[StorageTerm] = []
    for place, weight in enumerate(weights):
        reader = first + (place + 1) % len(weights)
        read = Access(reader, ["b", "a"] if place == 0 else ["a", "b"])
        storages.append(StorageTerm(weight, Access(first + place, ["a", "b"]), [read]))
    return storages


@pytest.mark.parametrize(
    "weights", [[1, 1, 1], [8, 3, 5, 4], LARGE_PRIMES, [10**9 + 7, 10**9 + 9, 10**9 + 21], [4 * 10**11 + 1] * 2]
)
def test_an_odd_ring_needs_branch_and_bound(weights: Sequence[int]):
    """The linear program proves nothing here, and the bound is exact even where the costs are large."""
    problem = Problem([2] * len(weights), ring(weights))
    point, bound = linear_program.LinearProgram(problem).relaxed([])
    assert bound == 0
    assert set(point[: 2 * len(weights)]) == {0.5}
    solution = solve(problem)
    assert (solution.cost, solution.bound) == (min(weights), min(weights))


def test_rings_that_do_not_touch_are_branched_together():
    problem = Problem([2] * 6, [*ring(LARGE_PRIMES), *ring([each + 2 for each in LARGE_PRIMES], first=3)])
    assert solve(problem).cost == solve(problem).bound == 2 * LARGE_PRIMES[0] + 2


def test_what_the_linear_program_settles_stays():
    """A ring, and an independent op whose cheaper mode is not its first."""
    beside = StorageTerm(5, "a", [Access(3, ["b", "a"])])
    problem = Problem([2, 2, 2, 2], [*ring([1, 1, 1]), beside])
    solution = solve(problem)
    assert (solution.choice[3], solution.cost, solution.bound) == (1, 1, 1)


def test_ties_are_broken_behind_branch_and_bound_too():
    """Any of the three storages of the ring may be converted; the choice changes the fewest modes."""
    problem = Problem([2] * 3, ring([1, 1, 1]))
    assert solve(problem, tie_breakers(problem)).choice == [0, 0, 0]


def hard_problem() -> Problem:
    rng = Random(1)
    storages: list[StorageTerm] = []
    for _ in range(200):
        producer, reader = rng.sample(range(60), 2)
        storages.append(
            StorageTerm(rng.randint(10**6, 10**7), Access(producer, "ab"), [Access(reader, rng.choice(("ab", "ba")))])
        )
    return Problem([2] * 60, storages)


def test_when_time_runs_out_the_bound_stays_one_and_nothing_gets_worse():
    problem = hard_problem()
    for time_limit in (0.0, 0.2):
        solution = solve(problem, (), time_limit)
        assert not solution.is_proved
        assert solution.bound <= solution.cost == cost_of_choice(problem, solution.choice)
        assert solution.cost <= cost_of_choice(problem, [0] * 60)


def test_the_bound_of_the_linear_program_is_kept_when_time_runs_out():
    """A part that is not solved in time, and a storage that one of two ops converts in every choice."""
    hard = hard_problem()
    sure = StorageTerm(3, "a", [Access(60, "bc")])
    solution = solve(Problem([*hard.modes, 2], [*hard.storages, sure]), (), 0.0)
    assert solution.bound >= 3


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (Problem([], []), Solution([], 0, 0)),
        (Problem([1], []), Solution([0], 0, 0)),
        (Problem([3], []), Solution([0], 0, 0)),
        (Problem([1], [StorageTerm(7, "a", [Access(0, "b")])]), Solution([0], 7, 7)),
        (Problem([2], [StorageTerm(7, "a", [Access(0, "ba")])]), Solution([1], 0, 0)),
        (Problem([2], [StorageTerm(7, "a")]), Solution([0], 0, 0)),
        # One reader wants "b" in any case; then the other one may have it as well.
        (Problem([1, 2], [StorageTerm(7, "a", [Access(0, "b"), Access(1, "bc")])]), Solution([0, 0], 7, 7)),
        # It costs once, however many read it.
        (Problem([1, 1, 1], [StorageTerm(7, "a", [Access(op, "b") for op in range(3)])]), Solution([0] * 3, 7, 7)),
        (Problem([2, 1], [StorageTerm(0, Access(0, "ab"), [Access(1, "c")])]), Solution([0, 0], 0, 0)),
    ],
)
def test_small_problems(problem: Problem, expected: Solution):
    assert solve(problem, tie_breakers(problem)) == expected
