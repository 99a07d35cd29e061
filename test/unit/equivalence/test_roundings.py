"""Arithmetic that changes nothing but the rounding of a value, in proofs of real numbers."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp


def program(body: str, result: str = "2x3xf32") -> ModuleOp:
    """The rows of a function of %x and %v, with the numbers %c and %d, which returns %y."""
    return parse(f"""func.func @main(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<{result}> {{
      %c = npu.constant dense<0.3> : tensor<f32>
      %d = npu.constant dense<0.7> : tensor<f32>
      %z = npu.constant dense<5> : tensor<i8>
      {body}
      func.return %y : tensor<{result}>
    }}""")


def binary(result: str, op: str, lhs: str, rhs: str) -> str:
    types = ", ".join("tensor<f32>" if each in ("%c", "%d", "%v") else "tensor<2x3xf32>" for each in (lhs, rhs))
    return f"{result} = npu.{op} {lhs}, {rhs} : ({types}) -> tensor<2x3xf32>"


def verdict(one: ModuleOp, other: ModuleOp, by_formulas: bool = True) -> Verdict:
    return compare(one, other, by_formulas=by_formulas).verdict


TWICE = binary("%y", "add", "%x", "%x")


@pytest.mark.parametrize("lhs_first", [True, False])
def test_a_number_that_is_added_and_subtracted_again_leaves_the_value(lhs_first: bool):
    operands = ("%x", "%c") if lhs_first else ("%c", "%x")
    body = [binary("%a", "add", *operands), binary("%b", "sub", "%a", "%c"), binary("%y", "add", "%b", "%b")]
    rounded = program("\n".join(body))
    assert verdict(program(TWICE), rounded) is Verdict.PROVED
    assert verdict(program(TWICE), rounded, by_formulas=False) is Verdict.UNDECIDED, "the bits differ"


@pytest.mark.parametrize(("added", "subtracted"), [("%c", "%d"), ("%v", "%c"), ("%c", "%v")])
def test_another_number_does_not(added: str, subtracted: str):
    body = [binary("%a", "add", "%x", added), binary("%b", "sub", "%a", subtracted), binary("%y", "add", "%b", "%b")]
    assert verdict(program(TWICE), program("\n".join(body))) is Verdict.UNDECIDED


def test_the_summand_is_not_the_difference_of_the_number_and_the_sum():
    body = [binary("%a", "add", "%x", "%c"), binary("%b", "sub", "%c", "%a"), binary("%y", "add", "%b", "%b")]
    assert verdict(program(TWICE), program("\n".join(body))) is Verdict.UNDECIDED


def quantised(x: str, scale: str = "%c") -> str:
    return f"%y = npu.quantize {x}, {scale}, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>"


def nearest(divisor: str, factor: str) -> str:
    rows = [
        binary("%a", "div", "%x", divisor),
        "%b = npu.round %a : tensor<2x3xf32>",
        binary("%m", "mul", "%b", factor),
    ]
    return "\n".join(rows)


PLAIN = program(quantised("%x"), "2x3xi8")


def test_the_nearest_multiple_is_quantised_as_the_value():
    rounded = program(nearest("%c", "%c") + quantised("%m"), "2x3xi8")
    assert verdict(PLAIN, rounded) is Verdict.PROVED
    assert verdict(PLAIN, rounded, by_formulas=False) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("divisor", "factor", "scale"), [("%d", "%c", "%c"), ("%c", "%d", "%c"), ("%d", "%d", "%c"), ("%v", "%v", "%c")]
)
def test_a_multiple_of_another_number_is_not(divisor: str, factor: str, scale: str):
    rounded = program(nearest(divisor, factor) + quantised("%m", scale), "2x3xi8")
    assert verdict(PLAIN, rounded) is Verdict.UNDECIDED


def test_a_transposed_sum_is_another_value():
    turn = "npu.transpose %{} permutation = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>"

    def square(middle: str, name: str) -> ModuleOp:
        return parse(f"""func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {{
          %c = npu.constant dense<0.3> : tensor<f32>
          %a = npu.add %x, %c : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
          {middle}
          %b = npu.sub %{name}, %c : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
          %y = npu.add %b, %b : tensor<3x3xf32>
          func.return %y : tensor<3x3xf32>
        }}""")

    assert verdict(square("", "a"), square(f"%t = {turn.format('a')}", "t")) is not Verdict.PROVED
