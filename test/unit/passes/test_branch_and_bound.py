"""Branch and bound proves no more than is true: where floats cannot tell costs apart, and with a solver that lies."""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from npu_opt.passes.optimal.solve import linear_program
from npu_opt.passes.optimal.solve.linear_program import LinearProgram, solve
from npu_opt.passes.optimal.solve.problem import Access, Problem, StorageTerm, cost_of_choice
from test_assignment import choices, hard_problem, ring

PROBLEMS = 80


def problem_of_weights(seed: int, weights: list[int]) -> Problem:
    """A few ops with up to four modes whose storages have several readers; about a quarter has fractional optima."""
    rng = Random(seed)
    modes = [rng.randint(2, 4) for _ in range(rng.randint(3, 6))]
    orders = "abcd"[: rng.randint(3, 4)]
    storages: list[StorageTerm] = []
    for _ in range(rng.randint(3, 9)):
        ops = rng.sample(range(len(modes)), rng.randint(2, min(len(modes), 4)))
        accesses = [Access(op, [rng.choice(orders) for _ in range(modes[op])]) for op in ops]
        if rng.random() < 0.3:
            storages.append(StorageTerm(rng.choice(weights), rng.choice(orders), accesses))
        else:
            storages.append(StorageTerm(rng.choice(weights), accesses[0], accesses[1:]))
    priced = [op for op in range(len(modes)) if rng.random() < 0.4]
    return Problem(modes, storages, {op: [rng.choice([0, *weights]) for _ in range(modes[op])] for op in priced})


@pytest.mark.parametrize("exponent", [40, 47, 53])
def test_costs_that_floats_cannot_tell_apart(exponent: int):
    """The difference between two choices may be 1 of 2**53; where that is not found, nothing is said to be proved."""
    fractional, proved = 0, 0
    for seed in range(PROBLEMS):
        problem = problem_of_weights(seed, [1, 3, 2**exponent, 2**exponent + 2])
        solution = solve(problem, time_limit=5.0)
        best = min(cost_of_choice(problem, choice) for choice in choices(problem))
        assert solution.bound <= best <= solution.cost == cost_of_choice(problem, solution.choice)
        program = LinearProgram(problem)
        fractional += not program.is_integral(program.relaxed(())[0])
        proved += solution.is_proved
    assert fractional > PROBLEMS // 8
    assert proved > PROBLEMS * 0.9


def liar(seed: int, solver: Callable[..., Any]) -> Callable[..., Any]:
    """A linear solver whose point and dual values are any numbers."""
    rng = np.random.default_rng(seed)

    def lie(*args: Any, **kwargs: Any) -> Any:
        found = solver(*args, **kwargs)
        if found.x is not None:
            found.x = rng.random(found.x.shape)
            for each in (found.ineqlin, found.eqlin):
                each.marginals = rng.normal(size=each.marginals.shape) * 10 ** rng.integers(0, 8)
        return found

    return lie


PATIENCE = 3600.0
"""A limit of time that ends no search, however busy the machine is."""


def answer(point: Any, bound: float | None) -> Callable[..., Any]:
    """A solver that always gives this answer."""

    def answered(*_args: Any, **_options: Any) -> Any:
        return SimpleNamespace(x=point, status=4 if point is None else 0, mip_dual_bound=bound)

    return answered


@pytest.mark.parametrize("seed", range(10))
def test_nothing_of_the_solver_is_believed(seed: int, monkeypatch: pytest.MonkeyPatch):
    """The tree is searched to its leaves, whose costs are counted."""
    problem = problem_of_weights(seed, [1, 3, 8, 10])
    best = min(cost_of_choice(problem, choice) for choice in choices(problem))
    optimize = linear_program.optimize
    monkeypatch.setattr(optimize, "linprog", liar(seed, optimize.linprog))
    monkeypatch.setattr(optimize, "milp", answer(None, 1e12))
    solution = solve(problem, (), PATIENCE)
    assert (solution.cost, solution.bound) == (best, best)


@pytest.mark.parametrize("seed", range(10))
def test_a_solver_without_answers(seed: int, monkeypatch: pytest.MonkeyPatch):
    problem = problem_of_weights(seed, [1, 3, 8, 10])
    best = min(cost_of_choice(problem, choice) for choice in choices(problem))
    monkeypatch.setattr(linear_program.optimize, "linprog", answer(None, None))
    monkeypatch.setattr(linear_program.optimize, "milp", answer(None, None))
    solution = solve(problem, (), PATIENCE)
    assert (solution.cost, solution.bound) == (best, best)


def test_the_bound_of_the_whole_number_solver_is_not_believed(monkeypatch: pytest.MonkeyPatch):
    """Its point costs 5 and its bound says so as well; the ring has a choice that costs 1."""
    problem = Problem([2] * 3, ring([5, 1, 5]))
    monkeypatch.setattr(linear_program.optimize, "milp", answer(np.array([1.0, 0, 1, 0, 1, 0, *[1.0] * 6]), 5.0))
    solution = solve(problem)
    assert (solution.cost, solution.bound) == (1, 1)


def test_the_bound_when_time_runs_out_is_that_of_the_open_nodes():
    """A ring is solved in its share of the time, and its minimum is in the bound."""
    hard = hard_problem()
    problem = Problem([*hard.modes, 2, 2, 2], [*hard.storages, *ring([5, 4, 7], first=60)])
    alone, both = solve(hard, (), 0.3), solve(problem, (), 0.6)
    assert both.bound >= LinearProgram(hard).relaxed(())[1] + 4
    assert not both.is_proved
    assert alone.bound <= alone.cost
