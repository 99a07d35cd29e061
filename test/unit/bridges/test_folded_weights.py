"""`--fold-weights` computes what a model computes from its weights alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.interpreter import run
from npu_opt.tools import check, opt
from numpy.typing import NDArray
from onnx import ModelProto, numpy_helper
from support.closeness import FEW_STEPS_NEAR_ZERO, Room, assert_close
from support.generators.made_models import model as made
from support.oracles.onnx_running import executed

KERNEL = np.random.default_rng(0).normal(size=(4, 3, 2, 2)).astype(np.float32)
NORMED = """net (float[1,3,5,5] x) => (float[1,4,4,4] y) {
    axes = Constant <value = int64[3] {1, 2, 3}> ()
    same = Identity (v)
    squares = Mul (same, v)
    sum = ReduceSum (squares, axes)
    length = Sqrt (sum)
    kernel = Div (v, length)
    y = Conv (x, kernel)
}"""


def model_of(text: str, **weights: NDArray[Any]) -> ModelProto:
    """A model with these initializers."""
    model = made(text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    return model


def imported(model: ModelProto, tmp_path: Path, limit: int = 1 << 20) -> str:
    options = Options(inline_limit=0, fold_limit=limit, folds_weights=True)
    return str(import_model(tmp_path / "model.onnx", options, model=model).module)


def test_a_normed_kernel_is_a_constant(tmp_path: Path):
    model = model_of(NORMED, v=KERNEL)
    text = imported(model, tmp_path)
    names = [line.split(" = ")[1].split()[0] for line in text.splitlines() if " = npu." in line]
    assert names == ["npu.constant", "npu.constant", "npu.conv2d"], "the kernel and a bias of zeros"
    image = np.random.default_rng(1).normal(size=(1, 3, 5, 5)).astype(np.float32)
    plain, folded = (
        import_model(tmp_path / "model.onnx", Options(inline_limit=None, folds_weights=folds), model=model).module
        for folds in (False, True)
    )
    for one, other in zip(run(plain, "main", [image]), run(folded, "main", [image]), strict=True):
        assert_close(one, other, FEW_STEPS_NEAR_ZERO)


LEFT = [
    pytest.param("y = Transpose (w)", "float[512,1024] y", id="a large weight is only read in another order"),
    pytest.param("y = RandomNormalLike (w)", "float[1024,512] y", id="random numbers"),
    pytest.param("y = Bernoulli (w)", "float[1024,512] y", id="random bits"),
    pytest.param("y = MatMul (w, x)", "float[1024,512] y", id="a node with an input that is not known"),
    pytest.param("y = com.chip.Pack (w)", "float[1024,512] y", id="an op of another domain"),
]


@pytest.mark.parametrize(("body", "result"), LEFT)
def test_nodes_that_stay(body: str, result: str, tmp_path: Path):
    weight = np.zeros((1024, 512), np.float32)
    model = model_of(f"net (float[512,512] x) => ({result}) {{ {body} }}", w=weight)
    model.opset_import.add(domain="com.chip", version=1)
    assert '"w"' in imported(model, tmp_path)


def test_quantised_weights_stay_integers(tmp_path: Path):
    text = "net (float[2,3] x) => (float[2,4] y) { f = DequantizeLinear (w, s) y = MatMul (x, f) }"
    model = model_of(text, w=np.ones((3, 4), np.int8), s=np.array(0.5, np.float32))
    assert "npu.dequantize" in imported(model, tmp_path)


def test_the_limit_and_weights_without_data(tmp_path: Path):
    model = model_of("net (float[2,2] x) => (float[2,2] y) { s = Exp (w) y = Mul (x, s) }", w=np.eye(2, dtype="f4"))
    assert "npu.exp" not in imported(model, tmp_path, limit=16)
    assert "npu.exp" in imported(model, tmp_path, limit=15)
    model.graph.initializer[0].ClearField("raw_data")
    assert "npu.exp" in imported(model, tmp_path)


POSITIONS = Room("positions in f32 of tens of elements, between which neighbours differ by their size", 1e-4, 1e-4)
RESIZE = """net (float[1] x) => (float[1,8,20,30] y) {{
    r = Resize <mode = "{}", coordinate_transformation_mode = "{}"> (w, , , s)
    y = Add (r, x)
}}"""


@pytest.mark.parametrize("coordinates", ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"])
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_a_large_resized_weight_is_a_constant(mode: str, coordinates: str, tmp_path: Path):
    weight, sizes = np.random.default_rng(3).normal(size=(1, 8, 7, 40)).astype(np.float32), np.array([1, 8, 20, 30])
    model = model_of(RESIZE.format(mode, coordinates), w=weight, s=sizes)
    names = [line.split(" = ")[1].split()[0] for line in imported(model, tmp_path).splitlines() if " = npu." in line]
    assert names == ["npu.constant", "npu.add"]
    folded = import_model(tmp_path / "model.onnx", Options(inline_limit=None, folds_weights=True), model=model).module
    given = [np.zeros(1, np.float32)]
    for one, other in zip(run(folded, "main", given), executed(model, given), strict=True):
        assert_close(one, other, POSITIONS)


@pytest.mark.parametrize(("mode", "coordinates"), [("nearest", "asymmetric"), ("linear", "tf_crop_and_resize")])
def test_resized_weights_that_take_long_stay(mode: str, coordinates: str, tmp_path: Path):
    text = RESIZE.format(mode, coordinates).replace("(w, , ,", "(w, region, ,")
    region = np.array([0, 0, 0, 0, 1, 1, 1, 1], np.float32)
    model = model_of(text, w=np.zeros((1, 8, 7, 40), np.float32), s=np.array([1, 8, 20, 30]), region=region)
    assert '"w"' in imported(model, tmp_path)


def test_the_folded_program_is_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path, out = tmp_path / "model.onnx", tmp_path / "out.mlir"
    path.write_bytes(model_of(NORMED, v=KERNEL).SerializeToString())
    assert opt.run([str(path), "--fold-weights", "--layout-optimal", "--target=opu", "-o", str(out)]) == 0
    assert check.run([str(path), str(out), "--fold-weights"]) == 0
    assert "--fold-weights" not in capsys.readouterr().out
    # npu-check folds by itself where the proof fails without.
    assert check.run([str(path), str(out)]) == 0
    note = "what it computes from its weights alone is computed, as with --fold-weights"
    assert capsys.readouterr().out == f"proved: {path} and {out} compute the same\nnote: {path}: {note}\n"
    assert check.run([str(path), str(out), "--json", "--numeric"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["read_as"], found["trials"][0]["agree"]) == ([f"{path}: {note}"], True)
    path.write_bytes(model_of(NORMED, v=KERNEL + np.float32(1e-6)).SerializeToString())
    assert check.run([str(path), str(out)]) == 2
    assert "--fold-weights" not in capsys.readouterr().out


BEHIND = """net (float[1,3,5,5] x) => (float[1,4,4,4] y) {
    c = Conv (x, kernel)
    n = BatchNormalization (c, scale, bias, mean, variance)
    t = Mul (n, factor)
    y = Add (t, shift)
}"""


def behind() -> ModelProto:
    """A norm, a factor and a summand behind a convolution."""
    random = np.random.default_rng(2)
    vectors = {name: random.random(4, np.float32) + 0.5 for name in ("scale", "bias", "mean", "variance")}
    columns = {name: random.random((1, 4, 1, 1), np.float32) for name in ("factor", "shift")}
    return model_of(BEHIND, kernel=KERNEL, **vectors, **columns)


@pytest.mark.parametrize("limit", [0, 1024])
@pytest.mark.parametrize("folds", [["--fold-weights"], []], ids=["folded", "not folded"])
def test_weights_that_a_pass_multiplies(
    limit: int, folds: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Kernel and bias are new constants, in a file or written out, in a program and in a model."""
    path = tmp_path / "model.onnx"
    path.write_bytes(behind().SerializeToString())
    flags = [*folds, "--fold-norms", "--canonicalize", f"--inline-limit={limit}"]
    for name in ("out.mlir", "out.onnx"):
        assert opt.run([str(path), *flags, "-o", str(tmp_path / name)]) == 0
        assert check.run([str(path), str(tmp_path / name), "--numeric", "--tolerance=1e-5"]) == 2
        assert "the results agree" in capsys.readouterr().out
        assert check.run([str(path), str(tmp_path / name), "--arithmetic"]) == 0
    lines = (tmp_path / "out.mlir").read_text().splitlines()
    names = [line.split(" = ")[1].split()[0] for line in lines if " = npu." in line]
    assert names == ["npu.constant", "npu.constant", "npu.conv2d"]


