"""LiteRT models that are read and written without passes: the same ops, with the same rounding."""

from pathlib import Path

import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.errors import NotExportable
from npu_opt.bridges.litert.exporting import MadeFor, files, to_litert
from npu_opt.bridges.litert.importing.errors import LiteRtError
from npu_opt.bridges.litert.importing.file import read_file
from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.bridges.litert.schema import packed, schema
from npu_opt.passes.free_rounding import FreeRounding
from support.ir_text import context, parse
from support.oracles.litert_running import exported, interpreter
from xdsl.dialects.builtin import ModuleOp


def read_back(model: bytes, folder: Path) -> ModuleOp:
    file = folder / "model.tflite"
    file.write_bytes(model)
    return import_model(file, inline_limit=None).module


def kinds_of(model: bytes, folder: Path) -> list[str]:
    """The ops of a file."""
    file = folder / "model.tflite"
    file.write_bytes(model)
    return [operator.kind for operator in read_file(file).graphs[0].operators]


ROUNDING = """func.func @main(%x: tensor<4x6xf32>, %p: tensor<6x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %w = npu.constant dense<0.5> : tensor<6x6xf32>
  %row = npu.constant dense<0.25> : tensor<6xf32>
  %two = npu.constant dense<2.0> : tensor<f32>
  %a = npu.matmul %x, %w {litert.kind = "BATCH_MATMUL"} : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %b = npu.matmul %a, %w : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %c = npu.reshape %row : (tensor<6xf32>) -> tensor<1x6xf32>
  %d = npu.add %b, %c {litert.kind = "ADD"} : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
  %e = npu.mul %d, %d {litert.kind = "SQUARE"} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %f = npu.sub %e, %x : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %g = npu.mul %f, %f {litert.kind = "SQUARED_DIFFERENCE"} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %h = npu.pow %g, %two {litert.kind = "POW"} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %i = npu.matmul %h, %p trans_b {litert.kind = "FULLY_CONNECTED"}
    : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  func.return %h, %i : tensor<4x6xf32>, tensor<4x6xf32>
}"""


def test_ops_that_round_differently_stay(tmp_path: Path):
    """A product that was no FULLY_CONNECTED, a row that was no bias, and squares that were one op."""
    model = exported(parse(ROUNDING))
    kinds = ["BATCH_MATMUL", "FULLY_CONNECTED", "ADD", "SQUARE", "SQUARED_DIFFERENCE", "POW", "FULLY_CONNECTED"]
    assert kinds_of(model, tmp_path) == kinds
    assert kinds_of(exported(read_back(model, tmp_path)), tmp_path) == kinds


IMAGE, OTHER = "tensor<1x8x4x6xf32, #npu.layout<NCHW>>", "tensor<1x8x4x6xf32, #npu.layout<NHWC>>"
TURNED = "tensor<1x4x6x8xf32, #npu.layout<NHWC>>"
VIEWS = {
    "none": ("", IMAGE, "%x"),
    "reshape": (f"%v = npu.reshape %x : ({IMAGE}) -> tensor<8x24xf32>", "tensor<8x24xf32>", "%v"),
    "relabel": (f"%v = npu.relabel %x : ({IMAGE}) -> {OTHER}", OTHER, "%v"),
    "transpose": (f"%v = npu.transpose %x permutation = [0, 2, 3, 1] : ({IMAGE}) -> {TURNED}", TURNED, "%v"),
    "nchw2nhwc": (f"%v = npu.nchw2nhwc %x : ({IMAGE}) -> {TURNED}", TURNED, "%v"),
}


