"""The faster lexer, parser and printer say exactly what xDSL's say."""

from io import StringIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from npu_opt.compat.xdsl import LinearStringLexer
from npu_opt.dialects.npu.attrs import Reference, ReferenceAttr
from npu_opt.text.diagnostics import Report, elide, report_parse_error
from npu_opt.text.lexer import NpuLexer
from npu_opt.text.parser import NpuParser
from npu_opt.text.printer import MAX_SHOWN_CHARACTERS, NpuPrinter, brief_text
from xdsl.context import Context
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.universe import Universe
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

TOKENS = """
    %a %0 %12ab %-x # #- #-} {-# { } -> - 0x1F 0xg 0 07 12 12. 12.5e3 1x2 "s" "\\"" "\\00" " @f @"f" @ ! !t ^bb0
    #a.b #1 a.b$c _ é ² ? * / + | ... . e5 x4 < > = : , ( ) [ ] loc tensor dense &
""".split()
BLANKS = ["", " ", "\n", "\t", "\r\n", "\f", "// %c\n", "// last"]


@pytest.fixture(scope="module")
def ctx() -> Context:
    return _context()


def _context() -> Context:
    ctx = Context(allow_unregistered=True)
    for name, factory in Universe.get_multiverse().all_dialects.items():
        ctx.register_dialect(name, factory)
    return ctx


def _tokens(lexer: MLIRLexer) -> list[object]:
    found: list[object] = []
    try:
        while (token := lexer.lex()).kind is not MLIRTokenKind.EOF:
            found.append((token.kind, token.span, type(token.span), token.text))
    except ParseError as error:
        found.append(str(error))
    return found


@example([("//%a", "")])
@given(st.lists(st.tuples(st.sampled_from(TOKENS), st.sampled_from(BLANKS)), max_size=8))
def test_lexer_finds_the_tokens_of_xdsl(pieces: list[tuple[str, str]]) -> None:
    source = Input("".join(token + blank for token, blank in pieces), "text")
    assert _tokens(NpuLexer(source)) == _tokens(LinearStringLexer(source))


@given(st.text('"\\\nn0Af x', max_size=12))
def test_strings_are_those_of_xdsl(text: str) -> None:
    source = Input(f'"{text}', "text")
    assert _tokens(NpuLexer(source)) == _tokens(MLIRLexer(source))


def test_a_string_that_is_not_closed_is_found_at_once(ctx: Context) -> None:
    report = _parse_error(ctx, f'"test.op"() {{a = "{"x" * 100_000}')
    assert report.message == "End of file reached before closing string literal."
    assert report.place == "x.mlir:1:18"


TYPES = [
    "i32",
    "si8",
    "ui4",
    "bf16",
    "index",
    "tensor<f32>",
    "tensor<4xf32>",
    "tensor<0x4xi1>",
    "tensor<?x4x?xi8>",
    "tensor<*xf32>",
    "tensor< 4xf32 >",
    "tensor<4xtensor<2xf32>>",
    "tensor <4xf32>",
    "tensor<4xf32 // what it is\n>",
    "tensor<4xcomplex<f32>>",
    "tensor<4xtuple<i32, f32>>",
    "tensor<4x!foo.bar<a -> b>>",
    "tensor<4xf32, #foo.layout<NHWC>>",
    'tensor<4xf32, "a > b">',
    'tensor<4xf32, #foo.text<"// >\\" <">>',
    "tensor<4xf32, {a = tensor<4xf32>}>",
    "tensor<4xf32, dense<[1, 2]> : tensor<2xi64>>",
    "tensor<4xf32, affine_map<(d0, d1) -> (d1, d0)>>",
    "tensor<1x2x3x4xf32, #npu.layout<NHWC>>",
    "tensor<1x2x3x4xf32, #npu.layout< NHWC >>",
    "tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>",
    "tensor<4xf32, #a>",
    "tensor<4x!t>",
    "!t",
    "memref<4xf32>",
    "memref<4xf32, strided<[1], offset: 2>, 1 : i32>",
    "memref<?xf32, affine_map<(d0) -> (d0)>>",
    "vector<4xf32>",
    "vector<[4]x2xf32>",
    "(tensor<4xf32>) -> tensor<4xf32>",
    "(tensor<4xf32>, i32) -> ((i32) -> f32)",
    "tuple<tensor<4xf32>, f32>",
    "!foo.bar<tensor<4xf32>>",
]
ATTRIBUTES = [
    "array<i64: 1, -2>",
    "array<i8>",
    "array<f32: 1.5, 2.000000e+00>",
    "1 : i32",
    "-1 : i8",
    "1.5 : f32",
    "1.5",
    "2",
    "2 // two\n : i8",
    "0x1F : i32",
    "true",
    "#npu.layout<OIHW>",
    "dense<[1, 2]> : tensor<2xi8>",
    '"text"',
    "@a::@b",
    "[1, 2.0 : f16, i32]",
    "{b = 1 : i32}",
    "unit",
]
PREFIX = "#a = 5 : i8\n!t = f16\n"


