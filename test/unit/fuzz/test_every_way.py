"""The result of `layout-optimal` is the cheapest of all forms of a program, on small programs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import pytest
from npu_opt.dialects.npu.axes import MatmulFreedom
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.shape import ViewOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.common.plans.apply import apply_plan
from npu_opt.passes.common.plans.interface_choice import InterfaceChoice, chosen_interface
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.choice.mode_choice import choose_modes
from npu_opt.passes.optimal.choice.plan import PlanDraft
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import LAST, AxisPlace, DemandRule, MatmulRule, Target, load
from support.campaign import LONG, amount, in_chunks, one_by_one
from support.closeness import LAYERS, are_close
from support.generators.attention_programs import attention_program
from support.generators.flattened import flattened_program
from support.generators.frustrated import frustrated_program
from support.generators.networks import random_network
from support.generators.programs import RunTimeBuilder, random_program
from support.generators.random_targets import kernel_target, loaded_target
from support.generators.reshaped import reshaped_program
from support.oracles.every_way import WEIGHTS, EveryWay
from support.oracles.other_axes import TooMany
from support.oracles.running import Recorder, results
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = amount(18, 4500)
PARTS = amount(3, 1)
FLATTENED = amount(20, 1000)
RESHAPED = amount(30, 2000)
FREE = amount(2, 300)
DESCRIBED = amount(5, 1500)
ATTENTION = amount(40, 3000)
CHUNK = 25
TARGETS = [
    replace(load(name), name=f"{name} {word}", matmul=(MatmulRule(freedom),))
    for name in ("opu", "plover")
    for word, freedom in MatmulFreedom.NAMED.items()
]
AXES: Mapping[str, Mapping[str, AxisPlace]] = {
    "npu.softmax": {"axis": LAST},
    "npu.layer_norm": {"axes": LAST},
    "npu.reduce_sum": {"axes": LAST},
    "npu.reduce_mean": {"axes": LAST},
    "npu.batch_norm": {"axis": 1},
    "npu.concat": {"axis": 1},
}


def with_axes(target: Target) -> Target:
    """The target with demands on axes beside its own."""
    rules = {name: target.demands.get(name, (DemandRule(),)) for name in AXES}
    added = {name: tuple(replace(rule, axes=AXES[name]) for rule in each) for name, each in rules.items()}
    return replace(target, name=f"{target.name} with axes", demands={**target.demands, **added})


NORMED = with_axes(load("opu"))


def program(seed: int) -> ModuleOp:
    size = 2 + seed // 3 % 8
    if seed % 3 == 0:
        return frustrated_program(seed, 2 + size)
    make = random_program if seed % 3 == 1 else random_network
    module = make(seed, size, seed % 2 > 0, ("none", "any")[seed % 5 == 0], functions=0)
    transmit(module)
    return module


def targets(module: ModuleOp, seed: int) -> list[Target]:
    """All targets that may make a difference to the program, and often a random one."""
    others = [NORMED] * any(op.name in AXES for op in module.walk())
    if any(op.LETTERED for op in module.walk() if isinstance(op, NpuOp)):
        return [load("opu"), kernel_target(seed)]
    others += [loaded_target(seed)] * (LONG or seed % 4 == 0)
    if any(isinstance(op, LinearOp) for op in module.walk()):
        return [*TARGETS, *others]
    rigid = (MatmulRule(MatmulFreedom.RIGID),)
    return [*(target for target in TARGETS if target.matmul == rigid), *others]


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    return problems_of(program(seed), seed, tally)


def problems_of(module: ModuleOp, seed: int, tally: Counter[str], interface: str = "keep") -> Iterator[str]:
    for target in targets(module, seed):
        try:
            every = EveryWay(module, target) if interface == "keep" else EveryWay(module, target).with_free_ends()
        except TooMany:
            tally["too many orders"] += 1
            continue
        for cost in ("bytes", "count"):
            copy = module.clone()
            chosen = chosen_interface(copy, InterfaceChoice.parse(interface), Names(copy))
            plan = choose_modes(copy, TargetLayouts(target), cost, 64, 60, chosen)
            claimed, about = plan.solution.cost, f"seed {seed}, target {target.name}, cost={cost}, {interface}"
            try:
                cheaper = every.cheaper_than(claimed, WEIGHTS[cost])
            except TooMany:
                tally["too many choices"] += 1
                continue
            tally["tried"] += 1
            tally["not free"] += claimed > 0
            tally["at most 10,000 assignments"] += every.choices() <= 10_000
            if cheaper is not None:
                yield f"{about}: {claimed} is not the least, {cheaper} is possible\n{module}"
            if not plan.is_proved:
                yield f"{about}: not proved: {plan.solution}, complete: {plan.table.modes.is_complete}\n{module}"
            apply_plan(PlanDraft(plan).plan(lambda use: ""), Names(plan.table.module))
            plan.table.module.verify()
            realised = cost_of_program(plan.table.module)
            if (realised.bytes if cost == "bytes" else realised.transposes) != claimed:
                yield f"{about}: {claimed} was said, {realised} it is\n{module}"


def tried(seeds: Iterable[int]) -> tuple[Counter[str], list[str]]:
    tally, found = Counter[str](), list[str]()
    for seed in seeds:
        mine = Counter[str]()
        found += problems(seed, mine)
        tally["programs"] += 1
        tally["programs with at most 10,000 assignments on every target"] += (
            0 < mine["tried"] == mine["at most 10,000 assignments"] and not mine["too many orders"]
        )
        tally += mine
    return tally, found


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_cheaper(part: int, capsys: pytest.CaptureFixture[str]):
    length = PROGRAMS // PARTS
    seeds = range(part * length, (part + 1) * length)
    tally, found = Counter[str](), list[str]()
    for counts, problems in in_chunks(tried, seeds, CHUNK, capsys):
        tally, found = tally + counts, found + problems
    with capsys.disabled():
        print(f"\n{dict(tally)}")
    assert not found, f"{len(found)} problems\n\n" + "\n\n".join(found[:5])
    assert tally["not free"] > 0.2 * tally["tried"]


@pytest.mark.parametrize("part", range(2))
def test_nothing_is_cheaper_where_features_are_flattened(part: int, capsys: pytest.CaptureFixture[str]):
    seeds = range(part * FLATTENED // 2, (part + 1) * FLATTENED // 2)
    tally = compared(flattened_program, one_by_one(seeds, capsys))
    assert tally["not free"] > 0.1 * tally["tried"] > FLATTENED / 20


@pytest.mark.parametrize("part", range(2))
def test_nothing_is_cheaper_where_ops_work_on_reshaped_features(part: int, capsys: pytest.CaptureFixture[str]):
    seeds = range(part * RESHAPED // 2, (part + 1) * RESHAPED // 2)
    tally = compared(reshaped_program, one_by_one(seeds, capsys))
    assert tally["not free"] > 0.2 * tally["tried"] > RESHAPED / 5
    # The forms over other axes matter here.
    assert tally["over other axes"] > len(seeds) / 5


def test_nothing_is_cheaper_with_described_ops(capsys: pytest.CaptureFixture[str]):
    def make(seed: int) -> ModuleOp:
        return (random_network, random_program)[seed % 2](seed, 3 + seed % 7, seed % 3 > 0, "described", functions=0)

    tally = compared(make, one_by_one(range(DESCRIBED), capsys))
    assert tally["tried"] > DESCRIBED


def test_nothing_is_cheaper_with_numbers_of_the_run(capsys: pytest.CaptureFixture[str]):
    def make(seed: int) -> ModuleOp:
        return random_program(seed, 3 + seed % 7, seed % 3 > 0, functions=0, builder=RunTimeBuilder)

    tally = compared(make, one_by_one(range(DESCRIBED), capsys))
    assert tally["tried"] > DESCRIBED


def test_nothing_is_cheaper_around_attention(capsys: pytest.CaptureFixture[str]):
    tally = compared(attention_in_orders, one_by_one(range(ATTENTION), capsys))
    assert tally["not free"] > 0.3 * tally["tried"] > 0.3 * ATTENTION


def attention_in_orders(seed: int) -> ModuleOp:
    """A program as it came, or placed for another target, so that its values are stored in other orders."""
    module = attention_program(seed)
    transmit(module)
    if seed % 2:
        plan = choose_modes(module, TargetLayouts(kernel_target(seed + 1)), "bytes", 64, 60)
        apply_plan(PlanDraft(plan).plan(lambda use: ""), Names(module))
        module = plan.table.module
    return module


@pytest.mark.parametrize("make", [flattened_program, reshaped_program])
def test_nothing_is_cheaper_with_a_free_interface(make: Callable[[int], ModuleOp], capsys: pytest.CaptureFixture[str]):
    tally, found = Counter[str](), list[str]()
    for seed in one_by_one(range(FREE), capsys):
        module = make(seed)
        transmit(module)
        found += problems_of(module, seed, tally, "free")
    assert not found, f"{len(found)} problems\n\n" + "\n\n".join(found[:5])
    assert tally["tried"] > FREE


def compared(make: Callable[[int], ModuleOp], seeds: Iterable[int]) -> Counter[str]:
    """Problems on random programs, for which the pass has to be right, at its goal at once, and the cheapest."""
    tally, found = Counter[str](), list[str]()
    for seed in seeds:
        module = make(seed)
        transmit(module)
        found += problems_of(module, seed, tally)
        placed = module.clone()
        LayoutOptimal().apply(Context(), placed)
        placed.verify()
        tally["over other axes"] += types_of(placed) != types_of(module)
        verdict = compare(module, placed).verdict
        tally["proved"] += verdict is Verdict.PROVED
        tally["compared"] += 1
        # Two axes that are padded alike look the same.
        if verdict is not Verdict.PROVED:
            assert verdict is Verdict.UNDECIDED, f"seed {seed}\n{module}\n{placed}"
            assert equal_numbers(module, placed), f"seed {seed}\n{module}\n{placed}"
        again = placed.clone()
        LayoutOptimal().apply(Context(), again)
        assert str(again) == str(placed), f"seed {seed}\n{module}"
    assert not found, f"{len(found)} problems\n\n" + "\n\n".join(found[:5])
    assert tally["proved"] >= 0.97 * tally["compared"]
    return tally


def equal_numbers(first: ModuleOp, second: ModuleOp) -> bool:
    """True if two programs return the same on random numbers, which are f32 here."""
    left, right = (results(module, 1, Recorder().environment()) for module in (first, second))
    return all(are_close(one, other, LAYERS) for one, other in zip(left, right, strict=True))


def types_of(module: ModuleOp) -> list[list[int]]:
    """For each op that is no view the sizes of its result, the largest first."""
    return [
        sorted(shape_of(op.results[0]), reverse=True)
        for op in module.walk()
        if isinstance(op, NpuOp) and not isinstance(op, ViewOp | ConstantOp) and op.results
    ]
