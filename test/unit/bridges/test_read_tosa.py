"""Modules of TOSA come in, go out as they came, and what cannot be read gets one line that says where and why."""

import re
from pathlib import Path

import numpy as np
import pytest
from support import optional_tools

if optional_tools.mlir_bindings().location is None:
    pytest.skip(optional_tools.mlir_bindings().note, allow_module_level=True)

from npu_opt.bridges.mlir.bindings import ir
from npu_opt.bridges.mlir.engine import Compiled
from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, signature
from npu_opt.bridges.mlir.importing.importer import read_module
from npu_opt.bridges.mlir.importing.registry import READERS
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.program.symbols import verify
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import run as interpreted
from npu_opt.tools.opt import run
from support.ir_text import split_cases
from support.oracles.running import main_of
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp

FILES = sorted((ROOT / "test" / "bridges" / "tosa").glob("*.mlir"))
SMALL = "tensor<2xf8E5M2>"


def function(body: str, arguments: str = "%x: tensor<2xf32>", result: str = "tensor<2xf32>") -> str:
    return f"func.func @main({arguments}) -> {result} {{\n{body}\n}}\n"


def nothing(name: str) -> None:
    """The result of `find_spec` for a missing module."""


def test_every_reader_is_seen_at_work():
    opaque = (ROOT / "test" / "bridges" / "tosa" / "opaque.mlir").read_text()
    read = "".join(file.read_text() for file in FILES).replace(opaque, "")
    assert {name for name in READERS if not re.search(rf"\b{re.escape(name)}\b", read)} == set()


def ops_of(module: ModuleOp) -> set[str]:
    return {op.op_name.data if isinstance(op, OpaqueOp) else op.name for op in module.walk()}


def test_what_is_read_goes_out_and_comes_in_again():
    cases = [case for file in FILES for case in split_cases(file.read_text()) if "?" not in case]
    proved = 0
    for case in cases:
        read = read_module(case, "case.mlir")
        verify(read)
        with mlir_context():
            again = read_module(str(lowered(read)), "again.mlir")
        verify(again)
        # What goes out as loops comes back as such; whether they compute the same, numbers say (test/unit/fuzz).
        if ops_of(again) <= ops_of(read):
            assert compare(read, again).verdict is Verdict.PROVED, case
            proved += 1
    assert proved > len(cases) / 2


INTEGERS = """
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.clamp %x {max_val = 2147483647 : i32, min_val = 0 : i32} : (TYPE) -> TYPE
  %1 = tosa.clamp %y {max_val = 100 : i32, min_val = -7 : i32} : (TYPE) -> TYPE
  %2 = tosa.add %x, %y : (TYPE, TYPE) -> TYPE
  %3 = tosa.sub %2, %1 : (TYPE, TYPE) -> TYPE
  %4 = tosa.mul %3, %y, %s : (TYPE, TYPE, tensor<1xi8>) -> TYPE
  %5 = tosa.maximum %4, %0 : (TYPE, TYPE) -> TYPE
  %6 = tosa.minimum %4, %x : (TYPE, TYPE) -> TYPE
  %7 = tosa.abs %6 : (TYPE) -> TYPE
  %8 = tosa.bitwise_not %7 : (TYPE) -> TYPE
  %9 = tosa.bitwise_and %8, %y : (TYPE, TYPE) -> TYPE
  %10 = tosa.bitwise_or %9, %1 : (TYPE, TYPE) -> TYPE
  %11 = tosa.bitwise_xor %10, %5 : (TYPE, TYPE) -> TYPE
  %12 = tosa.greater %11, %y : (TYPE, TYPE) -> tensor<5xi1>
  %13 = tosa.equal %11, %x : (TYPE, TYPE) -> tensor<5xi1>
  %14 = tosa.negate %11, %z, %z : (TYPE, tensor<1xi32>, tensor<1xi32>) -> TYPE
  return %12, %13, %14 : tensor<5xi1>, tensor<5xi1>, TYPE
""".replace("TYPE", "tensor<5xi32>")


