"""Pads that wrap around, and resizes that keep the aspect ratio: elements at places that are known."""

from itertools import product
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import ModelProto, numpy_helper
from support.generators.made_models import model
from support.oracles.onnx_running import unoptimised

DATA = np.random.default_rng(0).standard_normal((2, 3, 5, 4)).astype(np.float32)


def proto_of(node: str, **constants: Any) -> ModelProto:
    proto = model(
        f'<ir_version: 9, opset_import: ["": 19]> net (float[2,3,5,4] x) => (float[a,b,c,d] y) {{ y = {node} }}'
    )
    proto.graph.initializer.extend(numpy_helper.from_array(np.array(value), name) for name, value in constants.items())
    return proto


def is_mapped(proto: ModelProto) -> bool:
    """True if no op is opaque. The program then has the elements of ONNX Runtime, and leaves as one node."""
    module = import_model(Path("model.onnx"), Options(inline_limit=None), model=proto).module
    if any(isinstance(op, OpaqueOp) for op in module.walk()):
        return False
    (expected,) = unoptimised(proto).run(None, {"x": DATA})
    (found,) = run(module, "main", [DATA])
    assert np.array_equal(found, expected)
    written = npu_opt.optimize(proto, target="onnx").to_onnx()
    assert [node.op_type for node in written.graph.node] == [node.op_type for node in proto.graph.node]
    return True


@pytest.mark.parametrize(
    ("pads", "mapped"),
    [([0, 0, 1, 2, 0, 0, 3, 4], True), ([2, 1, 0, 0, 0, 3, 5, 0], True), ([0, 0, 6, 0, 0, 0, 0, 0], False)],
)
def test_pads_that_wrap_around(pads: list[int], mapped: bool):
    assert is_mapped(proto_of('Pad <mode = "wrap"> (x, p)', p=pads)) == mapped


@pytest.mark.parametrize("policy", ["not_larger", "not_smaller"])
def test_sizes_that_keep_the_ratio_of_others(policy: str):
    """Most are exact; where the last digit of a place decides, the node stays."""
    found = 0
    for sizes, coordinates, named in product(([7, 9], [10, 8], [4, 3]), ("half_pixel", "asymmetric"), (True, False)):
        options = f'keep_aspect_ratio_policy = "{policy}", coordinate_transformation_mode = "{coordinates}"'
        axes = ", axes = [2, 3]" if named else ""
        node = f'Resize <mode = "nearest", nearest_mode = "floor", {options}{axes}> (x, , , s)'
        found += is_mapped(proto_of(node, s=sizes if named else [2, 3, *sizes]))
    assert found >= 6
