"""Arithmetic that changes nothing but the rounding of a value, in proofs of real numbers."""

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp

DEQUANTISED = "%x = npu.dequantize %i, %c, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>"


def program(body: str, result: str = "2x3xf32", offset: float | None = None) -> ModuleOp:
    """The rows of a function of %x and %v, with the numbers %c and %d, which returns %y.

    With an offset, which is %o, %x are dequantised numbers with steps of %c.
    """
    argument, given = ("%x: tensor<2x3xf32>", "") if offset is None else ("%i: tensor<2x3xi8>", DEQUANTISED)
    return parse(f"""func.func @main({argument}, %v: tensor<f32>) -> tensor<{result}> {{
      %c = npu.constant dense<0.3> : tensor<f32>
      %d = npu.constant dense<0.7> : tensor<f32>
      %o = npu.constant dense<{offset or 0.0:.1f}> : tensor<f32>
      %z = npu.constant dense<5> : tensor<i8>
      {given}
      {body}
      func.return %y : tensor<{result}>
    }}""")


def binary(result: str, op: str, lhs: str, rhs: str) -> str:
    types = ", ".join(
        "tensor<f32>" if each in ("%c", "%d", "%n", "%o", "%v") else "tensor<2x3xf32>" for each in (lhs, rhs)
    )
    return f"{result} = npu.{op} {lhs}, {rhs} : ({types}) -> tensor<2x3xf32>"


def verdict(one: ModuleOp, other: ModuleOp, by_formulas: bool = True) -> Verdict:
    return compare(one, other, by_formulas=by_formulas).verdict


TWICE = binary("%y", "add", "%x", "%x")


def offset_of(name: str, lhs_first: bool = True) -> str:
    operands = ("%x", name) if lhs_first else (name, "%x")
    return "\n".join([binary("%a", "add", *operands), binary("%b", "sub", "%a", name)])


@pytest.mark.parametrize("lhs_first", [True, False])
@pytest.mark.parametrize("offset", [0.1, 5.0, -300.0, 2000.0])
def test_a_number_that_is_added_to_dequantised_ones_and_subtracted_again_leaves_them(offset: float, lhs_first: bool):
    rounded = program(offset_of("%o", lhs_first) + "\n" + binary("%y", "add", "%b", "%b"), offset=offset)
    plain = program(TWICE, offset=offset)
    answer = compare(plain, rounded, by_formulas=True)
    assert (answer.verdict, answer.offsets_fit) == (Verdict.PROVED, True)
    assert not compare(plain, plain, by_formulas=True).offsets_fit
    assert verdict(plain, rounded, by_formulas=False) is Verdict.UNDECIDED, "the bits differ"


@pytest.mark.parametrize("offset", [3000.0, 1.5 * 2**23, 1e30])
def test_a_large_number_rounds_to_whole_ones(offset: float):
    rounded = program(offset_of("%o") + "\n" + binary("%y", "add", "%b", "%b"), offset=offset)
    assert verdict(program(TWICE, offset=offset), rounded) is Verdict.UNDECIDED


def test_a_number_that_is_added_to_other_values_rounds_them():
    rounded = program(offset_of("%c") + "\n" + binary("%y", "add", "%b", "%b"))
    assert verdict(program(TWICE), rounded) is Verdict.UNDECIDED


def power(exponents: list[int]) -> ModuleOp:
    """x times these powers of two, one after the other."""
    rows, value = list[str](), "%x"
    for place, exponent in enumerate(exponents):
        rows.append(f"%p{place} = npu.constant dense<{2.0**exponent!r}> : tensor<f32>")
        rows.append(f"%m{place} = npu.mul {value}, %p{place} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>")
        value = f"%m{place}"
    return program("\n".join([*rows, binary("%y", "add", value, value)]))


@pytest.mark.parametrize(
    ("exponents", "expected"),
    [
        ([3, -3], True),
        ([60, -60], True),
        ([30, 30, -60], True),
        ([61, -61], False),
        ([40, 40, -80], False),
        ([-60, -10, 70], False),
        ([127, -127], False),
    ],
)
def test_powers_of_two_cancel_while_no_digit_is_lost(exponents: list[int], expected: bool):
    answer = compare(program(TWICE), power(exponents), by_formulas=True)
    assert (answer.verdict is Verdict.PROVED, answer.powers_fit) == (expected, expected)


