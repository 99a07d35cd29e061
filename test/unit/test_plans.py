"""Plans: names that last, round trips, and what a changed model makes of them."""

import re
from pathlib import Path

import npu_opt
import pytest
from npu_opt import NpuOptError
from npu_opt.passes.pins.structure import structural_names
from npu_opt.passes.pins.value_index import ValueIndex
from support.ir_text import parse
from support.source_tree import ROOT

EXAMPLE = ROOT / "examples" / "two_branches.mlir"

ATTENTION = """
func.func @main(%x: tensor<1x4x8x8xf32>, %k: tensor<4x4x1x1xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %b = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %c = npu.relu %a : tensor<1x4x8x8xf32>
  %d = npu.tanh %b : tensor<1x4x8x8xf32>
  return %c, %d : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>
}
"""
OTHER_EXPORT = """
func.func @main(%0: tensor<1x4x8x8xf32>, %1: tensor<4x4x1x1xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) {
  %2 = npu.conv2d %0, %1 data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %c = npu.tanh %2 : tensor<1x4x8x8xf32>
  %4 = npu.conv2d %0, %1 data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %5 = npu.relu %4 : tensor<1x4x8x8xf32>
  return %5, %c : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>
}
"""
"""The program in another order, with other names, and with the name %c for another value."""


def test_structural_names_do_not_depend_on_names_and_order():
    first, second = (structural_names(parse(text)) for text in (ATTENTION, OTHER_EXPORT))
    named = {value.name_hint: name for value, name in first.items()}
    assert sorted(first.values()) == sorted(second.values())
    # The convolutions are alike but for what reads them.
    assert len(set(first.values())) == 6
    assert named["a"] != named["b"]


def test_the_next_export_has_the_same_pins(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "first.mlir").write_text(ATTENTION)
    (tmp_path / "second.mlir").write_text(OTHER_EXPORT)
    plan = tmp_path / "plan.toml"
    npu_opt.optimize(tmp_path / "first.mlir").save_plan(plan)
    plan.write_text(plan.read_text().replace('"%c" = "NCHW" ', '"%c" = "NWHC" '))
    first = npu_opt.optimize(tmp_path / "first.mlir", plan=plan)
    capsys.readouterr()
    second = npu_opt.optimize(tmp_path / "second.mlir", plan=plan)
    assert "note: '%c' is %4 in this program" in capsys.readouterr().err
    assert str(first) == str(second)
    assert [(pin.layout, pin.text) for pin in first.pins] == [(pin.layout, pin.text) for pin in second.pins]
    assert re.search("npu.relu %[0-9]+ : tensor<1x8x8x4xf32, #npu.layout<NWHC>>", str(second.module))
    assert str(first) == "4 transposes, 4096 bytes: proved minimum under 1 pin"


def test_a_plan_in_which_all_is_pinned_changes_nothing(tmp_path: Path):
    plan = tmp_path / "plan.toml"
    best = npu_opt.optimize(EXAMPLE)
    best.save_plan(plan)
    text = plan.read_text()
    plan.write_text(text.replace("[pins]\n\n[layouts]", "[pins]"))
    pinned = npu_opt.optimize(EXAMPLE, plan=plan)
    assert str(pinned.module) == str(best.module)
    assert [pin.text for pin in pinned.pins] == ["costs nothing"] * 4
    assert str(pinned) == "2 transposes, 1536 bytes: proved minimum under 4 pins"
    pinned.save_plan(plan)
    assert re.findall('^"%conv" = "NHWC"  # (.*)', plan.read_text(), re.MULTILINE) == ["costs nothing"]


def test_a_model_has_names_of_its_own(tmp_path: Path):
    model = ROOT / "benchmarks" / "models" / "squeezenet.onnx"
    index = ValueIndex(npu_opt.load(model).module)
    plan = tmp_path / "plan.toml"
    result = npu_opt.optimize(model)
    result.save_plan(plan)
    pin = next(line for line in plan.read_text().splitlines() if "relu" in line.lower() and '"NHWC"' in line)
    name = pin.partition('" = ')[0].removeprefix('"')
    assert index.name(index.find(name)) == name
    plan.write_text(f"[pins]\n{pin}\n")
    assert npu_opt.optimize(model, plan=plan).pins[0].text == "costs nothing"


@pytest.mark.parametrize(
    ("pin", "message"),
    [
        ("%0 = 'NHWC'", r"p\.toml:2:1: error: not TOML: Invalid statement"),
        ('"@other:%conv" = "NHWC"', r"p\.toml:2:1: error: the program has no value '@other:%conv'"),
        ('"" = "NHWC"', r"p\.toml:2:1: error: the program has no value ''"),
    ],
)
def test_pins_that_are_wrong(pin: str, message: str, tmp_path: Path):
    (tmp_path / "p.toml").write_text(f"[pins]\n{pin}\n")
    with pytest.raises(NpuOptError, match=message):
        npu_opt.optimize(EXAMPLE, plan=tmp_path / "p.toml")


def test_a_plan_needs_layout_optimal(tmp_path: Path):
    with pytest.raises(NpuOptError, match="expected the result of layout-optimal"):
        npu_opt.optimize(EXAMPLE, strategy="naive").save_plan(tmp_path / "plan.toml")
    (tmp_path / "plan.toml").write_text("[pins]\n")
    with pytest.raises(NpuOptError, match="no pass in the pipeline obeys pins"):
        npu_opt.optimize(EXAMPLE, strategy="naive", plan=tmp_path / "plan.toml")
