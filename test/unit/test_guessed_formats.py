"""Formats that the content of a file tells where its name does not."""

import re
from pathlib import Path

import pytest
from npu_opt.tools import check
from npu_opt.tools.driver.guessed_format import is_tosa
from npu_opt.tools.opt import run
from support import optional_tools
from support.shell import in_shell

TOSA = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
"""
TORCH = """\
func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}
"""
STABLEHLO = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
PROGRAM = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = npu.relu %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
"""
bindings = optional_tools.mlir_bindings()
needs_bindings = pytest.mark.skipif(bindings.location is None, reason=bindings.note)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TOSA, True),
        (TOSA.replace("tosa.transpose", '"tosa.transpose"'), True),
        (PROGRAM, False),
        (TOSA + PROGRAM, False),
        ("// %0 = tosa.abs %x\n" + PROGRAM, False),
        (PROGRAM.replace("npu.relu", 'npu.opaque "tosa.abs"'), False),
        ("", False),
    ],
)
def test_a_module_is_of_tosa_by_its_ops(text: str, expected: bool):
    assert is_tosa(text) is expected


@needs_bindings
def test_a_module_of_tosa_is_read_as_one(capsys: pytest.CaptureFixture[str]):
    Path("m.mlir").write_text(TOSA)
    assert run(["m.mlir"]) == 0
    assert "npu.transpose" in capsys.readouterr().out
    assert check.run(["m.mlir", "m.mlir"]) == 0
    assert run(["m.mlir", "-f", "mlir"]) == 1
    assert "Operation tosa.transpose is not registered" in capsys.readouterr().err


@needs_bindings
def test_a_module_of_torch_says_how_it_is_lowered(capsys: pytest.CaptureFixture[str]):
    Path("m.mlir").write_text(TORCH)
    assert run(["m.mlir"]) == 1
    note = capsys.readouterr().err.splitlines()[-1]
    found = re.fullmatch(r"note: npu-opt reads TOSA, to which the ops of torch are lowered \(run: (.*)\)", note)
    assert found is not None, note
    assert in_shell(found[1]).returncode == 0
    assert run(["m.tosa.mlir"]) == 0
    assert "npu.clip" in capsys.readouterr().out


def test_a_module_of_stablehlo_says_how_it_is_lowered(capsys: pytest.CaptureFixture[str]):
    Path("m.mlir").write_text(STABLEHLO)
    for tool, files in ((run, ["m.mlir"]), (check.run, ["m.mlir", "m.mlir"])):
        assert tool(files) == 1
        assert capsys.readouterr().err.endswith(
            "\nnote: npu-opt reads TOSA, to which the ops of stablehlo are lowered"
            " (run: stablehlo-opt --stablehlo-legalize-to-tosa m.mlir -o m.tosa.mlir)\n"
        )
    assert run(["m.mlir", "--allow-unregistered-dialect"]) == 0


@pytest.mark.parametrize("ending", ["onnx", "tflite"])
def test_models_have_any_name(ending: str, capsys: pytest.CaptureFixture[str]):
    Path("m.mlir").write_text(PROGRAM)
    if optional_tools.onnx().location is None or (ending == "tflite" and optional_tools.litert().location is None):
        pytest.skip("the extra of the format is not installed")
    assert run(["m.mlir", "-o", f"m.{ending}"]) == 0
    Path("model.bin").write_bytes(Path(f"m.{ending}").read_bytes())
    Path("model").write_bytes(Path(f"m.{ending}").read_bytes())
    for name in ("model.bin", "model"):
        assert check.run(["m.mlir", name]) == 0
        assert run([name]) == 0


def test_other_content_is_no_model(capsys: pytest.CaptureFixture[str]):
    for content in (b"", b"\x08\x07", b"\x08\x07\x99none", b"text"):
        Path("model.bin").write_bytes(content)
        assert run(["model.bin"]) == 1
        assert "'.bin' is the ending of no frontend (.mlir, .onnx, .tflite)" in capsys.readouterr().err
