"""Regions of ops that agree on blocks."""

import pytest
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.placement.blocks.regions import Link, RuleRegions, choose_regions
from npu_opt.passes.placement.blocks.table import RuleTable
from npu_opt.targets import load
from support.ir_text import parse_verified

DATA = "tensor<1x32x4x4xf32, #npu.layout<NCHW>>"
KERNEL = "tensor<32x32x1x1xf32, #npu.layout<OIHW>>"


def chain(length: int) -> RuleTable:
    """Convolutions, each with an activation and a sum behind it."""
    lines, last = [f"%w = npu.constant dense<0.5> : {KERNEL}"], "%x"
    for place in range(length):
        lines += [
            f"%c{place} = npu.conv2d {last}, %w : ({DATA}, {KERNEL}) -> {DATA}",
            f"%r{place} = npu.relu %c{place} : {DATA}",
            f"%s{place} = npu.add %r{place}, %c{place} : {DATA}",
        ]
        last = f"%s{place}"
    body = "\n".join([*lines, f"func.return {last} : {DATA}"])
    module = parse_verified(f"func.func @main(%x: {DATA}) -> {DATA} {{\n{body}\n}}")
    return RuleTable(module, TargetLayouts(load("daven")))


def test_a_chain_is_one_region_in_blocks():
    table = chain(3)
    regions = RuleRegions(table, joins_tensors=False)
    sizes = [len(states[0]) for states in regions.states.values()]
    assert max(sizes) == 9
    chosen = choose_regions(table, everywhere=False)
    assert table.is_possible(table.cost(chosen))
    # The data is packed in front of the first convolution, and unpacked behind the last sum.
    assert table.cost(chosen) == 2 * 32 * 4 * 4 * 4


def test_a_join_looks_at_the_links_of_the_smaller_region(monkeypatch: pytest.MonkeyPatch):
    looked = 0
    whole = RuleRegions._regions_at  # pyright: ignore[reportPrivateUsage]

    def counting(self: RuleRegions, link: Link) -> tuple[int, int]:
        nonlocal looked
        looked += 1
        return whole(self, link)

    monkeypatch.setattr(RuleRegions, "_regions_at", counting)
    found: list[int] = []
    for length in (10, 20):
        table, looked = chain(length), 0
        RuleRegions(table, joins_tensors=False)
        found.append(looked)
    assert found[1] < 3 * found[0]
