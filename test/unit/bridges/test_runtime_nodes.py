"""Ops of decoders, of ONNX and of ONNX Runtime, compute what ONNX Runtime does, and leave as they came."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.imported import Imported
from npu_opt.bridges.onnx.exporting import to_onnx
from npu_opt.bridges.onnx.exporting.originals import weights_of
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.attention import HeadsOp
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import ModelProto
from support.campaign import seeds
from support.closeness import SUMS, Room, assert_close
from support.generators.runtime_nodes import Array, random_block, random_runtime_node
from support.oracles.onnx_running import unoptimised
from support.oracles.same_nodes import differences

HALVES = Room("steps of 16 bits, which round by up to 1e-3 each", 1e-2, 1e-2)

OF_SIZES = {"onnx.ConstantOfShape", "onnx.Expand", "onnx.Range", "onnx.Reshape"}
"""Ops on sizes that stay as they are where these are not known."""


WHOLE = frozenset({"Attention", "RotaryEmbedding"})


def imported(model: ModelProto, whole: frozenset[str] = frozenset()) -> Imported:
    return import_model(Path("model.onnx"), Options(inline_limit=None, whole=whole), model=model)


def has_unknown_sizes(model: ModelProto) -> bool:
    return any(dim.dim_param for each in model.graph.input for dim in each.type.tensor_type.shape.dim)


def check(model: ModelProto, inputs: dict[str, Array]) -> None:
    """Compare the program of a model with ONNX Runtime, and the file that it becomes with the model."""
    compare(model, imported(model), inputs)
    (node,) = model.graph.node
    if node.op_type in WHOLE and not node.domain:
        whole = imported(model, WHOLE)
        opaque = any(isinstance(op, OpaqueOp) for op in whole.module.walk())
        assert opaque or any(isinstance(op, HeadsOp) for op in whole.module.walk())
        if not opaque:
            compare(model, whole, inputs)


def compare(model: ModelProto, program: Imported, inputs: dict[str, Array]) -> None:
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


@pytest.mark.parametrize("seed", seeds(30, 2000))
def test_attention_of_rows_without_a_transpose(seed: int):
    """Rows that are split into heads and joined again stay in front of the heads."""
    model, inputs = random_block(seed)
    result = npu_opt.optimize(model, target="onnx")
    assert result.transposes == 0
    written = result.to_onnx()
    assert {node.op_type for node in written.graph.node} <= {"Attention", "RotaryEmbedding", "Reshape"}
    assert npu_opt.check(model, written).word == "proved"
    (expected,), (found,) = (unoptimised(each).run(None, inputs) for each in (model, written))
    assert_close(found, expected, SUMS)
