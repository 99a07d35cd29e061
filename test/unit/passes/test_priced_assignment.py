"""Problems whose modes have prices and whose conversions cost by their byte orders, against all choices."""

from collections.abc import Hashable, Sequence
from ctypes import CDLL
from dataclasses import replace
from random import Random

import pytest
from npu_opt.compat.process import running_command
from npu_opt.passes.optimal.solve.linear_program import LinearProgram, solve
from npu_opt.passes.optimal.solve.problem import (
    Access,
    Prices,
    Problem,
    StorageTerm,
    conversions_of,
    cost_of_choice,
    given_byte_order,
    steps_of,
)
from test_assignment import LARGE_PRIMES, choices, random_problem, ring, tie_breakers, worth

PROBLEMS = 120
LARGE = 999_999_999_989
"""About 1e9 units in thousandths."""


def priced_problem(seed: int) -> Problem:
    rng = Random(seed)
    problem, unit = random_problem(seed), rng.choice((1, 1, 7, LARGE))
    storages = [
        replace(storage, weight=random_prices(rng, unit)) if rng.random() < 0.7 else storage
        for storage in problem.storages
    ]
    prices = {
        op: [rng.choice((0, 0, 1, 3, 4, 11)) * unit for _ in range(count)]
        for op, count in enumerate(problem.modes)
        if rng.random() < 0.6
    }
    return Problem(problem.modes, storages, prices, has_prices=rng.random() < 0.8)


def random_prices(rng: Random, unit: int) -> Prices:
    table = {(given, wanted): rng.choice((0, 1, 2, 3, 5, 8)) * unit for given in range(4) for wanted in range(4)}
    return lambda given, wanted: table[given, wanted]  # pyright: ignore[reportArgumentType]  # all of them are numbers


@pytest.mark.parametrize("seed", range(PROBLEMS))
def test_the_best_choice_is_found(seed: int):
    problem = priced_problem(seed)
    solution = solve(problem, tie_breakers(problem))
    found, best = worth(problem, solution.choice), min(worth(problem, choice) for choice in choices(problem))
    if breaks_all_ties(problem):
        assert found == best
    else:
        rivals = [worth(problem, choice) for choice in choices(problem) if is_rival(problem, choice, solution.choice)]
        assert (found[0], *found[2:]) == min((cost, *modes) for cost, _, *modes in rivals)
        assert found[0] == best[0]
    assert solution.cost == solution.bound == cost_of_choice(problem, solution.choice)
    assert all(0 <= mode < count for mode, count in zip(solution.choice, problem.modes, strict=True))


def breaks_all_ties(problem: Problem) -> bool:
    """False behind branch and bound with prices, where the conversions of the cheapest choice stay.

    Of the choices with no other conversions the modes still break the ties.
    """
    program = LinearProgram(problem)
    return not problem.has_prices or program.is_integral(program.relaxed(tie_breakers(problem))[0])


def is_rival(problem: Problem, choice: Sequence[int], found: Sequence[int]) -> bool:
    """True if each step that is paid in a choice is paid in the found one as well."""
    return all(paid_steps(storage, choice) <= paid_steps(storage, found) for storage in problem.storages)


def paid_steps(storage: StorageTerm, choice: Sequence[int]) -> set[tuple[Hashable, ...]]:
    """The steps of a storage that are paid in a choice."""
    given, wanted = given_byte_order(storage, choice), conversions_of(storage, choice)
    return {
        (step.wanted, *sorted(map(str, step.saved_by)))
        for step in steps_of(storage)
        if step.wanted in wanted and given not in step.saved_by
    }


def test_the_bound_of_the_linear_program_is_one():
    for seed in range(30):
        problem = priced_problem(seed)
        _, bound = LinearProgram(problem).relaxed([])
        assert bound <= min(cost_of_choice(problem, choice) for choice in choices(problem))


def test_joined_steps_are_as_tight():
    """One reader wants one byte order, so steps that the same modes save have one variable. The bound stays."""
    for seed in range(40):
        problem = priced_problem(seed)
        bounds = [LinearProgram(replace(problem, has_prices=each)).relaxed([])[1] for each in (False, True)]
        assert bounds[0] == bounds[1]


def prices_of(table: dict[str, int]) -> Prices:
    """Prices by the names of both byte orders, such as `ab`."""
    return lambda given, wanted: table[f"{given}{wanted}"]


