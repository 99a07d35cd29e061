"""Constants of the same bytes are one buffer of a LiteRT model, and one tensor if nothing tells them apart."""

from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
schema: Any = import_module("ai_edge_litert.schema_py_generated")  # It carries no types.

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
