"""Ops on values of few bits, and the same ops in wider types between casts."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import run
from numpy.typing import NDArray
from support.campaign import amount
from support.ir_text import parse_verified
from xdsl.dialects.builtin import ModuleOp

ROW = 4


class Code:
    """The text of a function of %x and %z, both of one type, whose values have one shape."""

    def __init__(self, element: str, size: int = ROW) -> None:
        self.element, self.size = element, size
        self.rows: list[str] = []

    def type(self, element: str) -> str:
        return f"tensor<{self.size}x{element}>"

    def add(self, op: str, operands: Sequence[tuple[str, str]], result: str) -> tuple[str, str]:
        """Add an op on values with their types."""
        name = f"%v{len(self.rows)}"
        names, types = ", ".join(each for each, _ in operands), ", ".join(self.type(each) for _, each in operands)
        self.rows.append(f"{name} = npu.{op} {names} : ({types}) -> {self.type(result)}")
        return name, result

    def cast(self, value: tuple[str, str], wanted: str) -> tuple[str, str]:
        return value if value[1] == wanted else self.add("cast", [value], wanted)

    def module(self, value: tuple[str, str]) -> ModuleOp:
        t, body = self.type(self.element), "\n".join(self.rows)
        result = self.type(value[1])
        text = f"func.func @main(%x: {t}, %z: {t}) -> {result} {{\n{body}\nfunc.return {value[0]} : {result}\n}}"
        return parse_verified(text)


def _binary(op: str, element: str, wide: str, *, swaps: bool = False) -> ModuleOp:
    code = Code(element)
    operands = [code.cast((name, element), wide) for name in (("%z", "%x") if swaps else ("%x", "%z"))]
    is_test = op in ("equal", "less", "greater_equal")
    result = code.add(op, operands, "i1" if is_test else wide)
    return code.module(result if is_test else code.cast(result, element))


WIDER = {
    "i8": ("i16", "i32", "i64"),
    "ui8": ("i16", "ui16", "i32", "i64"),
    "ui16": ("i32", "i64"),
    "i16": ("i32",),
    "f16": ("f32",),
    "bf16": ("f32",),
}


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "max", "min", "equal", "less", "greater_equal"])
@pytest.mark.parametrize("element", WIDER)
def test_binary_ops(op: str, element: str) -> None:
    for wide in WIDER[element]:
        assert compare(_binary(op, element, element), _binary(op, element, wide)).verdict is Verdict.PROVED, wide
    if op in ("sub", "div", "less"):
        swapped = _binary(op, element, WIDER[element][0], swaps=True)
        assert compare(_binary(op, element, element), swapped).verdict is not Verdict.PROVED


@pytest.mark.parametrize(("element", "wide"), [("i8", "f32"), ("ui8", "f32"), ("i16", "f32")])
def test_floats_have_the_integers(element: str, wide: str) -> None:
    for op in ("max", "min", "less"):
        assert compare(_binary(op, element, element), _binary(op, element, wide)).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("element", "wide", "op"),
    [("i32", "f32", "max"), ("i16", "i8", "max"), ("i8", "ui16", "max"), ("i16", "f32", "mul"), ("f32", "f64", "add")],
)
def test_types_that_do_not_have_the_numbers(element: str, wide: str, op: str) -> None:
    """Of these some need not differ, as sums of f32 in f64, but none is known to be the same."""
    assert compare(_binary(op, element, element), _binary(op, element, wide)).verdict is not Verdict.PROVED


def _constant(limit: int, element: str, wide: str) -> ModuleOp:
    return parse_verified(f"""func.func @main(%x: tensor<4x{element}>) -> tensor<4x{element}> {{
      %c = npu.constant dense<{limit}> : tensor<{wide}>
      %w = npu.cast %x : (tensor<4x{element}>) -> tensor<4x{wide}>
      %m = npu.min %w, %c : (tensor<4x{wide}>, tensor<{wide}>) -> tensor<4x{wide}>
      %y = npu.cast %m : (tensor<4x{wide}>) -> tensor<4x{element}>
      func.return %y : tensor<4x{element}>
    }}""")


def test_constants() -> None:
    """A constant of the wide type may be one of the narrow type, if it is in range."""
    wide, narrow = _constant(100, "i8", "i32"), _constant(100, "i8", "i16")
    assert compare(wide, narrow).verdict is Verdict.PROVED
    assert compare(wide, _constant(101, "i8", "i16")).verdict is Verdict.UNDECIDED
    assert compare(_constant(200, "i8", "i32"), _constant(-56, "i8", "i32")).verdict is Verdict.UNDECIDED
    assert compare(_constant(1000, "i16", "f32"), _constant(1000, "i16", "i32")).verdict is Verdict.PROVED


def test_moved_values() -> None:
    """A value that is cast back is the one that was computed, not another order of it."""

    def module(order: str) -> ModuleOp:
        return parse_verified(f"""func.func @main(%x: tensor<3x3xi8>) -> tensor<3x3xi8> {{
          %w = npu.cast %x : (tensor<3x3xi8>) -> tensor<3x3xi32>
          %t = npu.transpose %w permutation = {order} : (tensor<3x3xi32>) -> tensor<3x3xi32>
          %m = npu.max %t, %w : tensor<3x3xi32>
          %s = npu.add %m, %t : tensor<3x3xi32>
          %y = npu.cast %s : (tensor<3x3xi32>) -> tensor<3x3xi8>
          func.return %y : tensor<3x3xi8>
        }}""")

    narrow = parse_verified("""func.func @main(%x: tensor<3x3xi8>) -> tensor<3x3xi8> {
      %t = npu.transpose %x permutation = [1, 0] : (tensor<3x3xi8>) -> tensor<3x3xi8>
      %m = npu.max %t, %x : tensor<3x3xi8>
      %y = npu.add %m, %t : tensor<3x3xi8>
      func.return %y : tensor<3x3xi8>
    }""")
    assert compare(narrow, module("[1, 0]")).verdict is Verdict.PROVED
    assert compare(narrow, module("[0, 1]")).verdict is Verdict.UNDECIDED


def _tree(rng: Random, depth: int) -> Any:
    if not depth or rng.random() < 0.1:
        return rng.choice(("%x", "%z"))
    op = rng.choice(("add", "sub", "mul", "max", "min", "neg", "abs", "relu", "select"))
    count = {"neg": 1, "abs": 1, "relu": 1, "select": 4}.get(op, 2)
    return op, [_tree(rng, depth - 1 if place == 0 else rng.randrange(depth)) for place in range(count)]


def _built(tree: Any, code: Code, rng: Random, wides: Sequence[str]) -> tuple[str, str]:
    """The value of a tree, each op of it in some type, and with or without a cast behind it."""
    if isinstance(tree, str):
        return tree, code.element
    op, children = tree
    wide = rng.choice(wides)
    operands = [code.cast(_built(each, code, rng, wides), wide) for each in children]
    if op == "select":
        result = code.add("select", [code.add("less", operands[:2], "i1"), *operands[2:]], wide)
    else:
        result = code.add(op, operands, wide)
    return code.cast(result, code.element) if rng.random() < 0.7 else result


def test_random_trees_are_proved_only_if_all_numbers_agree() -> None:
    """Every pair of numbers of 8 bits is tried."""
    everything: list[NDArray[Any]] = [np.array(each) for each in zip(*product(range(-128, 128), repeat=2), strict=True)]
    counts = Counter[tuple[bool, bool]]()
    for seed in range(amount(60, 4000)):
        rng = Random(seed)
        tree, results, modules = _tree(rng, 3), list[NDArray[Any]](), list[ModuleOp]()
        element = rng.choice(("i8", "ui8"))
        inputs = [each.astype(np.int8 if element == "i8" else np.uint8) for each in everything]
        for wides in (WIDER[element], (element, *WIDER[element])):
            code = Code(element, len(inputs[0]))
            modules.append(code.module(code.cast(_built(tree, code, rng, wides), element)))
            results.append(run(modules[-1], "main", inputs)[0])
        same = np.array_equal(results[0], results[1])
        proved = compare(*modules).verdict is Verdict.PROVED
        assert same or not proved, f"seed {seed}\n{modules[0]}\n{modules[1]}"
        counts[same, proved] += 1
    assert counts[True, True] > counts[True, False]
    assert counts[False, False]


INTEGERS = ("i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64")


def _all_of(element: str) -> NDArray[Any]:
    """Every number of 16 bits, or f32 around the ends of the integers."""
    if element == "f32":
        ends = [part * 2.0**bits for bits in (7, 15, 31, 32, 63, 64, 66) for part in (1, 1.25, -1, -1.25)]
        return np.array([*ends, 0.5, -0.5, -3, np.inf, -np.inf, np.nan], np.float32)
    kind = {"i16": np.int16, "ui16": np.uint16, "f16": np.float16}[element]
    return np.arange(2**16, dtype=np.uint16).view(kind)


@pytest.mark.parametrize("element", ["i16", "ui16", "f16", "f32"])
def test_random_casts_are_proved_only_if_all_numbers_agree(element: str) -> None:
    """Casts between integers wrap, and those of floats truncate first."""
    inputs = [_all_of(element)] * 2
    counts = Counter[tuple[bool, bool]]()
    for seed in range(amount(150, 4000)):
        rng = Random(seed)
        last, modules = rng.choice(INTEGERS), list[ModuleOp]()
        for _ in range(2):
            code, value = Code(element, len(inputs[0])), ("%x", element)
            for wanted in (*rng.choices(INTEGERS, k=rng.randrange(3)), last):
                value = code.cast(value, wanted)
            modules.append(code.module(value))
        results = [run(module, "main", inputs)[0] for module in modules]
        same = np.array_equal(results[0], results[1])
        proved = compare(*modules).verdict is Verdict.PROVED
        assert same or not proved, f"seed {seed}\n{modules[0]}\n{modules[1]}"
        counts[same, proved] += 1
    # All numbers of f16 fit in i32, which the proof does not know.
    assert counts[True, True] > counts[True, False] if element[0] == "f" else not counts[True, False]
    assert counts[False, False]


def test_floats_that_are_cut_elsewhere_are_not_proved() -> None:
    """Engines saturate or fail at another width: 3e9 is 2147483647 as an i32, and another number through an i64."""
    modules: list[ModuleOp] = []
    for between in ([], ["i64"]):
        code, value = Code("f32"), ("%x", "f32")
        for wanted in (*between, "i32"):
            value = code.cast(value, wanted)
        modules.append(code.module(value))
    assert compare(*modules).verdict is Verdict.UNDECIDED


SUMS = (
    *("reduce_sum axes = [1]", "reduce_sum axes = [0]", "reduce_sum_square axes = [1]"),
    *("cumsum axis = 1", "cumsum axis = 1 exclusive", "cumsum axis = 0", "cumsum axis = 1 reverse"),
)


def _summed(op: str, element: str, wide: str, between: str = "") -> ModuleOp:
    """A sum of squares of numbers in a wide type, or in their own, of which other ops are in between."""
    sizes = {"reduce": {"[0]": "4", "[1]": "3"}.get(op[-3:], ""), "cumsum": "3x4"}[op[:6]]
    name, attributes = op.split(" ", 1)
    return parse_verified(f"""func.func @main(%x: tensor<3x4x{element}>) -> tensor<{sizes}x{element}> {{
      %w = npu.cast %x : (tensor<3x4x{element}>) -> tensor<3x4x{wide}>
      %q = npu.mul %w, %w : tensor<3x4x{wide}>
      {between or f"%z = npu.neg %q : tensor<3x4x{wide}>"}
      %s = npu.{name} %z {attributes} : (tensor<3x4x{wide}>) -> tensor<{sizes}x{wide}>
      %y = npu.cast %s : (tensor<{sizes}x{wide}>) -> tensor<{sizes}x{element}>
      func.return %y : tensor<{sizes}x{element}>
    }}""")


@pytest.mark.parametrize("element", ["i8", "ui8", "i16", "i32", "ui32"])
def test_sums_wrap(element: str) -> None:
    """Sums of integers are computed modulo a power of two, however large the numbers become in between."""
    given = {op: _summed(op, element, element) for op in SUMS}
    for op in SUMS:
        wide = _summed(op, element, "i64")
        proved = [other for other, module in given.items() if compare(module, wide).verdict is Verdict.PROVED]
        assert proved == [op]


@pytest.mark.parametrize("op", SUMS)
def test_sums_of_numbers_that_are_not_congruent(op: str) -> None:
    """A quotient of large numbers, and sums of floats, are others in a wider type."""
    halves = [
        f"""%two = npu.constant dense<2> : tensor<{wide}>
        %z = npu.div %q, %two : (tensor<3x4x{wide}>, tensor<{wide}>) -> tensor<3x4x{wide}>"""
        for wide in ("i8", "i64")
    ]
    modules = _summed(op, "i8", "i8", halves[0]), _summed(op, "i8", "i64", halves[1])
    assert compare(*modules).verdict is Verdict.UNDECIDED
    assert compare(_summed(op, "f16", "f16"), _summed(op, "f16", "f32")).verdict is Verdict.UNDECIDED
    assert compare(_summed(op, "i32", "i32"), _summed(op, "i32", "f64")).verdict is Verdict.UNDECIDED