def test_integers_go_out_as_the_ops_that_they_came_as():
    text = function(INTEGERS, "%x: tensor<5xi32>, %y: tensor<5xi32>", "(tensor<5xi1>, tensor<5xi1>, tensor<5xi32>)")
    read = read_module(text, "integers.mlir")
    ends = np.array([-(1 << 31), (1 << 31) - 1, -1, 0, 70], np.int32)
    with mlir_context():
        module = lowered(read)
        written = str(module)
        found = Compiled(module, "main", signature(main_of(read))).run([ends, ends[::-1].copy()])
    assert "linalg" not in written
    assert compare(read, read_module(written, "again.mlir")).verdict is Verdict.PROVED
    for array, expected in zip(found, interpreted(read, inputs=[ends, ends[::-1]]), strict=True):
        np.testing.assert_array_equal(array, expected)


def test_long_programs_are_read():
    count = 10_000
    lines = [f"%v{index + 1} = tosa.abs %v{index} : (tensor<2xf32>) -> tensor<2xf32>" for index in range(count)]
    text = function("\n".join([*lines, f"return %v{count} : tensor<2xf32>"]), arguments="%v0: tensor<2xf32>")
    module = read_module(text, "long.mlir")
    assert sum(op.name == "npu.abs" for op in module.walk()) == count


def test_numbers_of_resources_may_be_repeated():
    text = function(
        '%0 = "tosa.const"() <{values = dense_resource<one> : tensor<3xf32>}> : () -> tensor<3xf32>\n'
        "return %0 : tensor<3xf32>",
        arguments="",
        result="tensor<3xf32>",
    )
    module = read_module(text + '{-# dialect_resources: { builtin: { one: "0x040000000000803F" } } #-}', "one.mlir")
    assert "dense<1.000000e+00> : tensor<3xf32>" in str(module)


@pytest.mark.parametrize(
    ("element", "many", "one"),
    [("f32", "0.5", "1.0"), ("bf16", "0.5", "1.0"), ("i4", "-3", "1"), ("i1", "true", "false"), ("i48", "-7", "1")],
)
def test_many_numbers_are_read_as_they_are(element: str, many: str, one: str):
    """MLIR writes more than a hundred of them in hexadecimal digits."""
    type = f"tensor<150x{element}>"
    values = f"dense<[{', '.join([many] * 149 + [one])}]> : {type}"
    body = f'%0 = "tosa.const"() <{{values = {values}}}> : () -> {type}\nreturn %0 : {type}'
    read = read_module(function(body, arguments="", result=type), "many.mlir")
    with mlir_context():
        module = lowered(read)
        (constant, _) = module.body.operations[0].regions[0].blocks[0].operations
        assert constant.operation.attributes["values"] == ir.Attribute.parse(values)


ERRORS = [
    pytest.param(
        function("%y = tosa.absx %x : (tensor<2xf32>) -> tensor<2xf32>\nreturn %y : tensor<2xf32>"),
        "2:6: error: custom op 'tosa.absx' is unknown",
        id="no such op",
    ),
    pytest.param(
        function("%y = tosa.abs %x : (tensor<2xf32>) -> tensor<3xf32>\nreturn %y : tensor<3xf32>"),
        "2:6: error: 'tosa.abs' op requires the same shape for all operands and results",
        id="a wrong op",
    ),
    pytest.param("func.func @main(", "1:16: error: expected non-function type", id="an end too soon"),
    pytest.param(
        function(f"return %x : {SMALL}", f"%x: {SMALL}", SMALL),
        f"1:17: error: the npu dialect has no values of type {SMALL}",
        id="an element type",
    ),
    pytest.param(
        function(f"%y = tosa.cast %x : (tensor<2xf32>) -> {SMALL}\nreturn %y : {SMALL}", result=SMALL),
        f"3:1: error: the npu dialect has no values of type {SMALL}",
        id="a result",
    ),
    pytest.param(
        function("%0 = arith.constant 1 : i32\nreturn %0 : i32", result="i32"),
        "3:1: error: the npu dialect has no values of type i32",
        id="a number",
    ),
    pytest.param(
        "func.func private @f(i32)", "1:1: error: the npu dialect has no values of type i32", id="a declaration"
    ),
    pytest.param(
        function("cf.br ^end\n^end:\nreturn %x : tensor<2xf32>"),
        "1:1: error: 2 blocks: branches are not supported",
        id="branches",
    ),
    pytest.param(
        '"tosa.variable"() <{sym_name = "v", var_shape = dense<2> : tensor<1xindex>, type = f32}> : () -> ()',
        "1:1: error: 'tosa.variable' is not supported: expected only functions in a module",
        id="no function",
    ),
    pytest.param(
        function(
            '%y = "tosa.const"() <{values = dense_resource<__elided__> : tensor<2xf32>}> : () -> tensor<2xf32>\n'
            "return %y : tensor<2xf32>"
        )
        + '{-# dialect_resources: { builtin: { other: "0x040000000000803F" } } #-}',
        "2:6: error: the data of this constant is not in the file",
        id="elided numbers",
    ),
]


