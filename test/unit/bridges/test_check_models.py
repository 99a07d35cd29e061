"""npu-check on models."""

from pathlib import Path

import numpy as np
import pytest
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from npu_opt.tools.run import run as npu_run
from onnx import TensorProto, defs, helper, numpy_helper, parser
from support.generators.made_models import convolution, model, random_tensor, save


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    """A model, and what npu-opt makes of it."""
    model, program = tmp_path / "model.onnx", tmp_path / "program.mlir"
    model.write_bytes(convolution().SerializeToString())
    assert npu_opt([str(model), "--layout-transmit", "--canonicalize", "-o", str(program)]) == 0
    return str(model), str(program)


def test_proved(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]):
    model, program = pair
    assert npu_check([model, program]) == 0
    assert npu_check([program, model]) == 0
    assert capsys.readouterr().out == (
        f"proved: {model} and {program} compute the same\nproved: {program} and {model} compute the same\n"
    )


def test_numbers(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]):
    assert npu_check([*pair, "--numeric"]) == 0


def test_weights_count_by_their_numbers(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]):
    model, program = pair
    moved = Path(program).with_name("moved.mlir")
    weights = Path(program).with_suffix(".safetensors")
    weights.rename(moved.with_suffix(".safetensors"))
    moved.write_text(Path(program).read_text().replace("program.safetensors", "moved.safetensors"))
    assert npu_check([model, str(moved)]) == 0
    data = bytearray(moved.with_suffix(".safetensors").read_bytes())
    data[-1] ^= 64
    moved.with_suffix(".safetensors").write_bytes(data)
    assert npu_check([model, str(moved)]) == 3
    out = capsys.readouterr().out
    assert f"{model}:matrix: note: the second program has nothing equal to: " in out


def test_one_note_for_all_weights_without_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A model that is written without its weights equals itself, and a note for each of its files says so."""
    nodes = [helper.make_node("Add", ["x", "v"], ["z"]), helper.make_node("Mul", ["z", "w"], ["y"])]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [600]) for name in "xy")
    weights = [numpy_helper.from_array(np.ones(600, np.float32), name) for name in "vw"]
    for weight in weights:
        weight.ClearField("raw_data")
    graph = helper.make_graph(nodes, "g", [x], [y], weights)
    file = tmp_path / "model.onnx"
    file.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString())
    assert npu_check([str(file), str(file)]) == 0
    note = f"{file}:v: note: the model does not have the data of 2 constants, 'v' first"
    assert capsys.readouterr().err.splitlines() == [note, note]


def test_a_weight_may_have_another_shape_in_another_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Its numbers are the same ones, and what they are read as is a matter of the model."""
    shape = helper.make_node("Reshape", ["w", "shape"], ["matrix"])
    product = helper.make_node("MatMul", ["x", "matrix"], ["y"])
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [5, size]) for name, size in (("x", 6), ("y", 1600)))
    numbers = np.arange(9600, dtype=np.float32).reshape(2, 3, 1600)
    weights = [numpy_helper.from_array(numbers, "w"), numpy_helper.from_array(np.array([6, 1600]), "shape")]
    graph = helper.make_graph([shape, product], "g", [x], [y], weights)
    given, found = tmp_path / "given.onnx", tmp_path / "found.onnx"
    given.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString())
    assert npu_opt([str(given), "--canonicalize", "-o", str(found)]) == 0
    assert b"Reshape" not in found.read_bytes()
    assert npu_check([str(given), str(found)]) == 0
    assert capsys.readouterr().out.startswith("proved: ")


def test_other_op(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]):
    model, program = pair
    Path(program).write_text(Path(program).read_text().replace("npu.relu", "npu.neg"))
    assert npu_check([model, program]) == 3
    assert "on the random input of seed 0" in capsys.readouterr().out


def test_bad_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"")
    assert npu_check([str(path), str(path)]) == 1
    assert capsys.readouterr().err == f"{path}: error: the file is empty\n"


