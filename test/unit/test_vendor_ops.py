"""The table [ops] of a target, and programs with described ops."""

from pathlib import Path

import pytest
from npu_opt import check, optimize
from npu_opt.dialects.npu.fusion import FusionKind
from npu_opt.targets import DescribedOp, Likeness, TargetError, load
from npu_opt.targets.vendor_ops import CHANNELS
from support.source_tree import ROOT

CHIP = ROOT / "test" / "passes" / "Inputs" / "vendor.toml"
PROGRAM = """
func.func @main(%x: tensor<1x4x8x8xf32>, %k: tensor<4x4x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  %s = npu.opaque "vendor.swish"(%a) : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %b = npu.conv2d %s, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x6x6xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %b : tensor<1x4x4x4xf32>
}
"""


def test_described_ops():
    assert load(CHIP).vendor_ops["vendor.swish"] == DescribedOp(
        "vendor.swish", Likeness.ELEMENTWISE, "vendor.toml:20", is_pure=True, fusion=FusionKind.ELEMENTWISE
    )
    assert load(CHIP).vendor_ops["vendor.resize"].channels_last
    assert load("opu").vendor_ops == {}
    assert CHANNELS == ("first", "last")


HEADER, KIND = '[ops."vendor.swish"]', 'like = "elementwise"'
FUSION, DEMAND = 'fusion = "elementwise"', '"vendor.resize" = { operand0 = "NHWC", result0 = "NHWC" }'
NO_NAME = "is not the name of an op of another system, such as 'vendor.swish'"
LIKE_OPAQUE = "is like an opaque op, which keeps its orders: nothing can be demanded of it"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (HEADER, '[ops."swish"]', f"19: 'swish' {NO_NAME}"),
        (HEADER, "[ops.vendor.swish]", f"19: 'vendor' {NO_NAME}: write [ops.\"vendor.swish\"] with quotes"),
        (
            HEADER,
            '[ops."npu.relu"]',
            "19: 'npu.relu' is an op of the dialect: only ops of other systems are described",
        ),
        (
            KIND,
            'like = "elementwize"',
            "20: 'like' must be 'elementwise', 'data in any order, result the same', 'pool' or 'opaque', "
            "found 'elementwize'",
        ),
        (f"{KIND}\n", "", "19: 'like' is missing in 'ops.vendor.swish': it must be a text"),
        ("pure = true", "pur = true", "21: unknown key 'pur'; did you mean 'pure'?"),
        ("pure = true", "pure = 1", "21: 'pure' must be true or false, found a number"),
        (
            FUSION,
            'fusion = "slow"',
            "22: 'fusion' must be 'elementwise', 'broadcast', 'injective', 'reduction', 'out-fusable' or 'opaque', "
            "found 'slow'",
        ),
        (FUSION, 'channels = "last"', "22: 'channels' is for 'pool': no other op has axes with letters"),
        ('channels = "last"', 'channels = "middle"', "34: 'channels' must be 'first' or 'last', found 'middle'"),
        (
            DEMAND,
            '"vendor.resize" = { oprand0 = "NHWC" }',
            "17: 'vendor.resize' has no operand or result 'oprand0'; did you mean 'operand0'?",
        ),
        (DEMAND, '"vendor.table" = { operand0 = "NHWC" }', f"17: 'vendor.table' {LIKE_OPAQUE}"),
        (
            'runs = ["vendor.swish"]',
            'runs = ["vendor.swash"]',
            "48: 'vendor.swash' is described nowhere: add [ops.\"vendor.swash\"]; did you mean 'vendor.swish'?",
        ),
    ],
)
def test_refusals(old: str, new: str, message: str, tmp_path: Path):
    file = tmp_path / "vendor.toml"
    text = CHIP.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(TargetError) as error:
        load(file)
    assert str(error.value) == f"{file}:{message}"


def test_an_undescribed_op_costs_two_transposes_and_a_described_one_none(tmp_path: Path):
    file = tmp_path / "program.mlir"
    file.write_text(PROGRAM)
    unknown, known = optimize(file, target="opu"), optimize(file, target=CHIP)
    assert unknown.transposes - known.transposes == 2
    assert known.proved
    assert not check(file, known)
    verdict = check(file, known, target=CHIP)
    assert verdict.proved
    assert verdict.notes == ('note: believed, not proved: "vendor.swish" is elementwise (vendor.toml:20)',)