@pytest.mark.parametrize(
    ("divisor", "factor", "expected"),
    [
        (4.0, 0.25, True),
        (2.0**-60, 2.0**60, True),
        (4.0, 0.5, False),
        (-4.0, 0.25, False),
        (3.0, 1 / 3, False),
        (2.0**61, 2.0**-61, False),
    ],
)
def test_a_quotient_by_a_power_of_two_is_a_product(divisor: float, factor: float, expected: bool):
    numbers = (
        f"%n = npu.constant dense<{divisor!r}> : tensor<f32>",
        f"%n = npu.constant dense<{factor!r}> : tensor<f32>",
    )
    quotient, product = (
        program("\n".join([number, binary("%y", op, "%x", "%n")]))
        for number, op in zip(numbers, ("div", "mul"), strict=True)
    )
    answer = compare(quotient, product, by_formulas=True)
    assert (answer.verdict is Verdict.PROVED, answer.powers_fit) == (expected, False)


@pytest.mark.parametrize(("added", "subtracted"), [("%c", "%d"), ("%v", "%c"), ("%c", "%v")])
def test_another_number_does_not(added: str, subtracted: str):
    body = [binary("%a", "add", "%x", added), binary("%b", "sub", "%a", subtracted), binary("%y", "add", "%b", "%b")]
    assert verdict(program(TWICE), program("\n".join(body))) is Verdict.UNDECIDED


def test_the_summand_is_not_the_difference_of_the_number_and_the_sum():
    body = [binary("%a", "add", "%x", "%c"), binary("%b", "sub", "%c", "%a"), binary("%y", "add", "%b", "%b")]
    assert verdict(program(TWICE), program("\n".join(body))) is Verdict.UNDECIDED


SUM = "%y = npu.reduce_sum {} axes = [0] : (tensor<{}x3xf32>) -> tensor<3xf32>"


def summed(rows: str, body: str) -> ModuleOp:
    """The sum over the first axis of %b, which the rows compute from %x of this many rows."""
    return parse(f"""func.func @main(%x: tensor<{rows}x3xf32>) -> tensor<3xf32> {{
      %c = npu.constant dense<0.5> : tensor<f32>
      %d = npu.constant dense<0.5> : tensor<2x3xf32>
      %two = npu.constant dense<2.0> : tensor<2x3xf32>
      {body}
      func.return %y : tensor<3xf32>
    }}""")


def repeating(op: str, rows: str, number: str, result: str) -> str:
    """An op on a value of this many rows and a number for each element of two rows."""
    return f"npu.{op} {{}}, {number} : (tensor<{rows}x3xf32>, tensor<2x3xf32>) -> tensor<{result}x3xf32>"


def scaling(op: str, rows: str) -> str:
    return f"npu.{op} {{}}, %c : (tensor<{rows}x3xf32>, tensor<f32>) -> tensor<{rows}x3xf32>"


@pytest.mark.parametrize(
    ("rows", "first", "second", "result"),
    [
        ("1", scaling("add", "1"), repeating("sub", "1", "%d", "2"), "2"),
        ("1", repeating("add", "1", "%d", "2"), scaling("sub", "2"), "2"),
        ("?", repeating("add", "?", "%d", "?"), scaling("sub", "?"), "?"),
        ("?", scaling("add", "?"), repeating("sub", "?", "%d", "?"), "?"),
        ("?", repeating("mul", "?", "%two", "?"), scaling("mul", "?"), "?"),
    ],
    ids=["subtracted", "added", "added to unknown rows", "subtracted from unknown rows", "powers of two"],
)
def test_a_number_that_repeats_the_value_leaves_another_value(rows: str, first: str, second: str, result: str):
    plain = summed(rows, SUM.format("%x", rows))
    body = [f"%a = {first.format('%x')}", f"%b = {second.format('%a')}", SUM.format("%b", result)]
    assert verdict(plain, summed(rows, "\n".join(body))) is not Verdict.PROVED


@pytest.mark.parametrize("number", ["0x7F800000", "0xFF800000", "0x7FC00000"], ids=["inf", "-inf", "nan"])
def test_only_finite_numbers_leave_the_value(number: str):
    body = f"""%n = npu.constant dense<{number}> : tensor<f32>
      {binary("%a", "add", "%x", "%n")}
      {binary("%b", "sub", "%a", "%n")}
      {binary("%y", "add", "%b", "%b")}"""
    assert verdict(program(TWICE), program(body)) is not Verdict.PROVED


@pytest.mark.parametrize("element", ["f16", "f64"])
def test_numbers_of_other_elements_than_f32_are_kept(element: str):
    rows = ["%a = npu.add %x, %c", "%b = npu.sub %a, %c", "%y = npu.add %b, %b"]

    def other(lines: list[str]) -> ModuleOp:
        return parse(f"""func.func @main(%x: tensor<2x3x{element}>) -> tensor<2x3x{element}> {{
          %c = npu.constant dense<0.3> : tensor<2x3x{element}>
          {chr(10).join(f"{line} : tensor<2x3x{element}>" for line in lines)}
          func.return %y : tensor<2x3x{element}>
        }}""")

    assert verdict(other(["%y = npu.add %x, %x"]), other(rows)) is not Verdict.PROVED