def test_each_direction_has_its_price():
    """The op in the middle follows the producer or the reader, whichever conversion is cheaper."""

    def solved(prices: Sequence[int]) -> list[int]:
        by_pair = prices_of(dict(zip(("ab", "ba"), prices, strict=True)))
        first = StorageTerm(by_pair, "a", [Access(0, "ab")])
        second = StorageTerm(by_pair, Access(0, "ba"), [Access(1, "b")])
        return solve(Problem([2, 1], [first, second])).choice

    assert solved((5, 9)) == [0, 0]
    problem_with_way_back = StorageTerm(
        prices_of({"ab": 5, "ba": 9}), Access(0, "ab"), [Access(1, "b"), Access(2, "a")]
    )
    assert solve(Problem([2, 1, 1], [problem_with_way_back])).choice == [0, 0, 0]
    dearer = replace(problem_with_way_back, weight=prices_of({"ab": 9, "ba": 5}))
    assert solve(Problem([2, 1, 1], [dearer])).choice == [1, 0, 0]


def test_equal_prices_are_a_weight():
    """A storage whose conversions cost the same has the steps of one with that weight."""

    def same(given: Hashable, wanted: Hashable) -> int:
        return 7

    for seed in range(20):
        for storage in random_problem(seed).storages:
            if isinstance(storage.producer, Access):
                wanted = [step for step in steps_of(replace(storage, weight=7)) if can_be_paid(storage, step.wanted)]
                found = [step for step in steps_of(replace(storage, weight=same))]
                assert [(*step,) for step in found] == [(step[0], [*step[1]], *step[2:]) for step in wanted]


def can_be_paid(storage: StorageTerm, wanted: Hashable) -> bool:
    assert isinstance(storage.producer, Access)
    return set(storage.producer.byte_orders) != {wanted}


def test_a_price_is_paid_rather_than_a_conversion():
    storage = StorageTerm(10, "a", [Access(0, "ab")])
    assert solve(Problem([2], [storage], {0: [9, 0]})).choice == [0]
    assert solve(Problem([2], [storage], {0: [11, 0]})).choice == [1]


@pytest.mark.parametrize("seed", [326, 267])
def test_a_single_optimum_leaves_no_ties(seed: int):
    """The reduced costs settle each variable, so that nothing is left to solve for a tie breaker."""
    problem = priced_problem(seed)
    solution = solve(problem, tie_breakers(problem))
    assert worth(problem, solution.choice) == min(worth(problem, choice) for choice in choices(problem))


def test_what_every_mode_costs_counts():
    solution = solve(Problem([1, 2], [], {0: [5], 1: [9, 8]}))
    assert (solution.choice, solution.cost, solution.bound) == ([0, 1], 13, 13)


@pytest.mark.parametrize("weights", [LARGE_PRIMES, [LARGE, LARGE + 2, LARGE + 8]])
def test_rings_with_prices_need_branch_and_bound(weights: Sequence[int]):
    """Each op of the ring has a price in its second mode, and the bound is exact where costs are large."""
    prices = {op: [0, weight // 2] for op, weight in enumerate(weights)}
    problem = Problem([2] * len(weights), ring(weights), prices)
    solution = solve(problem)
    assert solution.cost == solution.bound == min(cost_of_choice(problem, choice) for choice in choices(problem))


def test_sums_above_64_bits_are_exact():
    """A chain whose costs are too large for the numbers of the processor."""
    huge = 10**17
    storages = [
        StorageTerm(huge + place, Access(place, "ab"), [Access(place + 1, "ab" if place % 7 else "ba")])
        for place in range(60)
    ]
    ends = [StorageTerm(huge, "a", [Access(0, "ab")]), StorageTerm(huge, Access(60, "ab"), [Access(61, "b")])]
    problem = Problem([2] * 61 + [1], [*storages, *ends], {5: [0, huge * 3]})
    solution = solve(problem)
    assert solution.bound <= solution.cost
    assert solution.bound > solution.cost * 0.999999


def test_when_time_runs_out_the_bound_counts_the_prices():
    ring_of_three, dear = ring([2, 2, 2]), {3: [50, 60]}
    solution = solve(Problem([2] * 4, ring_of_three, dear), (), 0.0)
    assert 50 <= solution.bound <= solution.cost == 52


def solve_with_a_line_of_its_own():
    """Solve a problem for which HiGHS has a line, which may come from its buffer later on."""
    problem = priced_problem(1444)
    solve(problem, tie_breakers(problem))
    CDLL(None).fflush(None)


def test_the_solver_prints_nothing_in_a_command(capfd: pytest.CaptureFixture[str]):
    print("before")
    with running_command():
        solve_with_a_line_of_its_own()
    print("behind")
    assert capfd.readouterr().out == "before\nbehind\n"


def test_descriptors_of_other_processes_stay(monkeypatch: pytest.MonkeyPatch):
    def moved(old: int, new: int):
        raise AssertionError(f"descriptor {new} is moved")

    with monkeypatch.context() as context:
        context.setattr("os.dup2", moved)
        solve_with_a_line_of_its_own()
