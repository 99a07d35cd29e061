"""Small ONNX models for tests."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper

HEADER = '<ir_version: 8, opset_import: ["": 17]>\n'


def model(text: str) -> ModelProto:
    """The model of a text in ONNX's text format; without a header it is of opset 17."""
    return onnx.parser.parse_model(text if text.lstrip().startswith("<") else HEADER + text)


def save(text: str, folder: Path, name: str = "model.onnx") -> Path:
    """A model in a file."""
    path = folder / name
    path.write_bytes(model(text).SerializeToString())
    return path


def with_weights(text: str) -> ModelProto:
    """The model of a text, whose initializers get random numbers."""
    proto, random = model(text), np.random.default_rng(0)
    weights = [*proto.graph.value_info]
    del proto.graph.value_info[:]
    for value in weights:
        kind = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        numbers = random.standard_normal(shape) * (0.2 if kind.kind == "f" else 20)
        proto.graph.initializer.append(numpy_helper.from_array(numbers.astype(kind), value.name))
    return proto


def inputs_of(proto: ModelProto) -> list[NDArray[Any]]:
    """Random inputs of known sizes; integers are small, since they may be indices."""
    random, found = np.random.default_rng(1), list[NDArray[Any]]()
    for value in proto.graph.input:
        kind = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        numbers = random.standard_normal(shape) if kind.kind == "f" else random.integers(1, 3, shape)
        found.append(np.asarray(numbers).astype(kind))
    return found


def random_tensor(name: str, *shape: int) -> TensorProto:
    """Numbers that depend on the name."""
    generator = np.random.default_rng(sum(name.encode()))
    return numpy_helper.from_array(generator.standard_normal(shape).astype(np.float32), name)


CONVOLUTION = """
net (float[N,3,8,8] x) => (float[N,10] y) {
  ["first"] c = Conv <pads = [1, 1, 1, 1]> (x, kernel, bias)
  r = Relu (c)
  g = GlobalAveragePool (r)
  f = Flatten (g)
  ["last"] y = Gemm <transB = 1> (f, matrix)
}
"""


def convolution() -> ModelProto:
    """A network with two long weights and a short one."""
    made = model(CONVOLUTION)
    made.graph.initializer.extend(
        [random_tensor("kernel", 64, 3, 3, 3), random_tensor("bias", 64), random_tensor("matrix", 10, 64)]
    )
    return made