def test_numbers_of_which_only_the_first_is_subtracted_are_kept():
    body = f"""%n = npu.constant dense<[[0.3, 0.7, 0.3]]> : tensor<1x3xf32>
      %a = npu.add %x, %n : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
      {binary("%b", "sub", "%a", "%c")}
      {binary("%y", "add", "%b", "%b")}"""
    assert verdict(program(TWICE), program(body)) is not Verdict.PROVED


def test_sums_of_equal_elements_are_equal_in_any_shape():
    """They are no values with a number, as their shape does not matter."""

    def scaled(shapes: tuple[str, str], rows: str, value: str) -> ModuleOp:
        sizes = ", ".join(f"tensor<{shape}xf32>" for shape in shapes)
        return program(
            f"""%p = npu.broadcast %v axes = [] : (tensor<f32>) -> tensor<{shapes[0]}xf32>
          %q = npu.constant dense<0.7> : tensor<{shapes[1]}xf32>
          %s = npu.add %p, %q : ({sizes}) -> tensor<2x3xf32>
          {rows}
          {binary("%y", "mul", value, "%s")}""",
            offset=0.3,
        )

    rounded = scaled(("2x3", "1x3"), offset_of("%c"), "%b")
    assert verdict(scaled(("2x1", "1x3"), "", "%x"), rounded) is Verdict.PROVED


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


def scaled(number: str, rows: str, x: str) -> ModuleOp:
    """A value that is quantised by a scale of this number, which is %n."""
    return program("\n".join([f"%n = npu.constant dense<{number}> : tensor<f32>", rows, quantised(x, "%n")]), "2x3xi8")


@pytest.mark.parametrize("scale", ["0.25", "1.0"])
def test_a_power_of_two_has_nearest_multiples_as_well(scale: str):
    """Products with them, and quotients by them, are numbered in another way."""
    assert verdict(scaled(scale, "", "%x"), scaled(scale, nearest("%n", "%n"), "%m")) is Verdict.PROVED
    assert verdict(scaled(scale, "", "%x"), scaled(scale, nearest("%d", "%n"), "%m")) is Verdict.UNDECIDED


@pytest.mark.parametrize("scale", ["0.0", "0x7F800000", "1.0e-38"], ids=["zero", "infinite", "tiny"])
def test_scales_that_do_not_quantise_have_no_nearest_multiple(scale: str):
    assert verdict(scaled(scale, "", "%x"), scaled(scale, nearest("%n", "%n"), "%m")) is not Verdict.PROVED


def of_rows(middle: str = "", axis: int = 1, scales: str = "0.3, 0.7, 0.5") -> ModuleOp:
    """Numbers that are quantised by a scale for each position of an axis: %x, or %m behind ops that make it."""
    return parse(f"""func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xi8> {{
      %r = npu.constant dense<[[0.3, 0.7, 0.5]]> : tensor<1x3xf32>
      %k = npu.constant dense<[[0.3], [0.7], [0.5]]> : tensor<3x1xf32>
      %t = npu.constant dense<[{scales}]> : tensor<3xf32>
      %z = npu.constant dense<5> : tensor<3xi8>
      {middle}
      %y = npu.quantize {"%m" if middle else "%x"}, %t, %z axis = {axis}
        : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<3x3xi8>
      func.return %y : tensor<3x3xi8>
    }}""")


def of_multiples(divisor: str, factor: str, turn: str = "") -> str:
    types = {"%r": "tensor<1x3xf32>", "%k": "tensor<3x1xf32>"}
    a, b = (f"(tensor<3x3xf32>, {types[each]}) -> tensor<3x3xf32>" for each in (divisor, factor))
    turned = "%u = npu.transpose %b permutation = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>" if turn else ""
    return f"""%a = npu.div %x, {divisor} : {a}
      %b = npu.round %a : tensor<3x3xf32>
      {turned}
      %m = npu.mul {"%u" if turn else "%b"}, {factor} : {b}"""


def test_the_nearest_multiples_of_a_scale_for_each_position_of_an_axis():
    for axis, scales in ((1, "%r"), (0, "%k")):
        plain = of_rows(axis=axis)
        rounded = of_rows(of_multiples(scales, scales), axis)
        assert verdict(plain, rounded) is Verdict.PROVED
        assert verdict(plain, rounded, by_formulas=False) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("middle", "scales"),
    [
        (of_multiples("%k", "%k"), "0.3, 0.7, 0.5"),
        (of_multiples("%k", "%r"), "0.3, 0.7, 0.5"),
        (of_multiples("%r", "%k"), "0.3, 0.7, 0.5"),
        (of_multiples("%r", "%r"), "0.3, 0.7, 0.25"),
        (of_multiples("%r", "%r", "turned"), "0.3, 0.7, 0.5"),
    ],
    ids=["another axis", "another divisor", "another factor", "other scales", "transposed"],
)
def test_multiples_of_other_scales_are_not(middle: str, scales: str):
    plain = of_rows(scales=scales)
    assert verdict(plain, of_rows(middle, scales=scales)) is Verdict.UNDECIDED


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