LSTM = """
<ir_version: 8, opset_import: ["": VERSION]>
net (float[3,1,4] x, float[1,8,4] w, float[1,8,2] r) => (float[3,1,1,2] y) { y = LSTM <hidden_size = 2> (x, w, r) }
"""
ROI_ALIGN = """
<ir_version: 8, opset_import: ["": VERSION]>
net (float[1,2,4,4] x, float[3,4] r, int64[3] b) => (float[3,2,1,1] y) { y = RoiAlign (x, r, b) }
"""


@pytest.mark.parametrize(("text", "versions", "code"), [(LSTM, (11, 14), 0), (ROI_ALIGN, (10, 16), 2)])
def test_an_op_that_is_kept_means_what_it_does_in_its_version(
    tmp_path: Path, text: str, versions: tuple[int, int], code: int
):
    files = [str(save(text.replace("VERSION", str(each)), tmp_path, f"{each}.onnx")) for each in versions]
    assert npu_check(files) == code
    assert npu_check(files[::-1]) == code
    assert npu_check([files[0], files[0]]) == 0


def test_a_model_that_is_written_again_in_a_newer_version_is_the_same(tmp_path: Path):
    given, found = save(LSTM.replace("VERSION", "13"), tmp_path), tmp_path / "found.onnx"
    assert npu_opt([str(given), "-o", str(found)]) == 0
    assert npu_check([str(given), str(found)]) == 0


@pytest.mark.parametrize("weights", ["none", "inline", None])
def test_weights_that_are_nowhere_are_not_those_of_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], weights: str | None
):
    given, found = tmp_path / "given.onnx", tmp_path / "found.mlir"
    given.write_bytes(convolution().SerializeToString())
    options = [] if weights is None else [f"--weights={weights}"]
    assert npu_opt([str(given), *options, "-o", str(found)]) == 0
    capsys.readouterr()
    assert npu_check([str(given), str(found)]) == (2 if weights == "none" else 0)
    assert ("found.safetensors: No such file or directory" in capsys.readouterr().err) == (weights == "none")
    assert npu_check([str(found), str(found)]) == 0


