"""Resizes pick and mix the elements that ONNX Runtime picks and mixes, or stay unchanged."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.interpreter import run
from onnx import ModelProto, TensorProto, helper, numpy_helper, parser
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


def test_sizes_of_other_axes_are_kept_before_opset_18():
    text = """func.func @main(%x: tensor<2x3x4xf32>, %n: tensor<2xi64>) -> tensor<2x?x?xf32> {
      %y = npu.dynamic_resize %x, %n axes = [2, 1] : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x?x?xf32>
      func.return %y : tensor<2x?x?xf32>
    }"""
    module, x = parse_verified(text), np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for opset in (17, 18):
        (found,) = executed(exported(module, opset), [x, np.array([8, 9])])
        assert np.array_equal(found, run(module, "main", [x, np.array([8, 9])])[0])
        assert found.shape == (2, 9, 8)


Numbers: TypeAlias = Mapping[str, np.ndarray[Any, Any]]


def between_transposes(
    opset: int, perm: Sequence[int], numbers: Numbers, sizes: Sequence[int | str], is_constant: bool, **how: Any
) -> ModelProto:
    """A Resize of data in another order, back in its own behind it."""
    names = {"roi": "", "scales": "", **dict.fromkeys(numbers, "")}
    inputs = ["t", *(name if name in numbers else "" for name in ("roi", "scales", "sizes") if name in names)]
    if opset < 13:
        inputs = [name or "none" for name in inputs]
        numbers = {**numbers, "none": np.zeros(0, np.float32)}
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"], perm=perm),
        helper.make_node("Resize", inputs, ["r"], **how),
        helper.make_node("Transpose", ["r"], ["y"], perm=np.argsort(perm).tolist()),
    ]
    info, kinds = helper.make_tensor_value_info, {name: numpy_helper.from_array(a, name) for name, a in numbers.items()}
    given = [] if is_constant else [name for name in numbers if name != "none"]
    ends = [
        info("x", TensorProto.FLOAT, sizes),
        *(info(name, kinds[name].data_type, kinds[name].dims) for name in given),
    ]
    weights = [kind for name, kind in kinds.items() if name not in given]
    graph = helper.make_graph(nodes, "g", ends, [info("y", TensorProto.FLOAT, None)], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


SCALES, SIZES = np.array([1, 2, 0.5, 1], np.float32), np.array([2, 7, 9, 3])
LARGER = np.array([1, 2, 1.5, 1], np.float32)
REGION = np.array([0, -0.1, 0.2, 0, 1, 0.9, 1.2, 1], np.float32)
CROP = "tf_crop_and_resize"


@pytest.mark.parametrize("opset", [11, 13, 18])
@pytest.mark.parametrize("sizes", [(2, 3, 8, 6), (2, 3, "h", "w")])
@pytest.mark.parametrize(
    ("is_constant", "numbers", "how"),
    [
        (True, {"scales": SCALES}, {}),
        (False, {"scales": SCALES}, {}),
        (True, {"sizes": SIZES}, {"coordinate_transformation_mode": "align_corners"}),
        (False, {"sizes": SIZES}, {"coordinate_transformation_mode": "align_corners"}),
        (True, {"scales": SCALES, "roi": REGION}, {"coordinate_transformation_mode": CROP, "extrapolation_value": 2.5}),
        (False, {"scales": SCALES, "roi": REGION}, {"coordinate_transformation_mode": CROP}),
        (True, {"scales": LARGER}, {"mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1}),
    ],
)
def test_transposes_around_interpolations_go(
    opset: int, is_constant: bool, sizes: Sequence[int | str], numbers: Numbers, how: Mapping[str, Any], tmp_path: Path
):
    model = between_transposes(opset, (0, 2, 3, 1), numbers, sizes, is_constant, **{"mode": "linear", **how})
    before, after = tmp_path / "before.onnx", tmp_path / "after.onnx"
    before.write_bytes(model.SerializeToString())
    result = npu_opt.optimize(before, target="onnx")
    result.save(after)
    assert npu_opt.check(before, after).proved
    written = ModelProto.FromString(after.read_bytes())
    assert not any(node.op_type == "Transpose" for node in written.graph.node)
    assert [each.version for each in written.opset_import] == [max(opset, 13)]
    x = np.random.default_rng(0).standard_normal((2, 3, 8, 6)).astype(np.float32)
    feeds = {"x": x, **({} if is_constant else numbers)}
    (expected,), (found,) = (unoptimised(each).run(None, feeds) for each in (model, written))
    assert are_close(found, expected, ROOM)
    (found,) = run(result.module, "main", list(feeds.values()))
    assert are_close(found, expected, ROOM)


@pytest.mark.parametrize(
    ("perm", "scales", "sizes", "is_constant", "mode", "is_cropped"),
    [
        ((2, 3, 0, 1), [1, 1, 2, 0.5], (8, 6, 2, 3), True, "linear", False),
        ((2, 3, 0, 1), [1, 1, 2, 0.5], (8, 6, 2, 3), False, "linear", False),
        ((2, 3, 0, 1), [1, 1, 2, 1.5], (8, 6, 2, 3), True, "cubic", False),
        ((0, 3, 1, 2), [1, 1, 2, 0.5], (2, 8, 6, 3), True, "cubic", False),
        ((0, 3, 1, 2), [1, 1, 2, 0.5], (2, 8, 6, 3), False, "cubic", False),
        ((0, 3, 1, 2), [1, 1, 2, 1.5], (2, 8, 6, 3), True, "cubic", True),
    ],
)
def test_images_in_orders_that_no_kernel_takes_stay(
    perm: Sequence[int], scales: Sequence[float], sizes: Sequence[int], is_constant: bool, mode: str, is_cropped: bool
):
    """ONNX Runtime interpolates along the last two axes, or the two before the last; by cubics it shrinks those alone.

    With a region, its cubics are others there.
    """
    numbers = {"scales": np.array(scales, np.float32), **({"roi": REGION} if is_cropped else {})}
    how = {"coordinate_transformation_mode": CROP} if is_cropped else {}
    model = between_transposes(13, perm, numbers, sizes, is_constant, mode=mode, **how)
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    feeds = {"x": np.random.default_rng(0).standard_normal(sizes).astype(np.float32)}
    feeds |= {} if is_constant else numbers
    (expected,), (found,) = (unoptimised(each).run(None, feeds) for each in (model, written))
    assert are_close(found, expected, ROOM)
    assert sum(node.op_type == "Transpose" for node in written.graph.node) == 2


@pytest.mark.parametrize("numbers", [{"scales": np.array([1, 2, 0.5, 0.25], np.float32)}, {"sizes": SIZES}])
@pytest.mark.parametrize("opset", [13, 18])
def test_a_resize_of_channels_is_one_node_in_another_order(opset: int, numbers: Numbers):
    model = between_transposes(opset, (0, 3, 1, 2), numbers, (2, 8, 6, 3), True)
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    (node,) = written.graph.node
    assert (node.op_type, len(written.graph.initializer)) == ("Resize", 1)
    assert not any(each.name == "axes" for each in node.attribute)
    feeds = {"x": np.random.default_rng(0).standard_normal((2, 8, 6, 3)).astype(np.float32)}
    (expected,), (found,) = (unoptimised(each).run(None, feeds) for each in (model, written))
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(("scale", "is_read"), [(2.0, True), (0.6, False)])
@pytest.mark.parametrize(("perm", "sizes"), [((0, 2, 1), (2, 4, 3)), ((0, 3, 1, 2), (2, 4, 3, 5))])
def test_corners_of_rounded_sizes_stay(perm: Sequence[int], sizes: Sequence[int], scale: float, is_read: bool):
    """ONNX counts with the size before it is rounded, ONNX Runtime with that behind."""
    how = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
    for is_constant in (True, False):
        numbers = {"scales": np.array([1, 1, scale, 1][: len(perm)], np.float32)}
        result = npu_opt.optimize(between_transposes(13, perm, numbers, sizes, is_constant, **how), target="onnx")
        assert any(op.name == "npu.opaque" for op in result.module.walk()) == (not (is_constant and is_read))


READ = {
    "scales as the second input": (10, "x, s", "", (3, 4)),
    "places of one element": (11, "x, n, s", "pytorch_half_pixel", (1, 2)),
    "places of two elements": (11, "x, n, s", "pytorch_half_pixel", (2, 4)),
}


@pytest.mark.parametrize("name", READ)
def test_a_resize_is_read_as_ops_of_the_dialect(name: str):
    opset, inputs, coordinates, sizes = READ[name]
    before = [2 * size if coordinates else size for size in sizes]
    scale = 0.5 if coordinates else 2
    how = f'coordinate_transformation_mode = "{coordinates}", nearest_mode = "ceil", ' if coordinates else ""
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[1,1,{before[0]},{before[1]}] x) => (float[a,b,c,d] y)
    <float[4] s = {{1, 1, {scale}, {scale}}}, float[0] n = {{}}> {{ y = Resize <{how}mode = "nearest"> ({inputs}) }}""")
    x = np.arange(before[0] * before[1], dtype=np.float32).reshape(1, 1, *before)
    module = npu_opt.load(model).module
    assert not any(op.name == "npu.opaque" or "dynamic" in op.name for op in module.walk())
    assert np.array_equal(run(module, "main", [x])[0], unoptimised(model).run(None, {"x": x})[0])
