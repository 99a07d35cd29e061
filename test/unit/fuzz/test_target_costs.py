"""The result of `layout-optimal` is the cheapest of all forms on targets with costs, on small programs."""

from collections import Counter
from collections.abc import Iterator

import pytest
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.passes.common.demands.target_cost import TargetCost
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.plans.apply import apply_plan
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.optimal.choice.mode_choice import choose_modes
from npu_opt.passes.optimal.choice.plan import PlanDraft
from npu_opt.passes.optimal.prices import every_order
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import Target, load
from support.campaign import amount, one_by_one
from support.generators.flattened import flattened_program
from support.generators.frustrated import frustrated_program
from support.generators.networks import random_network
from support.generators.priced_targets import priced_target
from support.generators.programs import random_program
from support.generators.random_targets import loaded_target
from support.generators.reshaped import reshaped_program
from support.oracles.every_way import EveryWay
from support.oracles.other_axes import TooMany
from support.oracles.prices import AVOIDED
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = amount(10, 1000)
PROVED = amount(25, 3000)


def program(seed: int) -> ModuleOp:
    size = 2 + seed // 5 % 6
    match seed % 5:
        case 0:
            return frustrated_program(seed, 2 + size)
        case 1:
            module = flattened_program(seed)
        case 2:
            module = reshaped_program(seed)
        case 3:
            module = random_network(seed, size, seed % 2 > 0, "none", functions=0)
        case _:
            module = random_program(seed, size, seed % 2 > 0, "none", functions=0)
    transmit(module)
    return module


def problems_on(module: ModuleOp, target: Target, seed: int, tally: Counter[str]) -> Iterator[str]:
    has_products = any(isinstance(op, LinearOp) for op in module.walk())
    priced, table = priced_target(target, seed, with_matmul=has_products and seed % 2 > 0)
    tally["programs"] += 1
    try:
        every = EveryWay(module, priced)
    except TooMany:
        tally["too many orders"] += 1
        return
    copy = module.clone()
    choice = choose_modes(copy, TargetLayouts(priced), "target", 64, 60)
    apply_plan(PlanDraft(choice).plan(lambda use: ""), Names(copy))
    copy.verify()
    costs = TargetCost(priced)
    realised, impossible = costs.of_program(copy), len(list(costs.impossible(copy)))
    about = f"seed {seed}, target {priced.name}"
    if realised.ticks != choice.solution.cost:
        yield f"{about}: {choice.solution.cost} was said, {realised} it is\n{module}\n{copy}"
    if not choice.is_proved:
        yield f"{about}: not proved: {choice.solution}, complete: {choice.table.modes.is_complete}\n{module}"
    claimed = realised.ticks + AVOIDED * impossible
    try:
        cheaper = every.cheaper_than(claimed, table.price, is_priced=True)
    except TooMany:
        tally["too many choices"] += 1
        return
    tally["tried"] += 1
    tally["not free"] += realised.ticks > 0
    tally["impossible"] += impossible > 0
    tally["not all orders tried"] += not choice.has_every_order
    tally["cheaper in another order"] += cheaper is not None and not choice.has_every_order
    if cheaper is not None and choice.has_every_order:
        yield f"{about}: {claimed} is not the least, {cheaper} is possible\n{module}\n{copy}\n{priced}"


def test_nothing_costs_less_than_least_prices_prove(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """No further orders are tried one by one, so that least prices alone say that none could help."""
    monkeypatch.setattr(every_order, "MOST_ORDERS", 0)
    tally, found = Counter[str](), list[str]()
    for seed in one_by_one(range(PROVED), capsys):
        found += problems_on(program(seed), load(("opu", "plover")[seed % 2]), seed, tally)
    with capsys.disabled():
        print(f"\n{dict(tally)}")
    assert not found, f"{len(found)} problems\n\n" + "\n\n".join(found[:3])
    assert 0 < tally["not all orders tried"] < 0.7 * tally["not free"]


def test_nothing_costs_less(capsys: pytest.CaptureFixture[str]):
    tally, found = Counter[str](), list[str]()
    for seed in one_by_one(range(PROGRAMS), capsys):
        module = program(seed)
        for target in (load("opu"), load("plover"), loaded_target(seed)):
            found += problems_on(module, target, seed, tally)
    with capsys.disabled():
        print(f"\n{dict(tally)}")
    assert not found, f"{len(found)} problems\n\n" + "\n\n".join(found[:3])
    assert tally["not free"] > 0.2 * tally["tried"] > 0.1 * tally["programs"]
