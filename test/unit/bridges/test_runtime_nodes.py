"""Ops of decoders, of ONNX and of ONNX Runtime, compute what ONNX Runtime does, and leave as they came."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx.exporting import to_onnx
from npu_opt.bridges.onnx.exporting.originals import weights_of
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import ModelProto
from support.campaign import seeds
from support.closeness import SUMS, Room, assert_close
from support.generators.runtime_nodes import Array, random_runtime_node
from support.oracles.onnx_running import unoptimised
from support.oracles.same_nodes import differences

HALVES = Room("steps of 16 bits, which round by up to 1e-3 each", 1e-2, 1e-2)

OF_SIZES = {"onnx.ConstantOfShape", "onnx.Expand", "onnx.Range", "onnx.Reshape"}
"""Ops on sizes that stay as they are where these are not known."""


def imported(model: ModelProto):
    return import_model(Path("model.onnx"), Options(inline_limit=None), model=model)


def has_unknown_sizes(model: ModelProto) -> bool:
    return any(dim.dim_param for each in model.graph.input for dim in each.type.tensor_type.shape.dim)


def check(model: ModelProto, inputs: dict[str, Array]) -> None:
    """Compare the program of a model with ONNX Runtime, and the file that it becomes with the model."""
    program = imported(model)
    opaque = {op.op_name.data for op in program.module.walk() if isinstance(op, OpaqueOp)}
    if opaque:
        # Numbers that are counted up to a size, such as positions, are of no op.
        assert has_unknown_sizes(model)
        assert opaque <= OF_SIZES
    else:
        expected = unoptimised(model).run(None, inputs)
        for found, wanted in zip(run(program.module, "main", [*inputs.values()]), expected, strict=True):
            assert found.shape == wanted.shape
            assert_close(found, wanted, HALVES if wanted.dtype == np.float16 else SUMS, model.graph.node)
    written = to_onnx(program.module, source=weights_of(program), came=program.came)
    assert (written.changed, written.came) == (0, 1)
    assert [*differences(model, written.proto)] == []
    assert npu_opt.check(model, written.proto).word == "proved"


@pytest.mark.parametrize("seed", seeds(60, 3000))
def test_random_nodes(seed: int):
    check(*random_runtime_node(seed))
