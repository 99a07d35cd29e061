"""Models that cannot be imported: each gets one line that says why."""

from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
from npu_opt.tools.opt import run
from onnx import ModelProto, TensorProto
from support.generators.made_models import convolution, model, save


def message(path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    """What npu-opt says about a file; it must say one line, and write nothing."""
    assert run([str(path), *flags]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    prefix = f"{path}: error: "
    assert captured.err.startswith(prefix)
    return captured.err.removeprefix(prefix).rstrip("\n")


def add_op(name: str, inputs: str = "float[2] x", output: str = "float[2] y", header: str = "") -> str:
    return f"{header}net ({inputs}) => ({output}) {{ {name} }}"


TEXTS = [
    pytest.param(
        add_op("a = Add (x, b) b = Neg (a) y = Neg (b)"),
        "the graph has a cycle: Add 'a' needs its own result",
        id="a cycle",
    ),
    pytest.param(
        add_op("y = Neg (z)"),
        "Neg 'y' reads 'z', which nothing in the model computes",
        id="a value that is not there",
    ),
    pytest.param(
        add_op("y = Neg (x) y = Abs (x)"),
        "two nodes or inputs are called 'y'",
        id="two values of one name",
    ),
    pytest.param(
        add_op("y = Neg (x)", header='<ir_version: 8, opset_import: ["": 999]>'),
        f"the model is of opset 999, and onnx {onnx.__version__} knows none after {onnx.defs.onnx_opset_version()}",
        id="an opset of the future",
    ),
    pytest.param(
        add_op("y = Neg (x)", header='<ir_version: 3, opset_import: ["": 5]>'),
        "the model is of opset 5, and 7 is the oldest that is read (onnx.version_converter makes newer ones)",
        id="an opset of the past",
    ),
    pytest.param(add_op("y = Nag (x)"), "Nag 'y': there is no such op in opset 17", id="an op that ONNX does not have"),
    pytest.param(
        add_op("y = Gelu (x)"), "Gelu 'y': there is no such op in opset 17", id="an op that came later than its model"
    ),
    pytest.param(
        add_op("y = Add (x, i)", "float[2] x, int64[2] i"),
        "Add 'y': input 1 is of type int64, and input 0 of type float; both must be of one type",
        id="operands of two types",
    ),
    pytest.param(
        add_op("y = And (x, x)", output="bool[2] y"),
        "And 'y': input 0 is of type float, which is not one of bool",
        id="an operand of a type that the op does not take",
    ),
    pytest.param(
        add_op("y = StringNormalizer (x)", "string[2] x", "string[2] y"),
        "'x' is of type tensor(STRING), which the npu dialect does not have",
        id="text",
    ),
    pytest.param(
        add_op(
            "y = com.acme.Twist (x) z = Neg (y)",
            output="float[2] z",
            header='<ir_version: 8, opset_import: ["": 17, "com.acme": 1]>',
        ),
        "Twist 'y': the type of 'y' is not known",
        id="an unknown op that does not say what it computes",
    ),
    pytest.param(
        add_op("y = Neg (x)", "float[] x"),
        "'x' has no shape, not even a number of dimensions",
        id="an input of unknown rank",
    ),
    pytest.param(
        add_op("y = MatMul (x, z)", "float[2,3] x, float[4,5] z", "float[2,5] y"),
        "MatMul 'y': Incompatible dimensions for matrix multiplication",
        id="shapes that do not fit",
    ),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_model(text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert message(save(text, tmp_path), capsys) == expected


BYTES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("an empty file", lambda data: b"", "the file is empty"),
    ("a file that was cut off", lambda data: data[: len(data) // 2], "not an ONNX model, or the file is cut off"),
    ("another kind of file", lambda data: b"func.func @main() {}\n", "not an ONNX model, or the file is cut off"),
    (
        "a model without a graph",
        lambda data: ModelProto(ir_version=8).SerializeToString(),
        "not an ONNX model: it has no graph",
    ),
]


@pytest.mark.parametrize(("damage", "expected"), [pytest.param(*rest, id=name) for name, *rest in BYTES])
def test_file(damage: Callable[[bytes], bytes], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(damage(convolution().SerializeToString()))
    assert message(path, capsys) == expected


def external(folder: Path, **places: str) -> Path:
    """A model whose kernel lies in a file beside it."""
    made = convolution()
    kernel = made.graph.initializer[0]
    data = kernel.raw_data
    kernel.ClearField("raw_data")
    kernel.data_location = TensorProto.EXTERNAL
    for key, value in places.items():
        kernel.external_data.add(key=key, value=value)
    (folder / "kernel.bin").write_bytes(data)
    path = folder / "model.onnx"
    path.write_bytes(made.SerializeToString())
    return path


PLACES = [
    pytest.param(
        {"location": "gone.bin"},
        "the data of 'kernel' is missing: there is no file 'gone.bin' beside the model"
        " (--weights=none imports the shapes alone)",
        id="a file that is missing",
    ),
    pytest.param(
        {"location": "kernel.bin", "offset": "4", "length": "6912"},
        "the data of 'kernel' is cut off: 'kernel.bin' ends before byte 6916",
        id="a file that is too short",
    ),
    pytest.param(
        {"location": "kernel.bin", "length": "6908"},
        "the data of 'kernel' has 6908 bytes, and its shape and type say 6912",
        id="too few bytes",
    ),
    pytest.param(
        {"location": "../kernel.bin"},
        "the data of 'kernel' lies outside of the model's folder: '../kernel.bin'",
        id="a file elsewhere",
    ),
]


@pytest.mark.parametrize(("places", "expected"), PLACES)
def test_data_elsewhere(places: dict[str, str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert message(external(tmp_path, **places), capsys) == expected


def test_missing_data_is_no_error_where_none_is_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run([str(external(tmp_path, location="gone.bin")), "--weights=none"]) == 0
    captured = capsys.readouterr()
    assert '#npu.reference<"model.safetensors", "kernel"> : tensor<64x3x3x3xf32>' in captured.out
    assert captured.err == ""


def test_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    assert run([str(path)]) == 1
    assert capsys.readouterr().err == f"npu-opt: error: cannot read '{path}': No such file or directory\n"


def test_standard_input(capsys: pytest.CaptureFixture[str]):
    assert run(["-f", "onnx"]) == 1
    assert capsys.readouterr().err == "npu-opt: error: an ONNX model is read from a file, not from standard input\n"


def test_package_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def nothing(name: str) -> None:
        assert name == "onnx"

    monkeypatch.setattr("npu_opt.bridges.extra.find_spec", nothing)
    assert run([str(save(add_op("y = Neg (x)"), tmp_path))]) == 1
    expected = "npu-opt: error: ONNX models need the package onnx: pip install -e '.[onnx]'\n"
    assert capsys.readouterr().err == expected


def test_model_is_what_the_tests_say_it_is():
    assert [node.op_type for node in model(add_op("y = Neg (x)")).graph.node] == ["Neg"]
