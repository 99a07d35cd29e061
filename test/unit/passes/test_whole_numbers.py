"""The solver in whole numbers, against all choices of small problems and the linear program of layout-optimal."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.solve import elimination, in_whole_numbers, potentials
from npu_opt.passes.optimal.solve.elimination import cheapest_choice
from npu_opt.passes.optimal.solve.in_whole_numbers import solve_in_whole_numbers
from npu_opt.passes.optimal.solve.potentials import Potentials, largest_cost
from npu_opt.passes.optimal.solve.price_table import TablePrices, as_table
from npu_opt.passes.optimal.solve.problem import Access, Problem, Solution, StorageTerm, cost_of_choice
from npu_opt.passes.placement.layout_pass import colour
from support import optional_tools
from support.campaign import amount, seeds
from support.source_tree import ROOT
from test_assignment import choices, random_problem
from test_branch_and_bound import problem_of_weights

SMALL, LARGE = [1, 3, 8, 10], [1, 3, 2**60, 2**60 + 2, 2**61 + 1]
IMPOSSIBLE = 10**6
"""More than all possible conversions of a problem together."""
PATIENCE = 3600.0


def say_nothing(_bound: int, _cost: int) -> None:
    """Progress that no test reads."""


def problem_of_tables(seed: int) -> Problem:
    """Prices by the byte orders of both ends, of which some conversions do not exist."""
    rng = Random(seed)
    orders = "abcde"[: rng.randint(2, 5)]

    def row(place: int) -> Sequence[int | None]:
        return [0 if other == place else rng.choice((None, 1, 2, 5, 9)) for other in range(len(orders))]

    tables = [as_table(orders, [row(place) for place in range(len(orders))]) for _ in range(2)]
    problem = problem_of_weights(seed, SMALL)
    known = {order: orders[number % len(orders)] for number, order in enumerate("abcd")}

    def some(access: Access) -> Access:
        return Access(access.op, [known[str(each)] for each in access.byte_orders])

    storages = [
        StorageTerm(
            TablePrices(rng.choice(tables), rng.randint(1, 3), IMPOSSIBLE) if rng.random() < 0.8 else each.weight,
            some(each.producer) if isinstance(each.producer, Access) else known[str(each.producer)],
            [*map(some, each.readers)],
        )
        for each in problem.storages
    ]
    return Problem(problem.modes, storages, problem.prices, has_prices=True)


def problem_of(seed: int) -> Problem:
    kinds = (random_problem(seed), problem_of_weights(seed, SMALL), problem_of_weights(seed, LARGE))
    return problem_of_tables(seed) if seed % 4 == 3 else kinds[seed % 4]


def best_cost(problem: Problem) -> int:
    return min(cost_of_choice(problem, choice) for choice in choices(problem))


def solved(problem: Problem, time_limit: float = PATIENCE) -> Solution:
    found = solve_in_whole_numbers(problem, largest_cost(problem), time_limit, say_nothing)
    assert found.cost == cost_of_choice(problem, found.choice)
    return found


def without_elimination(*_arguments: object) -> None:
    """A problem whose tables are always too large."""


@pytest.mark.parametrize("eliminates", [True, False])
def test_the_best_choice_is_found_and_proved(eliminates: bool, monkeypatch: pytest.MonkeyPatch):
    """Also where conversions do not exist, and where floats cannot tell costs apart."""
    if not eliminates:
        monkeypatch.setattr(in_whole_numbers, "cheapest_choice", without_elimination)
    for seed in seeds(200, 2000):
        problem = problem_of(seed)
        found = solved(problem)
        assert found.cost == found.bound == best_cost(problem), seed


def test_potentials_bound_all_choices_and_close_no_cheaper_mode():
    tight = 0
    for seed in seeds(120, 2000):
        problem = problem_of(seed)
        best = best_cost(problem)
        found = Potentials(problem, largest_cost(problem))
        bounds = [found.bound]
        for _ in range(3):
            for forward in (True, False):
                found.sweep(forward)
                bounds.append(found.bound)
        assert bounds == sorted(bounds), "a sweep loosens no bound"
        assert bounds[-1] <= best
        tight += bounds[-1] == best
        is_open = found.is_open(best + 1)
        for choice in choices(problem):
            if cost_of_choice(problem, choice) == best:
                assert all(each[mode] for each, mode in zip(is_open, choice, strict=True))
    assert tight > amount(120, 2000) // 3


def chain(length: int, weight: int) -> Problem:
    """Ops in a row that run in either byte order, whose ends do not; half of the storages are cheap to convert."""
    rng = Random(length)
    storages = [StorageTerm(weight, "a", [Access(0, "ab")])]
    storages += [
        StorageTerm(weight * rng.randint(2, 9), Access(op, "ab"), [Access(op + 1, "ab")]) for op in range(length - 1)
    ]
    storages.append(StorageTerm(weight * 3, Access(length - 1, "ab"), [Access(length, "b")]))
    return Problem([*[2] * length, 1], storages)


@pytest.mark.parametrize("weight", [1, 2**70])
def test_two_sweeps_solve_a_chain(weight: int):
    problem = chain(3000, weight)
    found = Potentials(problem, largest_cost(problem))
    found.sweep(forward=True)
    found.sweep(forward=False)
    assert found.bound == cost_of_choice(problem, found.choice()) == weight


def everything_open(problem: Problem) -> list[np.ndarray]:
    return [np.ones(count, dtype=bool) for count in problem.modes]


def test_elimination_counts_a_conversion_once_for_many_readers(monkeypatch: pytest.MonkeyPatch):
    """A storage with more readers than a table has axes: each of its conversions is a variable."""
    count = 40
    storages = [StorageTerm(7, "a", [Access(op, "bc") for op in range(count)])]
    storages += [StorageTerm(1, "bc"[op % 2], [Access(op, "bc")]) for op in range(count)]
    problem = Problem([2] * count, storages)
    found = cheapest_choice(problem, everything_open(problem), largest_cost(problem), PATIENCE * 1e9)
    assert found is not None
    # All in one byte order: one conversion of the storage, and one for every other op.
    assert cost_of_choice(problem, found) == 14
    monkeypatch.setattr(elimination, "LARGEST_TABLE", 2)
    assert cheapest_choice(problem, everything_open(problem), largest_cost(problem), PATIENCE * 1e9) is None


def test_prices_that_are_not_kept_are_the_same(monkeypatch: pytest.MonkeyPatch):
    for seed in range(3, 40, 4):
        problem = problem_of_tables(seed)
        kept = Potentials(problem, largest_cost(problem))
        with monkeypatch.context() as patch:
            patch.setattr(potentials, "MOST_KEPT", -1)
            patch.setattr(potentials, "SMALL", -1)
            patch.setattr(potentials, "FEW_READERS", 99)
            computed = Potentials(problem, largest_cost(problem))
        for each in (kept, computed):
            each.sweep(forward=True)
            each.sweep(forward=False)
        assert (kept.bound, kept.choice()) == (computed.bound, computed.choice())


def test_when_time_runs_out_the_bound_stays_one():
    for seed in range(40):
        problem = problem_of(seed)
        found = solved(problem, 0.0)
        assert found.bound <= best_cost(problem) <= found.cost


def test_what_the_linear_program_does_not_prove_is_not_proved(monkeypatch: pytest.MonkeyPatch):
    """A program that finds the first modes and proves nothing."""

    def unproved(problem: Problem, *_arguments: object) -> Solution:
        choice = [0] * len(problem.modes)
        return Solution(choice, cost_of_choice(problem, choice), 0)

    monkeypatch.setattr(in_whole_numbers, "cheapest_choice", without_elimination)
    monkeypatch.setattr(in_whole_numbers, "solve", unproved)
    found = [(solved(problem_of(seed)), best_cost(problem_of(seed))) for seed in range(80)]
    assert all(solution.bound <= best for solution, best in found)
    assert any(solution.bound < best for solution, best in found)


def test_a_choice_that_costs_too_much_is_no_choice():
    """No conversion exists between the byte orders of two ops; then the bound is above what a choice may cost."""
    table = TablePrices(as_table("ab", [[0, None], [None, 0]]), 1, 11)
    problem = Problem([1, 2], [StorageTerm(table, Access(0, "a"), [Access(1, "bb")])], {1: [10, 3]}, has_prices=True)
    found = solve_in_whole_numbers(problem, 10, PATIENCE, say_nothing)
    assert 10 < found.bound <= found.cost == 14


@pytest.mark.parametrize("name", ["shufflenet_v2", "mobilenet_v2", "swin_t", "yolo_v8_n"])
def test_problems_of_layout_optimal_have_the_same_minimum(name: str):
    tool = optional_tools.onnx()
    if tool.location is None:
        pytest.skip(tool.note)
    module = import_model(ROOT / "benchmarks" / "models" / f"{name}.onnx", Options(needs_data=False)).module
    colour(module)
    choice = LayoutOptimal(target="opu").choose(module)
    problem, solution = choice.solved.problem, choice.solution
    assert solution.is_proved
    found = solved(problem)
    assert (found.cost, found.bound) == (solution.cost, solution.cost)
