"""Factors behind convolutions and products are parts of the weights, if they depend on the output alone."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp

PROVED, UNDECIDED = Verdict.PROVED, Verdict.UNDECIDED


def convolution(factor: str, behind: str = "", weights: str = "w", groups: int = 1) -> ModuleOp:
    """A convolution of two channels to two, with these weights, and something behind it."""
    inputs = 2 // groups
    return parse(
        f"""func.func @main(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {{
      %w = npu.constant #npu.reference<"f.safetensors", "w"> : tensor<2x{inputs}x1x1xf32>
      %s = npu.constant dense<{factor}
      %v = npu.mul %w, %s : (tensor<2x{inputs}x1x1xf32>, tensor<SHAPE>) -> tensor<2x{inputs}x1x1xf32>
      %c = npu.conv2d %x, %{weights} groups = {groups} data_layout = <NCHW> kernel_layout = <OIHW>
        : (tensor<1x2x2x2xf32>, tensor<2x{inputs}x1x1xf32>) -> tensor<1x2x2x2xf32>
      {behind}
    }}""".replace("SHAPE", factor.rpartition("tensor<")[2].strip(">"))
    )


RETURN = "func.return %c : tensor<1x2x2x2xf32>"


def behind(numbers: str, shape: str, before: str = "") -> str:
    value = "r" if before else "c"
    return f"""{before}
      %t = npu.constant dense<{numbers}> : tensor<{shape}xf32>
      %y = npu.mul %{value}, %t : (tensor<1x2x2x2xf32>, tensor<{shape}xf32>) -> tensor<1x2x2x2xf32>
      func.return %y : tensor<1x2x2x2xf32>"""


OUTPUTS = "[[[[3.0]]], [[[5.0]]]]> : tensor<2x1x1x1xf32>"
INPUTS = "[[[[3.0]], [[5.0]]]]> : tensor<1x2x1x1xf32>"


@pytest.mark.parametrize("groups", [1, 2])
def test_a_factor_for_each_output(groups: int):
    first = convolution(OUTPUTS, behind("[[[[3.0]], [[5.0]]]]", "1x2x1x1"), groups=groups)
    assert compare(first, convolution(OUTPUTS, RETURN, "v", groups), by_formulas=True).verdict is PROVED
    assert compare(first, convolution(OUTPUTS, RETURN, "v", groups)).verdict is UNDECIDED


@pytest.mark.parametrize(
    ("numbers", "shape", "before"),
    [
        pytest.param("[[[[3.0]], [[5.5]]]]", "1x2x1x1", "", id="another-factor"),
        pytest.param("[[[[5.0]], [[3.0]]]]", "1x2x1x1", "", id="swapped-channels"),
        pytest.param("[[[[3.0], [5.0]]]]", "1x1x2x1", "", id="rows"),
        pytest.param("[[[[3.0, 5.0]]]]", "1x1x1x2", "", id="columns"),
        pytest.param("[[[[3.0, 3.0], [5.0, 5.0]]]]", "1x1x2x2", "", id="pixels"),
        pytest.param("3.0", "1x1x1x1", "", id="one-factor"),
        pytest.param("[[[[3.0]], [[5.0]]]]", "1x2x1x1", "%r = npu.relu %c : tensor<1x2x2x2xf32>", id="behind-a-relu"),
    ],
)
def test_other_factors_are_not_proved(numbers: str, shape: str, before: str):
    first, second = convolution(OUTPUTS, behind(numbers, shape, before)), convolution(OUTPUTS, RETURN, "v")
    assert compare(first, second, by_formulas=True).verdict is UNDECIDED


def test_factors_of_inputs_are_no_factors_of_outputs():
    first, second = convolution(OUTPUTS, behind("[[[[3.0]], [[5.0]]]]", "1x2x1x1")), convolution(INPUTS, RETURN, "v")
    assert compare(first, second, by_formulas=True).verdict is UNDECIDED


def test_a_transpose_in_between_names_another_axis():
    """Equal numbers along the last axis, which are the channels after one transpose and not after the other."""
    for permutation, verdict in (("[0, 2, 3, 1]", PROVED), ("[0, 3, 1, 2]", UNDECIDED)):
        turn = f"""%r = npu.transpose %c permutation = {permutation} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>"""
        back = f"""{turn.replace("%r", "%y")}
          func.return %y : tensor<1x2x2x2xf32>"""
        first = convolution(OUTPUTS, behind("[[[[3.0, 5.0]]]]", "1x1x1x2", turn))
        assert compare(first, convolution(OUTPUTS, back, "v"), by_formulas=True).verdict is verdict


ZEROS = "npu.constant dense<{}> : tensor<{}xf32>"


def biased(bias: str, behind: str = "", other: str = "0.0") -> ModuleOp:
    """A convolution with a bias that is read from a file, or with zeros added to it, and something behind it."""
    return parse(f"""func.func @main(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {{
      %w = npu.constant #npu.reference<"f.safetensors", "w"> : tensor<2x2x1x1xf32>
      %b = npu.constant #npu.reference<"f.safetensors", "b"> : tensor<2xf32>
      %z = {ZEROS.format(other, 2)}
      %o = npu.add %b, %z : tensor<2xf32>
      %t = {ZEROS.format(other, "1x1x1x1")}
      %c = npu.conv2d %x, %w, %{bias} data_layout = <NCHW> kernel_layout = <OIHW>
        : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
      {behind}
      %m = npu.constant dense<[[[[3.0]], [[5.0]]]]> : tensor<1x2x1x1xf32>
      %y = npu.mul %{"s" if behind else "c"}, %m : (tensor<1x2x2x2xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x2x2xf32>
      func.return %y : tensor<1x2x2x2xf32>
    }}""")


ADDED = "%s = npu.add %c, %t : (tensor<1x2x2x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x2x2xf32>"


def test_zeros_behind_a_convolution_and_in_its_bias_are_nothing():
    plain = biased("b")
    for other in (biased("o"), biased("b", ADDED), biased("o", ADDED)):
        assert compare(plain, other, by_formulas=True).verdict is PROVED
        assert compare(plain, other).verdict is UNDECIDED
    for other in (biased("o", other="1.0"), biased("b", ADDED, "1.0")):
        assert compare(plain, other, by_formulas=True).verdict is UNDECIDED


def product(weights: str, behind: str) -> ModuleOp:
    return parse(f"""func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {{
      %w = npu.constant dense<{weights}> : tensor<2x2xf32>
      %c = npu.matmul %x, %w : tensor<2x2xf32>
      {behind}
      func.return %y : tensor<2x2xf32>
    }}""")


SUM = """%t = npu.constant dense<[[7.0, 9.0]]> : tensor<1x2xf32>
  %a = npu.add %t, %c : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = npu.constant dense<[[0.1, 0.3]]> : tensor<1x2xf32>
  %y = npu.mul %a, %s : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>"""
SUMMAND = """%t = npu.constant dense<[[{}, {}]]> : tensor<1x2xf32>
  %y = npu.add %c, %t : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>"""


def test_numbers_are_those_that_f32_computes():
    """The products of constants, which f32 rounds to these; other numbers are not proved."""
    first = product("[[1.0, 2.0], [3.0, 4.0]]", SUM)
    right = "[[0.1, 0.6], [0.3, 1.2]]"
    assert compare(first, product(right, SUMMAND.format(0.7, 2.7)), by_formulas=True).verdict is PROVED
    assert compare(first, product(right, SUMMAND.format(0.70001, 2.7)), by_formulas=True).verdict is UNDECIDED
    wrong = right.replace("0.6", "0.5")
    assert compare(first, product(wrong, SUMMAND.format(0.7, 2.7)), by_formulas=True).verdict is UNDECIDED


def test_parameters_of_an_unknown_number_stay():
    first, second = (
        parse(f"""func.func @main(%x: tensor<1x?xf32>, %v: tensor<?xf32>) -> tensor<1x?xf32> {{
          %y = npu.batch_norm %x, %v, %v, %v, %v axis = 1 epsilon = {epsilon}
            : (tensor<1x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<1x?xf32>
          func.return %y : tensor<1x?xf32>
        }}""")
        for epsilon in ("1.0e-5", "1.0e-4")
    )
    assert compare(first, second, by_formulas=True).verdict is UNDECIDED


def transposed(bias: str, behind: str, pads: str = "") -> ModuleOp:
    """A transposed convolution with or without a bias, and sums and products behind it."""
    size = 1 if pads else 3
    text = f"""func.func @main(%x: tensor<1x2x2x2xf32>) -> tensor<1x2xSIZE> {{
      %w = npu.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]],
        [[[1.5, 2.5], [3.5, 4.5]], [[5.5, 6.5], [7.5, 8.5]]]]> : tensor<2x2x2x2xf32>
      %a = npu.constant dense<[2.0, 3.0]> : tensor<2xf32>
      %b = npu.constant dense<[5.0, 7.0]> : tensor<2xf32>
      %d = npu.constant dense<[7.0, 10.0]> : tensor<2xf32>
      %t = npu.constant dense<[[[[2.0]], [[3.0]]]]> : tensor<1x2x1x1xf32>
      %u = npu.constant dense<[[[[5.0]], [[7.0]]]]> : tensor<1x2x1x1xf32>
      %y = npu.conv_transpose2d %x, %w{bias} {pads} data_layout = <NCHW> kernel_layout = <IOHW>
        : (tensor<1x2x2x2xf32>, tensor<2x2x2x2xf32>{", tensor<2xf32>" if bias else ""}) -> tensor<1x2xSIZE>
      {behind}
    }}"""
    return parse(text.replace("SIZE", f"{size}x{size}xf32"))


def sums(*summands: str, size: int = 3) -> str:
    type_ = f"tensor<1x2x{size}x{size}xf32>"
    names = ["%y", *(f"%y{index}" for index in range(len(summands)))]
    ops = [
        f"{name} = npu.add {last}, {each} : ({type_}, tensor<1x2x1x1xf32>) -> {type_}"
        for last, name, each in zip(names[:-1], names[1:], summands, strict=True)
    ]
    return "\n".join((*ops, f"func.return {names[-1]} : {type_}"))


@pytest.mark.parametrize("pads", ["", "pads = [1, 1, 1, 1]"])
def test_the_bias_of_a_transposed_convolution_is_a_sum_behind_it(pads: str):
    size = 1 if pads else 3
    forms = [
        transposed(", %d", sums(size=size), pads),
        transposed(", %a", sums("%u", size=size), pads),
        transposed("", sums("%t", "%u", size=size), pads),
    ]
    for first in forms:
        for second in forms:
            assert compare(first, second, by_formulas=True).verdict is PROVED
        other = transposed(", %d", sums("%t", size=size), pads)
        assert compare(first, other, by_formulas=True).verdict is UNDECIDED
