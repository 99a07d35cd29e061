"""Formulas of ops compute the same as the ops."""

from random import Random
from typing import Any

import numpy as np
import pytest
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.convolution import ConvTranspose1dOp, ConvTranspose2dOp
from npu_opt.dialects.npu.normalization import BatchNormOp
from npu_opt.dialects.npu.source import ForeignOp
from npu_opt.dialects.npu.values import element_type_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.equivalence.formulas.families import FORMULAS, steps_of
from npu_opt.interpreter import evaluate
from support.campaign import amount
from support.closeness import Room, assert_close
from support.generators.samples import sample
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp, bf16, f16, f32
from xdsl.ir import Attribute, SSAValue

steps_of(sample(BatchNormOp, Random(0)).op, lambda _: None, lambda _: False)
"""The table is filled by its first use."""
FEWEST_TRIED = 20
ROUNDED = (ConvTranspose1dOp, ConvTranspose2dOp)
ROOM: dict[Attribute, float] = {f16: 4e-3, bf16: 3e-2}
"""The largest difference of transposed convolutions of 16 bits, whose bias is added in a step that rounds."""
WHY = "sums of f32 in another order; of 16 bits a bias is added in a step that rounds; all others have the same steps"


def test_formulas_compute_the_same():
    tried: set[str] = set()
    for op_class in FORMULAS:
        assert issubclass(op_class, NpuOp)
        for seed in range(amount(12, 500)):
            made = sample(op_class, Random(seed), coloured=seed % 2 == 0)
            inputs = made.inputs(seed)
            steps = steps_of(made.op, inputs.__getitem__, lambda _, padded=seed % 3 == 0: padded)
            # Ops of LiteRT are run by LiteRT (test_foreign_formulas.py).
            if steps is None or any(isinstance(op, ForeignOp) for op in steps.block.ops):
                continue
            tried.add(made.op.name)
            values: dict[SSAValue, Any] = dict(zip(steps.block.args, inputs, strict=True))
            for op in steps.block.ops:
                assert isinstance(op, NpuOp)
                op.verify()
                found = evaluate(op, [values[operand] for operand in op.operands])
                values.update(zip(op.results, found, strict=True))
            for result, value, right in zip(steps.results, made.op.results, evaluate(made.op, inputs), strict=True):
                assert element_type_of(result) == element_type_of(value)
                assert values[result].shape == right.shape, made.op
                element = element_type_of(result)
                room = 1e-4 if element == f32 else ROOM.get(element, 0) if op_class in ROUNDED else 0
                assert_close(values[result], right, Room(WHY, room, room), made.op)
    assert len(tried) >= FEWEST_TRIED, sorted(tried)


ROWS, STATES = "tensor<0x3xf32>", "(tensor<0x1x2x4xf32>, tensor<1x2x4xf32>)"
WITHOUT = {
    f"npu.scatter_elements %x, %i, %u axis = 0 : ({ROWS}, tensor<1x3xi64>, tensor<1x3xf32>) -> {ROWS}": (
        [np.zeros((0, 3)), np.zeros((1, 3), np.int64), np.zeros((1, 3))]
    ),
    f"npu.scatter %x, %i, %u axis = 0 : ({ROWS}, tensor<1xi64>, tensor<1x3xf32>) -> {ROWS}": (
        [np.zeros((0, 3)), np.zeros(1, np.int64), np.zeros((1, 3))]
    ),
    f"npu.rnn %x, %i, %u : (tensor<0x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> {STATES}": (
        [np.zeros((0, 2, 3)), np.zeros((1, 4, 3), np.float32), np.zeros((1, 4, 4), np.float32)]
    ),
    "npu.matmul_nbits %x, %i, %u groups(%g : tensor<32xi32>) axis = 1 bits = 4 block_size = 16"
    " : (tensor<2x32xf32>, tensor<8x2x8xui8>, tensor<8x2xf32>) -> tensor<2x8xf32>": (
        [np.zeros((2, 32)), np.zeros((8, 2, 8), np.uint8), np.zeros((8, 2), np.float32), np.full(32, 2)]
    ),
}


@pytest.mark.parametrize("text", WITHOUT)
def test_places_beyond_an_axis_and_no_steps_have_no_formula(text: str):
    """Most of them are errors when they are run."""
    names, types = ("x", "i", "u", "g"), text.partition(" : (")[2].partition(") -> ")[0].split(", ")
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in zip(names, (*types, "tensor<32xi32>"), strict=False))
    results = "%y, %h" if "rnn" in text else "%y"
    module = parse(f"func.func @main({arguments}) {{ {results} = {text} func.return }}")
    (op,) = (each for each in module.walk() if isinstance(each, NpuOp))
    op.verify()
    assert steps_of(op, WITHOUT[text].__getitem__, lambda _: False) is None


