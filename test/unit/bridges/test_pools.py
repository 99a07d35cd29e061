"""Pools slide the windows that ONNX Runtime slides, for all ways to say them, and leave as one node."""

from collections import Counter
from random import Random
from typing import Any

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.interpreter import run
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.parser import parse_model
from support.campaign import amount
from support.closeness import FEW_STEPS_NEAR_ZERO, are_close
from support.ir_text import parse_verified
from support.oracles.onnx_running import executed, exported, unoptimised

KINDS = ("MaxPool", "AveragePool", "LpPool")
OPSETS = (10, 11, 12, 13, 18, 19, 21, 22, 25)


def pool(seed: int) -> tuple[ModelProto, np.ndarray[Any, Any]]:
    """A pool, behind it an op whose result depends on its shape."""
    rng = Random(seed)
    kind, opset, spatial = rng.choice(KINDS), rng.choice(OPSETS), rng.choice((1, 1, 2, 2, 3))
    attributes: dict[str, Any] = {"kernel_shape": [rng.choice((1, 2, 3)) for _ in range(spatial)]}
    if rng.random() < 0.7:
        attributes["strides"] = [rng.choice((1, 2, 3)) for _ in range(spatial)]
    if rng.random() < 0.5 and opset >= {"MaxPool": 10, "AveragePool": 19, "LpPool": 18}[kind]:
        attributes["dilations"] = [rng.choice((1, 2)) for _ in range(spatial)]
    if rng.random() < 0.5 and opset >= (18 if kind == "LpPool" else 10):
        attributes["ceil_mode"] = 1
    match rng.randrange(4):
        case 0:
            attributes["pads"] = [rng.randrange(max(attributes["kernel_shape"])) for _ in range(2 * spatial)]
        case 1:
            attributes["auto_pad"] = rng.choice(("SAME_UPPER", "SAME_LOWER"))
        case 2:
            attributes["auto_pad"] = "VALID"
        case _:
            pass
    if kind == "AveragePool":
        attributes["count_include_pad"] = rng.randrange(2)
    steps = attributes.get("dilations", [1] * spatial)
    spans = [(extent - 1) * step + 1 for extent, step in zip(attributes["kernel_shape"], steps, strict=True)]
    sizes = [2, 3, *(rng.randrange(span, span + 6) for span in spans)]
    declared = [*sizes[:2], *(rng.choice((size, None)) for size in sizes[2:])] if rng.random() < 0.3 else sizes
    nodes = [helper.make_node(kind, ["x"], ["p"], **attributes), helper.make_node("Flatten", ["p"], ["y"], axis=2)]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "g", [info("x", TensorProto.FLOAT, declared)], [info("y", TensorProto.FLOAT, None)]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return model, np.random.default_rng(seed).standard_normal(sizes).astype(np.float32)


def test_pools_compute_what_onnx_runtime_computes():
    counts, wrong = Counter[str](), list[str]()
    for seed in range(amount(300, 5000)):
        model, x = pool(seed)
        try:
            (expected,) = unoptimised(model).run(None, {"x": x})
        except Exception:
            # ONNX Runtime raises errors of any type; it has no kernel, or a window is larger than the data.
            counts["not run"] += 1
            continue
        if not np.isfinite(expected).all() or (np.abs(expected) > 1e30).any():
            # A window without data.
            counts["no data"] += 1
            continue
        try:
            result = npu_opt.optimize(model, target="onnx")
        except npu_opt.NpuOptError as error:
            counts[str(error).partition(";")[0].partition(": ")[2]] += 1
            continue
        written = result.to_onnx()
        (found,) = unoptimised(written).run(None, {"x": x})
        if found.shape != expected.shape or not are_close(found, expected, FEW_STEPS_NEAR_ZERO):
            wrong.append(f"file, seed {seed}: {found.shape} {expected.shape} {model.graph.node[0]}")
        if not any(op.name == "npu.opaque" for op in result.module.walk()):
            (found,) = run(result.module, "main", [x])
            if found.shape != expected.shape or not are_close(found, expected, FEW_STEPS_NEAR_ZERO):
                wrong.append(f"program, seed {seed}: {found.shape} {expected.shape} {model.graph.node[0]}")
            counts["computed"] += 1
        kind = model.graph.node[0].op_type
        kinds = [node.op_type for node in written.graph.node]
        given = {attribute.name for attribute in model.graph.node[0].attribute if attribute.i}
        # Means over padding that ends before the last window has no op in ONNX Runtime; powers are in docs/onnx.md.
        if kind != "LpPool" and not {"ceil_mode", "count_include_pad"} <= given:
            assert kinds == [kind, "Flatten"], model
    assert not wrong, f"{len(wrong)} problems, {dict(counts)}\n" + "\n".join(wrong[:5])
    refused = [name for name in counts if "error" in name]
    assert all("slide this window to different positions" in name for name in refused), refused
    assert sum(counts[name] for name in refused) < counts.total() / 50
    assert counts["computed"] > counts.total() / 2


