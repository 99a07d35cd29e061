"""The benchmark of groups reads vendors' groups, and compares them with those of `fuse-ops-hw`."""

from pathlib import Path

import groups_vendors
import pytest
from groups_compare import STRATEGIES, Comparison, compared
from groups_page import lane_of, tables
from groups_reports import VendorGroups, read_layer_groups, read_passes
from groups_vendors import EthosU
from models.catalogue import NETWORKS
from npu_opt.text.parser import NpuParser
from npu_opt.tools.driver.formats.program import new_context
from vendor_rows import Row
from xdsl.dialects.builtin import ModuleOp

FINAL = """\
#loc = loc(unknown)
#loc1 = loc("image")
module @net {
  func.func @subfunc_0(%arg0: tensor<1x3x8x8xf32> loc("image")) -> tensor<1x4xf32> {
    %0 = "top.None"() : () -> none loc(#loc)
    %1 = "top.Weight"() {path = "w"} : () -> tensor<4x3xf16> loc(#loc2)
    %2 = "tpu.Cast"(%arg0) : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf16> loc(#loc3)
    %3 = "tpu.Group"(%2) ({
      %7 = "tpu.Load"(%2) : (tensor<1x3x8x8xf16>) -> tensor<1x3x8x8xf16> loc(#loc4)
      %8 = "tpu.Conv2D"(%7, %1) : (tensor<1x3x8x8xf16>, tensor<4x3xf16>) -> tensor<1x4x8x8xf16> loc(#loc5)
      %9:2 = "tpu.Split"(%8) : (tensor<1x4x8x8xf16>) -> (tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>) loc(#loc8)
      %10 = "tpu.Store"(%9#0) : (tensor<1x2x8x8xf16>) -> tensor<1x2x8x8xf16> loc(#loc6)
      "tpu.Yield"(%10) : (tensor<1x2x8x8xf16>) -> () loc(#loc6)
    }) {flow = array<i64: -1, 0>, nsecs = 1 : i64} : (tensor<1x3x8x8xf16>) -> tensor<1x2x8x8xf16> loc(#loc6)
    %4 = "tpu.Permute"(%3) : (tensor<1x2x8x8xf16>) -> tensor<1x8x8x2xf16> loc(#loc9)
    %5 = "tpu.Relu"(%4) : (tensor<1x8x8x2xf16>) -> tensor<1x8x8x2xf16> loc(#loc10)
    return %5 : tensor<1x8x8x2xf16> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("w")
#loc3 = loc("image_f16")
#loc4 = loc("load_image")
#loc5 = loc("conv_Relu")
#loc6 = loc("left_Split")
#loc7 = loc("right_Split")
#loc8 = loc(fused[#loc6, #loc7])
#loc9 = loc("turned_Transpose")
#loc10 = loc("end_Relu")
"""
PASSES = """\
High level NPU operations:
0 Conv2D , subOps:[  Relu ], size=3,3 stride=2,2
  IFM: image, [1, 8, 8, 3], format: 1, Dram:FeatureMap, address: 0x0
  OFM: conv, [1, 4, 8, 32], format: 2, Sram:Staging, address: 0x26d20
  Weights: w, 4 ranges, buffering: Single, Sram:Staging, address: 0x1aa0
1 Conv2D , subOps:[  - ], size=1,1 stride=1,1
  IFM: conv, [1, 8, 8, 32], format: 2, Sram:Staging, address: 0x0
  OFM: joined, [1, 8, 8, 64], format: 2, Sram:Staging, address: 0x4
2 MaxPool , subOps:[  - ], size=1,1 stride=1,1
  IFM: conv, [1, 8, 8, 32], format: 2, Sram:Staging, address: 0x0
  OFM: joined, [1, 8, 8, 64], format: 2, Dram:FeatureMap, address: 0x4
High level command stream:
0 Conv2D OFM area [0, 0, 0, 0 - 1, 6, 112, 32], IFM [0, 0, 0, 0 - 1, 12, 224, 3], IFM2 [ - ]
Original Operator    NNG Operator         Target      Staging Usage  Peak% (Staging)     Op Cycles  Name
Conv2D               Conv2D               NPU                    10            0.50            12  100.00 conv
SplitV               Passthrough          CPU                     0            0.00             0  100.00 parts_0
"""
PROGRAM = """
func.func @main(%image: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>) {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv = npu.conv2d %image, %k data_layout = <NHWC> kernel_layout = <OIHW>
      : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %other = npu.conv2d %relu, %k data_layout = <NHWC> kernel_layout = <OIHW>
      : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %sum = npu.add %other, %relu : tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}
"""
SIZE = 4 * 4 * 4 * 4
"""The bytes of each value."""


def test_layer_groups_are_read_from_the_final_mlir():
    found = read_layer_groups(FINAL)
    groups = found.group_of
    assert set(groups) == {"image_f16", "conv_Relu", "left_Split", "right_Split", "turned_Transpose", "end_Relu"}
    assert groups["conv_Relu"] == groups["left_Split"] == groups["right_Split"]
    # All others run on global memory, each by itself.
    assert len(set(groups.values())) == 4
    assert not found.on_chip


