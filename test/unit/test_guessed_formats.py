"""Formats that the content of a file tells where its name does not."""

import re
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from npu_opt.tools import check
from npu_opt.tools.driver.formats.guessed_format import is_tosa
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
        (TOSA + PROGRAM.replace("npu.relu", "linalg.abs"), False),
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
        assert "'.bin' is the ending of no frontend (.mlir, .onnx, .pt2, .tflite)" in capsys.readouterr().err


ZIP = b"PK\x03\x04\x14\x00\x00\x00"
FOREIGN = {
    "gz": (b"\x1f\x8b\x08\x00", "compressed by gzip: decompress it first"),
    "pt2": (ZIP + b"model/archive_format" + b"pt2", "a program of PyTorch: -f torch reads it"),
    "pt": (ZIP + b"archive/data.pkl", "an archive of torch.save or TorchScript: export the model and save it as .pt2"),
    "zip": (ZIP + b"model.onnx", "a zip archive: unpack it first"),
    "pkl": (b"\x80\x04\x95", "a pickle, as torch.save writes: export the model and save it as .pt2"),
    "safetensors": (b"\x10" + bytes(7) + b'{"a":{}}', "safetensors, which have weights but no ops"),
    "h5": (b"\x89HDF\r\n\x1a\n", "a model of Keras, or other data in HDF5: convert the model to ONNX"),
    "pb": (b"\n\x10\n\x01x\x12\x0bPlaceholder", "a graph of TensorFlow: convert the model to ONNX"),
    "mlirbc": (b"ML\xefR\rMLIR", "bytecode of MLIR: mlir-opt writes it as text"),
    "pbtxt": (b"ir_version: 8\ngraph {\n}\n", "an ONNX model as text"),
    "txt": (b"<\n  ir_version: 8\n>\n", "an ONNX model as text"),
    "json": (b'{\n  "irVersion": "8"\n}', "an ONNX model as text"),
    "ort": (b"\x10\x00\x00\x00ORTM", "a model in ONNX Runtime's own format"),
    "bin": (b"\x00\x01", ""),
}


def skip_without_extra(ending: str | None) -> None:
    extras = {"onnx": optional_tools.onnx, "tflite": optional_tools.litert}
    if ending in extras and extras[ending]().location is None:
        pytest.skip("the extra of the format is not installed")


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("ending", [None, "mlir", "onnx", "tflite"])
def test_files_of_others_say_what_they_are(kind: str, ending: str | None, capsys: pytest.CaptureFixture[str]):
    skip_without_extra(ending)
    content, words = FOREIGN[kind]
    name = f"file.{ending or kind}"
    Path(name).write_bytes(content)
    for tool, files in ((run, [name]), (check.run, [name, name])):
        assert tool(files) != 0
        printed = capsys.readouterr().err
        notes = [line for line in printed.splitlines() if line.startswith("note: the file is ")]
        # The beginning of a graph of TensorFlow could be that of a damaged model.
        # What is named as a program of PyTorch is read as one.
        is_read = (ending, kind) in (("onnx", "pb"), (None, "pt2"))
        assert len(notes) == bool(words and not is_read), printed
        assert all(line.startswith(f"note: the file is {words}") for line in notes)


@pytest.mark.parametrize(("ending", "other"), [("onnx", "tflite"), ("tflite", "onnx"), ("onnx", "mlir")])
def test_a_model_under_the_ending_of_another_says_which_flag_reads_it(
    ending: str, other: str, capsys: pytest.CaptureFixture[str]
):
    skip_without_extra(ending)
    skip_without_extra(other)
    Path("m.mlir").write_text(PROGRAM)
    assert run(["m.mlir", "-o", f"m.{ending}"]) == 0
    Path(f"wrong.{other}").write_bytes(Path(f"m.{ending}").read_bytes())
    capsys.readouterr()
    assert run([f"wrong.{other}"]) == 1
    flag = {"onnx": "onnx", "tflite": "litert"}[ending]
    assert capsys.readouterr().err.endswith(f": -f {flag} reads it\n")
    assert run([f"wrong.{other}", "-f", flag]) == 0


def test_a_model_on_standard_input_says_that_it_has_to_be_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"\x08\x08\x12\x07npu-opt\x99")))
    assert run(["-"]) == 1
    assert capsys.readouterr().err.endswith("note: an ONNX model is read from a file, not from standard input\n")