@pytest.mark.parametrize("mode", ["SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize("opset", [11, 18, 19])
def test_windows_shorter_than_their_strides(opset: int, mode: str):
    """ONNX Runtime refuses the negative pads of `auto_pad`, but for means that count pads and round up."""
    for extents, strides, sizes in [((1, 1), (2, 1), (4, 6)), ((2, 1), (3, 2), (7, 5)), ((1, 3), (3, 2), (5, 6))]:
        attributes: dict[str, Any] = {
            "kernel_shape": extents,
            "strides": strides,
            "ceil_mode": 1,
            "count_include_pad": 1,
        }
        node = helper.make_node("AveragePool", ["x"], ["y"], auto_pad=mode, **attributes)
        info = helper.make_tensor_value_info
        ends = [info("x", TensorProto.FLOAT, ["N", 2, *sizes])], [info("y", TensorProto.FLOAT, None)]
        model = helper.make_model(
            helper.make_graph([node], "g", *ends), opset_imports=[helper.make_opsetid("", opset)], ir_version=8
        )
        x = np.random.default_rng(0).standard_normal((3, 2, *sizes)).astype(np.float32)
        (expected,) = unoptimised(model).run(None, {"x": x})
        written = npu_opt.optimize(model, target="onnx").to_onnx()
        assert [each.op_type for each in written.graph.node] == ["AveragePool"]
        (found,) = unoptimised(written).run(None, {"x": x})
        assert found.shape == expected.shape
        assert are_close(found, expected, FEW_STEPS_NEAR_ZERO)


SHIFTED = [
    # Windows that end before the data does: extent, stride, dilation and size along an axis.
    *((kind, 1, 3, 1, 3) for kind in ("AveragePool", "LpPool")),
    *((kind, 2, 5, 1, 9) for kind in ("AveragePool", "LpPool", "Conv")),
    *((kind, 1, 4, 2, 7) for kind in KINDS),
    *((kind, 2, 4, 2, 4) for kind in KINDS),
    ("AveragePool", 2, 3, 2, 3),
    ("Conv", 1, 4, 1, 4),
    ("Conv", 1, 2, 1, 8),
]


@pytest.mark.parametrize(("kind", "extent", "stride", "dilation", "size"), SHIFTED)
@pytest.mark.parametrize("mode", ["SAME_UPPER", "SAME_LOWER"])
def test_windows_that_negative_pads_shift(mode: str, kind: str, extent: int, stride: int, dilation: int, size: int):
    """ONNX Runtime has them where `auto_pad` asks for less than none; such an op stays unchanged."""
    attributes: dict[str, Any] = {"kernel_shape": [extent, 1], "strides": [stride, 1], "auto_pad": mode}
    attributes |= {"dilations": [dilation, 1]} if dilation > 1 else {"ceil_mode": 1} if kind != "Conv" else {}
    inputs = ["x", "w"] if kind == "Conv" else ["x"]
    weights = numpy_helper.from_array(np.ones((1, 2, extent, 1), np.float32), "w")
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node(kind, inputs, ["p"], **attributes), helper.make_node("Relu", ["p"], ["y"])],
        "g",
        [info("x", TensorProto.FLOAT, ["N", 2, size, 2])],
        [info("y", TensorProto.FLOAT, None)],
        [weights] if kind == "Conv" else [],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=8)
    x = np.arange(8 * size, dtype=np.float32).reshape(2, 2, size, 2) + 1
    (expected,) = unoptimised(model).run(None, {"x": x})
    result = npu_opt.optimize(model, target="opu")
    (found,) = unoptimised(result.to_onnx()).run(None, {"x": x})
    assert found.shape == expected.shape
    assert are_close(found, expected, FEW_STEPS_NEAR_ZERO)
    if not any(op.name == "npu.opaque" for op in result.module.walk()):
        (found,) = run(result.module, "main", [x])
        assert are_close(found, expected, FEW_STEPS_NEAR_ZERO)


