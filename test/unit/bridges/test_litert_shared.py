"""Constants of the same bytes are one buffer of a LiteRT model, and one tensor if nothing tells them apart."""

from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.api.optimizing import Strategy
from onnx import ModelProto, TensorProto, helper, numpy_helper

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
flatbuffers: Any = import_module("flatbuffers")  # Neither carries types.
schema: Any = import_module("ai_edge_litert.schema_py_generated")

KERNEL = np.arange(16 * 16 * 9, dtype=np.float32).reshape(16, 16, 3, 3)


def model_of(*kernels: np.ndarray[Any, np.dtype[np.float32]]) -> ModelProto:
    """Convolutions in a row, each with a kernel of its own or with that of the one before."""
    names = ["x", *(f"y{place}" for place in range(len(kernels)))]
    own = {id(kernel): f"w{place}" for place, kernel in enumerate(kernels)}
    nodes = [
        helper.make_node("Conv", [names[place], own[id(kernel)]], [names[place + 1]], pads=[1] * 4)
        for place, kernel in enumerate(kernels)
    ]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 16, 8, 8]) for name in (names[0], names[-1])]
    weights = [numpy_helper.from_array(kernel, own[id(kernel)]) for kernel in {id(k): k for k in kernels}.values()]
    graph = helper.make_graph(nodes, "g", [ends[0]], [ends[1]], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def written(proto: ModelProto, file: Path) -> Any:
    npu_opt.optimize(proto, target="litert").save(file)
    assert npu_opt.check(proto, file)
    return schema.ModelT.InitFromPackedBuf(file.read_bytes(), 0)


def kernels_of(model: Any) -> tuple[int, int]:
    """The numbers of tensors and of buffers that are kernels."""
    tensors = [each.buffer for each in model.subgraphs[0].tensors if list(each.shape) == [16, 3, 3, 16]]
    return len(tensors), len(set(tensors))


def test_a_kernel_with_several_users_is_one_tensor(tmp_path: Path):
    model = written(model_of(KERNEL, KERNEL, KERNEL), tmp_path / "model.tflite")
    assert kernels_of(model) == (1, 1)


def test_equal_kernels_are_one_buffer(tmp_path: Path):
    model = written(model_of(KERNEL, KERNEL.copy()), tmp_path / "model.tflite")
    assert kernels_of(model)[1] == 1


def test_other_kernels_are_buffers_of_their_own(tmp_path: Path):
    model = written(model_of(KERNEL, KERNEL + 1), tmp_path / "model.tflite")
    assert kernels_of(model) == (2, 2)


def with_halves(model: Any) -> bytes:
    """The file of a model whose kernels are f16 behind DEQUANTIZE."""
    graph = model.subgraphs[0]
    model.operatorCodes.append(schema.OperatorCodeT())
    code = model.operatorCodes[-1]
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.DEQUANTIZE
    code.version = 3
    for place in [place for place, each in enumerate(graph.tensors) if list(each.shape) == [16, 3, 3, 16]]:
        wide = graph.tensors[place]
        stored = schema.TensorT()
        stored.name, stored.shape, stored.type = wide.name + b"_half", wide.shape, schema.TensorType.FLOAT16
        model.buffers.append(schema.BufferT())
        numbers = np.frombuffer(bytes(model.buffers[wide.buffer].data), np.float32).astype(np.float16)
        model.buffers[-1].data = np.frombuffer(numbers.tobytes(), np.uint8)
        model.buffers[wide.buffer].data = None
        stored.buffer, wide.buffer = len(model.buffers) - 1, 0
        graph.tensors.append(stored)
        op = schema.OperatorT()
        op.opcodeIndex, op.inputs, op.outputs = len(model.operatorCodes) - 1, [len(graph.tensors) - 1], [place]
        op.builtinOptionsType, op.builtinOptions = schema.BuiltinOptions.DequantizeOptions, schema.DequantizeOptionsT()
        graph.operators.insert(0, op)
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


@pytest.mark.parametrize("strategy", [None, "optimal"])
def test_weights_of_sixteen_bits_stay_so(tmp_path: Path, strategy: Strategy | None):
    file, again = tmp_path / "model.tflite", tmp_path / "again.tflite"
    file.write_bytes(with_halves(written(model_of(KERNEL, KERNEL + 1), file)))
    npu_opt.optimize(file, target="litert", strategy=strategy).save(again)
    assert npu_opt.check(file, again)
    model = schema.ModelT.InitFromPackedBuf(again.read_bytes(), 0)
    kernels = [each for each in model.subgraphs[0].tensors if list(each.shape) == [16, 3, 3, 16]]
    stored = [each for each in kernels if each.type == schema.TensorType.FLOAT16]
    assert len(stored) == len({each.buffer for each in stored}) == 2
    assert all(model.buffers[each.buffer].data is None for each in kernels if each not in stored)
    assert again.stat().st_size < file.stat().st_size * 1.2