def test_passes_are_read_from_the_output_of_vela():
    found = read_passes(PASSES)
    assert len(set(found.group_of.values())) == 3
    assert set(found.group_of) == {"conv", "joined", "parts_0"}
    # A part of the other one is in DRAM.
    assert found.on_chip == ["conv"]


def module() -> ModuleOp:
    return NpuParser(new_context(), PROGRAM).parse_module()


@pytest.mark.parametrize(
    ("vendor", "both", "vendor_only", "ours_only", "travels"),
    [
        # One group of all: the image is read, and the sum written.
        (VendorGroups({"relu": 1, "other": 1, "sum": 1}), 2, 2, 0, 2),
        # The convolution has no name of its own, so it runs with the relu. That is written once, and read twice.
        (VendorGroups({"relu": 1, "other": 2, "sum": 3}), 1, 0, 1, 2 + 3 + 2),
        # The sum reads the relu from memory, and the other value on the chip.
        (VendorGroups({"relu": 1, "other": 2, "sum": 3}, ["other"]), 2, 0, 0, 2 + 3),
        (VendorGroups({"relu": 1, "other": 2, "sum": 3}, ["relu"]), 1, 2, 1, 2 + 2),
    ],
)
def test_pairs_and_bytes_are_compared(vendor: VendorGroups, both: int, vendor_only: int, ours_only: int, travels: int):
    found = compared(module(), "opu", "greedy", vendor, 0.5)
    # opu runs a convolution and the relu behind it, and another one with the sum.
    assert (found.ops, found.known, found.pairs) == (4, 4, 4)
    assert (found.both, found.vendor_only, found.ours_only) == (both, vendor_only, ours_only)
    assert found.agreement == 1 - (vendor_only + ours_only) / 4
    assert found.vendor_bytes == travels * SIZE / 2
    # The relu is written, and read once for both ops of the second group.
    assert found.our_bytes == 4 * SIZE / 2
    assert found.apart_bytes == (4 + 5) * SIZE / 2


def test_the_reasons_of_pairs_are_counted():
    found = compared(module(), "opu", "greedy", VendorGroups({"relu": 1, "other": 1, "sum": 1}), 1)
    first, _ = found.vendor_pairs
    assert first == "relu > conv2d: conv2d runs on ipa, not reachable from compare"
    found = compared(module(), "opu", "greedy", VendorGroups({"relu": 1, "other": 2, "sum": 3}), 1)
    assert found.our_pairs == {"conv2d > add": 1}


def test_values_without_a_name_are_unknown():
    found = compared(module(), "opu", "greedy", VendorGroups(), 1)
    assert (found.known, found.both, found.vendor_only, found.ours_only) == (0, 0, 0, 2)
    assert found.vendor_bytes == found.apart_bytes


def test_a_network_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    compiled: list[str] = []

    class Known(groups_vendors.Sophgo):
        def _compiled(self, network: object, file: Path) -> VendorGroups | str:
            compiled.append(file.name)
            return VendorGroups({"relu": 1}) if len(compiled) == 1 else "refused"

    vendor = Known(tmp_path, tmp_path, 1)
    first, second = NETWORKS[:2]
    for _ in range(2):
        assert vendor.groups(first) == (tmp_path / vendor.chip / f"{first.name}.onnx", VendorGroups({"relu": 1}))
        assert vendor.groups(second) == "refused"
    assert compiled == [f"{first.name}.onnx", f"{second.name}.onnx"]


def row(model: str, ours: int, *lanes: str) -> Row[Comparison]:
    found = Comparison(
        9, 9, 10, 5, 2, 1, 9 << 20, 2 << 20, ours << 20, {f"relu > add: {ours} bytes": 2}, {"add > relu": 1}
    )
    return Row(model, dict.fromkeys(lanes, found))


def test_the_page_has_the_figures_and_what_is_refused():
    lanes = [lane_of(EthosU.chip, strategy) for strategy in STRATEGIES]
    refused = Row[Comparison]("other", dict.fromkeys(lanes, "Vela fails: a | b"))
    text = tables([row("first", 1, *lanes), row("second", 2, *lanes), row("half", 1, lanes[0]), refused])[
        "groups ethos-u85"
    ]
    assert "2 networks have 20 pairs, of which the vendor keeps 70 % on the chip" in text
    assert (
        "the same of 70 % of them by the default and of 70 % of them with `strategy=cover`, and has fewer bytes on 1"
        in text
    )
    assert "| first | 10 | 70 % | 70 % (2; 1) | **1.00** | 70 % (2; 1) | **1.00** | 2.00 | 9.00 |" in text
    assert "| second | 10 | 70 % | 70 % (2; 1) | 2.00 | 70 % (2; 1) | 2.00 | 2.00 | 9.00 |" in text
    assert "| 4 | relu > add: N bytes |" in text
    assert "| 2 | add > relu |" in text
    assert "| other | `Vela fails: a / b` |" in text
    assert "| half |" not in text
