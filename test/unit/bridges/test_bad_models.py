"""Models that cannot be imported: each gets one line that says why."""

from collections.abc import Callable, Sequence
from pathlib import Path

import onnx
import pytest
from npu_opt.tools.opt import run
from onnx import AttributeProto, ModelProto, TensorProto
from support.generators.made_models import convolution, model, save


def message(path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    """The message of npu-opt about a file, which must be one line, without output."""
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
        "Neg 'y' reads 'z', which no node computes",
        id="a value that is not there",
    ),
    pytest.param(
        add_op("y = Neg (x)", output="int32[2] y"),
        "the output 'y' is declared as tensor(INT32), but computed as tensor(FLOAT)",
        id="an output of another element type",
    ),
    pytest.param(
        add_op("y = Neg (x)", output="seq(float[2]) y"),
        "the output 'y' is declared as sequence, but computed as tensor(FLOAT)",
        id="an output that is no tensor",
    ),
    pytest.param(
        add_op("y = Neg (x)", output="float[2] z"),
        "nothing computes the output 'z'",
        id="an output that is not there",
    ),
    pytest.param(
        add_op("y = Neg (x)", inputs="float[2] x, float[2] y"),
        "two nodes or inputs are called 'y'",
        id="an input that is computed as well",
    ),
    pytest.param(
        add_op("y = Neg (x) y = Abs (x)"),
        "two nodes or inputs are called 'y'",
        id="two values of one name",
    ),
    pytest.param(
        add_op("y = Neg (x)", header='<ir_version: 8, opset_import: ["": 999]>'),
        "the model is of opset 999; the newest that"
        f" onnx {onnx.__version__} supports is {onnx.defs.onnx_opset_version()}",
        id="an opset of the future",
    ),
    pytest.param(
        add_op("y = Neg (x)", header='<ir_version: 3, opset_import: ["": 5]>'),
        "the model is of opset 5; the oldest supported is 7 (onnx.version_converter converts models)",
        id="an opset of the past",
    ),
    pytest.param(
        add_op("y = Neg (x)", header='<ir_version: 8, opset_import: ["": -1]>'),
        "the model is of opset -1; the oldest supported is 7 (onnx.version_converter converts models)",
        id="an opset below zero",
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
        add_op("y = MatMul (x, z)", "float[2,3] x, float[4,5] z", "float[2,5] y"),
        "MatMul 'y': Incompatible dimensions for matrix multiplication",
        id="shapes that do not fit",
    ),
    pytest.param(
        add_op("y = Softmax <azis = 0> (x)"),
        "Softmax 'y': there is no attribute 'azis' (its attributes: axis)",
        id="an attribute that the op does not have",
    ),
    pytest.param(
        add_op('y = Softmax <axis = "last"> (x)'),
        "Softmax 'y': attribute 'axis' is STRING, not INT",
        id="an attribute of another type",
    ),
    pytest.param(
        add_op("y = Softmax <axis = 9223372036854775807> (x)"),
        "Softmax 'y': attribute 'axis' is an axis beyond rank 1024",
        id="an axis that is far away",
    ),
    pytest.param(
        add_op("y = LayerNormalization <axis = 2147483648> (x, x)"),
        "LayerNormalization 'y': attribute 'axis' is an axis beyond rank 1024",
        id="an axis at which the shape inference of onnx ends the process",
    ),
    pytest.param(
        add_op("y = Softmax <axis = 0, axis = 0> (x)"), "Softmax 'y': two attributes are called 'axis'", id="one twice"
    ),
    pytest.param(add_op("y = Cast (x)"), "Cast 'y': attribute 'to' is missing", id="an attribute that is missing"),
    pytest.param(add_op("y = Add (x)"), "Add 'y': 1 inputs, expected 2", id="too few inputs"),
    pytest.param(add_op("y = Concat <axis = 0> ()"), "Concat 'y': 0 inputs, expected 1 or more", id="no inputs"),
    pytest.param(add_op("y = Clip (x, , , x)"), "Clip 'y': 4 inputs, expected 1 to 3", id="too many inputs"),
    pytest.param(add_op("y = Add (, x)"), "Add 'y': input 0 is required, but left out", id="an input that is left out"),
    pytest.param(add_op("y, z = Neg (x)"), "Neg 'y': 2 outputs, expected 1", id="an output that the op does not have"),
    pytest.param(
        add_op('y = Gelu <approximate = "tan"> (x)', header='<ir_version: 8, opset_import: ["": 20]>'),
        "Gelu 'y': attribute 'approximate' is 'tan', expected 'none' or 'tanh'",
        id="a word that the op does not know",
    ),
    pytest.param(
        add_op(
            "y = com.microsoft.QuickGelu <alpha = [1, 2]> (x)",
            header='<ir_version: 8, opset_import: ["": 17, "com.microsoft": 1]>',
        ),
        "QuickGelu 'y': attribute 'alpha' is INTS, not FLOAT",
        id="an attribute of an op that ONNX does not know",
    ),
    pytest.param(
        add_op("y = Transpose <perm = [0, 1, 2]> (x)"),
        "Transpose 'y': Invalid attribute perm {0, 1, 2}, input shape = {2}",
        id="a node that goes with its outputs and not with its inputs",
    ),
    pytest.param(
        add_op("y = Neg (x)", header='<ir_version: 8, opset_import: ["": 17, "": 18]>'),
        "the domain '' has two versions: 17 and 18",
        id="two versions of a domain",
    ),
    pytest.param(
        add_op("y = Neg (x)", header='<ir_version: 8, opset_import: ["": 17, "acme": 4294967296]>'),
        "the domain 'acme' has the invalid version 4294967296",
        id="a version that is too large",
    ),
    pytest.param(
        add_op("y = Neg (x)", header='<ir_version: 8, opset_import: ["": 17, "acmé": 1]>'),
        "a domain is 'acmé', expected printable ASCII",
        id="a domain that cannot be written",
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


def made(change: Callable[[ModelProto], object]) -> ModelProto:
    """A network that is changed."""
    result = convolution()
    change(result)
    return result


def kernel(model: ModelProto) -> TensorProto:
    return model.graph.initializer[0]


MODELS: list[tuple[str, ModelProto, str]] = [
    (
        "a tensor with too few numbers",
        made(lambda model: kernel(model).dims.append(2)),
        "the data of 'kernel' has 6912 bytes, expected 13824 for its shape and type",
    ),
    (
        "a negative size",
        made(lambda model: kernel(model).dims.append(-1)),
        "the shape of 'kernel' has a negative size: 64x3x3x3x-1",
    ),
    (
        "numbers in two places",
        made(lambda model: kernel(model).float_data.append(1)),
        "the data of 'kernel' is in raw_data and float_data; data of type FLOAT belongs in raw_data or float_data",
    ),
    (
        "numbers in the place of another type",
        made(lambda model: kernel(model).CopyFrom(TensorProto(name="kernel", data_type=1, dims=[1], int64_data=[1]))),
        "the data of 'kernel' is in int64_data; data of type FLOAT belongs in raw_data or float_data",
    ),
    (
        "too few numbers in a field of their type",
        made(lambda model: kernel(model).CopyFrom(TensorProto(name="kernel", data_type=1, dims=[2], float_data=[1]))),
        "the data of 'kernel' has 1 numbers, expected 2 for its shape and type",
    ),
    (
        "an element type that ONNX does not have",
        made(lambda model: setattr(kernel(model), "data_type", 99)),
        "'kernel' is of element type 99, which ONNX does not define",
    ),
    (
        "an input of an element type that ONNX does not have",
        made(lambda model: setattr(model.graph.input[0].type.tensor_type, "elem_type", 99)),
        "'x' is of element type 99, which ONNX does not define",
    ),
    (
        "an initializer without a name",
        made(lambda model: setattr(kernel(model), "name", "")),
        "an input, an output or an initializer has no name",
    ),
    (
        "an attribute that refers to one of a function",
        made(lambda model: setattr(model.graph.node[0].attribute[0], "ref_attr_name", "pads")),
        "Conv 'first': attribute 'pads' refers to one of a function, but the node is in none",
    ),
    (
        "an attribute without a value",
        made(lambda model: setattr(model.graph.node[0].attribute[0], "type", AttributeProto.INT)),
        "Conv 'first': attribute 'pads' is INT, but has no such value",
    ),
    (
        "an attribute without a type",
        made(lambda model: setattr(model.graph.node[0].attribute[0], "type", AttributeProto.UNDEFINED)),
        "Conv 'first': attribute 'pads' has no type",
    ),
    (
        "an attribute without a name",
        made(lambda model: setattr(model.graph.node[0].attribute[0], "name", "")),
        "Conv 'first': an attribute has no name",
    ),
    (
        "a name with an end in it",
        made(lambda model: setattr(model.graph.node[0], "name", "a\0b")),
        "NodeProto.name contains a null character: 'a\\x00b'",
    ),
]


@pytest.mark.parametrize(("model_", "expected"), [pytest.param(*rest, id=name) for name, *rest in MODELS])
def test_made_model(model_: ModelProto, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(model_.SerializeToString())
    assert message(path, capsys) == expected


def test_node_without_the_name_of_its_op(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(made(lambda model_: model_.graph.node[0].ClearField("op_type")).SerializeToString())
    assert message(path, capsys).startswith("a node without op_type '")


def test_name_that_is_not_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(convolution().SerializeToString().replace(b"kernel", b"k\xffrnel"))
    assert message(path, capsys) == r"TensorProto.name is not UTF-8: b'k\xffrnel'"


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
        "the data of 'kernel' has 6908 bytes, expected 6912 for its shape and type",
        id="too few bytes",
    ),
    pytest.param(
        {"location": "../kernel.bin"},
        "the data of 'kernel' lies outside of the model's folder: '../kernel.bin'",
        id="a file elsewhere",
    ),
    pytest.param(
        {"location": "weights/../kernel.bin"},
        "the data of 'kernel' lies outside of the model's folder: 'weights/../kernel.bin'",
        id="a way that leads up, though not out",
    ),
    pytest.param(
        {"location": "/etc/hostname"},
        "the data of 'kernel' lies outside of the model's folder: '/etc/hostname'",
        id="a way from the root",
    ),
    pytest.param(
        {"location": "kernel.bin", "offset": "-4", "length": "6912"},
        "the data of 'kernel' is cut off: 'kernel.bin' ends before byte 6908",
        id="a negative offset",
    ),
    pytest.param(
        {"location": "kernel.bin", "offset": "99999999999999999999"},
        "the data of 'kernel' is cut off: 'kernel.bin' ends before byte 6912",
        id="an offset beyond the end",
    ),
    pytest.param(
        {"location": "kernel.bin", "length": "many"},
        "the offset or length of the data of 'kernel' is not a number: {'location': 'kernel.bin', 'length': 'many'}",
        id="a length that is no number",
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
    expected = "npu-opt: error: ONNX models need the package onnx: pip install 'npu-opt[onnx]'\n"
    assert capsys.readouterr().err == expected


def test_model_is_what_the_tests_say_it_is():
    assert [node.op_type for node in model(add_op("y = Neg (x)")).graph.node] == ["Neg"]


SHAPES: Sequence[tuple[str, Sequence[Sequence[int]]]] = [
    ("Attention", ((1, 2, 3, 4), (4, 12), (12,))),
    ("QLinearGlobalAveragePool", ((4,), (), (), (), ())),
]


@pytest.mark.parametrize(("op", "shapes"), SHAPES)
def test_types_of_others_are_said_in_words(
    op: str, shapes: Sequence[Sequence[int]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    inputs = [onnx.helper.make_tensor_value_info(f"x{at}", 1, shape) for at, shape in enumerate(shapes)]
    node = onnx.helper.make_node(op, [each.name for each in inputs], ["y"], domain="com.microsoft", num_heads=2)
    graph = onnx.helper.make_graph([node], "g", inputs, [onnx.helper.make_tensor_value_info("y", 1, None)])
    opsets = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("com.microsoft", 1)]
    path = tmp_path / "model.onnx"
    path.write_bytes(onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString())
    run([str(path), "-o", str(tmp_path / "out.mlir")])
    assert "ValueError" not in capsys.readouterr().err


def test_words_that_are_no_text_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    node = onnx.helper.make_node("StringNormalizer", ["x"], ["y"], case_change_action=b"\xff\xfe")
    ends = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.STRING, [3]) for name in "xy"]
    graph = onnx.helper.make_graph([node], "g", ends[:1], ends[1:])
    path, written = tmp_path / "model.onnx", tmp_path / "out.onnx"
    opsets = [onnx.helper.make_opsetid("", 16)]
    path.write_bytes(onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString())
    run([str(path), "-o", str(written)])
    assert "UnicodeDecodeError" not in capsys.readouterr().err
