"""Resizes pick and mix the elements that ONNX Runtime picks and mixes, or stay as they are."""

from collections import Counter
from random import Random
from typing import Any

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.onnx.exporting.forms import NeedsOpset
from npu_opt.interpreter import run
from onnx import ModelProto, TensorProto, helper, numpy_helper
from support.campaign import amount
from support.closeness import Room, are_close
from support.ir_text import parse_verified
from support.oracles.onnx_running import executed, exported, unoptimised

ROOM = Room("coordinates of linear resizes are of f32 in one engine and of f64 in the other", 1e-4, 1e-4)
MODES = (
    "half_pixel",
    "pytorch_half_pixel",
    "asymmetric",
    "align_corners",
    "half_pixel_symmetric",
    "tf_half_pixel_for_nn",
)
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
OPSETS = (10, 11, 12, 13, 18, 19, 22)


def resize(seed: int) -> tuple[ModelProto, np.ndarray[Any, Any]]:
    rng = Random(seed)
    opset, rank = rng.choice(OPSETS), rng.choice((1, 3, 4, 4, 4, 5))
    sizes = [rng.randrange(1, 10) for _ in range(rank)]
    kept = 2 if rank > 2 and rng.random() < 0.8 else 0
    scales = [1.0] * kept + [rng.choice((2, 3, 0.5, 1.5, 1, 1.3, 0.6, 0.75, 0.3, 2.6)) for _ in range(rank - kept)]
    results = [max(int(size * scale), 1) for size, scale in zip(sizes, scales, strict=True)]
    attributes: dict[str, Any] = {"mode": rng.choice(("nearest", "nearest", "linear", "cubic"))}
    if opset >= 11:
        attributes["coordinate_transformation_mode"] = rng.choice(MODES)
        if attributes["mode"] == "nearest":
            attributes["nearest_mode"] = rng.choice(ROUNDINGS)
    if opset >= 18 and rng.random() < 0.3 and attributes["mode"] != "nearest":
        attributes["antialias"] = 1
    inputs = ["x", "s"] if opset == 10 else ["x", "r" if opset < 13 else "", "s"]
    constants = {"s": np.array(scales, np.float32)}
    if opset in (11, 12):
        constants["r"] = np.zeros(2 * rank, np.float32)
    elif opset >= 13 and rng.random() < 0.4:
        inputs, constants = ["x", "", "", "z"], {"z": np.array(results, np.int64)}
    node, info = helper.make_node("Resize", inputs, ["y"], **attributes), helper.make_tensor_value_info
    ends = [info("x", TensorProto.FLOAT, sizes)], [info("y", TensorProto.FLOAT, None)]
    weights = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph([node], "g", *ends, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return model, np.random.default_rng(seed).standard_normal(sizes).astype(np.float32)


def test_resizes_compute_what_onnx_runtime_computes():
    counts, wrong, refused = Counter[str](), list[str](), list[str]()
    for seed in range(amount(400, 20_000)):
        model, x = resize(seed)
        try:
            (expected,) = unoptimised(model).run(None, {"x": x})
        except Exception:
            # ONNX Runtime raises errors of any type; it has no kernel for this.
            counts["not run"] += 1
            continue
        try:
            result = npu_opt.optimize(model, target="onnx")
            written = result.to_onnx()
        except npu_opt.NpuOptError as error:
            counts["refused"] += 1
            refused.append(str(error))
            continue
        (found,) = unoptimised(written).run(None, {"x": x})
        if found.shape != expected.shape or not are_close(found, expected, ROOM):
            wrong.append(f"file, seed {seed}: {found.shape} {expected.shape} {model.graph.node[0]}")
        if any(op.name == "npu.opaque" for op in result.module.walk()):
            counts["kept"] += 1
            continue
        (found,) = run(result.module, "main", [x])
        if found.shape != expected.shape or not are_close(found, expected, ROOM):
            wrong.append(f"program, seed {seed}: {found.shape} {expected.shape} {model.graph.node[0]}")
        counts["computed"] += 1
    assert not wrong, f"{len(wrong)} problems, {dict(counts)}\n" + "\n".join(wrong[:5])
    assert counts["computed"] > counts.total() / 3
    assert all("give it sizes instead" in each or "repeats and drops elements" in each for each in refused), refused
    assert counts["refused"] < counts.total() / 20


def test_sizes_of_some_axes_take_a_newer_opset():
    text = """func.func @main(%x: tensor<2x3x4xf32>, %n: tensor<2xi64>) -> tensor<2x?x?xf32> {
      %y = npu.dynamic_resize %x, %n axes = [1, 2] : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x?x?xf32>
      func.return %y : tensor<2x?x?xf32>
    }"""
    module = parse_verified(text)
    with pytest.raises(NeedsOpset, match="opset 18"):
        exported(module, 17)
    model = exported(module, None)
    assert model.opset_import[0].version >= 18
    (found,) = executed(model, [np.ones((2, 3, 4), np.float32), np.array([6, 8])])
    assert found.shape == (2, 6, 8)