def test_negative_pads_that_leave_fewer_windows_than_onnx_infers():
    text = """<ir_version: 8, opset_import: ["": 19]> g (float[1,1,7,1] x) => (float[a,b,c,d] y) {
        y = MaxPool <kernel_shape = [2, 1], strides = [4, 1], dilations = [2, 1], auto_pad = "SAME_UPPER"> (x) }"""
    with pytest.raises(npu_opt.NpuOptError, match="the pads of ONNX Runtime are negative, and those of ONNX are not"):
        npu_opt.optimize(parse_model(text), target="onnx")


WRITTEN = [
    # Pads that no window reaches, and pads as large as the window.
    ("window = [1, 2] strides = [3, 2] dilations = [2, 1] pads = [0, 0, 1, 0]", "5x1x1x4", "5x1x1x2", 21, True),
    ("window = [1, 2] dilations = [1, 2] pads = [0, 2, 0, 0]", "1x2x3x3", "1x2x3x3", 21, False),
    # A window in the padding, which early opsets count.
    ("window = [2, 2] strides = [3, 1] pads = [0, 0, 0, 2] ceil", "7x4x4x3", "7x4x2x3", 13, True),
    ("window = [2, 3] strides = [3, 3] pads = [1, 2, 0, 0] ceil", "3x2x5x3", "3x2x2x2", 13, True),
]


@pytest.mark.parametrize(("attributes", "given", "result", "opset", "is_pool"), WRITTEN)
@pytest.mark.parametrize("kind", ["max_pool", "avg_pool"])
def test_pads_that_onnx_runtime_refuses(kind: str, attributes: str, given: str, result: str, opset: int, is_pool: bool):
    layout = "xf32, #npu.layout<NCHW>>"
    text = f"""func.func @main(%x: tensor<{given}{layout}) -> tensor<{result}{layout} {{
      %y = npu.{kind} %x {attributes} : (tensor<{given}{layout}) -> tensor<{result}{layout}
      func.return %y : tensor<{result}{layout}
    }}"""
    module = parse_verified(text)
    model = exported(module, opset)
    assert ([node.op_type for node in model.graph.node] in (["MaxPool"], ["AveragePool"])) == is_pool
    x = np.random.default_rng(0).standard_normal([int(size) for size in given.split("x")]).astype(np.float32)
    (found,), (expected,) = executed(model, [x]), run(module, "main", [x])
    assert found.shape == expected.shape
    assert are_close(found, expected, FEW_STEPS_NEAR_ZERO)


@pytest.mark.parametrize("counted", ["", "count_padding"])
def test_pads_are_elements_of_a_mean_if_it_says_so(counted: str):
    text = f"""func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x5x4xf32> {{
      %y = npu.avg_pool %x window = [2, 3] pads = [1, 1, 1, 1] {counted} data_layout = <NCHW>
        : (tensor<1x2x4x4xf32>) -> tensor<1x2x5x4xf32>
      func.return %y : tensor<1x2x5x4xf32>
    }}"""
    module = parse_verified(text)
    model = exported(module)
    assert [node.op_type for node in model.graph.node] == ["AveragePool"]
    x = np.random.default_rng(0).standard_normal((1, 2, 4, 4)).astype(np.float32)
    (found,), (expected,) = executed(model, [x]), run(module, "main", [x])
    assert are_close(found, expected, FEW_STEPS_NEAR_ZERO)
    # The first mean is that of two elements, or of these and four zeros.
    first = x[0, 0, 0, :2].sum(keepdims=True) / np.float32(6 if counted else 2)
    assert are_close(found[0, 0, 0, :1], first, FEW_STEPS_NEAR_ZERO)
