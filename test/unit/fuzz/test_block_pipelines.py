"""`layout-optimal` behind other layout passes, on targets with blocks, for programs of floats, bytes and booleans.

Each pass runs without an error, and each program is proved to compute the same as the one before. That the written
program costs what the choice costs is checked by the pass.
"""

from collections.abc import Sequence
from random import Random

import pytest
from npu_opt.equivalence.compare import Verdict, compare_each
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.placement.layout_pass import LayoutPass
from npu_opt.targets import CostUnit, load
from support.campaign import amount
from support.generators.typed_blocks import typed_block_program
from support.ir_text import parse_verified
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

TARGETS = ("daven", "brick", "ort-nchwc", "ort-nchwc8")
PROGRAMS = amount(12, 3000)


def costs(target: str) -> tuple[CostUnit, ...]:
    return ("target", "bytes", "count", "traffic") if load(target).stages else ("target", "bytes", "count")


def first_passes(target: str) -> list[LayoutPass]:
    return [
        LayoutPreset(target=target),
        LayoutPreset(strategy="regions", target=target),
        LayoutPreset(strategy="regions", all_regions=True, target=target),
        LayoutPreset(strategy="seed-plus", target=target),
        LayoutPreset(strategy="naive", target=target),
        LayoutPresetNpu(target=target),
        LayoutPresetNpu(strategy="record", target=target),
        LayoutOptimal(target=target),
        LayoutOptimal(target=target, cost="bytes"),
    ]


def assert_same_behind(passes: Sequence[LayoutPass], module: ModuleOp, case: str) -> None:
    for each in passes:
        before = module.clone()
        try:
            each.apply(Context(), module)
            module.verify()
        except Exception as error:
            raise AssertionError(f"{case} {each}\n{before}") from error
        if each.interface == "keep":
            answers = compare_each(before, module)
            assert all(answer.verdict is Verdict.PROVED for answer in answers), f"{case} {each}\n{before}\n{module}"


@pytest.mark.parametrize("target", TARGETS)
def test_passes_follow_each_other(target: str):
    for seed in range(PROGRAMS):
        rng = Random(f"{target} {seed}")
        last = LayoutOptimal(target=target, cost=rng.choice(costs(target)), interface=rng.choice(("keep", "free")))
        passes = [*rng.sample(first_passes(target), rng.randint(0, 1)), last]
        assert_same_behind(passes, typed_block_program(seed), f"seed {seed}")


