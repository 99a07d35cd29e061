"""Models whose nodes are ops of the dialect, beside ONNX Runtime."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import ModelProto

from ..closeness import SUMS, assert_close
from .onnx_running import unoptimised


def computes_the_same(model: ModelProto, inputs: Mapping[str, Any]) -> ModelProto:
    """The file of a model, which computes the same bits. The program of the model has no opaque op and its numbers."""
    expected = unoptimised(model).run(None, inputs)
    module = import_model(Path("model.onnx"), Options(inline_limit=None), model=model).module
    assert not any(isinstance(op, OpaqueOp) for op in module.walk())
    for one, other in zip(run(module, "main", [*inputs.values()]), expected, strict=True):
        assert one.shape == other.shape
        assert_close(one, other, SUMS)
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    for one, other in zip(unoptimised(written).run(None, inputs), expected, strict=True):
        assert np.array_equal(one, other)
    return written