@pytest.mark.parametrize("other", [0, 1])
@pytest.mark.parametrize(("element", "numbers"), [("i4", [-8, 7, -1, 3, 0]), ("ui4", [8, 15, 1, 3, 0])])
def test_numbers_of_few_bits_are_the_floats_that_they_stand_for(element: str, numbers: list[int], other: int):
    """The last block has one number."""
    scales, zeros = np.array([0.3, 0.7, -1.5], np.float32), np.array([1, 3, 2])
    floats = (np.array(numbers, np.float32) - zeros.repeat(2)[:5].astype(np.float32)) * scales.repeat(2)[:5]
    floats[0] += other
    body = f"""%q = npu.constant dense<{numbers}> : tensor<5x{element}>
      %s = npu.constant dense<{scales.tolist()}> : tensor<3xf32>
      %z = npu.constant dense<{zeros.tolist()}> : tensor<3x{element}>
      %w = npu.block_dequantize %q, %s, %z axis = 0 block_size = 2
        : (tensor<5x{element}>, tensor<3xf32>, tensor<3x{element}>) -> tensor<5xf32>"""
    first, second = (
        parse(f"func.func @main() -> tensor<5xf32> {{ {text} func.return %w : tensor<5xf32> }}")
        for text in (body, f"%w = npu.constant dense<{floats.tolist()}> : tensor<5xf32>")
    )
    verdict = compare(first, second, by_formulas=True).verdict
    assert verdict is (Verdict.UNDECIDED if other else Verdict.PROVED)


def flattened(value: str, rows: Any, flag: str = "") -> ModuleOp:
    """A product of a flattened image, which is stored with its channels last in %y."""
    shape = "1x2x3x2" if value == "x" else "1x3x2x2"
    weights = "x".join(map(str, rows.shape))
    return parse(f"""func.func @main(%x: tensor<1x2x3x2xf32>) -> tensor<1x2xf32> {{
      %y = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x2x3x2xf32>) -> tensor<1x3x2x2xf32>
      %f = npu.reshape %{value} : (tensor<{shape}xf32>) -> tensor<1x12xf32>
      %w = npu.constant dense<{rows.tolist()}> : tensor<{weights}xf32>
      %z = npu.matmul %f, %w {flag} : (tensor<1x12xf32>, tensor<{weights}xf32>) -> tensor<1x2xf32>
      func.return %z : tensor<1x2xf32>
    }}""")


def test_weights_in_the_order_of_flattened_axes():
    """Rows of weights in the order of channels last, transposed as well: the same product."""
    weights = np.arange(24, dtype=np.float32).reshape(12, 2)
    moved = weights.reshape(2, 3, 2, 2).transpose(1, 2, 0, 3).reshape(12, 2)
    first, second = flattened("x", weights), flattened("y", moved.T, "trans_b")
    assert compare(first, second, by_formulas=True).verdict is Verdict.PROVED
    other = flattened("y", moved[::-1].T, "trans_b")
    assert compare(first, other, by_formulas=True).verdict is Verdict.UNDECIDED


def gelu(root: str) -> str:
    return f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %root = npu.constant dense<{root}> : tensor<f32>
      %half = npu.constant dense<0.5> : tensor<f32>
      %one = npu.constant dense<1.0> : tensor<f32>
      %a = npu.div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %b = npu.erf %a : tensor<4xf32>
      %c = npu.add %b, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %h = npu.mul %half, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
      %e = npu.mul %h, %c : tensor<4xf32>
      func.return %e : tensor<4xf32>
    }}"""


def test_a_constant_that_differs_by_rounding_is_another_one():
    op = parse("""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = npu.gelu %x : tensor<4xf32>
      func.return %y : tensor<4xf32>
    }""")
    assert compare(parse(gelu("1.41421354")), op, by_formulas=True).verdict is Verdict.PROVED
    assert compare(parse(gelu("1.41421366")), op, by_formulas=True).verdict is Verdict.UNDECIDED


def bent(factor: str, cube: str, bend: str = "tanh") -> str:
    """A Gelu by this function of a polynomial, whose factor it has."""
    return f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %k = npu.constant dense<{factor}> : tensor<f32>
      %r = npu.constant dense<0.797884583> : tensor<f32>
      %three = npu.constant dense<3.0> : tensor<f32>
      %half = npu.constant dense<0.5> : tensor<f32>
      %one = npu.constant dense<1.0> : tensor<f32>
      %s = npu.mul %x, %x : tensor<4xf32>
      %c = {cube} -> tensor<4xf32>
      %a = npu.mul %c, %k : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %b = npu.add %x, %a : tensor<4xf32>
      %i = npu.mul %b, %r : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %t = npu.{bend} %i : tensor<4xf32>
      %o = npu.add %t, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %h = npu.mul %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %e = npu.mul %h, %o : tensor<4xf32>
      func.return %e : tensor<4xf32>
    }}"""


