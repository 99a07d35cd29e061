"""`layout-preset-npu` on targets that demand little, or that cannot re-order a result."""

from pathlib import Path

import pytest
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from support.ir_text import parse
from xdsl.context import Context

GRADIENT = """
func.func @main(%x: tensor<5x5x1x1xf64, #npu.layout<HWNC>>, %g: tensor<6x6x1x1xf64, #npu.layout<HWNC>>) {
  %y = npu.conv2d_bpw %x, %g dilations = [1, 2] pads = [0, 1, 1, 0]
    : (tensor<5x5x1x1xf64, #npu.layout<HWNC>>, tensor<6x6x1x1xf64, #npu.layout<HWNC>>)
    -> tensor<1x1x1x1xf64, #npu.layout<HIWO>>
  return
}
"""
TARGET = """
name = "chip"
description = "A target with weights of at most {rank} axes"
matmul = "rigid"
[ranks]
weight = {rank}
[preferred]
feature = ["WNC", "HNWC", "NDHWC"]
weight = {weights}
[demands]
{demands}
"""


@pytest.mark.parametrize(
    ("rank", "demands", "read"),
    [
        pytest.param(5, "", "HWNC", id="no demand"),
        pytest.param(3, 'conv2d_bpw = { data = "preferred", grad = "preferred" }', "HNWC", id="a result that stays"),
    ],
)
def test_the_result_of_a_gradient_keeps_its_order(rank: int, demands: str, read: str, tmp_path: Path):
    file = tmp_path / "chip.toml"
    weights = ["WIO", "HWIO", "DHWIO"][: rank - 2]
    file.write_text(TARGET.format(rank=rank, weights=weights, demands=demands))
    module = parse(GRADIENT)
    LayoutPresetNpu(target=str(file)).apply(Context(), module)
    (op,) = (op for op in module.walk() if op.name == "npu.conv2d_bpw")
    assert [str(operand.type).split("<")[-1].rstrip(">") for operand in op.operands] == [read, read]
    assert str(op.results[0].type).endswith("#npu.layout<HIWO>>")


@pytest.mark.parametrize(("channels", "order"), [(4, "NWHC"), (1, "NCHW")])
def test_disagreeing_operands_follow_the_one_of_most_bytes(channels: int, order: str, tmp_path: Path):
    """None of them is in the preferred order."""
    file = tmp_path / "chip.toml"
    file.write_text(TARGET.format(rank=4, weights=["WIO", "HWIO"], demands='relu = { input = "NWHC" }'))
    first, second, both = (f"tensor<1x{count}x2x3xf32, #npu.layout<NCHW>>" for count in (channels, 2, channels + 2))
    module = parse(
        f"""func.func @main(%x: {first}, %z: {second}) {{
          %a = npu.relu %x : {first}
          %y = npu.concat %a, %z axis = 1 : ({first}, {second}) -> {both}
          return
        }}"""
    )
    LayoutPresetNpu(target=str(file)).apply(Context(), module)
    (op,) = (op for op in module.walk() if op.name == "npu.concat")
    assert [str(value.type).split("<")[-1].rstrip(">") for value in (*op.operands, *op.results)] == [order] * 3
