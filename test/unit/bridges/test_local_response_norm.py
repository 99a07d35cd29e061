"""LRN computes what ONNX defines, for all numbers of neighbours."""

from pathlib import Path

import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.importer import import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import TensorProto, helper
from support.closeness import FEW_STEPS, assert_close


@pytest.mark.parametrize("channels", [1, 3, 6])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8])
def test_neighbours(tmp_path: Path, channels: int, size: int):
    shape = [2, channels, 3, 2]
    types = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", "y")]
    node = helper.make_node("LRN", ["x"], ["y"], size=size, alpha=0.5, beta=0.75, bias=2.0)
    graph = helper.make_graph([node], "g", types[:1], types[1:])
    file = tmp_path / "lrn.onnx"
    file.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]).SerializeToString())
    module = import_model(file).module
    assert not any(isinstance(op, OpaqueOp) for op in module.walk())

    x = np.random.default_rng(size).normal(size=shape).astype(np.float32)
    expected = np.empty_like(x)
    for channel in range(channels):
        first, last = max(channel - (size - 1) // 2, 0), min(channel + size // 2, channels - 1)
        total = (x[:, first : last + 1] ** 2).sum(1)
        expected[:, channel] = x[:, channel] / (2 + 0.5 / size * total) ** 0.75
    (found,) = run(module, "main", [x])
    assert_close(found, expected, FEW_STEPS)