@pytest.mark.parametrize("view", VIEWS)
def test_numbers_that_a_model_is_given_are_quantised_as_in_the_file(view: str, tmp_path: Path):
    """The exporter divides those that have no mark by the scale, so the importer marks the same ones."""
    row, type_, name = VIEWS[view]
    result = type_.replace("f32", "i8")
    module = parse(f"""func.func @main(%x: {IMAGE}) -> {result} {{
      %s = npu.constant dense<0.3> : tensor<f32>
      %z = npu.constant dense<5> : tensor<i8>
      {row}
      %y = npu.quantize {name}, %s, %z : ({type_}, tensor<f32>, tensor<i8>) -> {result}
      func.return %y : {result}
    }}""")
    assert "DIV" in kinds_of(exported(module), tmp_path)
    plain = files.packed(to_litert(module, made_for=MadeFor("chip", integers_only=True)))
    kinds = kinds_of(plain, tmp_path)
    assert "DIV" not in kinds
    assert kinds_of(exported(read_back(plain, tmp_path)), tmp_path) == kinds


def test_without_marks_ops_are_joined(tmp_path: Path):
    text = ROUNDING
    for kind in ("BATCH_MATMUL", "ADD", "SQUARE", "SQUARED_DIFFERENCE", "POW", "FULLY_CONNECTED"):
        text = text.replace(f'{{litert.kind = "{kind}"}}', "")
    kinds = kinds_of(exported(parse(text)), tmp_path)
    assert kinds == ["FULLY_CONNECTED", "FULLY_CONNECTED", "MUL", "SUB", "MUL", "MUL", "BATCH_MATMUL"]


def test_a_pool_takes_over_infinite_pads(tmp_path: Path):
    """No attribute of the dialect is infinite, but a maximum with the least number is the same."""
    text = f"""func.func @main(%x: tensor<1x5x5x4xf32>) -> tensor<1x3x3x4xf32> {{
      %widths = npu.constant dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi32>
      %least = npu.constant dense<0xFF800000> : tensor<f32>
      %padded = npu.opaque "litert.PADV2"(%x, %widths, %least) pure {{{OPERATOR}, litert.version = 1 : i64}}
        : (tensor<1x5x5x4xf32>, tensor<4x2xi32>, tensor<f32>) -> tensor<1x7x7x4xf32>
      %y = npu.max_pool %padded window = [3, 3] strides = [2, 2] data_layout = <NHWC>
        : (tensor<1x7x7x4xf32>) -> tensor<1x3x3x4xf32>
      func.return %y : tensor<1x3x3x4xf32>
    }}"""
    model = exported(parse(text))
    assert kinds_of(model, tmp_path) == ["PADV2", "MAX_POOL_2D"]
    (pool,) = (op for op in read_back(model, tmp_path).walk() if op.name in ("npu.max_pool", "npu.opaque"))
    assert "pads = [1, 1, 1, 1]" in str(pool)


def _operator() -> str:
    """An op without options in the format of the file, as an attribute."""
    made = schema().OperatorT()
    made.inputs, made.outputs = [], []
    data = packed(made)
    return f"litert.operator = dense<[{', '.join(map(str, data))}]> : tensor<{len(data)}xui8>"


OPERATOR = _operator()


def with_state(count: int) -> str:
    """A program with ops that each have a state of their own, and change an operand."""
    lines = [
        f"""  %s{place} = npu.reshape %z : (tensor<8xf32>) -> tensor<2x4xf32>
  %y{place} = npu.opaque "litert.custom.Cell"(%x, %s{place}) {{{OPERATOR}, litert.version = 1 : i64,
    litert.inputs = array<i64: 1, 0, 2, 1>, litert.states = [tensor<2x4xf32>], litert.variables = array<i64: 0, 1>}}
    : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>"""
        for place in range(count)
    ]
    return "\n".join(
        [
            "func.func @main(%x: tensor<2x4xf32>, %z: tensor<8xf32>) -> tensor<2x4xf32> {",
            *lines,
            "  func.return %x : tensor<2x4xf32>\n}",
        ]
    )