def test_weights_without_data_are_multiplied_by_the_program(tmp_path: Path):
    path, out, model = tmp_path / "model.onnx", tmp_path / "out.mlir", behind()
    model.graph.initializer[0].ClearField("raw_data")
    path.write_bytes(model.SerializeToString())
    flags = ["--fold-weights", "--fold-norms", "--canonicalize", "--weights=none", "--inline-limit=0"]
    assert opt.run([str(path), *flags, "-o", str(out)]) == 0
    assert "npu.mul" in out.read_text()


@pytest.mark.parametrize("folds", [["--fold-weights"], []], ids=["folded", "not folded"])
def test_a_litert_file_with_folded_norms_is_proved(
    folds: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    pytest.importorskip("ai_edge_litert")
    path, out = tmp_path / "model.onnx", tmp_path / "out.tflite"
    path.write_bytes(behind().SerializeToString())
    assert opt.run([str(path), *folds, "--fold-norms", "--layout-optimal", "--canonicalize", "-o", str(out)]) == 0
    assert check.run([str(path), str(out)]) == 0
    other = behind()
    other.graph.initializer[-1].CopyFrom(numpy_helper.from_array(np.ones((1, 4, 1, 1), np.float32), "shift"))
    path.write_bytes(other.SerializeToString())
    assert check.run([str(path), str(out)]) == 3


def test_weights_of_16_bits_stay_in_a_litert_model(tmp_path: Path):
    """LiteRT widens them when it loads the file."""
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
    given, found = tmp_path / "given.tflite", tmp_path / "found.tflite"
    weights = np.random.default_rng(0).normal(size=(64, 64)).astype(np.float16)
    (tmp_path / "p.mlir").write_text(f"""
func.func @main(%x: tensor<2x64xf32>) -> tensor<2x64xf32> {{
  %w = npu.constant dense<"0x{weights.tobytes().hex()}"> : tensor<64x64xf16>
  %wide = npu.cast %w : (tensor<64x64xf16>) -> tensor<64x64xf32>
  %y = npu.gemm %x, %wide : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  func.return %y : tensor<2x64xf32>
}}""")
    assert opt.run([str(tmp_path / "p.mlir"), "-o", str(given)]) == 0
    assert opt.run([str(given), "--fold-weights", "--layout-optimal", "-o", str(found)]) == 0
    assert found.stat().st_size < 1.1 * given.stat().st_size
    assert check.run([str(given), str(found)]) == 0