POWER = "npu.pow %x, %three : (tensor<4xf32>, tensor<f32>)"
PRODUCTS = "npu.mul %x, %s : (tensor<4xf32>, tensor<4xf32>)"


BENT = {
    "power": (bent("0.0447149985", POWER), True),
    "products": (bent("0.0447149985", PRODUCTS), True),
    "another factor": (bent("0.0447150022", POWER), False),
    "the fourth power": (bent("0.0447149985", PRODUCTS.replace("%x, %s", "%s, %s")), False),
    "the first power": (bent("0.0447149985", POWER.replace("%three", "%one")), False),
    "another function": (bent("0.0447149985", POWER, "erf"), False),
}


@pytest.mark.parametrize("name", BENT)
def test_gelu_by_tanh_is_that_of_a_polynomial(name: str):
    text, is_proved = BENT[name]
    op = parse("""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = npu.gelu %x approximate = "tanh" : tensor<4xf32>
      func.return %y : tensor<4xf32>
    }""")
    verdict = compare(op, parse(text), by_formulas=True).verdict
    assert verdict is (Verdict.PROVED if is_proved else Verdict.UNDECIDED)


def divided(steps: str) -> ModuleOp:
    """A program of such steps, with the root %r of %v, from %x, which has more axes."""
    return parse(f"""func.func @main(%x: tensor<2x4x3xf32>, %v: tensor<4x1xf32>) -> tensor<2x4x3xf32> {{
      %one = npu.constant dense<1.0> : tensor<f32>
      %r = npu.sqrt %v : tensor<4x1xf32>
      {steps}
      func.return %y : tensor<2x4x3xf32>
    }}""")


BY_ROOT = divided("%y = npu.div %x, %r : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>")
TIMES = "%y = npu.mul %i, %x : (tensor<4x1xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>"
PROVED_ROOTS = {
    "reciprocal": "%i = npu.reciprocal %r : tensor<4x1xf32>",
    "rsqrt": "%i = npu.rsqrt %v : tensor<4x1xf32>",
    "quotient": "%i = npu.div %one, %r : (tensor<f32>, tensor<4x1xf32>) -> tensor<4x1xf32>",
}
OTHER_ROOTS = {
    "another number": "%i = npu.rsqrt %r : tensor<4x1xf32>",
    "the number": "%i = npu.reciprocal %v : tensor<4x1xf32>",
    "the root": "%i = npu.sqrt %v : tensor<4x1xf32>",
    "two over it": """%two = npu.constant dense<2.0> : tensor<f32>
      %i = npu.div %two, %r : (tensor<f32>, tensor<4x1xf32>) -> tensor<4x1xf32>""",
}


@pytest.mark.parametrize("name", [*PROVED_ROOTS, *OTHER_ROOTS])
def test_quotients_by_roots_are_products_with_reciprocals(name: str):
    other = divided(f"{(PROVED_ROOTS | OTHER_ROOTS)[name]}\n{TIMES}")
    assert compare(BY_ROOT, other).verdict is Verdict.UNDECIDED
    verdict = compare(BY_ROOT, other, by_formulas=True).verdict
    assert verdict is (Verdict.PROVED if name in PROVED_ROOTS else Verdict.UNDECIDED)


def test_a_root_behind_a_view_is_a_root():
    other = divided("""%t = npu.transpose %v permutation = [1, 0] : (tensor<4x1xf32>) -> tensor<1x4xf32>
      %s = npu.sqrt %t : tensor<1x4xf32>
      %u = npu.transpose %s permutation = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1xf32>
      %y = npu.div %x, %u : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>""")
    inverse = divided(f"{PROVED_ROOTS['rsqrt']}\n{TIMES}")
    assert compare(other, inverse, by_formulas=True).verdict is Verdict.PROVED


def test_a_quotient_by_no_root_is_no_product():
    """The reciprocal of a small number is infinite, and 0 times it is no number."""
    size = "%a = npu.abs %v : tensor<4x1xf32>"
    quotient = divided(f"{size}\n%y = npu.div %x, %a : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>")
    product = divided(f"{size}\n%i = npu.reciprocal %a : tensor<4x1xf32>\n{TIMES}")
    assert compare(quotient, product, by_formulas=True).verdict is Verdict.UNDECIDED


