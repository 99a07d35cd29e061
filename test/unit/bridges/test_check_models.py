"""npu-check on models."""

from pathlib import Path

import numpy as np
import pytest
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from onnx import TensorProto, helper, numpy_helper
from support.generators.made_models import convolution


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
    assert npu_check([model, str(moved)]) == 1
    out = capsys.readouterr().out
    assert f"{model}:matrix: note: the second program has nothing equal to: " in out


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
    assert npu_check([model, program]) == 1
    assert "on the random input of seed 0" in capsys.readouterr().out


def test_bad_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"")
    assert npu_check([str(path), str(path)]) == 3
    assert capsys.readouterr().err == f"{path}: error: the file is empty\n"
