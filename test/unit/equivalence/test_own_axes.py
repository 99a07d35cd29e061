"""Axes that are in the same operands and results of an op, and mean something else: no two of them are exchanged."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp

IMAGE, GRID = "tensor<1x1x4x4xf32>", "tensor<1x2x2x2xf32>"
CONV = f"({IMAGE}, tensor<1x2x4x4xf32>, tensor<1x1x1x1xf32>) -> {IMAGE}"
HEADS, ROWS, TABLE = "tensor<2x3x3x2xf16>", "tensor<2x3x3x4xf16>", "tensor<2x2xf16>"
KEY = ' key_axes = "BNHC"'
NCHW = "data_layout = <NCHW>"
OPS = {
    "offsets": (
        {"x": IMAGE, "o": "tensor<1x2x4x4xf32>", "w": "tensor<1x1x1x1xf32>"},
        f"%y = npu.deform_conv %x, %o, %w {NCHW} : {CONV}",
        {"o": (0, 1, 3, 2)},
    ),
    "places": (
        {"x": IMAGE, "g": GRID},
        f"%y = npu.grid_sample %x, %g {NCHW} : ({IMAGE}, {GRID}) -> tensor<1x1x2x2xf32>",
        {"g": (0, 1, 3, 2)},
    ),
    "keys of heads": (
        {"q": HEADS, "k": HEADS, "v": HEADS},
        f"%y = npu.attention %q, %k, %v scale = 0.5 : ({HEADS}, {HEADS}, {HEADS}) -> {HEADS}",
        {name: (0, 2, 1, 3) for name in "kv"},
    ),
    "angles": (
        {"x": ROWS, "c": TABLE, "s": TABLE, "p": "tensor<2x3xi64>"},
        f"%y = npu.rotary %x, %c, %s, %p : ({ROWS}, {TABLE}, {TABLE}, tensor<2x3xi64>) -> {ROWS}",
        {name: (1, 0) for name in "cs"},
    ),
    "packed weights": (
        {"x": "tensor<2x32xf32>", "w": "tensor<8x2x8xui8>", "s": "tensor<8x2xf32>"},
        "%y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 16"
        " : (tensor<2x32xf32>, tensor<8x2x8xui8>, tensor<8x2xf32>) -> tensor<2x8xf32>",
        {"w": (2, 1, 0)},
    ),
}


def _program(arguments: dict[str, str], op: str, moved: dict[str, tuple[int, ...]]) -> ModuleOp:
    lines = [
        f"%{name}_ = npu.transpose %{name} permutation = {[*order]} : {arguments[name]}"
        for name, order in moved.items()
    ]
    for name in moved:
        op = op.replace(f"%{name},", f"%{name}_,").replace(f"%{name} ", f"%{name}_ ")
    result = op.rpartition("-> ")[2].strip("()").split(", ")[0]
    given = ", ".join(f"%{name}: {type_}" for name, type_ in arguments.items())
    body = "\n".join([*lines, op, f"func.return %y : {result}"])
    return parse(f"func.func @main({given}) -> {result} {{\n{body}\n}}")


@pytest.mark.parametrize("name", OPS)
def test_axes_of_one_size_are_not_exchanged(name: str):
    arguments, op, moved = OPS[name]
    first = _program(arguments, op, {})
    assert compare(first, _program(arguments, op, {})).verdict is Verdict.PROVED
    assert compare(first, _program(arguments, op, moved)).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("element", ["f16", "f32"])
def test_values_with_heads_are_known_by_their_axes(element: str):
    arguments = {name: HEADS.replace("f16", element) for name in "qkv"}
    types = f"({', '.join(arguments.values())}) -> {arguments['q']}"
    first, other = (f"%y = npu.attention %q, %k, %v scale = 0.5{stated} : {types}" for stated in ("", KEY))
    exchanged = {"k": (0, 2, 1, 3)}
    plain = _program(arguments, first, {})
    assert compare(plain, _program(arguments, other, exchanged)).verdict is Verdict.PROVED
    assert compare(plain, _program(arguments, other, {})).verdict is not Verdict.PROVED
