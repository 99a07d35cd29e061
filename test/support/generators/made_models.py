"""Small ONNX models for tests."""

from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, numpy_helper

HEADER = '<ir_version: 8, opset_import: ["": 17]>\n'


def model(text: str) -> ModelProto:
    """The model of a text in ONNX's text format; without a header it is of opset 17."""
    return onnx.parser.parse_model(text if text.lstrip().startswith("<") else HEADER + text)


def save(text: str, folder: Path, name: str = "model.onnx") -> Path:
    """A model in a file."""
    path = folder / name
    path.write_bytes(model(text).SerializeToString())
    return path


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
