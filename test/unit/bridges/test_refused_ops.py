"""All inputs and ops that a format cannot hold are counted behind the error about the first one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from npu_opt.tools.opt import run
from support import optional_tools

PROGRAM = """
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = npu.opaque "a.A"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = npu.relu %a : tensor<2x3xf32>
  %c = npu.opaque "a.A"(%b) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %d = npu.opaque "a.B"(%c) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = npu.add %d, %b : tensor<2x3xf32>
  return %e : tensor<2x3xf32>
}
"""
LITERT = "3 ops cannot be written: 'a.A' has no counterpart in LiteRT (2); 'a.B' has no counterpart in LiteRT"
TOSA = "3 ops cannot be written: 'npu.opaque' \"a.A\": MLIR has no op of this name (2); "
ONNX = "3 ops cannot be written: 'a.A' is no op of ONNX, nor of a domain that the program imports"


@pytest.mark.parametrize(
    ("flags", "tool", "note"),
    [
        (["-o", "out.tflite"], optional_tools.litert, LITERT),
        (["-o", "out.onnx"], optional_tools.onnx, ONNX),
        (["-t", "tosa"], optional_tools.mlir_bindings, TOSA),
    ],
)
def test_all_are_counted(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    tool: Callable[[], optional_tools.Tool],
    note: str,
):
    if tool().location is None:
        pytest.skip(tool().note)
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)
    assert run(["in.mlir", *flags]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("in.mlir:3:8: error: ")
    assert lines[-1].startswith(f"note: {note}")
    assert not Path(flags[1]).exists()


def test_one_op_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        '  %a = npu.opaque "a.A"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n'
        "  return %a : tensor<2xf32>\n}\n"
    )
    assert run(["in.mlir", "-o", "out.onnx"]) == 1
    assert "ops cannot be written" not in capsys.readouterr().err


UNKNOWN = """
func.func @main(%x: tensor<2x3xf32>, %z: tensor<?x3xf32>) -> (tensor<?xf32>, tensor<2x3xf32>, tensor<?xf32>) {
  %a = npu.opaque "a.A"(%x) : (tensor<2x3xf32>) -> tensor<?xf32>
  %b = npu.reduce_sum %z axes = [1] : (tensor<?x3xf32>) -> tensor<?xf32>
  %c = npu.cumsum %b axis = 0 : tensor<?xf32>
  %d = npu.opaque "a.B"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %a, %d, %c : tensor<?xf32>, tensor<2x3xf32>, tensor<?xf32>
}
"""


def test_unknown_sizes_do_not_end_the_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """An op that the format lacks is refused for that, and all that need other sizes are one entry."""
    if optional_tools.mlir_bindings().location is None:
        pytest.skip(optional_tools.mlir_bindings().note)
    file = tmp_path / "in.mlir"
    file.write_text(UNKNOWN)
    assert run([str(file), "-t", "tosa"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == (
        "note: 4 ops cannot be written: 'npu.opaque' \"a.A\": MLIR has no op of this name; all sizes must be known to"
        " compile, found ?x3 (--size and --shape fix those of inputs) (2); 'npu.opaque' \"a.B\": MLIR has no op of this"
        " name"
    )


TYPE = '!npu.opaque<"sequence">'


def test_inputs_do_not_end_the_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    if optional_tools.litert().location is None:
        pytest.skip(optional_tools.litert().note)
    file = tmp_path / "in.mlir"
    ends = f"(%x: tensor<2x{TYPE}>, %z: tensor<0x3xf32>) -> tensor<2x{TYPE}>"
    body = f'  %a = npu.opaque "a.A"(%x) : (tensor<2x{TYPE}>) -> tensor<2x{TYPE}>\n'
    body += '  %b = npu.opaque "a.B"(%z) : (tensor<0x3xf32>) -> tensor<2xf32>\n'
    file.write_text(f"func.func @main{ends} {{\n{body}  return %a : tensor<2x{TYPE}>\n}}\n")
    assert run([str(file), "-o", str(tmp_path / "out.tflite")]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"{file}: error: LiteRT has no element type {TYPE}"
    assert lines[-1] == (
        f"note: 2 inputs and 2 ops cannot be written: LiteRT has no element type {TYPE}; LiteRT has no inputs and"
        " outputs without elements; 'a.A' has no counterpart in LiteRT; 'npu.opaque' of a tensor without elements has"
        " no counterpart in LiteRT"
    )
