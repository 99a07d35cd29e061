"""Numbers that one program computes from constants and the other one has written out."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from numpy.typing import NDArray
from support.ir_text import parse_verified
from xdsl.dialects.builtin import ModuleOp

Numbers = NDArray[Any]
A, B = [1.5, -2.25, 0.1, 7.0], [0.3, -1.5, 3.0, 1e-3]
M, N = [100, -128, 3, 7], [100, 127, -5, 7]
TYPES = {"f32": np.float32, "i8": np.int8, "i32": np.int32, "i1": np.bool_, "f64": np.float64}


def _text(numbers: Numbers, element: str) -> str:
    if numbers.dtype == np.bool_:
        return f"dense<[{', '.join(str(bool(each)).lower() for each in numbers)}]> : tensor<{len(numbers)}xi1>"
    data = numbers.tobytes().hex().upper()
    return f'dense<"0x{data}"> : tensor<{len(numbers)}x{element}>'


def _modules(op: str, given: Sequence[Numbers], kinds: Sequence[str], expected: Numbers, result: str) -> list[ModuleOp]:
    """A program that computes numbers, and one that has them; both multiply an argument with them."""
    size = len(expected)
    ends = f"(%x: tensor<{size}x{result}>) -> tensor<{size}x{result}>"
    last = "select %y, %x, %y" if result == "i1" else "sub %x, %y"
    kind = ("i1, i1, i1" if result == "i1" else f"{result}, {result}").replace(result, f"tensor<{size}x{result}>")
    tail = f"%z = npu.{last} : ({kind}) -> tensor<{size}x{result}>\nfunc.return %z : tensor<{size}x{result}>\n}}"
    rows = [f"%c{index} = npu.constant {_text(*each)}" for index, each in enumerate(zip(given, kinds, strict=True))]
    operands = ", ".join(f"%c{index}" for index in range(len(given)))
    types = ", ".join(f"tensor<{len(each)}x{kind}>" for each, kind in zip(given, kinds, strict=True))
    rows.append(
        f"%y = npu.{op.replace(' ', f' {operands} ', 1) if ' ' in op else f'{op} {operands}'}"
        f" : ({types}) -> tensor<{size}x{result}>"
    )
    written = f"%y = npu.constant {_text(expected, result)}"
    texts = (f"func.func @main{ends} {{\n{head}\n{tail}" for head in ("\n".join(rows), written))
    return [parse_verified(text) for text in texts]


def _verdict(op: str, given: Sequence[Sequence[Any]], kinds: str, expected: Numbers, result: str) -> Verdict:
    arrays = [np.array(each, TYPES[kind]) for each, kind in zip(given, kinds.split(), strict=True)]
    return compare(*_modules(op, arrays, kinds.split(), np.asarray(expected, TYPES[result]), result)).verdict


F = np.float32


def _relu(x: Numbers) -> Numbers:
    return np.maximum(x, F(0))


EXACT: list[tuple[str, list[list[Any]], str, Callable[..., Any], str]] = [
    ("add", [A, B], "f32 f32", np.add, "f32"),
    ("mul", [A, B], "f32 f32", np.multiply, "f32"),
    ("div", [A, B], "f32 f32", np.divide, "f32"),
    ("sqrt", [[2, 3, 5, 7]], "f32", np.sqrt, "f32"),
    ("max", [A, B], "f32 f32", np.maximum, "f32"),
    ("relu", [A], "f32", _relu, "f32"),
    ("cast", [A], "f32", np.float64, "f64"),
    ("cast", [A], "f32", np.trunc, "i8"),
    ("add", [M, N], "i8 i8", np.add, "i8"),
    ("mul", [M, N], "i32 i32", np.multiply, "i32"),
    ("cumsum axis = 0", [M], "i8", np.cumsum, "i8"),
    ("less", [M, N], "i8 i8", np.less, "i1"),
    ("equal", [A, A], "f32 f32", np.equal, "i1"),
    ("and", [[1, 0, 1, 0], [1, 1, 0, 0]], "i1 i1", np.logical_and, "i1"),
    ("not", [[1, 0, 1, 0]], "i1", np.logical_not, "i1"),
    ("select", [[1, 0, 1, 0], A, B], "i1 f32 f32", np.where, "f32"),
]


@pytest.mark.parametrize(("op", "given", "kinds", "compute", "result"), EXACT)
def test_exact_ops(op: str, given: list[list[Any]], kinds: str, compute: Callable[..., Any], result: str) -> None:
    arrays = [np.array(each, TYPES[kind]) for each, kind in zip(given, kinds.split(), strict=True)]
    with np.errstate(all="ignore"):
        expected: Numbers = np.asarray(compute(*arrays), TYPES[result])
    assert _verdict(op, given, kinds, expected, result) is Verdict.PROVED
    other = expected.copy()
    other.view(np.uint8)[0] ^= 1
    assert _verdict(op, given, kinds, other, result) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("op", "given", "kinds", "expected", "result"),
    [
        ("cumsum axis = 0", [A], "f32", np.cumsum(np.array(A, F)), "f32"),
        ("exp", [A], "f32", np.exp(np.array(A, F)), "f32"),
        ("max", [[0.0, 1], [-0.0, 2]], "f32 f32", [0.0, 2], "f32"),
        ("relu", [[-0.0, 1]], "f32", [0.0, 1], "f32"),
        ("max", [[float("nan"), 1], [1, 2]], "f32 f32", [float("nan"), 2], "f32"),
        ("div", [[0.0, 1], [0.0, 2]], "f32 f32", [float("nan"), 0.5], "f32"),
        ("div", [[7, -7], [2, 2]], "i32 i32", [3, -3], "i32"),
        ("cast", [[3e9, 1]], "f32", [2**31 - 1, 1], "i32"),
        ("cast", [[float("nan"), 1]], "f64", [2**31 - 1, 1], "i32"),
    ],
)
def test_ops_whose_bits_depend_on_the_engine(op: str, given: Any, kinds: str, expected: Any, result: str) -> None:
    assert _verdict(op, given, kinds, np.asarray(expected), result) is Verdict.UNDECIDED


@pytest.mark.parametrize("kind", ["f32", "i8"])
def test_sums_of_nothing(kind: str) -> None:
    """A product or sum over an axis without elements is zeros."""

    def module(row: str, number: int = 0) -> ModuleOp:
        zero = f"{number}.0" if kind == "f32" else str(number)
        return parse_verified(f"""
        func.func @main(%x: tensor<3x0x{kind}>, %z: tensor<0x4x{kind}>) -> tensor<3x4x{kind}> {{
          {row.replace("ZERO", zero).replace("K", kind)}
          func.return %y : tensor<3x4x{kind}>
        }}""")

    written = "%y = npu.constant dense<ZERO> : tensor<3x4xK>"
    matmul = "%y = npu.matmul %x, %z : (tensor<3x0xK>, tensor<0x4xK>) -> tensor<3x4xK>"
    padded = """%e = npu.constant dense<> : tensor<3x0x4xK>
    %y = npu.reduce_sum %e axes = [1] : (tensor<3x0x4xK>) -> tensor<3x4xK>"""
    for row in (matmul, padded):
        assert compare(module(row), module(written)).verdict is Verdict.PROVED
        assert compare(module(row), module(written, 1)).verdict is Verdict.UNDECIDED
    largest = padded.replace("reduce_sum", "reduce_max")
    assert compare(module(largest), module(written)).verdict is Verdict.UNDECIDED


def _windows(rows: str, moved: str = "[0, 2, 1, 3]") -> ModuleOp:
    """The differences of sums of rows and columns, which are computed before windows of 2 by 3 are cut."""
    return parse_verified(f"""func.func @main(%x: tensor<4x6x6xi32>) -> tensor<4x6x6xi32> {{
        %r = npu.constant dense<{rows}> : tensor<4x1xi32>
        %c = npu.constant dense<[[0, 0, 0, 5, 5, 7]]> : tensor<1x6xi32>
        %s = npu.add %r, %c : (tensor<4x1xi32>, tensor<1x6xi32>) -> tensor<4x6xi32>
        %d = npu.reshape %s : (tensor<4x6xi32>) -> tensor<2x2x2x3xi32>
        %t = npu.transpose %d permutation = {moved} : (tensor<2x2x2x3xi32>) -> tensor<2x2x2x3xi32>
        %a = npu.reshape %t : (tensor<2x2x2x3xi32>) -> tensor<4x1x6xi32>
        %b = npu.reshape %t : (tensor<2x2x2x3xi32>) -> tensor<4x6x1xi32>
        %m = npu.sub %a, %b : (tensor<4x1x6xi32>, tensor<4x6x1xi32>) -> tensor<4x6x6xi32>
        %y = npu.sub %x, %m : tensor<4x6x6xi32>
        func.return %y : tensor<4x6x6xi32>
    }}""")


CUT_FIRST = """func.func @main(%x: tensor<4x6x6xi32>) -> tensor<4x6x6xi32> {
    %r = npu.constant dense<[[1], [1], [1], [2]]> : tensor<4x1xi32>
    %c = npu.constant dense<[[0, 0, 0, 5, 5, 7]]> : tensor<1x6xi32>
    %rows = npu.reshape %r : (tensor<4x1xi32>) -> tensor<2x1x2x1xi32>
    %columns = npu.reshape %c : (tensor<1x6xi32>) -> tensor<1x2x1x3xi32>
    %s = npu.add %rows, %columns : (tensor<2x1x2x1xi32>, tensor<1x2x1x3xi32>) -> tensor<2x2x2x3xi32>
    %a = npu.reshape %s : (tensor<2x2x2x3xi32>) -> tensor<4x1x6xi32>
    %b = npu.reshape %s : (tensor<2x2x2x3xi32>) -> tensor<4x6x1xi32>
    %m = npu.sub %a, %b : (tensor<4x1x6xi32>, tensor<4x6x1xi32>) -> tensor<4x6x6xi32>
    %y = npu.sub %x, %m : tensor<4x6x6xi32>
    func.return %y : tensor<4x6x6xi32>
}"""


def test_numbers_computed_in_other_pieces_are_equal():
    """Masks of windows are computed from positions, whose numbers repeat."""
    assert compare(_windows("[[1], [1], [1], [2]]"), parse_verified(CUT_FIRST)).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "changed", [{"rows": "[[1], [1], [2], [1]]"}, {"rows": "[[1], [1], [1], [2]]", "moved": "[2, 0, 1, 3]"}]
)
def test_other_numbers_in_other_pieces_are_not_equal(changed: dict[str, str]):
    assert compare(_windows(**changed), parse_verified(CUT_FIRST)).verdict is not Verdict.PROVED