def test_roots_of_any_number_give_the_same_infinities_and_nans():
    """The law of quotients by roots has no exception."""
    numbers = np.array([0, -0.0, 1e-45, 1e-38, 1, 3e38, np.inf, -1, np.nan], np.float32)
    dividends = np.array([0, -0.0, 1e-45, -1, 3e38, np.inf, -np.inf, np.nan], np.float32)[:, None]
    with np.errstate(all="ignore"):
        roots = np.sqrt(numbers)
        quotients, products = dividends / roots, dividends * (np.float32(1) / roots)
    assert_close(products, quotients, Room("a reciprocal is rounded once more", 1e-6, 1e-44))


LAYER_NORM = parse("""func.func @main(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %y = npu.layer_norm %x axes = [1, 2, 3] : tensor<1x8x4x4xf32>
  func.return %y : tensor<1x8x4x4xf32>
}""")


@pytest.mark.parametrize(
    ("scale", "bias", "is_proved"), [(1, 0, True), (1, -0.0, True), (1, 0.5, False), (2, 0, False), (1, 1e-45, False)]
)
def test_a_norm_of_one_group_is_a_layer_norm(scale: float, bias: float, is_proved: bool):
    """As PyTorch exports a group norm: zeros are added to the norm, and its elements are in one row."""
    other = parse(f"""func.func @main(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {{
      %s = npu.constant dense<{scale:e}> : tensor<1xf32>
      %b = npu.constant dense<{bias:e}> : tensor<1xf32>
      %r = npu.reshape %x : (tensor<1x8x4x4xf32>) -> tensor<1x1x128xf32>
      %n = npu.instance_norm %r, %s, %b axis = 1 axes = [2]
        : (tensor<1x1x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x128xf32>
      %y = npu.reshape %n : (tensor<1x1x128xf32>) -> tensor<1x8x4x4xf32>
      func.return %y : tensor<1x8x4x4xf32>
    }}""")
    assert compare(LAYER_NORM, other).verdict is Verdict.UNDECIDED
    verdict = compare(LAYER_NORM, other, by_formulas=True).verdict
    assert verdict is (Verdict.PROVED if is_proved else Verdict.UNDECIDED)


@pytest.mark.parametrize(
    ("step", "is_proved"),
    [
        ("%y = npu.mul %d, %i : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>", True),
        (
            """%n = npu.mul %i, %d : (tensor<4x1xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
            %y = npu.mul %n, %v : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>""",
            True,
        ),
        ("%y = npu.mul %x, %i : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>", False),
        ("%y = npu.mul %d, %r : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>", False),
        ("%y = npu.mul %d, %x : tensor<2x4x3xf32>", False),
        (
            """%e = npu.sub %m, %x : (tensor<4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
            %y = npu.mul %e, %i : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>""",
            False,
        ),
    ],
)
def test_zeros_are_nothing_only_behind_a_norm(step: str, is_proved: bool):
    """The sign of a zero is a number's own in other products."""
    steps = f"""%m = npu.reduce_mean %x axes = [0] : (tensor<2x4x3xf32>) -> tensor<4x3xf32>
      %d = npu.sub %x, %m : (tensor<2x4x3xf32>, tensor<4x3xf32>) -> tensor<2x4x3xf32>
      %i = npu.rsqrt %v : tensor<4x1xf32>
      {step}"""
    zeros = "%o = npu.constant dense<0.0> : tensor<f32>\n%y = npu.add %o, %z : (tensor<f32>, tensor<2x4x3xf32>)"
    more = divided(f"{steps.replace('%y', '%z')}\n{zeros} -> tensor<2x4x3xf32>")
    verdict = compare(divided(steps), more, by_formulas=True).verdict
    assert verdict is (Verdict.PROVED if is_proved else Verdict.UNDECIDED)


