"""Real networks, placed for LiteRT: the file has the transposes that layout-optimal said, and computes the same."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from models.catalogue import EXAMPLE_SIZES, NETWORKS
from models.onnx_runs import random_inputs, read_graph, run
from models.weights import with_random_weights
from npu_opt.bridges.litert.engine import LiteEngine
from npu_opt.bridges.litert.exporting import to_litert
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.bridges.litert.target import weights_of
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.describe_ops import DescribeOps
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.recognise_shuffles import RecogniseShuffles
from support.campaign import amount
from support.closeness import Room, assert_close
from xdsl.context import Context
from xdsl.transforms.canonicalize import CanonicalizePass

QUICK = "shufflenet_v2"
FILES = {network.name: network.file for network in NETWORKS if not network.large}
BESIDE = {"mobilenet_v3_tf": -2}
"""The transposes around ops that the program keeps as ONNX ops, where they cancel out."""
FLOATS = Room("layers of f32, each with sums in another order", 1e-7, 1e-4)
ILL_CONDITIONED = "the outputs move by this much if an input moves by its last bit"
ROOM = {
    "resnet50_qlinear": Room("two steps of 128: integers in front of which sums round differently", 1e-7, 2 / 128),
    "yolo_v5_s": Room(ILL_CONDITIONED, 1e-7, 1e-2),
    "yolo_v8_n": Room(ILL_CONDITIONED, 1e-7, 1e-3),
}


@pytest.mark.parametrize("name", [QUICK, *sorted(FILES.keys() - {QUICK})[: amount(0, 99)]])
def test_transposes_in_the_file_are_those_of_the_program(name: str):
    model = with_random_weights(read_graph(FILES[name]))
    program = npu_opt.load(model)
    assert program.imported is not None
    module, inputs = program.module, random_inputs(model, **EXAMPLE_SIZES)
    expected = run(model, inputs)
    DescribeOps(target="litert").apply(Context(), module)
    LayoutOptimal(target="litert").apply(Context(), module)
    CanonicalizePass().apply(Context(), module)
    recognised = module.clone()
    RecogniseShuffles().apply(Context(), recognised)
    CanonicalizePass().apply(Context(), recognised)
    for each in (module, recognised):
        placed = cost_of_program(each)
        lite = to_litert(each, Path(), weights_of(program.imported))
        assert lite.moves.transposes == placed.transposes + BESIDE.get(name, 0)
        assert placed.is_assumed or name in BESIDE or lite.moves.bytes == placed.bytes
        engine = LiteEngine(packed(lite))
        found = engine.run([inputs[end.name] for end in engine.inputs])
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other, ROOM.get(name, FLOATS).within(float(np.abs(other).max())))
