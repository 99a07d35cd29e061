"""The parser makes ops whose text it knows without parsing: the same program, and the same errors, as xDSL's parser."""

from collections.abc import Iterator
from io import StringIO

import pytest
from npu_opt.compat.xdsl import without_module_dumps
from npu_opt.text.parser import NpuParser
from npu_opt.text.printer import NpuPrinter
from npu_opt.text.repeated_ops import RepeatedOps
from npu_opt.tools.driver.formats.program import new_context
from support.generators.programs import random_program
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

T = "tensor<2x3xf32>"


@pytest.fixture
def repeated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the ops that were made without parsing."""
    names: list[str] = []
    original = RepeatedOps.repeated

    def noted(*arguments: object) -> Operation | None:
        op = original(*arguments)  # pyright: ignore[reportArgumentType]  # The arguments of the original.
        if op is not None:
            names.append(op.name)
        return op

    monkeypatch.setattr(RepeatedOps, "repeated", noted)
    return names


def both(text: str) -> tuple[str, str]:
    """The program by this parser, and by xDSL's, with names and locations."""
    return _printed(NpuParser(new_context(), text).parse_module()), _printed(Parser(new_context(), text).parse_module())


def _printed(module: ModuleOp) -> str:
    buffer = StringIO()
    Printer(buffer, print_generic_format=True, print_debuginfo=True).print_op(module)
    return buffer.getvalue()


def function(*lines: str, arguments: str = f"%x: {T}, %y: {T}", result: str = "") -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"func.func @main({arguments}) {result} {{\n{body}}}\n"


def test_repeated_ops_are_made_without_parsing(repeated: list[str]):
    text = function(
        f"%a = npu.relu %x : {T}",
        f"%b = npu.relu %a : {T}",
        f"%c = npu.add %a, %b : {T}",
        f"%d = npu.add %c, %a : {T}",
        f"%e = npu.softmax %d axis = 1 {{tag = 1 : i32}} : {T}",
        f"%f = npu.softmax %e axis = 1 {{tag = 1 : i32}} : {T}",
        f"%g = npu.softmax %f axis = 0 {{tag = 1 : i32}} : {T}",
        "func.return",
    )
    found, expected = both(text)
    assert found == expected
    assert repeated == ["npu.relu", "npu.add", "npu.softmax"]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([f"%a = npu.add %x, %x : {T}", f"%b = npu.add %x, %y : {T}"], id="a name twice, before"),
        pytest.param([f"%a = npu.add %x, %y : {T}", f"%b = npu.add %x, %x : {T}"], id="a name twice, behind"),
        pytest.param(
            [f"%a = npu.relu %x : {T} %b = npu.relu %a : {T}", f"%c = npu.relu %x : {T} %d = npu.relu %c : {T}"],
            id="two ops on a line",
        ),
        pytest.param([f"%a = npu.relu %x\n: {T}", f"%b = npu.relu %x\n: {T}"], id="an op on two lines"),
        pytest.param(["%a = npu.relu %x :", T, f"%b = npu.relu %x : {T}"], id="an op that ends on the next line"),
        pytest.param([f"%a = npu.relu %x : {T} // one", f"%b = npu.relu %x : {T} // two"], id="comments"),
        pytest.param([f"%a = npu.relu %b : {T}", f"%b = npu.relu %x : {T}"], id="used before it is defined"),
        pytest.param(
            [f'%a = npu.relu %x : {T} loc("a")', f'%b = npu.relu %x : {T} loc("b")'],
            id="locations",
        ),
        pytest.param(
            [f"%a:2 = npu.split %x axis = 0 sizes = [1, 1] : ({T}) -> (tensor<1x3xf32>, tensor<1x3xf32>)"]
            + [f"%{each} = npu.relu %a#{index} : tensor<1x3xf32>" for index, each in enumerate("bc")],
            id="one of several results",
        ),
        pytest.param(
            [f'%a = npu.opaque "one"(%x) : ({T}) -> {T}', f'%b = npu.opaque "two"(%a) : ({T}) -> {T}'], id="strings"
        ),
    ],
)
def test_text_that_is_parsed(lines: list[str]):
    found, expected = both(function(*lines, "func.return"))
    assert found == expected


def test_locations_behind_a_blank():
    """`loc (` is the location that `loc(` is, and the next op has its own."""
    lines = [f"%a = npu.relu %x : {T} loc (#there)", f"%b = npu.relu %a : {T} loc (#there)", "func.return"]
    found, expected = both('#there = loc("there")\n' + function(*lines))
    assert found == expected
    assert found.count("there") >= 2


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([f"%a = npu.relu %x : {T}", f"%a = npu.relu %x : {T}"], id="a result of a name that is taken"),
        pytest.param([f"%a = npu.relu %x : {T}", f"%b = npu.relu %z : {T}"], id="an operand of another type"),
        pytest.param(
            [f"%a = npu.relu %x : {T}", f"%c = npu.relu %b : {T}", "%b = npu.relu %z : tensor<4xf32>"],
            id="another type than that of the use before",
        ),
        pytest.param([f"%a = npu.relu %x : {T}", f"%b = npu.relu %missing : {T}"], id="an operand that is nowhere"),
    ],
)
def test_errors_are_those_of_the_parser(lines: list[str]):
    text = function(*lines, "func.return", arguments=f"%x: {T}, %z: tensor<4xf32>")
    messages: list[str] = []
    for parser in (NpuParser, Parser):
        with pytest.raises(ParseError) as raised, without_module_dumps():
            parser(new_context(), text, "x.mlir").parse_module()
        messages.append(str(raised.value))
    assert messages[0] == messages[1]


def test_names_and_places_of_ops():
    text = function(f"%a = npu.relu %x : {T}", f"%b = npu.relu %a : {T}", "func.return")
    parser = NpuParser(new_context(), text, "x.mlir")
    ops = [op for op in parser.parse_module().walk() if op.name == "npu.relu"]
    assert [op.results[0].name_hint for op in ops] == ["a", "b"]
    assert [str(span.get_location()) for op in ops if (span := parser.source.span_of(op))] == [
        "x.mlir:2:8",
        "x.mlir:3:8",
    ]


def texts() -> Iterator[str]:
    """Random programs, and the shipped ones."""
    for seed in range(40):
        buffer = StringIO()
        NpuPrinter(buffer).print_op(random_program(seed, (10, 60)[seed % 2], coloured=seed % 3 != 0))
        yield buffer.getvalue() + "\n"
    for file in sorted((ROOT / "examples").glob("*.mlir")):
        yield file.read_text()


def test_programs(repeated: list[str]):
    """Each program twice: all ops of the second one that may be repeated are."""
    for text in texts():
        found, expected = both(f"builtin.module {{\n{text}\n}}\n" * 2)
        assert found == expected
    assert len(repeated) > 500