def test_a_model_that_does_not_run_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("onnxruntime")
    program = tmp_path / "program.mlir"
    program.write_text("""func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
      func.return %x : tensor<2x3xf32>
    }""")
    other = save("net (float[N,M] x, float[K,L] y) => (float[N,L] z) { z = MatMul (x, y) }", tmp_path)
    assert npu_run([str(program), "--engine", "numpy", "--compare", str(other)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"{other}: error: cannot be run on these inputs: ONNX Runtime: ")
    assert err.count("\n") == 1


DEFAULTS = {
    "BatchNormalization": "p, s, t, s, t",
    "HardSigmoid": "p",
    "InstanceNormalization": "p, s, t",
    "LRN": "p",
    "LayerNormalization": "p, u",
    "LeakyRelu": "p",
}


def test_absent_attributes_are_the_defaults_of_onnx(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Its floats have 32 bits, as those of a model."""
    nodes = [
        f"v{place + 1} = {kind} {'<size = 3>' if kind == 'LRN' else ''} ({inputs.replace('p', f'v{place}', 1)})"
        for place, (kind, inputs) in enumerate(DEFAULTS.items())
    ]
    given = model(f"net (float[2,4,3,3] v0) => (float[2,4,3,3] v{len(nodes)}) {{ {' '.join(nodes)} }}")
    given.graph.initializer.extend(random_tensor(name, size) for name, size in (("s", 4), ("t", 4), ("u", 3)))
    files = [tmp_path / name for name in ("given.onnx", "written.onnx", "again.onnx")]
    files[0].write_bytes(given.SerializeToString())
    for node in given.graph.node:
        named = {each.name for each in node.attribute}
        defaults = [each.default_value for each in defs.get_schema(node.op_type, 17).attributes.values()]
        node.attribute.extend(each for each in defaults if each.name and each.name not in named)
    files[1].write_bytes(given.SerializeToString())
    assert npu_opt([str(files[0]), "-o", str(files[2])]) == 0
    assert [npu_check([str(files[0]), str(each)]) for each in files[1:]] == [0, 0]
    assert capsys.readouterr().out.count("proved: ") == 2


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        (
            "r = RandomNormalLike (x) y = Add (x, r)",
            "r = RandomNormalLike (x) y = Sub (x, r)",
            "'onnx.RandomNormalLike' may compute other numbers in each run",
        ),
        (
            "k = Constant <value = int64[1] {4}> () y, i = TopK <sorted = 0> (x, k)",
            "k = Constant <value = int64[1] {4}> () y, i = TopK (x, k)",
            "'onnx.TopK' with sorted = 0 may return elements in any order",
        ),
    ],
)
def test_runs_that_say_nothing(one: str, other: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    files = [str(tmp_path / name) for name in ("one.onnx", "other.onnx")]
    for file, text in zip(files, (one, other), strict=True):
        header = '<ir_version: 8, opset_import: ["": 17]> g (float[4] x) => (float[4] y)'
        Path(file).write_bytes(parser.parse_model(f"{header} {{ {text} }}").SerializeToString())
    assert npu_check(files) == 2
    assert f"note: @main was not run: {reason}\n" in capsys.readouterr().out


def test_an_epsilon_is_the_same_number_in_a_model(tmp_path: Path):
    """ONNX stores it in 32 bits."""
    program, file = tmp_path / "program.mlir", tmp_path / "model.onnx"
    program.write_text("""func.func @main(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
      %y = npu.batch_norm %x, %s, %s, %s, %s axis = 1 epsilon = 1.0e-5
        : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
      func.return %y : tensor<2x3xf32>
    }""")
    assert npu_opt([str(program), "-o", str(file)]) == 0
    assert npu_check([str(program), str(file)]) == 0


def test_the_largest_number_of_32_bits_stays_that(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Its shortest decimal form is larger."""
    largest = float(np.finfo(np.float32).max)
    header = '<ir_version: 8, opset_import: ["": 17]> g (float[4] x) => (float[4] y)'
    file = tmp_path / "model.onnx"
    file.write_bytes(parser.parse_model(f"{header} {{ y = Elu <alpha = {largest!r}> (x) }}").SerializeToString())
    assert npu_opt([str(file)]) == 0
    assert f"alpha = {largest!r}" in capsys.readouterr().out


ATTENTION = """net (float[B,S,8] q, float[B,P,8] past, float[B,1,8] new) => (float[B,S,8] y) {{
    k = Concat <axis = 1> (past, new)
    {}
}}"""
HEADS = """
    three = Constant <value = int64[3] {0, 0, 8}> ()
    four = Constant <value = int64[4] {0, 0, 2, 4}> ()
    a = Reshape (q, four)
    b = Transpose <perm = [0, 2, 1, 3]> (a)
    c = Reshape (k, four)
    d = Transpose <perm = [0, 2, 1, 3]> (c)
    f = Attention <scale = 0.5> (b, d, d)
    g = Transpose <perm = [0, 2, 1, 3]> (f)
    y = Reshape (g, three)"""
"""Attention of rank 4, where the sizes of its heads are known; those of rank 3 are computed in its definition."""


@pytest.mark.parametrize(("scale", "code"), [(0.5, 0), (0.25, 3)])
def test_ops_that_differ_as_their_definitions_are_compared_as_they_came(
    scale: float, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("first.onnx", "second.onnx")]
    joined = f"y = Attention <scale = {scale}, q_num_heads = 2, kv_num_heads = 2> (q, k, k)"
    for file, body in zip(files, (HEADS, joined), strict=True):
        text = f'<ir_version: 10, opset_import: ["": 23]> {ATTENTION.format(body)}'
        file.write_bytes(parser.parse_model(text).SerializeToString())
    assert npu_check([*map(str, files)]) == code
    found = capsys.readouterr().out
    assert (found == f"proved: {files[0]} and {files[1]} compute the same\n") == (code == 0)