BOOLEANS = """
func.func @main(%x: tensor<3x2x3x6xf32, #npu.layout<NCHW>>, %c: tensor<1x1x1x6xf32, #npu.layout<NCHW>>)
    -> tensor<3x2x3x6xi1, #npu.layout<NCHW>> {
  %k = npu.constant dense<0.5> : tensor<2x2x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %k : (tensor<3x2x3x6xf32, #npu.layout<NCHW>>, tensor<2x2x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<3x2x3x6xf32, #npu.layout<NCHW>>
  %z = npu.less %y, %c : (tensor<3x2x3x6xf32, #npu.layout<NCHW>>, tensor<1x1x1x6xf32, #npu.layout<NCHW>>)
    -> tensor<3x2x3x6xi1, #npu.layout<NCHW>>
  return %z : tensor<3x2x3x6xi1, #npu.layout<NCHW>>
}
"""
"""108 booleans are 14 bytes, the last one of them half empty; with 14 more channels they are 108 bytes, not 112."""
ONE_CHANNEL = """
func.func @main(%x: tensor<1x1x4x2xf32, #npu.layout<NCHW>>) -> tensor<1x1x2x2xf32, #npu.layout<NCHW>> {
  %k = npu.constant dense<-0.25> : tensor<1x1x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %k strides = [2, 1]
    : (tensor<1x1x4x2xf32, #npu.layout<NCHW>>, tensor<1x1x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<1x1x2x2xf32, #npu.layout<NCHW>>
  return %y : tensor<1x1x2x2xf32, #npu.layout<NCHW>>
}
"""
"""The preset stores the result in blocks, which `layout-optimal` re-orders in front of the unpack."""
TRANSPOSED = """
func.func @main(%x: tensor<1x4xHxWxf32, #npu.layout<NCHW>>) -> (tensor<1x4xHxWxf32, #npu.layout<NCHW>>,
    tensor<1x4xHxWxf32, #npu.layout<NCHW>>, tensor<1x24xWxHxf32, #npu.layout<NCHW>>) {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %k : (tensor<1x4xHxWxf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<1x4xHxWxf32, #npu.layout<NCHW>>
  %b = npu.greater %y, %x : (tensor<1x4xHxWxf32, #npu.layout<NCHW>>, tensor<1x4xHxWxf32, #npu.layout<NCHW>>)
    -> tensor<1x4xHxWxi1, #npu.layout<NCHW>>
  %s = npu.select %b, %y, %x : (tensor<1x4xHxWxi1, #npu.layout<NCHW>>, tensor<1x4xHxWxf32, #npu.layout<NCHW>>,
    tensor<1x4xHxWxf32, #npu.layout<NCHW>>) -> tensor<1x4xHxWxf32, #npu.layout<NCHW>>
  %t = npu.transpose %y permutation = [0, 1, 3, 2]
    : (tensor<1x4xHxWxf32, #npu.layout<NCHW>>) -> tensor<1x4xWxHxf32, #npu.layout<NCHW>>
  %p = npu.max_pool %y window = [1, 1] : tensor<1x4xHxWxf32, #npu.layout<NCHW>>
  %l = npu.constant dense<1.0> : tensor<24x4x1x1xf32, #npu.layout<OIHW>>
  %z = npu.conv2d %t, %l : (tensor<1x4xWxHxf32, #npu.layout<NCHW>>, tensor<24x4x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<1x24xWxHxf32, #npu.layout<NCHW>>
  return %s, %p, %z : tensor<1x4xHxWxf32, #npu.layout<NCHW>>, tensor<1x4xHxWxf32, #npu.layout<NCHW>>,
    tensor<1x24xWxHxf32, #npu.layout<NCHW>>
}
"""
"""In blocks, the rows of the one convolution are the columns of the other."""
WHOLE_BLOCKS = """
func.func @main(%x: tensor<2x8x6x2xf32, #npu.layout<NCHW>>) -> (tensor<2x8x6x2xf32, #npu.layout<NCHW>>,
    tensor<2x8x2x6xf32, #npu.layout<NCHW>>, tensor<2x1x2x6xf32, #npu.layout<NCHW>>) {
  %v = npu.relu %x : tensor<2x8x6x2xf32, #npu.layout<NCHW>>
  %r = npu.tanh %v : tensor<2x8x6x2xf32, #npu.layout<NCHW>>
  %t = npu.transpose %v permutation = [0, 1, 3, 2]
    : (tensor<2x8x6x2xf32, #npu.layout<NCHW>>) -> tensor<2x8x2x6xf32, #npu.layout<NCHW>>
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %t, %k : (tensor<2x8x2x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<2x8x2x6xf32, #npu.layout<NCHW>>
  %l = npu.constant dense<1.0> : tensor<1x8x1x1xf32, #npu.layout<OIHW>>
  %z = npu.conv2d %t, %l : (tensor<2x8x2x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<2x1x2x6xf32, #npu.layout<NCHW>>
  return %r, %y, %z : tensor<2x8x6x2xf32, #npu.layout<NCHW>>, tensor<2x8x2x6xf32, #npu.layout<NCHW>>,
    tensor<2x1x2x6xf32, #npu.layout<NCHW>>
}
"""
"""A view in blocks of a value without any is read in another order."""
GATE = """
func.func @main(%x: tensor<1x480x1x1xf32>) -> tensor<1x480x1x1xf32> {
  %k = npu.constant dense<0.5> : tensor<20x480x1x1xf32>
  %l = npu.constant dense<0.5> : tensor<480x20x1x1xf32>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x480x1x1xf32>, tensor<20x480x1x1xf32>) -> tensor<1x20x1x1xf32>
  %s = npu.sigmoid %c : tensor<1x20x1x1xf32>
  %m = npu.mul %c, %s : tensor<1x20x1x1xf32>
  %d = npu.conv2d %m, %l data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x20x1x1xf32>, tensor<480x20x1x1xf32>) -> tensor<1x480x1x1xf32>
  return %d : tensor<1x480x1x1xf32>
}
"""
"""Two blocks of one pixel lie side by side, so that moving the elements of a block in front of them is a transpose."""
PROGRAM_TEXTS = {
    "booleans": BOOLEANS,
    "gate": GATE,
    "one channel": ONE_CHANNEL,
    "rows of one element": TRANSPOSED.replace("xHx", "x1x").replace("xWx", "x2x"),
    "columns of one element": TRANSPOSED.replace("xHx", "x2x").replace("xWx", "x1x"),
    "as many rows as columns": TRANSPOSED.replace("xHx", "x2x").replace("xWx", "x2x"),
    "whole blocks": WHOLE_BLOCKS,
}


@pytest.mark.parametrize("name", PROGRAM_TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_rows_and_columns_in_blocks(name: str, target: str):
    for number, first in enumerate([None, *first_passes(target)]):
        last = LayoutOptimal(target=target, cost=costs(target)[number % 2])
        passes = [last] if first is None else [first, last]
        assert_same_behind(passes, parse_verified(PROGRAM_TEXTS[name]), name)
