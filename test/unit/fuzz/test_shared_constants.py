"""Constants that are read in several orders: the minimum is that of all orders of constants and all forms of ops."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.common.demands.target_cost import TargetCost, cost_on_target
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.plans.apply import apply_plan
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.choice.mode_choice import ModeChoice, choose_modes
from npu_opt.passes.optimal.choice.plan import PlanDraft
from npu_opt.passes.optimal.explain.account import collected_accounts
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import Target, load
from npu_opt.targets.prices import Price, PriceTerm
from support.campaign import counted, seeds
from support.generators.copied import SecondRun
from support.generators.priced_targets import priced_target
from support.generators.shared_constants import program_with_constants
from support.oracles.constants import further_orders
from support.oracles.copies import copies_in, least_with_copies, price_of_constants, runs_more_than_twice
from support.oracles.every_way import EveryWay
from support.oracles.other_axes import TooMany
from support.oracles.prices import AVOIDED, TransposeTable, is_constant, moved_bytes
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

PROGRAMS = seeds(40, 1000)
COPIED = seeds(40, 1000)
CHUNK = 20


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    module = program_with_constants(seed)
    transmit(module)
    rng = Random(seed)
    priced, table = priced_target(load(("opu", "plover")[seed % 2]), seed, with_matmul=seed % 3 > 0)
    assert priced.costs is not None
    # In billionths of a unit.
    per_byte, fixed = rng.choice((0, 10**8, 10**9, 3 * 10**9)), rng.choice((0, 10**9, 20 * 10**9))
    price = Price(tuple(PriceTerm(factor, of) for factor, of in ((per_byte, "bytes"), (fixed, None)) if factor))
    with_price = replace(priced, costs=replace(priced.costs, constant=price))
    tally["programs"] += 1
    copy = module.clone()
    choice = choose_modes(copy, TargetLayouts(with_price), "target", 64, 60)
    apply_plan(PlanDraft(choice).plan(lambda use: ""), Names(copy))
    copy.verify()
    answer = compare(module, copy)
    if answer.verdict is not Verdict.PROVED:
        yield f"seed {seed}: {answer.text}"

    def further(size: int) -> int:
        return (per_byte * size + fixed) // 10**6

    costs = TargetCost(with_price)
    moved, impossible = costs.of_program(copy).ticks, len(list(costs.impossible(copy)))
    kept = sum(map(further, further_orders(copy)))
    tally["kept"] += kept > 0
    if moved + kept != choice.solution.cost:
        yield f"seed {seed}: {choice.solution.cost} was said, {moved} and {kept} it is\n{module}\n{copy}"
    if kept != choice.kept.ticks:
        yield f"seed {seed}: {choice.kept} was said, {kept} it is\n{module}\n{copy}"
    if not choice.is_proved:
        yield f"seed {seed}: not proved: {choice.solution}\n{module}"
    tally["not all orders tried"] += not choice.has_every_order
    free = choose_modes(module.clone(), TargetLayouts(priced), "target", 64, 60)
    tally["costs more than if constants are free"] += choice.solution.cost > free.solution.cost

    def weigh(value: SSAValue, given: bytes | None, wanted: bytes | None) -> int:
        return further(moved_bytes(value)) if is_constant(value) else table.price(value, given, wanted)

    try:
        every = EveryWay(module, with_price, weighs_constants=True)
        cheaper = every.cheaper_than(moved + kept + AVOIDED * impossible, weigh, is_priced=True)
        is_least_if_free = cheaper is None or is_least(module, priced, table, free)
        tally["not the least if constants are free"] += not is_least_if_free
    except TooMany:
        tally["too many"] += 1
        return
    tally["tried"] += 1
    if cheaper is not None and choice.has_every_order and is_least_if_free:
        yield f"seed {seed}: {moved} and {kept} is not the least, {cheaper} is possible\n{module}\n{copy}"


def test_random_programs(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, PROGRAMS, CHUNK, capsys)
    assert tally["kept"] > len(PROGRAMS) / 10
    assert tally["costs more than if constants are free"] > len(PROGRAMS) / 10
    assert tally["tried"] > len(PROGRAMS) / 2
    assert tally["not the least if constants are free"] <= len(PROGRAMS) / 100


def is_least(module: ModuleOp, target: Target, table: TransposeTable, choice: ModeChoice) -> bool:
    """True if nothing costs less than a choice where constants are free.

    An axis that only views of constants cut is cut in no other value.
    """
    every, impossible = EveryWay(module, target), choice.solved.avoided
    claimed = choice.solution.cost + AVOIDED * impossible
    return every.cheaper_than(claimed, table.price, is_priced=True) is None


def problems_with_copies(seed: int, tally: Counter[str]) -> Iterator[str]:
    """Both together: what is kept in several orders, and ops that run twice."""
    module, rng = program_with_constants(seed, with_copies=True), Random(seed)
    run = SecondRun(rng.choice((0, 100, 400)), rng.choice((0, 50, 400)), rng.choice((0, 1000, 7000)))
    constant = SecondRun(0, rng.choice((0, 100, 1000)), rng.choice((1000, 20_000)))
    with TemporaryDirectory() as folder:
        target = Path(folder) / "both.toml"
        target.write_text(
            'name = "both"\ndescription = "random"\nextends = "opu"\n[costs]\nunit = "cycles"\n'
            'transpose = "1 x bytes + 3"\n'
            f'constant = "{constant.written / 1000} x bytes + {constant.fixed / 1000}"\n'
            f'recompute = {{ relu = "{run.text}" }}\n'
        )
        yield from (f"seed {seed}: {each}" for each in _problems_of_both(module, target, run, constant, tally))


def _problems_of_both(
    module: ModuleOp, target: Path, run: SecondRun, constant: SecondRun, tally: Counter[str]
) -> Iterator[str]:
    placed, prices = module.clone(), {"npu.relu": run}
    with collected_accounts() as accounts:
        LayoutOptimal(target=str(target)).apply(Context(), placed)
    placed.verify()
    answer = compare(module, placed)
    if answer.verdict is not Verdict.PROVED:
        yield answer.text
    if not accounts[0].is_proved:
        yield accounts[0].text
    without, least = least_with_copies(module, target, prices, constant)
    copies, kept = copies_in(module, placed, prices, constant), price_of_constants(placed, constant)
    tally["copies"] += len(copies)
    tally["kept"] += kept > 0
    tally["both"] += bool(kept and copies)
    tally["saved"] += least < without
    found = cost_on_target(placed, load(str(target))).ticks + sum(copies) + kept
    if found > without:
        yield f"{found} is the price, {without} without copies"
    if found < least and runs_more_than_twice(module, placed):
        tally["three runs"] += 1
    elif found != least:
        yield f"{found} is the price, {least} is the least, {without} without copies\n{module}\n{placed}"
    again = placed.clone()
    LayoutOptimal(target=str(target)).apply(Context(), again)
    if str(again) != str(placed):
        yield "a second run of the pass changes the program"


def test_random_programs_with_copies(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems_with_copies, COPIED, CHUNK, capsys)
    assert tally["kept"] > len(COPIED) / 10
    assert tally["saved"] > len(COPIED) / 50
