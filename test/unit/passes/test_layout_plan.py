"""A plan is made without changing the program, and applying it inserts the planned conversions."""

from pathlib import Path
from typing import Any

import pytest
from npu_opt.dialects.npu.axes import Relayout, numbers_of
from npu_opt.dialects.npu.relayout import stored_in
from npu_opt.dialects.npu.shape import AnyTransposeOp
from npu_opt.dialects.npu.values import layout_of
from npu_opt.layout import identity, same_storage
from npu_opt.passes.common.moves.transpose_cost import (
    Cost,
    NotCounted,
    cost_of,
    cost_of_program,
    in_all_calls,
    transposes,
)
from npu_opt.passes.common.storages.origins import Origins
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.placement.conversions import plan_of
from npu_opt.passes.placement.layout_pass import StrategyPass, colour
from npu_opt.passes.placement.order_choice import OrderChoice
from support.generators.programs import random_program
from support.ir_text import parse
from xdsl.context import Context

STRATEGIES: dict[str, StrategyPass] = {
    "naive": LayoutPreset(strategy="naive"),
    "greedy": LayoutPresetNpu(strategy="greedy"),
    "regions": LayoutPreset(strategy="regions"),
    "regions-plus": LayoutPreset(strategy="regions-plus"),
    "seed-plus": LayoutPreset(strategy="seed-plus"),
    "record": LayoutPresetNpu(strategy="record"),
}
MORE = {
    "all-regions": LayoutPreset(all_regions=True),
    "plover": LayoutPreset(target="plover"),
    "plover-greedy": LayoutPresetNpu(target="plover"),
    "plover-record": LayoutPresetNpu(strategy="record", target="plover"),
}


def two_branches(input3: str, shape: str) -> str:
    """The example of both preset seeds: one branch through a convolution, one that comes from outside."""
    return f"""
      func.func @main(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>,
                      %input3: tensor<1x8x4x6xf32, #npu.layout<{input3}>>) -> tensor<{shape}xf32> {{
        %conv = npu.conv2d %input1, %kernel
          : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32>
        %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<{shape}xf32>
        %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<{input3}>>) -> tensor<{shape}xf32>
        %add = npu.add %reshape1, %reshape2 : tensor<{shape}xf32>
        func.return %add : tensor<{shape}xf32>
      }}"""


@pytest.mark.parametrize(
    ("input3", "shape", "counts"),
    [
        # Rows that stay rows: seed-plus joins both branches, and moves one input and the output for it.
        pytest.param("NCHW", "1x8x24", (2, 2, 2, 2, 3, 4), id="rows"),
        # A flatten reads other elements in NHWC, so nothing joins.
        pytest.param("NCHW", "1x192", (2, 2, 2, 2, 2, 4), id="flat"),
        # An input of class Tensor is never re-ordered.
        pytest.param("Tensor", "1x8x24", (2, 2, 2, 2, 2, 2), id="tensor"),
    ],
)
def test_two_branches(input3: str, shape: str, counts: tuple[int, ...]):
    found: list[int] = []
    for module_pass in STRATEGIES.values():
        module = parse(two_branches(input3, shape))
        colour(module)
        planned = cost_of_plan(module_pass.choose(module))
        module_pass.apply(Context(), module)
        module.verify()
        assert cost_of_program(module) == planned
        assert planned.bytes == planned.transposes * 768
        found.append(planned.transposes)
    assert tuple(found) == counts


def cost_of_plan(choice: object) -> Cost:
    """The cost of all transposes of a program under a choice, in all calls: inserted ones, and those of the program."""
    assert isinstance(choice, OrderChoice)
    origins = Origins()
    inserted = [each for each in plan_of(choice).conversions if each.is_counted]
    cost = sum((in_all_calls(cost_of(each.source, origins), each.source) for each in inserted), Cost())
    for op, not_counted in transposes(choice.module, origins):
        relayout = choice.relayouts.get(op)
        if relayout is None:
            cost += Cost() if not_counted else in_all_calls(cost_of(op.input, origins), op)
        elif not_counted is not NotCounted.CONSTANT and isinstance(relayout, Relayout) and moves(op, relayout):
            cost += in_all_calls(cost_of(op.input, origins), op)
    return cost


def moves(op: AnyTransposeOp, relayout: Relayout) -> bool:
    """True if a transpose moves data under a relayout."""
    permutation = relayout.properties.get("permutation")
    moved = op.moved() if permutation is None else numbers_of(permutation)
    shape = stored_in(op.input, relayout.operands[0]).get_shape()
    return not same_storage(identity(len(shape)), moved, shape)


@pytest.mark.parametrize("name", [*STRATEGIES, *MORE])
def test_planning_changes_nothing_and_knows_the_cost(name: str):
    module_pass = (STRATEGIES | MORE)[name]
    total = Cost()
    for seed in range(12):
        module = random_program(seed, 25)
        before = str(module)
        planned = cost_of_plan(module_pass.choose(module))
        assert str(module) == before
        module_pass.apply(Context(), module)
        assert cost_of_program(module) == planned, seed
        total += planned
    assert total.transposes > 0


GATHER_TARGET = """\
name = "gatherer"
description = "Demands another order of features that become a tensor"
matmul = "rigid"
[ranks]
feature = 4
weight = 4
tensor = 4
[preferred]
feature = ["NWC", "CHNW"]
weight = ["OWI", "WHIO"]
[demands]
gather = { input = "preferred" }
"""


@pytest.mark.parametrize("strategy", ["greedy", "record"])
def test_demand_is_met_if_the_order_of_a_tensor_follows(strategy: Any, tmp_path: Path):
    (file := tmp_path / "gatherer.toml").write_text(GATHER_TARGET)
    module = parse("""
      func.func @main(%x: tensor<2x3x6x4xf32, #npu.layout<NCHW>>, %i: tensor<i32>) -> tensor<2x3x4xf32> {
        %y = npu.gather %x, %i axis = 2
          : (tensor<2x3x6x4xf32, #npu.layout<NCHW>>, tensor<i32>) -> tensor<2x3x4xf32>
        func.return %y : tensor<2x3x4xf32>
      }""")
    LayoutPresetNpu(strategy=strategy, target=str(file)).apply(Context(), module)
    module.verify()
    (gather,) = [op for op in module.walk() if op.name == "npu.gather"]
    assert str(layout_of(gather.operands[0])) == "CHNW"
    assert str(layout_of(gather.results[0])) == "Tensor, [1, 0, 2]"


def test_names_are_those_of_the_text():
    module = parse("""
      func.func @f(%a: tensor<1x4x3x2xf32>, %0: tensor<4x4x1x1xf32>) -> tensor<1x4x3x2xf32> {
        %1 = npu.relu %a : tensor<1x4x3x2xf32>
        %a_1 = npu.conv2d %1, %0 data_layout = <NCHW> kernel_layout = <OIHW>
          : (tensor<1x4x3x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x3x2xf32>
        %2 = npu.abs %a_1 : tensor<1x4x3x2xf32>
        func.return %2 : tensor<1x4x3x2xf32>
      }
      func.func @g(%a: tensor<4xf32>) { func.return }""")
    names = Names(module)
    printed = str(module)
    for op in module.walk():
        for result in op.results:
            assert f"{names.of(result)} = {op.name}" in printed
    assert len(names.named("%a")) == 2
    assert names.known() == {"%a", "%0", "%1", "%a_1", "%2"}
