"""Groups of programs in blocks: they compute the same, and the figures of the best groups are those of the program."""

from collections import Counter
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest
from npu_opt.dialects.settings.assumed_sizes import ASSUMED_SIZE
from npu_opt.equivalence.compare import Verdict, compare_each
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.moves.conversion_ops import counted_conversions
from npu_opt.passes.common.plans.apply import apply_plan
from npu_opt.passes.common.plans.interface_choice import FIXED_INTERFACE
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.cover.module import covered
from npu_opt.passes.fuse_ops import FuseOps
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.fusion.functions.absorbed import absorbed_transposes
from npu_opt.passes.optimal.choice.mode_choice import ModeTable, choose_modes
from npu_opt.passes.optimal.choice.plan import PlanDraft
from npu_opt.passes.optimal.traffic.choice import choose_by_traffic
from npu_opt.passes.optimal.traffic.placed_copy import value_of
from npu_opt.passes.optimal.traffic.problem import TrafficProblem
from npu_opt.targets import Target, load
from support.campaign import amount
from support.generators.block_programs import TARGETS, block_program, block_target
from support.oracles.every_block_traffic import fewest_travelling
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

PROGRAMS = amount(5, 500)
TRAVELLING = amount(4, 300)
MOST_CHOICES = amount(40, 2000)
WRITTEN = amount(3, 500)
MOST_WAYS = amount(40, 400)
STAGES = """
[data-flow]
root = "load"
edges = ["load > mac > sum > act > out"]

[stages.load]
absorbs = "packs or keeps the last axis"
price = "0.25 x bytes + 8"

[stages.mac]
runs = ["conv2d with constant", "avg_pool"]
uses = 1

[stages.sum]
runs = ["add", "concat"]

[stages.act]
runs = ["relu", "sigmoid"]

[stages.out]
runs = ["unpack", "transpose"]
uses = 1
"""


def placed(seed: int, folder: Path, name: str) -> ModuleOp:
    module = block_program(seed).module()
    target = block_target(name, folder, STAGES)
    choice = choose_modes(module, TargetLayouts(target), "bytes", ASSUMED_SIZE, 60, FIXED_INTERFACE)
    apply_plan(PlanDraft(choice).plan(lambda use: ""), Names(module))
    return module


@pytest.mark.parametrize("name", TARGETS)
def test_groups_compute_the_same(name: str, tmp_path: Path):
    tally, path = Counter[str](), str(tmp_path / f"{name}.toml")
    for seed in range(PROGRAMS):
        before = placed(seed, tmp_path, name)
        best = covered(before, load(path), ASSUMED_SIZE)
        for fuse in (FuseOps(), FuseOpsHw(target=path), FuseOpsHw(target=path, strategy="cover", single=True)):
            module, case = before.clone(), f"seed {seed}, {fuse}\n{before}"
            fuse.apply(Context(), module)
            module.verify()
            assert [each.verdict for each in compare_each(before, module)] == [Verdict.PROVED] * 2, case
            main = next(op for op in before.ops if isinstance(op, FuncOp))
            inputs = random_inputs(main, seed)
            for one, other in zip(run(before, inputs=inputs), run(module, inputs=inputs), strict=True):
                np.testing.assert_array_equal(one, other, err_msg=case)
        assert best.least <= best.bytes, case
        # The last one has the best groups. Packs of constants are not counted.
        found = absorbed_transposes(module).intersection(counted_conversions(module))
        assert len(best.absorbed) == len(found), f"{case}\n{module}"
        tally["absorbed"] += len(best.absorbed)
    print(dict(tally))
    assert tally["absorbed"] >= 0.5 * PROGRAMS


def least_travelling(module: ModuleOp, target: Target) -> int | None:
    """The bytes that travel in the best of all choices of modes, each written out; None if they are too many."""
    problem = TrafficProblem(ModeTable.of(module, TargetLayouts(target), "traffic", ASSUMED_SIZE))
    if prod(map(len, problem.modes)) > MOST_CHOICES:
        return None
    choices = (dict(enumerate(numbers)) for numbers in product(*(range(len(modes)) for modes in problem.modes)))
    possible = (each for each in choices if None not in (problem.least(*term, each) for term in problem.converted))
    return min(value_of(problem.choice([*choice.values()]), {}).bytes for choice in possible)


@pytest.mark.parametrize("name", TARGETS)
def test_no_choice_moves_less(name: str, tmp_path: Path):
    tally = Counter[str]()
    target = block_target(name, tmp_path, STAGES)
    for seed in range(TRAVELLING):
        before, module = block_program(seed).module(), block_program(seed).module()
        choice = choose_by_traffic(module, TargetLayouts(target), ASSUMED_SIZE, 60, FIXED_INTERFACE)
        said, bound = choice.solution.cost, choice.solution.bound
        apply_plan(PlanDraft(choice).plan(lambda use: ""), Names(module))
        case = f"seed {seed}, {said}, at least {bound}\n{before}\n{module}"
        assert [each.verdict for each in compare_each(before, module)] == [Verdict.PROVED] * 2, case
        assert covered(module, target, ASSUMED_SIZE).bytes == said, case
        assert said <= covered(placed(seed, tmp_path, name), target, ASSUMED_SIZE).bytes, case
        least = least_travelling(before, target)
        assert least is None or bound <= least <= said, f"{least}, {case}"
        assert least is None or least == said or said > bound, f"{least}, {case}"
        tally["proved"] += said == bound
        tally["tried"] += least is not None
        tally["minimum"] += least == said
    print(dict(tally))
    assert tally["minimum"] >= 0.2 * TRAVELLING


@pytest.mark.parametrize(("name", "stages"), [("daven", ""), ("brick", ""), *((name, STAGES) for name in TARGETS)])
def test_no_way_to_store_values_travels_less(name: str, stages: str, tmp_path: Path):
    """The ways are worked out and written without the code of the pass."""
    tally = Counter[str]()
    target = block_target(name, tmp_path, stages)
    for seed in range(WRITTEN):
        program = block_program(seed)
        least = fewest_travelling(program, target, MOST_WAYS)
        if least is None:
            continue
        choice = choose_by_traffic(program.module(), TargetLayouts(target), ASSUMED_SIZE, 60, FIXED_INTERFACE)
        said, bound = choice.solution.cost, choice.solution.bound
        case = f"seed {seed}, {said}, at least {bound}, possible {least}\n{program.text()}"
        assert bound <= least or not choice.has_every_order, case
        tally["tried"] += 1
        tally["proved"] += said == bound and choice.has_every_order
        tally["minimum"] += said <= least
    print(dict(tally))
    assert tally["minimum"] >= 0.9 * tally["tried"] > 0