def _program(values: list[str]) -> str:
    attributes = ", ".join(f"a{index} = {value}" for index, value in enumerate(values))
    return f'{PREFIX}"test.op"() {{{attributes}}} : () -> ()'


def _attributes(module: ModuleOp) -> list[Attribute]:
    op = module.body.block.first_op
    assert op is not None
    return list(op.attributes.values())


@given(st.lists(st.sampled_from(TYPES + ATTRIBUTES), min_size=1, max_size=12))
def test_parser_reads_what_xdsl_reads(values: list[str]) -> None:
    text = _program(values)
    ctx = _context()
    assert _attributes(NpuParser(ctx, text).parse_module()) == _attributes(Parser(ctx, text).parse_module())


@given(st.lists(st.sampled_from(TYPES), min_size=1, max_size=6), st.lists(st.sampled_from(TYPES), max_size=6))
def test_printer_writes_what_xdsl_writes(operands: list[str], results: list[str]) -> None:
    signature = f"({', '.join(operands)}) -> ({', '.join(results)})"
    values = ", ".join(f"%{index}" for index in range(len(operands)))
    arguments = ", ".join(f"%{index}: {text}" for index, text in enumerate(operands))
    text = f'{PREFIX}"test.op"() ({{\n^bb0({arguments}):\n  "test.op"({values}) : {signature}\n}}) : () -> ()'
    results_text = ", ".join(f"%r{index}" for index in range(len(results)))
    text = text.replace('  "test', f'  {results_text} = "test') if results else text
    module = NpuParser(_context(), text).parse_module()
    for generic in (False, True):
        ours, theirs = StringIO(), StringIO()
        NpuPrinter(stream=ours, print_generic_format=generic, print_debuginfo=generic).print_op(module)
        Printer(stream=theirs, print_generic_format=generic, print_debuginfo=generic).print_op(module)
        assert ours.getvalue() == theirs.getvalue()


def test_text_of_several_lines_is_indented_in_its_place(ctx: Context) -> None:
    text = '"test.op"() ({\n  "test.op"() : () -> !foo.bar<a\n  b>\n}) : () -> !foo.bar<a\n  b>'
    module = NpuParser(ctx, text).parse_module()
    ours, theirs = StringIO(), StringIO()
    NpuPrinter(stream=ours).print_op(module)
    Printer(stream=theirs).print_op(module)
    assert "\n" in str(_first_result_type(module))
    assert ours.getvalue() == theirs.getvalue()


def _first_result_type(module: ModuleOp) -> Attribute:
    op = module.body.block.first_op
    assert op is not None
    return op.results[0].type


def test_aliases_of_one_file_mean_nothing_in_the_next(ctx: Context) -> None:
    texts = [f'!t = {name}\n"test.op"() {{a = tensor<4x!t>}} : () -> ()' for name in ("f32", "i8")]
    read = [_attributes(NpuParser(ctx, text).parse_module()) for text in texts]
    assert [str(attributes[0]) for attributes in read] == ["tensor<4xf32>", "tensor<4xi8>"]


def test_a_second_type_with_the_same_text_is_the_same_object(ctx: Context) -> None:
    first, second = _attributes(NpuParser(ctx, _program(["tensor<4xf32>"] * 2)).parse_module())
    assert first is second


def test_a_short_number_is_not_taken_for_a_longer_one(ctx: Context) -> None:
    values = ["2", "2 : i8", "2 // two\n : i8", "2"]
    read = _attributes(NpuParser(ctx, _program(values)).parse_module())
    assert list(map(str, read)) == ["2 : i64", "2 : i8", "2 : i8", "2 : i64"]


@pytest.mark.parametrize(
    ("element", "bits"),
    [
        ("f16", "0x7C00"),
        ("bf16", "0xFF80"),
        ("f32", "0x7FC00000"),
        ("f32", "0x4BD8040A"),
        ("f64", "0xC3044FBA6FD0E6E8"),
    ],
)
def test_hexadecimal_floats_are_bits(ctx: Context, element: str, bits: str) -> None:
    stored = bytes.fromhex(bits[2:])[::-1]
    for literal in (bits, f"[{bits}, {bits}]"):
        attribute = NpuParser(ctx, f"dense<{literal}> : tensor<2x{element}>").parse_attribute()
        assert isinstance(attribute, DenseIntOrFPElementsAttr)
        assert attribute.data.data == stored * 2


def test_hexadecimal_integers_are_numbers(ctx: Context) -> None:
    attribute = NpuParser(ctx, "dense<[0x10, 16]> : tensor<2xi8>").parse_attribute()
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    assert attribute.data.data == b"\x10\x10"


def test_bits_fit_their_type(ctx: Context) -> None:
    with pytest.raises(ParseError, match="expected the bits of one f16"):
        NpuParser(ctx, "dense<0x12345> : tensor<2xf16>").parse_attribute()


