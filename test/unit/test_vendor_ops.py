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
        (KIND, "like = {}", "20: 'operand0' must be 'data': the results have its shape and its order"),
        (KIND, 'like = { operand0 = "dat" }', "20: 'operand0' must be 'data' or 'as it is', found 'dat'"),
        (KIND, 'like = { oprand0 = "data" }', "20: unknown operand 'oprand0'; did you mean 'operand0'?"),
        (KIND, 'like = { operand0 = "data", result0 = "data" }', "20: unknown operand 'result0'"),
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
        (FUSION, 'channels = "last"', "22: 'channels' is for 'pool': no other op has named axes"),
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


ARGUMENTS = "%x: tensor<1x4x6x5xf32>, %p: tensor<2x3xf32>"
SWISH = '%y = npu.vendor_elementwise "vendor.swish"(%x) pure : (tensor<1x4x6x5xf32>) -> tensor<1x4x6x5xf32>'
DITHER = (
    '%y = npu.vendor_any_order "vendor.dither"(%x, %p) : (tensor<1x4x6x5xf32>, tensor<2x3xf32>) -> tensor<1x4x6x5xf32>'
)
BLEND = (
    '%y = npu.vendor_any_order "vendor.blend"(%x, %x) data = [0, 1] pure'
    " : (tensor<1x4x6x5xf32>, tensor<1x4x6x5xf32>) -> tensor<1x4x6x5xf32>"
)
POOL = (
    '%y = npu.vendor_pool "vendor.pool"(%x) written_in = <NCHW> data_layout = <NCHW> pure'
    " : (tensor<1x4x6x5xf32>) -> tensor<1x4x3x3xf32>"
)


def transposed(op: str) -> str:
    """An op on the first argument between two transposes, which cancel out."""
    there = "%t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x5xf32>) -> tensor<1x6x5x4xf32>\n"
    small = op.replace("%y =", "%u =").replace("%x", "%t").replace("1x4x6x5", "1x6x5x4").replace("1x4x3x3", "1x3x3x4")
    shape, other = ("1x4x3x3", "1x3x3x4") if "1x4x3x3" in op else ("1x4x6x5", "1x6x5x4")
    back = f"\n%y = npu.transpose %u permutation = [0, 3, 1, 2] : (tensor<{other}xf32>) -> tensor<{shape}xf32>"
    return there + small + back


def flattened(op: str) -> str:
    """An op on the first argument between two reshapes, which cancel out."""
    there = "%t = npu.reshape %x : (tensor<1x4x6x5xf32>) -> tensor<4x30xf32>\n"
    small = op.replace("%y =", "%u =").replace("%x", "%t").replace("1x4x6x5", "4x30")
    return there + small + "\n%y = npu.reshape %u : (tensor<4x30xf32>) -> tensor<1x4x6x5xf32>"


def verdict(first: str, second: str, tmp_path: Path) -> str:
    files = [tmp_path / "first.mlir", tmp_path / "second.mlir"]
    for file, body in zip(files, (first, second), strict=True):
        shape = body.rpartition("-> ")[2]
        file.write_text(f"func.func @main({ARGUMENTS}) -> {shape} {{\n{body}\nreturn %y : {shape}\n}}\n")
    return check(*files).word


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        (SWISH, transposed(SWISH), "proved"),
        (SWISH, flattened(SWISH), "proved"),
        (DITHER, transposed(DITHER), "proved"),
        (DITHER, flattened(DITHER), "undecided"),
        (POOL, transposed(POOL).replace("data_layout = <NCHW>", "data_layout = <NHWC>"), "proved"),
        (POOL, POOL.replace("data_layout = <NCHW>", "data_layout = <NCWH>"), "undecided"),
        (POOL, POOL.replace("written_in = <NCHW>", "written_in = <NHWC>"), "undecided"),
        (SWISH, SWISH.replace("pure", "pure {beta = 1 : i64}"), "undecided"),
        (SWISH, SWISH.replace("vendor.swish", "vendor.other"), "undecided"),
        (BLEND, transposed(BLEND), "proved"),
        (BLEND, transposed(BLEND).replace(" data = [0, 1]", ""), "undecided"),
        (BLEND, flattened(BLEND), "undecided"),
        (SWISH, SWISH.replace("pure ", ""), "undecided"),
        (SWISH, SWISH.replace("pure", 'pure fusion = "opaque"'), "proved"),
        (SWISH, SWISH.replace("vendor_elementwise", "vendor_any_order"), "undecided"),
        (SWISH, f"{SWISH.replace('%y', '%z')}\n{SWISH}", "proved"),
        (DITHER, f"{DITHER.replace('%y', '%z')}\n{DITHER}", "different"),
    ],
)
def test_proofs_rely_on_the_statement_alone(first: str, second: str, word: str, tmp_path: Path):
    assert verdict(first, second, tmp_path) == word


def test_runs_with_effects_are_told_apart(tmp_path: Path):
    """Two runs of an op with effects may compute different results."""
    twice = f"{DITHER.replace('%y', '%a')}\n{DITHER.replace('%y', '%b')}\n"
    subtract = "%y = npu.sub %{}, %{} : (tensor<1x4x6x5xf32>, tensor<1x4x6x5xf32>) -> tensor<1x4x6x5xf32>"
    assert verdict(twice + subtract.format("a", "b"), twice + subtract.format("b", "b"), tmp_path) == "undecided"
