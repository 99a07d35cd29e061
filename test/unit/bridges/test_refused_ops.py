"""All ops that a format cannot hold are counted behind the error about the first one."""

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
