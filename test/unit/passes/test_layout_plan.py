"""A plan is made without changing the program, and applying it inserts the planned conversions."""

import pytest
from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.passes.common.reasons import Names
from npu_opt.passes.common.transpose_cost import cost_of_program
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.placement.conversions import plan_of
from npu_opt.passes.placement.layout_pass import StrategyPass, colour
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
    """The example of both preset papers: one branch through a convolution, one that comes from outside."""
    return f"""
      func.func @main(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>,
                      %input3: tensor<1x8x4x6xf32, #npu.layout<{input3}>>) -> tensor<{shape}xf32> {{
        %conv = npu.conv2d %input1, %kernel
          : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32>
        %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<{shape}xf32>
        %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<{input3}>>) -> tensor<{shape}xf32>
        %add = npu.add %reshape1, %reshape2 : (tensor<{shape}xf32>, tensor<{shape}xf32>) -> tensor<{shape}xf32>
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
        planned = plan_of(module_pass.choose(module))
        module_pass.apply(Context(), module)
        module.verify()
        cost = cost_of_program(module)
        assert cost.transposes == sum(conversion.is_counted for conversion in planned.conversions)
        assert cost.bytes == cost.transposes * 768
        found.append(cost.transposes)
    assert tuple(found) == counts


@pytest.mark.parametrize("name", [*STRATEGIES, *MORE])
def test_planning_changes_nothing(name: str):
    module_pass = (STRATEGIES | MORE)[name]
    moved = 0
    for seed in range(12):
        module = random_program(seed, 25)
        before = str(module)
        planned = plan_of(module_pass.choose(module))
        assert str(module) == before
        moved += sum(conversion.is_counted for conversion in planned.conversions)
        transposes = sum(isinstance(op, TransposeOp) for op in module.walk())
        module_pass.apply(Context(), module)
        inserted = [conversion for conversion in planned.conversions if conversion.moves]
        assert sum(isinstance(op, TransposeOp) for op in module.walk()) >= transposes + len(inserted), seed
    assert moved > 0


def test_names_are_those_of_the_text():
    module = parse("""
      func.func @f(%a: tensor<1x4x3x2xf32>, %0: tensor<4x4x1x1xf32>) -> tensor<1x4x3x2xf32> {
        %1 = npu.relu %a : (tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
        %a_1 = npu.conv2d %1, %0 data_layout = <NCHW> kernel_layout = <OIHW>
          : (tensor<1x4x3x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x3x2xf32>
        %2 = npu.abs %a_1 : (tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
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
