"""Ops that others define, and sums of products to which zeros are added."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.text.parser import NpuParser
from npu_opt.tools.driver.formats.program import new_context
from xdsl.dialects.builtin import ModuleOp

T, B = "tensor<2x4xf32>", "tensor<2x4xi1>"


def _program(body: str, result: str) -> ModuleOp:
    text = f"func.func @main(%x: {T}, %w: tensor<4x4xf32>) -> {result} {{\n{body}\nfunc.return %y : {result}\n}}"
    return NpuParser(new_context(), text, "test.mlir").parse_module()


def _verdict(first: str, second: str, result: str = T, *, by_formulas: bool = False) -> Verdict:
    return compare(_program(first, result), _program(second, result), by_formulas=by_formulas).verdict


EQUAL, NOT = f"%e = npu.equal %x, %x : ({T}, {T}) -> {B}", f"%y = npu.not %e : {B}"
ROOT, OVER = f"%r = npu.sqrt %x : {T}", f"%y = npu.reciprocal %r : {T}"
GEMM = f"%y = npu.gemm %x, %w, %b : ({T}, tensor<4x4xf32>, tensor<4xf32>) -> {T}"
MATMUL = f"%m = npu.matmul %x, %w : ({T}, tensor<4x4xf32>) -> {T}"
PLUS = f"%y = npu.add %m, %a : ({T}, tensor<1x4xf32>) -> {T}"
BIAS = "%b = npu.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>"
ROW = BIAS.replace("%b", "%a").replace("[1.0", "[[1.0").replace("4.0]", "4.0]]").replace("<4xf32", "<1x4xf32")


def test_ops_are_what_defines_them() -> None:
    assert _verdict(f"%y = npu.not_equal %x, %x : ({T}, {T}) -> {B}", f"{EQUAL}\n{NOT}", B) is Verdict.PROVED
    assert _verdict(f"%y = npu.rsqrt %x : {T}", f"{ROOT}\n{OVER}") is Verdict.PROVED
    assert _verdict(f"{BIAS}\n{GEMM}", f"{ROW}\n{MATMUL}\n{PLUS}") is Verdict.PROVED


def test_and_nothing_else() -> None:
    other = EQUAL.replace("npu.equal", "npu.less")
    assert _verdict(f"%y = npu.not_equal %x, %x : ({T}, {T}) -> {B}", f"{other}\n{NOT}", B) is not Verdict.PROVED
    assert _verdict(f"%y = npu.rsqrt %x : {T}", f"{OVER.replace('%r', '%x')}") is not Verdict.PROVED
    assert _verdict(f"{BIAS}\n{GEMM}", f"{ROW.replace('3.0', '3.5')}\n{MATMUL}\n{PLUS}") is not Verdict.PROVED
    transposed = MATMUL.replace("%w :", "%w trans_b :")
    assert _verdict(f"{BIAS}\n{GEMM}", f"{ROW}\n{transposed}\n{PLUS}") is not Verdict.PROVED


@pytest.mark.parametrize("element", ["f32", "f16"])
def test_a_pool_of_all_pixels_is_a_reduction(element: str) -> None:
    def program(body: str) -> ModuleOp:
        x, y = (f"tensor<2x{sizes}x3x{element}>" for sizes in ("4x5", "1x1"))
        text = f"func.func @main(%x: {x}) -> {y} {{\n{body} : ({x}) -> {y}\nfunc.return %y : {y}\n}}"
        return NpuParser(new_context(), text, "test.mlir").parse_module()

    for pool, reduction in (("avg", "mean"), ("max", "max")):
        whole = program(f"%y = npu.global_{pool}_pool %x data_layout = <NHWC>")
        assert compare(whole, program(f"%y = npu.reduce_{reduction} %x axes = [1, 2] keep")).verdict is Verdict.PROVED
        for other in ("min", "sum"):
            reduced = program(f"%y = npu.reduce_{other} %x axes = [1, 2] keep")
            assert compare(whole, reduced).verdict is Verdict.UNDECIDED


def _quantised(body: str) -> ModuleOp:
    arguments = "%x: tensor<2x3xi8>, %w: tensor<3x4xui8>, %s: tensor<f32>, %z: tensor<i8>, %u: tensor<ui8>"
    text = f"func.func @main({arguments}) -> tensor<2x4xi8> {{\n{body}\nfunc.return %y : tensor<2x4xi8>\n}}"
    return NpuParser(new_context(), text, "test.mlir").parse_module()


def test_the_last_step_of_a_quantised_op_has_its_attributes() -> None:
    types = "tensor<2x3xi8>, tensor<3x4xui8>"
    sums = f"%m = npu.matmul_integer %x, %w, %z, %u : ({types}, tensor<i8>, tensor<ui8>) -> tensor<2x4xi32>"
    scales = "tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>"
    product = f"%y = npu.quant_matmul %x, %w, %s, %z, %s, %u, %s, %z NOTE : ({types}, {scales}) -> tensor<2x4xi8>"
    last = "%y = npu.requantize %m, %s, %s, %s, %z NOTE : (tensor<2x4xi32>"
    last += ", tensor<f32>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<2x4xi8>"
    for note, other, verdict in (
        ("", "", Verdict.PROVED),
        ("{a = 1 : i64}", "{a = 1 : i64}", Verdict.PROVED),
        ("{a = 1 : i64}", "{a = 2 : i64}", Verdict.UNDECIDED),
        ("{a = 1 : i64}", "", Verdict.UNDECIDED),
    ):
        programs = _quantised(product.replace("NOTE", note)), _quantised(f"{sums}\n{last.replace('NOTE', other)}")
        assert compare(*programs).verdict is verdict, (note, other)


@pytest.mark.parametrize("zero", ["0.0", "-0.0"])
def test_zeros_add_nothing_to_a_sum_of_products(zero: str) -> None:
    zeros = f"%b = npu.constant dense<{zero}> : tensor<4xf32>"
    alone = MATMUL.replace("%m", "%y")
    assert _verdict(f"{zeros}\n{GEMM}", alone, by_formulas=True) is Verdict.PROVED
    assert _verdict(f"{zeros}\n{GEMM}", alone) is Verdict.UNDECIDED
    assert _verdict(f"{BIAS}\n{GEMM}", alone, by_formulas=True) is Verdict.UNDECIDED


def test_a_zero_may_change_the_sign_of_other_values() -> None:
    zeros = "%a = npu.constant dense<0.0> : tensor<1x4xf32>"
    relu = f"%m = npu.neg %x : {T}"
    assert _verdict(f"{zeros}\n{relu}\n{PLUS}", relu.replace("%m", "%y"), by_formulas=True) is Verdict.UNDECIDED