@pytest.mark.parametrize(("rows", "is_proved"), [(1, True), (3, False)])
def test_zeros_that_repeat_a_norm_are_not_nothing(rows: int, is_proved: bool):
    """The sum of its rows is then three times the norm."""
    norm = """func.func @main(%x: tensor<1x4xf32>, %v: tensor<1x1xf32>) -> tensor<4xf32> {
      %m = npu.reduce_mean %x axes = [1] keep : (tensor<1x4xf32>) -> tensor<1x1xf32>
      %d = npu.sub %x, %m : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
      %i = npu.rsqrt %v : tensor<1x1xf32>
      %n = npu.mul %d, %i : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
      """
    plain = """%y = npu.reduce_sum %n axes = [0] : (tensor<1x4xf32>) -> tensor<4xf32>
      func.return %y : tensor<4xf32>
    }"""
    repeated = f"""%o = npu.constant dense<0.0> : tensor<{rows}x4xf32>
      %z = npu.add %n, %o : (tensor<1x4xf32>, tensor<{rows}x4xf32>) -> tensor<{rows}x4xf32>
      %y = npu.reduce_sum %z axes = [0] : (tensor<{rows}x4xf32>) -> tensor<4xf32>
      func.return %y : tensor<4xf32>
    }}"""
    verdict = compare(parse(norm + plain), parse(norm + repeated), by_formulas=True).verdict
    assert verdict is (Verdict.PROVED if is_proved else Verdict.UNDECIDED)


def test_bytes_that_are_signed_integers_in_between():
    """Numbers are equal if the zero point moves as the integers do."""
    begin = """func.func @main(%x: tensor<4xui8>) -> tensor<4xf32> {
      %s = npu.constant dense<0.1> : tensor<f32>
      %z = npu.constant dense<100> : tensor<ui8>
      %a = npu.dequantize %x, %s, %z : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
      """
    end = "func.return %{} : tensor<4xf32>\n}}"
    first = parse(begin + end.format("a"))
    for point, verdict in ((-28, Verdict.PROVED), (-27, Verdict.UNDECIDED)):
        steps = f"""%i = npu.constant dense<{point}> : tensor<i8>
          %q = npu.quantize %a, %s, %i : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
          %b = npu.dequantize %q, %s, %i : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
          """
        assert compare(first, parse(begin + steps + end.format("b"))).verdict is verdict


def halved(divide: str) -> str:
    """The product of both sizes of an image by the last one, in 64 bits."""
    return f"""func.func @main(%x: tensor<?x?xf32>) -> tensor<1xi64> {{
      %s = npu.opaque "litert.SHAPE"(%x) pure : (tensor<?x?xf32>) -> tensor<2xi64>
      %a = npu.slice %s starts = [0] limits = [1] : (tensor<2xi64>) -> tensor<1xi64>
      %b = npu.slice %s starts = [1] limits = [2] : (tensor<2xi64>) -> tensor<1xi64>
      %p = npu.mul %a, %b : tensor<1xi64>
      {divide}
      func.return %q : tensor<1xi64>
    }}"""


WIDE = "%q = npu.div %p, %b : tensor<1xi64>"
NARROW = """%c = npu.cast %p : (tensor<1xi64>) -> tensor<1xi32>
      %d = npu.cast %b : (tensor<1xi64>) -> tensor<1xi32>
      %e = npu.div %c, %d : tensor<1xi32>
      %q = npu.cast %e : (tensor<1xi32>) -> tensor<1xi64>"""


def test_sizes_that_are_divided_fit_in_32_bits():
    """The condition is a part of the answer; without it, and for other numbers, nothing is proved."""
    wide, narrow = parse(halved(WIDE)), parse(halved(NARROW))
    answer = compare(wide, narrow, by_formulas=True)
    assert (answer.verdict, answer.sizes_fit) == (Verdict.PROVED, True)
    assert not compare(narrow, narrow, by_formulas=True).sizes_fit
    assert compare(wide, narrow).verdict is Verdict.UNDECIDED
    other, narrowed = (parse(halved(each).replace("litert.SHAPE", "onnx.Other")) for each in (WIDE, NARROW))
    assert compare(other, narrowed, by_formulas=True).verdict is Verdict.UNDECIDED


def test_a_constant_that_is_cast_is_rounded():
    cast = """func.func @main(%x: tensor<f32>) -> tensor<2xf32> {
      %c = npu.constant dense<[0.1, 1.0e300]> : tensor<2xf64>
      %f = npu.cast %c : (tensor<2xf64>) -> tensor<2xf32>
      %y = npu.add %f, %x : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      func.return %y : tensor<2xf32>
    }"""
    known = """func.func @main(%x: tensor<f32>) -> tensor<2xf32> {
      %f = npu.constant dense<[0.1, 0x7F800000]> : tensor<2xf32>
      %y = npu.add %f, %x : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      func.return %y : tensor<2xf32>
    }"""
    assert compare(parse(cast), parse(known), by_formulas=True).verdict is Verdict.PROVED
    other = known.replace("0.1", "0.25")
    assert compare(parse(cast), parse(other), by_formulas=True).verdict is Verdict.UNDECIDED
