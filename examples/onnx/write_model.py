"""A small detector as an ONNX model: `python examples/onnx/write_model.py model.onnx`. It needs the extra [onnx]."""

import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper

random = np.random.default_rng(0)


def weight(name: str, *shape: int) -> TensorProto:
    return numpy_helper.from_array(random.standard_normal(shape, np.float32) * np.float32(0.1), name)


def value(name: str, *shape: int) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


graph = helper.make_graph(
    [
        helper.make_node("Conv", ["image", "stem.kernel"], ["stem"], "stem", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["stem"], ["stem.relu"], "stem.relu"),
        helper.make_node("MaxPool", ["stem.relu"], ["pool"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["pool", "head.kernel", "head.bias"], ["head"], "head"),
        helper.make_node("Transpose", ["head"], ["rows"], "rows", perm=[0, 2, 3, 1]),
        helper.make_node("Reshape", ["rows", "shape"], ["boxes"], "boxes"),
        helper.make_node("Softmax", ["boxes"], ["scores"], "scores", axis=2),
    ],
    "detector",
    [value("image", 1, 3, 32, 32)],
    [value("scores", 1, 512, 6)],
    [
        weight("stem.kernel", 16, 3, 3, 3),
        weight("head.kernel", 12, 16, 1, 1),
        weight("head.bias", 12),
        numpy_helper.from_array(np.array([1, 512, 6]), "shape"),
    ],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
Path(sys.argv[1]).write_bytes(model.SerializeToString())