@pytest.mark.parametrize(
    "text", ["tensor<4xf32", "tensor<4xf32, #npu.layout<NHXC>>", "tensor<4xf99>", "tensor<4xf32,>"]
)
def test_text_that_fails_fails_each_time(ctx: Context, text: str) -> None:
    parser = NpuParser(ctx, f"{text} {text}")
    for _ in range(2):
        with pytest.raises(ParseError):
            parser.parse_type()
        parser.resume_from(len(text) + 1)


def _parse_error(ctx: Context, text: str, line_offset: int = 0) -> Report:
    with pytest.raises(ParseError) as caught:
        NpuParser(ctx, text, "x.mlir", line_offset=line_offset).parse_module()
    return report_parse_error(caught.value)


def test_a_layout_for_another_rank_is_an_error_at_the_type(ctx: Context) -> None:
    report = _parse_error(ctx, '"test.op"() {a = [tensor<4x4xf32, #npu.layout<NHWC>>]} : () -> ()')
    assert str(report).splitlines() == [
        "x.mlir:1:19: error: layout NHWC is of rank 4, the tensor of rank 2",
        '"test.op"() {a = [tensor<4x4xf32, #npu.layout<NHWC>>]} : () -> ()',
        "                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
    ]


def test_lines_of_a_piece_count_from_the_start_of_the_file(ctx: Context) -> None:
    assert _parse_error(ctx, "\n\n)", 40).place == "x.mlir:43:1"
    assert _parse_error(ctx, "", 40).place == "x.mlir:41:1"


def test_positions_of_ops(ctx: Context) -> None:
    text = """%a, %b:2 = // two
  "test.op"() : () -> (i32, i32, i32)
"test.op"() ({
  "test.op"() : () -> ()
}) : () -> ()"""
    parser = NpuParser(ctx, text, "x.mlir")
    ops = [op for op in parser.parse_module().walk() if op.name == "test.op"]
    spans = [parser.source.span_of(op) for op in ops]
    assert [span.text for span in spans if span] == ['"test.op"'] * 3
    assert [span.get_location()[1:] for span in spans if span] == [(2, 3), (3, 1), (4, 3)]


def test_a_long_line_is_cut_around_the_caret(ctx: Context) -> None:
    report = _parse_error(ctx, f'"test.op"() {{a = "{"x" * 1000}", b = nothing, c = "{"y" * 1000}"}} : () -> ()')
    line, caret = report.source_lines
    assert len(line) <= 126
    assert line.startswith("...")
    assert line.endswith("...")
    start, end = caret.index("^"), len(caret)
    assert line[start:end] == "nothing"


def test_a_caret_is_aligned_under_tabs(ctx: Context) -> None:
    assert _parse_error(ctx, "\t\t)\t").source_lines == ("\t\t)\t", "\t\t^")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dense<[1, 2]> : tensor<2xi8>", "dense<[1, 2]> : tensor<2xi8>"),
        (f"dense<{list(range(16))}>", f"dense<{list(range(16))}>"),
        (f"dense<{list(range(17))}>", "dense<__elided__>"),
        ('a dense<"0x0102"> b dense<[[1], [2]]>', "a dense<__elided__> b dense<[[1], [2]]>"),
    ],
)
def test_big_constants_are_elided(text: str, expected: str) -> None:
    assert elide(text) == expected


def test_one_op_without_its_regions_and_constants(ctx: Context) -> None:
    numbers = list(range(17))
    text = f'"test.op"() <{{p = dense<{numbers}> : tensor<17xi8>}}> ({{\n  "test.op"() : () -> ()\n}}) : () -> ()'
    op = NpuParser(ctx, text).parse_module().body.block.first_op
    assert op is not None
    assert brief_text(op) == '"test.op"() <{p = dense<__elided__> : tensor<17xi8>}> ({...}) : () -> ()'


def test_the_end_of_a_long_op_is_elided(ctx: Context) -> None:
    results, types = ", ".join(f"%{each}" for each in range(5000)), ", ".join(["f32"] * 5000)
    op = NpuParser(ctx, f'{results} = "test.op"() : () -> ({types})').parse_module().body.block.first_op
    assert op is not None
    assert len(brief_text(op)) == MAX_SHOWN_CHARACTERS + len("...")


@pytest.mark.parametrize("text", ["é", "重み", 'a"\\\n', ""])
def test_strings_of_all_letters_are_strings(text: str) -> None:
    ctx = _context()
    printed = str(StringAttr(text))
    assert NpuParser(ctx, printed).parse_attribute() == StringAttr(text)
    assert NpuParser(ctx, f'"{text}"' if text.isalpha() else printed).parse_attribute() == StringAttr(text)


def test_strings_that_are_no_text_are_bytes() -> None:
    assert NpuParser(_context(), r'"\FF\FE"').parse_attribute() == BytesAttr(b"\xff\xfe")


def test_references_of_all_letters() -> None:
    ctx = _context()
    reference = ReferenceAttr(Reference("gewichte-é.safetensors", "重み/w"))
    for parser in (NpuParser, Parser):
        assert parser(ctx, str(reference)).parse_attribute() == reference
        with pytest.raises(ParseError, match="expected UTF-8 text of the key"):
            parser(ctx, r'#npu.reference<"a", "\FF">').parse_attribute()
