"""Plans can be read and costed without being applied, and applying one costs what was said."""

import pytest
from npu_opt.passes.common.reasons import Names
from npu_opt.passes.common.transpose_cost import Cost, cost_of_program
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.placement.conversions import cost_of_plan
from npu_opt.passes.placement.layout_pass import PlannedPass, colour
from support.generators.programs import random_program
from support.ir_text import parse
from xdsl.context import Context

STRATEGIES: dict[str, PlannedPass] = {
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
        planned = cost_of_plan(module_pass.plan(module))
        module_pass.apply(Context(), module)
        module.verify()
        assert cost_of_program(module) == planned
        assert planned.bytes == planned.transposes * 768
        found.append(planned.transposes)
    assert tuple(found) == counts


def test_plan_is_text_for_people():
    module = parse(two_branches("NCHW", "1x8x24"))
    names = colour(module)
    assert LayoutPreset(strategy="seed-plus").plan(module).text(names) == (
        "layout-preset on target opu\n"
        "  %reshape1 reshape: NHWC -> Tensor, [0, 2, 1]"
        " (shares a region in which %conv conv2d demands NHWC of data on target opu)\n"
        "  %reshape2 reshape: NHWC -> Tensor, [0, 2, 1]"
        " (shares a region in which %conv conv2d demands NHWC of data on target opu)\n"
        "  %add add: Tensor, [0, 2, 1], Tensor, [0, 2, 1] -> Tensor, [0, 2, 1]"
        " (shares a region in which %conv conv2d demands NHWC of data on target opu)\n"
        "  %conv conv2d: NHWC, HWOI -> NHWC"
        " (shares a region in which %conv conv2d demands NHWC of data on target opu)\n"
    )


@pytest.mark.parametrize("name", [*STRATEGIES, *MORE])
def test_planning_changes_nothing_and_knows_the_cost(name: str):
    module_pass = (STRATEGIES | MORE)[name]
    total = Cost()
    for seed in range(12):
        module = random_program(seed, 25)
        before = str(module)
        planned = cost_of_plan(module_pass.plan(module))
        assert str(module) == before
        module_pass.apply(Context(), module)
        assert cost_of_program(module) == planned, seed
        total += planned
    assert total.transposes > 0


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
