"""Integers in LiteRT files: bounds of 64 bits, and conversions."""

from pathlib import Path

import numpy as np
import pytest
from onnx import parser

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.exporting import to_litert
from npu_opt.interpreter import run as interpret
from npu_opt.tools.opt import run
from support.ir_text import parse
from support.oracles.litert_running import executed, exported
from xdsl.utils.exceptions import DiagnosticException

LEAST, LARGEST = -(2**63), 2**63 - 1


def written(graph: str, folder: Path) -> bytes:
    """The file for a graph of ONNX."""
    model, file = folder / "model.onnx", folder / "model.tflite"
    model.write_bytes(parser.parse_model(f'<ir_version: 9, opset_import: ["": 17]> {graph}').SerializeToString())
    assert run([str(model), "-o", str(file)]) == 0
    return file.read_bytes()


@pytest.mark.parametrize("start", [-(2**40), LEAST, -2, 2])
def test_a_slice_to_the_end_starts_where_the_run_time_says(start: int, tmp_path: Path):
    model = written(
        f"""agraph (float[2,6] x, int64[1] start) => (float[2,n] y)
        <int64[1] end = {{{LARGEST}}}, int64[1] axes = {{-1}}> {{ y = Slice (x, start, end, axes) }}""",
        tmp_path,
    )
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    np.testing.assert_array_equal(executed(model, [x, np.array([start])])[0], x[:, start:])


@pytest.mark.parametrize("end", [2**32 + 4, -1, 4, LARGEST])
def test_a_slice_from_the_start_ends_where_the_run_time_says(end: int, tmp_path: Path):
    model = written(
        f"""agraph (float[2,6] x, int64[1] end) => (float[2,n] y)
        <int64[1] start = {{{LEAST + 1}}}, int64[1] axes = {{1}}> {{ y = Slice (x, start, end, axes) }}""",
        tmp_path,
    )
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    np.testing.assert_array_equal(executed(model, [x, np.array([end])])[0], x[:, :end])


def converted(given: str, to: str, x: str = "%x") -> str:
    return f"""func.func @main(%x: tensor<4x{given}>) -> tensor<4x{to}> {{
      %c = npu.constant dense<[4294967297, -1, 300, 7]> : tensor<4xi64>
      %y = npu.cast {x} : (tensor<4x{given}>) -> tensor<4x{to}>
      func.return %y : tensor<4x{to}>
    }}"""


@pytest.mark.parametrize("to", ["i32", "i8", "ui32"])
def test_a_cast_of_constants_wraps(to: str):
    module = parse(converted("i64", to, "%c"))
    x = np.zeros(4, np.int64)
    np.testing.assert_array_equal(executed(exported(module), [x])[0], interpret(module, "main", [x])[0])


@pytest.mark.parametrize("to", ["i8", "ui8", "i16", "i32", "ui32", "i64"])
@pytest.mark.parametrize("is_constant", [False, True])
def test_floats_that_do_not_fit_become_what_the_interpreter_says(to: str, is_constant: bool):
    """LiteRT makes the nearest i32 or i64 of them, and the largest of NaN; a constant is left to it."""
    numbers = [3e9, -3e9, 1e20, -1e20, 300.5, -2.5, np.nan, np.inf, -np.inf]
    bits = ", ".join(f"0x{each:08X}" for each in np.array(numbers, np.float32).view(np.uint32))
    module = parse(f"""func.func @main(%x: tensor<9xf32>) -> tensor<9x{to}> {{
      %c = npu.constant dense<[{bits}]> : tensor<9xf32>
      %y = npu.cast {"%c" if is_constant else "%x"} : (tensor<9xf32>) -> tensor<9x{to}>
      func.return %y : tensor<9x{to}>
    }}""")
    x = np.array(numbers, np.float32)
    np.testing.assert_array_equal(executed(exported(module), [x])[0], interpret(module, "main", [x])[0])


def test_constants_that_do_not_fit_are_an_error():
    text = """func.func @main(%x: tensor<4x5xf32>) -> tensor<1x5xf32> {
      %c = npu.constant dense<4294967297> : tensor<1x1xi64>
      %y = npu.opaque "onnx.GatherND"(%x, %c) : (tensor<4x5xf32>, tensor<1x1xi64>) -> tensor<1x5xf32>
      func.return %y : tensor<1x5xf32>
    }"""
    with pytest.raises(DiagnosticException, match="4294967297 does not fit in i32"):
        to_litert(parse(text))


@pytest.mark.parametrize("given", ["float", "int64", "uint8", "bool"])
def test_a_cast_to_ui64_is_an_error_at_its_node(given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "model.onnx"
    model = f"""<ir_version: 9, opset_import: ["": 17]>
    agraph ({given}[2] x) => (uint64[2] y) {{ [wide] y = Cast <to = 13> (x) }}"""
    file.write_bytes(parser.parse_model(model).SerializeToString())
    assert run([str(file), "-o", str(tmp_path / "model.tflite")]) == 1
    assert f"{file}:wide: error: LiteRT's CAST makes no elements of type u64\n" in capsys.readouterr().err


def test_a_cast_reads_ui16():
    x = np.array([0, 1, 40000, 65535], np.uint16)
    np.testing.assert_array_equal(executed(exported(parse(converted("ui16", "f32"))), [x])[0], x)


@pytest.mark.parametrize("given", ["f16", "f32", "f64"])
def test_floats_become_ui32_without_a_detour_through_i32(given: str):
    x = np.array([6e4 if given == "f16" else 3e9, 7.9, 0, 1], f"float{given[1:]}")
    text = converted(given, "ui32")
    np.testing.assert_array_equal(executed(exported(parse(text)), [x])[0], x.astype(np.uint32))
