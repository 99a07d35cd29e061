"""Numbers that are quantised to ui8, and to i8 by a zero point that is 128 less, as LiteRT's kernels compute them."""

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from support.ir_text import parse_verified
from support.oracles.running import main_of
from xdsl.dialects.builtin import ModuleOp


def program(zero: int, kind: str, scale: str = "0.5", given: str = "0.5") -> ModuleOp:
    """The sum of two quantised values, which is quantised again, as numbers."""
    return parse_verified(f"""func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {{
      %s = npu.constant dense<{scale}> : tensor<f32>
      %g = npu.constant dense<{given}> : tensor<f32>
      %z = npu.constant dense<{zero}> : tensor<{kind}>
      %a = npu.quantize %x, %g, %z : (tensor<64xf32>, tensor<f32>, tensor<{kind}>) -> tensor<64x{kind}>
      %b = npu.quantize %y, %g, %z : (tensor<64xf32>, tensor<f32>, tensor<{kind}>) -> tensor<64x{kind}>
      %c = npu.dequantize %a, %g, %z : (tensor<64x{kind}>, tensor<f32>, tensor<{kind}>) -> tensor<64xf32>
      %d = npu.dequantize %b, %g, %z : (tensor<64x{kind}>, tensor<f32>, tensor<{kind}>) -> tensor<64xf32>
      %e = npu.add %c, %d : tensor<64xf32>
      %q = npu.quantize %e, %s, %z : (tensor<64xf32>, tensor<f32>, tensor<{kind}>) -> tensor<64x{kind}>
      %r = npu.dequantize %q, %s, %z : (tensor<64x{kind}>, tensor<f32>, tensor<{kind}>) -> tensor<64xf32>
      func.return %r : tensor<64xf32>
    }}""")


def verdict(first: ModuleOp, second: ModuleOp) -> Verdict:
    """The verdict, which is the same in the other order; proved programs compute the same, saturated or not."""
    found, other = compare(first, second), compare(second, first)
    assert found.verdict is other.verdict
    if found.verdict is Verdict.PROVED:
        assert found.rounds_once
        inputs = [100 * each for each in random_inputs(main_of(first), 0)]
        one, two = (run(module, inputs=inputs)[0] for module in (first, second))
        np.testing.assert_array_equal(one, two)
    return found.verdict


@pytest.mark.parametrize("zero", [0, 5, 128, 255])
def test_the_same_numbers_in_both_types(zero: int):
    assert verdict(program(zero, "ui8"), program(zero - 128, "i8")) is Verdict.PROVED


@pytest.mark.parametrize(
    "second",
    [
        pytest.param((-122, "i8"), id="another zero point"),
        pytest.param((5, "i8"), id="the same integer as the zero point"),
        pytest.param((-123, "i8", "0.25"), id="another scale of the result"),
        pytest.param((-123, "i8", "0.5", "0.25"), id="another scale of the inputs"),
    ],
)
def test_other_numbers_are_not_proved(second: tuple[int, str, str]):
    assert verdict(program(5, "ui8"), program(*second)) is Verdict.UNDECIDED


def test_integers_of_both_types_are_not_equal():
    """A result in ui8 is 128 more than one in i8, and wraps when it is cast."""
    given = "func.func @main(%x: tensor<4xf32>) -> tensor<4xi32> {\n%s = npu.constant dense<0.5> : tensor<f32>\n"
    first, second = (
        parse_verified(f"""{given}
          %z = npu.constant dense<{zero}> : tensor<{kind}>
          %q = npu.quantize %x, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<{kind}>) -> tensor<4x{kind}>
          %r = npu.cast %q : (tensor<4x{kind}>) -> tensor<4xi32>
          func.return %r : tensor<4xi32>
        }}""")
        for zero, kind in ((128, "ui8"), (0, "i8"))
    )
    assert verdict(first, second) is Verdict.UNDECIDED


@pytest.mark.parametrize(("zero", "proved"), [(-123, Verdict.PROVED), (-122, Verdict.UNDECIDED)])
@pytest.mark.parametrize("op", ["npu.quant_avg_pool", "npu.quant_global_avg_pool"])
def test_means(op: str, zero: int, proved: Verdict):
    """The mean in ui8, and in i8 between conversions."""
    size = 1 if op.endswith("global_avg_pool") else 3
    window = "" if size == 1 else "window = [2, 2]"
    head = f"""func.func @main(%x: tensor<1x4x4x3xui8>) -> tensor<1x{size}x{size}x3xui8> {{
      %s = npu.constant dense<0.1> : tensor<f32>
      %z = npu.constant dense<5> : tensor<ui8>
      %v = npu.constant dense<{zero}> : tensor<i8>"""
    types = "tensor<f32>, tensor<KIND>"

    def mean(given: str, kind: str, point: str) -> str:
        operands = f"(tensor<1x4x4x3xKIND>, {types}, {types}) -> tensor<1x{size}x{size}x3xKIND>"
        return f"{op} {given}, %s, {point}, %s, {point} {window} data_layout = <NHWC> : {operands}".replace(
            "KIND", kind
        )

    result = f"tensor<1x{size}x{size}x3x"
    first = parse_verified(f"{head}\n%y = {mean('%x', 'ui8', '%z')}\nfunc.return %y : {result}ui8>\n}}")
    second = parse_verified(f"""{head}
      %f = npu.dequantize %x, %s, %z : (tensor<1x4x4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4x4x3xf32>
      %q = npu.quantize %f, %s, %v : (tensor<1x4x4x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x3xi8>
      %m = {mean("%q", "i8", "%v")}
      %d = npu.dequantize %m, %s, %v : ({result}i8>, tensor<f32>, tensor<i8>) -> {result}f32>
      %y = npu.quantize %d, %s, %z : ({result}f32>, tensor<f32>, tensor<ui8>) -> {result}ui8>
      func.return %y : {result}ui8>
    }}""")
    assert compare(first, second).verdict is proved
