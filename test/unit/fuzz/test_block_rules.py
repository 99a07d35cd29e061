"""The strategies of `layout-preset` and `layout-preset-npu` on targets that demand blocks of channels."""

from collections import Counter
from pathlib import Path

import pytest
from npu_opt.dialects.settings.assumed_sizes import ASSUMED_SIZE
from npu_opt.equivalence.compare import Verdict, compare_each
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.common.demands.target_cost import cost_of_conversions
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.moves.transpose_cost import Cost
from npu_opt.passes.common.plans.interface_choice import FIXED_INTERFACE
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.optimal.choice.mode_choice import choose_modes
from npu_opt.passes.placement.layout_pass import LayoutPass, StrategyPass
from support.campaign import amount
from support.closeness import Room, assert_close
from support.generators.block_programs import TARGETS, block_program, block_target, preferring_target
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.transforms.canonicalize import CanonicalizePass

ROOM = Room("sums of up to a thousand products of f32 in another order", 1e-4, 1e-5)

PROGRAMS = amount(4, 300)
PREFERRING = amount(2, 100)


def strategies(target: str) -> dict[str, StrategyPass]:
    return {
        "regions-plus": LayoutPreset(target=target),
        "regions": LayoutPreset(strategy="regions", target=target),
        "seed-plus": LayoutPreset(strategy="seed-plus", target=target),
        "all-regions": LayoutPreset(strategy="regions", all_regions=True, target=target),
        "naive": LayoutPreset(strategy="naive", target=target),
        "greedy": LayoutPresetNpu(target=target),
        "record": LayoutPresetNpu(strategy="record", target=target),
    }


def main_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp))


@pytest.mark.parametrize("name", TARGETS)
def test_strategies_place_blocks_that_compute_the_same(name: str, tmp_path: Path):
    target, total = block_target(name, tmp_path), Counter[str]()
    canonical: dict[str, int] = {}
    layouts = TargetLayouts(target)
    for seed in range(7, 7 + PROGRAMS):
        before = block_program(seed).module()
        inputs = random_inputs(main_of(before), seed)
        expected = run(before, inputs=inputs)
        fewest = choose_modes(before.clone(), layouts, "bytes", ASSUMED_SIZE, 60, FIXED_INTERFACE).cost.bytes
        for strategy, each in strategies(str(tmp_path / f"{name}.toml")).items():
            module = before.clone()
            found = placed(each, module)
            case = f"seed {seed} {each}\n{before}\n{module}"
            assert found.bytes >= fewest, case
            assert [each.verdict for each in compare_each(before, module)] == [Verdict.PROVED] * 2, case
            for one, other in zip(expected, run(module, inputs=inputs), strict=True):
                assert_close(one, other, ROOM, case)
            text = str(module)
            assert placed(each, module) == found, f"{case}\n{module}"
            assert str(module) == text, case
            total[strategy] += found.bytes
            CanonicalizePass().apply(Context(), module)
            canonical[strategy] = cost_of_conversions(module).bytes
        assert canonical["regions-plus"] <= canonical["naive"], f"seed {seed}\n{before}"
        total["fewest"] += fewest
    print(dict(total))
    assert total["fewest"] <= total["regions-plus"] <= total["regions"] <= total["naive"]


@pytest.mark.parametrize("seed", [128, 130, 204, 226, 236])
def test_regions_plus_takes_the_ops_apart_where_regions_move_more(seed: int, tmp_path: Path):
    """Programs in which each region in one form moves more bytes than its ops without blocks."""
    block_target("first", tmp_path)
    target, before = str(tmp_path / "first.toml"), block_program(seed).module()
    joined, plus, apart = (
        placed(each, before.clone()).bytes
        for each in (
            LayoutPreset(strategy="regions", target=target),
            LayoutPreset(target=target),
            LayoutPreset(strategy="naive", target=target),
        )
    )
    assert plus < joined
    assert plus <= apart


def test_preferred_blocks_are_placed_as_demanded_ones(tmp_path: Path):
    preferring_target(tmp_path)
    for seed in range(PREFERRING):
        program = block_program(seed)
        for demanding, preferring in zip(*map(all_passes, ("daven", str(tmp_path / "daven.toml"))), strict=True):
            one, other = program.module(), program.module()
            placed(demanding, one)
            placed(preferring, other)
            assert str(one) == str(other), f"seed {seed} {demanding}\n{one}\n{other}"


def all_passes(target: str) -> list[LayoutPass]:
    optimal = [LayoutOptimal(target=target), LayoutOptimal(target=target, cost="traffic")]
    return [*optimal, *strategies(target).values()]


def placed(layout_pass: LayoutPass, module: ModuleOp) -> Cost:
    """The cost of a program behind a pass."""
    layout_pass.apply(Context(), module)
    module.verify()
    return cost_of_conversions(module)