@pytest.mark.parametrize(("offset", "expected"), [(5.0, Verdict.PROVED), (3000.0, Verdict.UNDECIDED)])
def test_a_number_is_left_out_of_dequantised_ones_that_are_real_numbers(offset: float, expected: Verdict):
    """Integers that are dequantised and quantised are those integers only if the product in between does not round."""
    again = "%q = npu.quantize %x, %c, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>"
    read = DEQUANTISED.replace("%x", "%r").replace("%i", "%q")
    rows = [again, read, binary("%a", "add", "%r", "%o"), binary("%b", "sub", "%a", "%o"), TWICE.replace("%x", "%b")]
    answer = compare(program(TWICE, offset=offset), program("\n".join(rows), offset=offset), by_formulas=True)
    assert answer.verdict is expected


@pytest.mark.parametrize("shape", ["1x3", "3x1"])
@pytest.mark.parametrize(("step", "expected"), [(1, Verdict.PROVED), (-1, Verdict.UNDECIDED)])
def test_a_view_of_dequantised_constants_is_one_of_floats(shape: str, step: int, expected: Verdict):
    """Behind a product with constants, which is one of integers only if dequantised numbers are real ones."""
    integers = np.array([-100, 7, 90], np.int8)
    floats = (integers.astype(np.float32) - 5) * np.float32(0.3)
    byte, real = "tensor<3x3xi8>", "tensor<3x3xf32>"

    def scaled(product: str, constant: str) -> ModuleOp:
        return parse(f"""func.func @main(%i: {byte}) -> {real} {{
          %j = npu.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 10]]> : {byte}
          %c = npu.constant dense<0.3> : tensor<f32>
          %z = npu.constant dense<5> : tensor<i8>
          {product}
          {constant}
          %x = npu.dequantize %q, %c, %z : ({byte}, tensor<f32>, tensor<i8>) -> {real}
          %y = npu.mul %x, %v : ({real}, tensor<{shape}xf32>) -> {real}
          func.return %y : {real}
        }}""")

    parameters = "tensor<f32>, tensor<i8>"
    of_floats = f"""%a = npu.dequantize %i, %c, %z : ({byte}, {parameters}) -> {real}
          %b = npu.dequantize %j, %c, %z : ({byte}, {parameters}) -> {real}
          %m = npu.matmul %a, %b : {real}
          %q = npu.quantize %m, %c, %z : ({real}, {parameters}) -> {byte}"""
    of_integers = f"""%q = npu.quant_matmul %i, %j, %c, %z, %c, %z, %c, %z
            : ({byte}, {byte}, {parameters}, {parameters}, {parameters}) -> {byte}"""
    viewed = f"""%k = npu.constant dense<{integers.tolist()}> : tensor<3xi8>
          %f = npu.dequantize %k, %c, %z : (tensor<3xi8>, {parameters}) -> tensor<3xf32>
          %v = npu.reshape %f : (tensor<3xf32>) -> tensor<{shape}xf32>"""
    numbers = floats[::step].reshape([*map(int, shape.split("x"))]).tolist()
    written = f"%v = npu.constant dense<{numbers}> : tensor<{shape}xf32>"
    answer = compare(scaled(of_floats, viewed), scaled(of_integers, written), by_formulas=True)
    assert (answer.verdict, answer.rounds_once) == (expected, expected is Verdict.PROVED)


@pytest.mark.parametrize(("low", "is_same"), [(-100, True), (-90, False)])
def test_integers_that_are_clipped_twice_alike_are_clipped_once(low: int, is_same: bool):
    """As those that are quantised to a narrow range, dequantised and quantised again."""
    types = "tensor<f32>, tensor<i8>"
    again = f"""%q = npu.dequantize %a, %c, %z : (tensor<2x3xi8>, {types}) -> tensor<2x3xf32>
      %r = npu.quantize %q, %c, %z : (tensor<2x3xf32>, {types}) -> tensor<2x3xi8>
      %y = npu.clip %r min = {low}.0 max = 100.0 : tensor<2x3xi8>"""
    once = "%{0} = npu.clip %i min = -100.0 max = 100.0 : tensor<2x3xi8>"
    one = program(once.format("y"), "2x3xi8", offset=1.0)
    other = program(f"{once.format('a')}\n{again}", "2x3xi8", offset=1.0)
    assert (verdict(one, other) is Verdict.PROVED) == is_same
