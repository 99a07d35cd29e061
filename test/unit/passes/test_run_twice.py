"""Ops that run twice: pairs of modes in numbers, against all choices, and copies that are taken back."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.graph.producers import Use
from npu_opt.passes.common.plans.copies import CopyPlan, apply_copies
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.describe_ops import DescribeOps
from npu_opt.passes.layout_optimal import OF_FORMS_TRIED, LayoutOptimal
from npu_opt.passes.optimal.choice.copied_ops import second_prices
from npu_opt.passes.optimal.choice.mode_choice import ModeTable
from npu_opt.passes.optimal.explain.account import collected_accounts
from npu_opt.passes.optimal.solve import second_runs
from npu_opt.passes.optimal.solve.linear_program import solve
from npu_opt.passes.optimal.solve.problem import Access, Problem, StorageTerm
from npu_opt.passes.optimal.solve.second_runs import solve_with_pairs
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import load
from support.campaign import amount
from support.ir_text import parse
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

PROBLEMS = amount(150, 10_000)
TARGET = """
name = "twice"
description = "Broadcasts are cheap"
extends = "opu"
[costs]
unit = "cycles"
transpose = "1 x bytes + 100"
[costs.recompute]
broadcast = "0.25 x written"
"""
PROGRAM = """
func.func @main(%x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x4xf32, #npu.layout<NCHW>>)
    -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x16xf32, #npu.layout<Tensor>>) {
  %b = npu.broadcast %x axes = [0, 1, 2, 3]
    : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %b, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %m = npu.mirror %b axes = [2] : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %a = npu.add %s, %m : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %f = npu.reshape %b : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x16xf32, #npu.layout<Tensor>>
  func.return %a, %f : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x16xf32, #npu.layout<Tensor>>
}
"""
EFFECTS = """
name = "effects"
description = "Ops with effects have prices, too"
matmul = "free"
[preferred]
feature = ["NWC", "NHWC", "NDHWC"]
weight = ["WOI", "HWOI", "DHWOI"]
[costs]
unit = "cycles"
transpose = 1
[costs.recompute]
"vendor.noise" = "1 x written"
"vendor.scale" = "1 x written"
elementwise = 9
[ops."vendor.noise"]
like = "elementwise"
[ops."vendor.scale"]
like = "elementwise"
pure = true
"""
WITH_EFFECTS = """
func.func @main(%x: tensor<1x8x4x4xf32>) -> () {
  %effect = npu.opaque "vendor.noise"(%x) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %pure = npu.opaque "vendor.scale"(%effect) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %pinned = npu.relu %pure {npu.pin = "Tensor"} : tensor<1x8x4x4xf32>
  %k = npu.constant dense<1.0> : tensor<1x8x4x4xf32>
  %c = npu.relu %k : tensor<1x8x4x4xf32>
  %wide = npu.broadcast %pure axes = [0, 1, 2, 3] : (tensor<1x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %read = npu.opaque "vendor.noise"(%wide) : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %used = npu.opaque "vendor.noise"(%pinned) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %turned = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
  %other = npu.transpose %pure permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
  %last = npu.opaque "vendor.noise"(%turned) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %end = npu.opaque "vendor.noise"(%other) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  func.return
}
"""
Orders = Sequence[int]


def random_problem(rng: Random) -> tuple[Problem, dict[int, int]]:
    """A program of few ops in numbers, and the prices of second runs of some."""
    modes = [rng.choice((1, 2, 2, 3)) for _ in range(rng.randint(3, 5))]

    def access(op: int) -> Access:
        return Access(op, [rng.randrange(4) for _ in range(modes[op])])

    storages: list[StorageTerm] = []
    for op in range(len(modes)):
        for _ in range(rng.choice((1, 1, 1, 2))):
            share = rng.choice((0.5, 1.0))
            readers = [access(reader) for reader in range(op + 1, len(modes)) if rng.random() < share]
            # Results and demands: ops of one mode that read in some order.
            if readers:
                storages.append(StorageTerm(_weight(rng), access(op), readers))
    storages.append(StorageTerm(_weight(rng), rng.randrange(4), [access(rng.randrange(len(modes)))]))
    for _ in range(rng.choice((0, 0, 1, 2))):
        first, *others = (access(op) for op in rng.sample(range(len(modes)), rng.randint(1, len(modes))))
        storages.append(StorageTerm(rng.randint(0, 10), first, others, is_constant=True))
    prices = {op: [rng.randint(0, 6) for _ in range(count)] for op, count in enumerate(modes) if rng.random() < 0.3}
    twice = {op: rng.randint(0, 4) for op in range(len(modes)) if rng.random() < 0.8}
    return Problem(modes, storages, prices, any(callable(each.weight) for each in storages)), twice


def _weight(rng: Random):
    if rng.random() < 0.3:
        return rng.randint(0, 10)
    table = {pair: rng.choice((2, 2, 7, 9)) for pair in product(range(4), repeat=2)}

    def price(given: Hashable, wanted: Hashable) -> int:
        return table[given, wanted]  # pyright: ignore[reportArgumentType]  # Orders are numbers here.

    return price


def least(problem: Problem, twice: dict[int, int]) -> int:
    """The least cost, by all choices of one mode of each op, or of two where it may run twice."""
    every = [[*_choices(count, op in twice)] for op, count in enumerate(problem.modes)]
    return min(_cost(problem, twice, chosen) for chosen in product(*every))


def _choices(count: int, may_run_twice: bool) -> Iterator[Orders]:
    yield from ((mode,) for mode in range(count))
    if may_run_twice:
        yield from ((first, second) for second in range(count) for first in range(second))


def _cost(problem: Problem, twice: dict[int, int], chosen: Sequence[Orders]) -> int:
    total = sum(problem.prices[op][mode] for op in problem.prices for mode in chosen[op])
    total += sum(twice[op] for op, modes in enumerate(chosen) if len(modes) == 2)
    for storage in problem.storages:
        producer = storage.producer
        given = (
            {producer.byte_orders[mode] for mode in chosen[producer.op]} if isinstance(producer, Access) else {producer}
        )
        wanted = {reader.byte_orders[mode] for reader in storage.readers for mode in chosen[reader.op]}
        if storage.is_constant:
            assert isinstance(storage.weight, int)
            total += storage.weight * (len(wanted | given) - 1)
            continue
        total += sum(min(storage.price(made, each) for made in given) for each in wanted - given)
    return total


def test_pairs_of_modes_are_the_cheapest():
    saved = 0
    for seed in range(PROBLEMS):
        problem, twice = random_problem(Random(seed))
        known = solve(problem)
        found = solve_with_pairs(problem, twice, known, 60)
        expected = least(problem, twice)
        assert (found.solution.cost, found.solution.bound) == (expected, expected), seed
        assert known.is_proved
        modes = found.modes
        chosen = [modes.get(op, (mode,)) for op, mode in enumerate(found.solution.choice)]
        assert _cost(problem, twice, chosen) == expected, seed
        # None runs twice for nothing.
        for op in modes:
            for mode in modes[op]:
                assert _cost(problem, twice, [*chosen[:op], (mode,), *chosen[op + 1 :]]) > expected, seed
        saved += expected < known.cost
    assert saved > PROBLEMS / 10


def test_a_limit_of_pairs_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(second_runs, "MOST_PAIRS", 0)
    placed, text = run(tmp_path)
    assert text.endswith(f"proved minimum {OF_FORMS_TRIED}")
    assert str(placed).count("npu.broadcast") == 1


def test_copies_are_taken_back():
    module = parse(PROGRAM)
    before = str(module)
    op = next(op for op in module.walk() if op.name == "npu.broadcast")
    uses = [Use(use.operation, use.index) for use in op.results[0].uses if use.operation.name == "npu.mirror"]
    flat = next(op for op in module.walk() if op.name == "func.return")
    copies = apply_copies(CopyPlan([op], [*uses, Use(flat, 1)], []), "test", Names(module))
    module.verify()
    assert str(module).count("npu.broadcast") == str(module).count("npu.reshape") == 2
    assert compare(parse(PROGRAM), module).verdict is Verdict.PROVED
    copies.take_back()
    module.verify()
    assert str(module) == before


def test_copies_that_save_nothing_are_taken_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    once, text = run(tmp_path, recompute=False)
    assert "proved minimum" in text
    # Without the modes that the plan counts on, the program with copies costs more.
    monkeypatch.setattr("npu_opt.passes.optimal.choice.copied_ops._is_cheaper", _never)
    placed, text = run(tmp_path)
    assert str(placed) == str(once)
    assert "best found, at least" in text


def test_ops_with_effects_or_pins_run_once(tmp_path: Path):
    """Prices are those of a target that describes an op with effects."""
    file = tmp_path / "effects.toml"
    file.write_text(EFFECTS)
    module = parse(WITH_EFFECTS)
    DescribeOps(target=str(file)).apply(Context(), module)
    transmit(module)
    table = ModeTable.of(module, TargetLayouts(load(file)), "target", 64)
    prices = {op.results[0].name_hint: price for op, price in second_prices(table).items()}
    assert prices == {"pure": 512_000, "c": 0}


def _never(*_: object) -> bool:
    return False


def run(folder: Path, recompute: bool = True) -> tuple[ModuleOp, str]:
    file = folder / "twice.toml"
    file.write_text(TARGET)
    module = parse(PROGRAM)
    with collected_accounts() as accounts:
        LayoutOptimal(target=str(file), recompute=recompute).apply(Context(), module)
    return module, accounts[0].text


def test_an_op_that_runs_twice_pays_for_both_orders_that_it_reads():
    problem = Problem(
        [2, 1, 1],
        [
            StorageTerm(lambda given, wanted: 1, 0, [Access(0, [1, 2])]),
            StorageTerm(lambda given, wanted: 10, Access(0, [1, 2]), [Access(1, [1]), Access(2, [2])]),
        ],
        has_prices=True,
    )
    found = solve_with_pairs(problem, {0: 1}, solve(problem), 60)
    assert found.modes == {0: (0, 1)}
    assert (found.solution.cost, found.solution.bound) == (3, 3)
