"""Weights of imported models."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu_opt.bridges.files import digest
from npu_opt.bridges.onnx.importing.slim import LONG, read_slim
from npu_opt.bridges.safetensors import Extract, stored_tensors
from npu_opt.interpreter import Environment, run
from npu_opt.tools.opt import run as npu_opt
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto
from onnx.reference import ReferenceEvaluator
from support.closeness import Room, assert_close
from support.generators.made_models import convolution, random_tensor, save
from support.ir_text import parse

ROOM = Room("a convolution and a product in f32, whose sums cancel, in another order", 1e-5, 1e-5)

X = np.random.default_rng(0).standard_normal((2, 3, 8, 8)).astype(np.float32)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    path.write_bytes(convolution().SerializeToString())
    return path


def results(program: Path) -> NDArray[Any]:
    module = parse(program.read_text())
    return run(module, "main", [X], Environment(program.parent))[0]


def expected() -> NDArray[Any]:
    evaluator: Any = ReferenceEvaluator(convolution())
    return evaluator.run(None, {"x": X})[0]


def tensors(file: Path) -> dict[str, NDArray[Any]]:
    """The tensors as read by safetensors itself."""
    # By its name: its own types are not complete.
    read: Any = import_module("safetensors.numpy").load_file
    return read(file)


def test_long_weights_go_into_a_file_beside_the_output(model: Path, capsys: pytest.CaptureFixture[str]):
    output = model.parent / "out.mlir"
    assert npu_opt([str(model), "-o", str(output)]) == 0
    assert capsys.readouterr().err == ""
    found = tensors(output.with_suffix(".safetensors"))
    assert {key: array.shape for key, array in found.items()} == {"kernel": (64, 3, 3, 3), "matrix": (10, 64)}
    assert '%kernel = npu.constant #npu.reference<"out.safetensors", "kernel">' in output.read_text()
    assert_close(results(output), expected(), ROOM)


def test_passes_see_them(model: Path):
    output = model.parent / "out.mlir"
    assert npu_opt([str(model), "--layout-transmit", "--canonicalize", "-o", str(output)]) == 0
    assert_close(results(output), expected(), ROOM)


def test_a_file_of_ones_choice(model: Path):
    output, weights = model.parent / "out.mlir", model.parent / "data" / "weights.safetensors"
    weights.parent.mkdir()
    assert npu_opt([str(model), "-o", str(output), f"--weights={weights}"]) == 0
    assert '#npu.reference<"data/weights.safetensors", "kernel">' in output.read_text()
    assert_close(results(output), expected(), ROOM)


def test_written_out(model: Path):
    output = model.parent / "out.mlir"
    assert npu_opt([str(model), "-o", str(output), "--weights=inline"]) == 0
    assert not output.with_suffix(".safetensors").exists()
    assert "npu.reference" not in output.read_text()
    assert_close(results(output), expected(), ROOM)


def test_nowhere(model: Path, capsys: pytest.CaptureFixture[str]):
    output = model.parent / "out.mlir"
    assert npu_opt([str(model), "-o", str(output), "--weights=none"]) == 0
    assert not output.with_suffix(".safetensors").exists()
    assert capsys.readouterr().err == ""


def test_to_standard_output_they_are_named_only(model: Path, capsys: pytest.CaptureFixture[str]):
    assert npu_opt([str(model)]) == 0
    captured = capsys.readouterr()
    assert captured.err == (
        f"{model}: note: 2 constants are referenced but not written: choose a file with -o or --weights,"
        f" or store the weights in the program (run: npu-opt --weights=inline {model})\n"
    )
    assert list(model.parent.glob("*.safetensors")) == []


def test_limit(model: Path):
    output = model.parent / "out.mlir"
    assert npu_opt([str(model), "-o", str(output), "--inline-limit", "3000"]) == 0
    assert list(tensors(output.with_suffix(".safetensors"))) == ["kernel"]


def test_a_failing_run_writes_none(model: Path, capsys: pytest.CaptureFixture[str]):
    output = model.parent / "out.mlir"
    assert npu_opt([str(model), "-o", str(output), "--layout-transmit=default=Nonsense"]) == 1
    assert [path.name for path in model.parent.iterdir() if path.suffix != ".onnx"] == []
    assert capsys.readouterr().err


def test_weights_that_were_stripped_have_a_shape(model: Path, capsys: pytest.CaptureFixture[str]):
    made = convolution()
    made.graph.initializer[0].ClearField("raw_data")
    for tensor in made.graph.initializer[1:]:
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="#stripped")
    model.write_bytes(made.SerializeToString())
    output = model.parent / "out.mlir"
    assert npu_opt([str(model), "-o", str(output)]) == 0
    assert not output.with_suffix(".safetensors").exists()
    assert output.read_text().count("npu.reference") == 3
    assert capsys.readouterr().err == ""


def test_data_beside_the_model(model: Path):
    made = convolution()
    with (model.parent / "model.bin").open("wb") as file:
        for tensor in made.graph.initializer:
            tensor.external_data.add(key="location", value="model.bin")
            tensor.external_data.add(key="offset", value=str(file.tell()))
            tensor.external_data.add(key="length", value=str(len(tensor.raw_data)))
            file.write(tensor.raw_data)
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
    model.write_bytes(made.SerializeToString())
    output = model.parent / "out.mlir"
    assert npu_opt([str(model), "-o", str(output)]) == 0
    assert_close(results(output), expected(), ROOM)


@pytest.mark.parametrize("field", ["raw_data", "float_data"])
def test_long_data_is_not_read_with_the_model(field: str, tmp_path: Path):
    path = save("net (float[256,256] x) => (float[256,256] y) { y = MatMul (x, w) }", tmp_path)
    made = ModelProto.FromString(path.read_bytes())
    tensor = made.graph.initializer.add()
    tensor.CopyFrom(random_tensor("w", 256, 256))
    data = tensor.raw_data
    if field == "float_data":
        tensor.float_data.extend(np.frombuffer(data, np.float32))
        tensor.ClearField("raw_data")
    # A location that is written out although it is what it would be anyway.
    tensor.data_location = TensorProto.DEFAULT
    path.write_bytes(made.SerializeToString())
    slim = read_slim(path)
    assert len(slim) < LONG
    cut = ModelProto.FromString(slim).graph.initializer[0]
    places = {entry.key: entry.value for entry in cut.external_data}
    assert cut.data_location == TensorProto.EXTERNAL
    assert Extract(path, int(places["offset"]), int(places["length"])).read() == data


def test_contents_are_distinguished(tmp_path: Path, model: Path):
    output = model.parent / "out.mlir"
    npu_opt([str(model), "-o", str(output)])
    found = stored_tensors(output.with_suffix(".safetensors"))
    assert digest(found["kernel"].chunks()) == digest([random_tensor("kernel", 64, 3, 3, 3).raw_data])
    assert digest(found["kernel"].chunks()) != digest(found["matrix"].chunks())
