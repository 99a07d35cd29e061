"""Regions: the figure of the seed with its nine nodes, and graphs that are deep."""

from pathlib import Path

from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.graph.producers import node_of
from npu_opt.passes.placement.regions import Regions
from npu_opt.passes.placement.union_find import UnionFind
from npu_opt.targets import load
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

LONG = 5_000
LONGEST_PATH = 100_000

FEATURE = "tensor<1x8x8x16xf32, #npu.layout<NHWC>>"
WEIGHT = "tensor<16x3x3x8xf32, #npu.layout<OHWI>>"
TENSOR = "tensor<4x5xf32, #npu.layout<Tensor>>"

NINE = f"""
func.func @main(%n1: {FEATURE}, %n3: {FEATURE}, %n4: {WEIGHT}, %n6: {WEIGHT}, %n7: {TENSOR}, %n9: {TENSOR}) {{
  %n2 = npu.add %n1, %n3 : {FEATURE}
  %n5 = npu.add %n4, %n6 : {WEIGHT}
  %n8 = npu.add %n7, %n9 : {TENSOR}
  func.return
}}"""


def regions_of(module: ModuleOp) -> Regions:
    return Regions(module, TargetLayouts(load("opu")))


def values_of(module: ModuleOp) -> dict[int, SSAValue]:
    """The nodes of the figure by their numbers."""
    arguments = (value for op in module.walk() for region in op.regions for value in region.block.args)
    results = (value for op in module.walk() for value in op.results)
    return {int((value.name_hint or "")[1:]): value for value in (*arguments, *results)}


def test_the_nine_nodes_of_the_seed():
    module = parse(NINE)
    regions, values = regions_of(module), values_of(module)
    numbers = {node_of(value): number for number, value in values.items()}
    # step3: in each colour the first and the third node point to the second: three colours, three groups.
    parents = {number: numbers[regions.root(node)] for node, number in numbers.items()}
    assert parents == {1: 2, 2: 2, 3: 2, 4: 5, 5: 5, 6: 5, 7: 8, 8: 8, 9: 8}
    # Groups and members are in program order, arguments first.
    assert [[numbers[node] for node in group] for group in regions.groups()] == [[1, 3, 2], [4, 6, 5], [7, 9, 8]]


def test_the_first_demand_on_a_region_is_its_reason():
    image, kernel = "tensor<1x8x4x6xf32, #npu.layout<NCHW>>", "tensor<8x8x1x1xf32, #npu.layout<OIHW>>"
    module = parse(
        f"""func.func @main(%x: {image}, %k: {kernel}) -> {image} {{
          %a = npu.conv2d %x, %k : ({image}, {kernel}) -> {image}
          %b = npu.conv2d %a, %k : ({image}, {kernel}) -> {image}
          func.return %b : {image}
        }}"""
    )
    regions = regions_of(module)
    first, second = (op for op in module.walk() if op.name == "npu.conv2d")
    assert regions.root(first) is regions.root(second)
    assert {reason.about for reason in regions.demands().values()} == {first}


OTHER_KERNELS = """
name = "chip"
description = "A target whose convolutions demand kernels in another order than the preferred one"
matmul = "rigid"
[preferred]
feature = ["NWC", "NHWC", "NDHWC"]
weight = ["WOI", "HWOI", "DHWOI"]
[demands]
conv2d = { data = "feature", kernel = "OHWI" }
"""


def test_an_op_with_a_demand_for_another_order_is_a_region_of_its_own(tmp_path: Path):
    image, kernel = "tensor<1x8x4x6xf32, #npu.layout<NCHW>>", "tensor<8x8x1x1xf32, #npu.layout<OIHW>>"
    module = parse(
        f"""func.func @main(%x: {image}, %k: {kernel}) -> {image} {{
          %a = npu.conv2d %x, %k : ({image}, {kernel}) -> {image}
          %b = npu.relu %a : {image}
          func.return %b : {image}
        }}"""
    )
    conv, relu = (op for op in module.walk() if op.name in ("npu.conv2d", "npu.relu"))
    file = tmp_path / "chip.toml"
    file.write_text(OTHER_KERNELS)
    other = Regions(module, TargetLayouts(load(str(file))))
    assert other.is_alone(conv)
    assert other.root(conv) is not other.root(relu)
    assert other.demands() == {}
    preferred = regions_of(module)
    assert not preferred.is_alone(conv)
    assert preferred.root(conv) is preferred.root(relu)


def test_joined_regions_are_known_by_the_root_of_the_second():
    module = parse(NINE)
    regions, values = regions_of(module), values_of(module)
    one, other = node_of(values[1]), node_of(values[9])
    regions.join(one, other)
    assert regions.root(one) is regions.root(other) is node_of(values[8])
    assert len(regions.groups()) == 2
    regions.join(other, one)
    assert regions.root(one) is node_of(values[8])


def test_a_long_chain_is_one_region():
    ops = "\n".join(f"%v{number + 1} = npu.relu %v{number} : {TENSOR}" for number in range(LONG))
    module = parse(f"func.func @main(%v0: {TENSOR}) {{ {ops} func.return }}")
    (group,) = regions_of(module).groups()
    assert len(group) == LONG + 1


def test_a_long_path_is_followed_without_recursion():
    """The disjoint sets of regions, united so that every root goes under the next one."""
    sets = UnionFind(range(LONGEST_PATH))
    for item in range(LONGEST_PATH - 1):
        sets.union_nodes(item, item + 1)
    assert sets.find(0) == sets.find(LONGEST_PATH - 1) == LONGEST_PATH - 1
    assert sets.groups() == {LONGEST_PATH - 1: [*range(LONGEST_PATH)]}
