"""Demands of a target on the axes that an op names, and the ops that may work on pieces of their axes."""

from pathlib import Path

import pytest
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.linear import MatmulOp
from npu_opt.layout import Order
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.targets import load
from support.ir_text import parse

CHIP = """
name = "chip"
description = "A target with demands on axes"
matmul = "rigid"
[preferred]
feature = ["NWC", "NHWC", "NDHWC"]
weight = ["WOI", "HWOI", "DHWOI"]
[demands]
layer_norm = { axes = "last" }
softmax = { axis = 2 }
quantize = { axis = 1 }
relu = { input = "NHWC" }
attention = { rows_first = "never" }
"""
PLAIN = "tensor<2x3x4x5xf32, #npu.layout<Tensor>>"
MOVED = "tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>"
IMAGE = "tensor<2x3x4x5xf32, #npu.layout<NHWC>>"


@pytest.fixture
def chip(tmp_path: Path) -> TargetLayouts:
    file = tmp_path / "chip.toml"
    file.write_text(CHIP)
    return TargetLayouts(load(str(file)))


def op(text: str, type_: str = PLAIN) -> NpuOp:
    module = parse(f"func.func @main(%x: {type_}) {{\n%y = npu.{text} : {type_}\nfunc.return\n}}")
    (found,) = (each for each in module.walk() if isinstance(each, NpuOp))
    return found


@pytest.mark.parametrize(
    ("text", "type_", "order"),
    [
        pytest.param("layer_norm %x axes = [3]", PLAIN, None, id="last"),
        pytest.param("layer_norm %x axes = [2, 3]", PLAIN, None, id="the last two"),
        pytest.param("layer_norm %x axes = [3, 2]", PLAIN, None, id="the last two, in another order"),
        pytest.param("layer_norm %x axes = [1]", PLAIN, (0, 2, 3, 1), id="not last"),
        pytest.param("layer_norm %x axes = [3, 1]", PLAIN, (0, 2, 1, 3), id="one of two is not last"),
        pytest.param("layer_norm %x axes = [1]", MOVED, (0, 3, 1, 2), id="not last as stored"),
        pytest.param("softmax %x axis = 2", PLAIN, None, id="at the position"),
        pytest.param("softmax %x axis = 3", PLAIN, (0, 1, 3, 2), id="behind the position"),
        pytest.param("softmax %x axis = 0", PLAIN, (1, 2, 0, 3), id="before the position"),
        pytest.param("relu %x", PLAIN, None, id="no axes"),
    ],
)
def test_axes_in_place(text: str, type_: str, order: Order | None, chip: TargetLayouts):
    found = op(text, type_)
    assert chip.has_axes_in_place(found) is (order is None)
    assert chip.order_with_axes_in_place(found) == order


@pytest.mark.parametrize("flag", ["", "rows_first"])
def test_a_form_that_is_never_written(flag: str, chip: TargetLayouts):
    types = f"({PLAIN}, {PLAIN}, {PLAIN}) -> {PLAIN}"
    module = parse(
        f"func.func @main(%x: {PLAIN}) {{\n%y = npu.attention %x, %x, %x scale = 1.0 {flag} : {types}\nfunc.return\n}}"
    )
    (found,) = (each for each in module.walk() if isinstance(each, NpuOp))
    assert chip.has_axes_in_place(found) is not bool(flag)
    assert chip.order_with_axes_in_place(found) == ((0, 2, 1, 3) if flag else None)
    forms = chip.all_relayouts(found, [None] * 3, [None], None)
    assert [each.operands[0] for each in forms] == [(0, 2, 1, 3) if flag else (0, 1, 2, 3)]


def test_an_op_that_names_no_axis_has_none_out_of_place(chip: TargetLayouts):
    types = f"({PLAIN}, tensor<f32>, tensor<i8>) -> {PLAIN.replace('f32', 'i8')}"
    module = parse(
        f"func.func @main(%x: {PLAIN}, %s: tensor<f32>, %z: tensor<i8>) {{\n"
        f"%y = npu.quantize %x, %s, %z : {types}\nfunc.return\n}}"
    )
    (found,) = (each for each in module.walk() if isinstance(each, NpuOp))
    assert chip.has_axes_in_place(found)
    assert chip.order_with_axes_in_place(found) is None


def test_relayouts_have_the_axes_in_place(chip: TargetLayouts):
    """The position in the new form counts."""
    norm = op("layer_norm %x axes = [1]")
    assert chip.relayout(norm, [(0, 1, 2, 3)], [None]) is None
    assert chip.relayout(norm, [(0, 2, 3, 1)], [None]) is not None
    last = op("layer_norm %x axes = [3]")
    assert chip.relayout(last, [(0, 1, 2, 3)], [None]) is not None
    assert chip.relayout(last, [(0, 2, 3, 1)], [None]) is None


@pytest.mark.parametrize(
    ("text", "type_", "may_be_cut"),
    [
        pytest.param("exp %x", PLAIN, True, id="no demand"),
        pytest.param("relu %x", IMAGE, False, id="a layout"),
        pytest.param("layer_norm %x axes = [3]", PLAIN, True, id="last axes"),
        pytest.param("softmax %x axis = 2", PLAIN, False, id="an axis at a position"),
    ],
)
def test_ops_that_may_work_on_pieces(text: str, type_: str, may_be_cut: bool, chip: TargetLayouts):
    assert chip.may_be_cut(op(text, type_)) is may_be_cut


LHS, RHS, RESULT = (f"tensor<{shape}xf32, #npu.layout<Tensor>>" for shape in ("8x16", "16x4", "8x4"))
PRODUCT = f"""func.func @main(%x: {LHS}, %w: {RHS}) -> {RESULT} {{
  %y = npu.matmul %x, %w : ({LHS}, {RHS}) -> {RESULT}
  func.return %y : {RESULT}
}}"""


@pytest.mark.parametrize("of_products", ["", ', product = [{ when = "lhs is constant", price = 7 }]'])
def test_an_operand_that_is_read_transposed_at_a_price(of_products: str, tmp_path: Path):
    file = tmp_path / "chip.toml"
    matmul = '{ lhs = "transposed", rhs = "transposed", result = "transposed with a constant" }'
    prices = f'[costs]\nunit = "ns"\ntranspose = 1\nmatmul = {{ lhs = 3{of_products} }}\n'
    file.write_text(CHIP.replace('"rigid"', matmul) + prices)
    (product,) = (each for each in parse(PRODUCT).walk() if isinstance(each, MatmulOp))
    found = TargetLayouts(load(str(file))).relayout(product, [(1, 0), (0, 1)], [(0, 1)])
    assert found is not None, "only swaps at a price are left out"
    assert found.operand_permutation is None