@pytest.mark.parametrize(("text", "expected"), ERRORS)
def test_what_cannot_be_read(text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "bad.mlir"
    file.write_text(text)
    assert run([str(file), "-f", "tosa"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"{file}:{expected}\n"


def opaque(name: str, attributes: str) -> str:
    return function(
        f'%y = npu.opaque "{name}"(%x) {{{attributes}}} : (tensor<2xf32>) -> tensor<2xf32>\nreturn %y : tensor<2xf32>'
    ).replace("return", "func.return")


WRONG = [
    pytest.param(opaque("tosa.pow", ""), "\"tosa.pow\": 'tosa.pow' op expected 2 operands, but found 1", id="operands"),
    pytest.param(
        opaque("tosa.abs", "mlir.sizes = [unit, array<i64: 1>, 3 : i64]"),
        "mlir.sizes: expected a unit for each of 1 operands, and lists of sizes between them, found"
        " [unit, array<i64: 1>, 3 : i64]",
        id="sizes",
    ),
    pytest.param(
        opaque("tosa.abs", "mlir.sizes = 1 : i64"),
        "mlir.sizes: expected a unit for each of 1 operands, and lists of sizes between them, found 1 : i64",
        id="no sizes",
    ),
    pytest.param(
        opaque("tosa.abs", "mlir.function = 1 : i64"),
        "mlir.function: expected the text of a function, found 1 : i64",
        id="no text",
    ),
    pytest.param(
        opaque("tosa.abs", 'mlir.function = "module {}"'),
        "mlir.function: expected one function of one block",
        id="no function",
    ),
    pytest.param(
        opaque("tosa.abs", 'mlir.function = "func.func @f("'), '"tosa.abs": expected non-function type', id="no MLIR"
    ),
    pytest.param(
        opaque("tosa.abs", 'mlir.function = "func.func @f() { return }"'),
        "mlir.function: the types of the arguments differ from those of the operands",
        id="arguments",
    ),
    pytest.param(
        opaque("tosa.abs", 'mlir.function = "func.func @f(%x: tensor<2xf32>) { return }"'),
        "mlir.function: the types of the results differ from those of the op",
        id="results",
    ),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_what_cannot_be_written_back(text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "bad.mlir"
    file.write_text(text)
    assert run([str(file), "-t", "tosa"]) == 1
    assert capsys.readouterr().err.splitlines()[0] == f"{file}:2:6: error: 'npu.opaque' {expected}"


def test_the_lines_of_a_piece_are_those_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    good = function("return %x : tensor<2xf32>")
    file = tmp_path / "pieces.mlir"
    file.write_text(f"{good}// -----\n{good.replace('return', 'retern')}")
    assert run([str(file), "-f", "tosa", "--split-input-file"]) == 1
    assert capsys.readouterr().err.startswith(f"{file}:6:1: error: ")


def test_without_the_bindings_one_error_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("npu_opt.bridges.extra.find_spec", nothing)
    file = tmp_path / "model.mlir"
    file.write_text(function("return %x : tensor<2xf32>"))
    assert run([str(file), "-f", "tosa"]) == 1
    expected = "npu-opt: error: MLIR's own bindings are needed for this: pip install 'npu-opt[mlir]'\n"
    assert capsys.readouterr().err == expected