def test_variables_stay(tmp_path: Path):
    """An op keeps its state, though nobody reads its result, and an operand that it changes is its own."""
    model = exported(parse(with_state(2)))
    assert kinds_of(model, tmp_path) == ["RESHAPE", "CUSTOM"] * 2
    file = read_file(tmp_path / "model.tflite").graphs[0]
    first, second = (operator.inputs for operator in file.operators if operator.kind == "CUSTOM")
    assert not {first[2], first[3]} & {second[2], second[3]}
    assert [file.tensors[place].is_variable for place in (first[0], *first[2:])] == [False, True, True]
    assert kinds_of(exported(read_back(model, tmp_path)), tmp_path) == ["RESHAPE", "CUSTOM"] * 2


def test_a_variable_of_two_ops_is_an_error(tmp_path: Path):
    model = to_litert(parse(with_state(2)))
    first, second = (op for op in model.proto.subgraphs[0].operators if len(op.inputs) == 4)
    second.inputs[2] = first.inputs[2]
    with pytest.raises(LiteRtError, match="is a variable of several ops, which is not supported"):
        read_back(files.packed(model), tmp_path)


SIGNED = """builtin.module attributes {litert.signature = "encode", litert.signatures = SIGNATURES} {
  func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %a = npu.exp %x : tensor<2xf32>
    %b = npu.exp %y : tensor<2xf32>
    func.return %a, %b : tensor<2xf32>, tensor<2xf32>
  }
}"""
DECODE = """{decode = {inputs = {"words:0" = 1 : i64}, outputs = {last = 1 : i64, first = 0 : i64}}}"""


def test_all_signatures_of_a_graph_stay(tmp_path: Path):
    model = exported(parse(SIGNED.replace("SIGNATURES", DECODE)))
    for each in (model, exported(read_back(model, tmp_path))):
        found = interpreter.Interpreter(model_content=each).get_signature_list()
        assert found["decode"] == {"inputs": ["words:0"], "outputs": ["first", "last"]}
        assert list(found) == ["encode", "decode"]


def test_a_signature_names_arguments_and_results():
    """A program in text may have any numbers."""
    with pytest.raises(NotExportable, match="'decode' names an argument or result that the function does not have"):
        exported(parse(SIGNED.replace("SIGNATURES", DECODE.replace("1 : i64", "2 : i64"))))


def test_a_signature_of_other_tensors_is_an_error(tmp_path: Path):
    model = to_litert(parse(SIGNED.replace("SIGNATURES", DECODE)))
    model.proto.signatureDefs[1].inputs[0].tensorIndex = model.proto.subgraphs[0].outputs[0]
    with pytest.raises(LiteRtError, match="'words:0' of signature 'decode' is no input or output of the graph"):
        read_back(files.packed(model), tmp_path)


@pytest.mark.parametrize("passes", [(), (FreeRounding(),)])
def test_a_gather_with_computed_places_stays(passes: tuple[FreeRounding, ...], tmp_path: Path):
    model = exported(
        parse("""func.func @main(%x: tensor<5x3xf32>, %i: tensor<4xi32>) -> tensor<4x3xf32> {
      %y = npu.gather %x, %i axis = 0 {litert.kind = "GATHER"} : (tensor<5x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
      func.return %y : tensor<4x3xf32>
    }""")
    )
    assert kinds_of(model, tmp_path) == ["GATHER"]
    module = read_back(model, tmp_path)
    for each in passes:
        each.apply(context(), module)
    assert kinds_of(exported(module), tmp_path) == ["GATHER"]


def test_a_gather_that_counts_from_the_end_stays(tmp_path: Path):
    model = exported(
        parse("""func.func @main(%x: tensor<5x3xf32>, %i: tensor<4xi32>) -> tensor<4x3xf32> {
      %y = npu.gather %x, %i axis = 0 : (tensor<5x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
      func.return %y : tensor<4x3xf32>
    }""")
    )
    assert kinds_of(model, tmp_path) == ["LESS", "ADD", "SELECT_V2", "GATHER"]
    assert kinds_of(exported(read_back(model, tmp_path)), tmp_path) == ["LESS", "ADD", "SELECT_V2", "GATHER"]
