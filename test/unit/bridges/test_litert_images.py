"""Ops on images in LiteRT: samples at the places of a grid, and SAME pads of unknown sizes."""

from itertools import product
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from models.onnx_runs import run
from npu_opt.bridges.litert.engine import LiteEngine
from npu_opt.bridges.litert.errors import NotExportable
from npu_opt.bridges.litert.exporting import to_litert
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.bridges.litert.target import weights_of
from npu_opt.equivalence.compare import Verdict, compare
from support.closeness import Room, assert_close
from support.ir_text import parse
from xdsl.utils.exceptions import DiagnosticException

ROOM = Room("four products of f32, whose weights round, are added", 1e-7, 1e-6)
ROOM_OF_SUMS = Room("sums of up to 81 products of f32 in another order", 1e-7, 1e-5)

SIZES = ((2, 3, 5, 7, 4, 6), (1, 1, 1, 1, 3, 3), (1, 4, 2, 9, 1, 5))
"""Batch, channels, and the height and width of the image and of the grid."""


def model_of(node: NodeProto, shapes: dict[str, list[int | str]], **weights: NDArray[Any]) -> ModelProto:
    ends = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()}
    given = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph([node], "g", [ends[name] for name in node.input if name in ends], [ends["y"]], given)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=8)


def litert(model: ModelProto) -> LiteEngine:
    program = npu_opt.load(model)
    return LiteEngine(packed(to_litert(program.module)))


def sampling(sizes: tuple[int, ...], **attributes: Any) -> ModelProto:
    batch, channels, height, width, rows, columns = sizes
    node = helper.make_node("GridSample", ["x", "grid"], ["y"], **attributes)
    grid, y = [batch, rows, columns, 2], [batch, channels, rows, columns]
    return model_of(node, {"x": [batch, channels, height, width], "grid": [*grid], "y": [*y]})


@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
def test_grid_sample(mode: str):
    """Places inside, on the edges and outside."""
    random = np.random.default_rng(0)
    for sizes, padding, aligned in product(SIZES, ("zeros", "border"), (0, 1)):
        model = sampling(sizes, mode=mode, padding_mode=padding, align_corners=aligned)
        x = random.standard_normal(sizes[:4]).astype(np.float32)
        grid = (1.3 * random.standard_normal((sizes[0], *sizes[4:], 2))).astype(np.float32)
        grid.flat[:6] = [-1, 1, 1, -1, 9, -1e30]
        (expected,) = run(model, {"x": x, "grid": grid})
        (found,) = litert(model).run([x, grid])
        assert_close(found, expected, ROOM, f"{sizes} {padding} {aligned}")


@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
def test_grid_sample_is_proved(mode: str, tmp_path: Path):
    """The file computes the same, and not what GridSample with other options does."""
    file, verdicts = tmp_path / "model.tflite", list[Verdict]()
    for padding, aligned in product(("zeros", "border"), (0, 1)):
        options: dict[str, Any] = {"mode": mode, "padding_mode": padding, "align_corners": aligned}
        module = npu_opt.load(sampling(SIZES[0], **options)).module
        file.write_bytes(packed(to_litert(module)))
        written = import_model(file, inline_limit=None).module
        other = npu_opt.load(sampling(SIZES[0], **{**options, "align_corners": 1 - aligned})).module
        verdicts += [compare(each, written, by_formulas=True).verdict for each in (module, other)]
    assert verdicts == [Verdict.PROVED, Verdict.UNDECIDED] * 4


@pytest.mark.parametrize("order", ["NCHW", "NHWC", "CWHN"])
def test_a_grid_sample_reads_any_order(order: str, tmp_path: Path):
    """It is moved to channels last and back, and is proved equal to one between transposes."""
    stored, back = [["NCHW".index(each) for each in order], [order.index(each) for each in "NCHW"]]
    batch, channels, height, width, rows, columns = SIZES[0]
    types = {
        "x": [(batch, channels, height, width)[axis] for axis in stored],
        "y": [(batch, channels, rows, columns)[axis] for axis in stored],
        "grid": [batch, rows, columns, 2],
        "a": SIZES[0][:4],
        "b": [batch, channels, rows, columns],
    }
    given = {name: f"tensor<{'x'.join(map(str, sizes))}xf32>" for name, sizes in types.items()}
    head = f"func.func @main(%x: {given['x']}, %grid: {given['grid']}) -> {given['y']} {{\n"
    direct = (
        f"%y = npu.grid_sample %x, %grid data_layout = <{order}> : ({given['x']}, {given['grid']}) -> {given['y']}\n"
    )
    moved = (
        f"%a = npu.transpose %x permutation = {back} : ({given['x']}) -> {given['a']}\n"
        f"%b = npu.grid_sample %a, %grid data_layout = <NCHW> : ({given['a']}, {given['grid']}) -> {given['b']}\n"
        f"%y = npu.transpose %b permutation = {stored} : ({given['b']}) -> {given['y']}\n"
    )
    end = f"return %y : {given['y']}\n}}"
    one, other = (parse(head + text + end) for text in (direct, moved))
    assert compare(one, other).verdict is Verdict.PROVED
    file = tmp_path / "model.tflite"
    file.write_bytes(packed(to_litert(one)))
    written = import_model(file, inline_limit=None).module
    assert [compare(each, written, by_formulas=True).verdict for each in (one, other)] == [Verdict.PROVED] * 2
    random = np.random.default_rng(0)
    x, grid = (random.standard_normal(sizes).astype(np.float32) for sizes in (types["a"], types["grid"]))
    (expected,) = run(sampling(SIZES[0], padding_mode="zeros"), {"x": x, "grid": grid})
    (found,) = LiteEngine(file).run([np.ascontiguousarray(x.transpose(stored)), grid])
    assert_close(found, expected.transpose(stored), ROOM)


def test_a_grid_sample_behind_a_convolution_has_no_transposes_of_its_own():
    """It takes channels last as its neighbours do."""
    random = np.random.default_rng(0)
    weights = random.standard_normal((3, 3, 1, 1)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        helper.make_node("GridSample", ["a", "grid"], ["b"]),
        helper.make_node("Conv", ["b", "w"], ["y"]),
    ]
    model = sampling(SIZES[0])
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    placed = npu_opt.optimize(model, target="litert")
    assert placed.program.imported is not None
    lite = to_litert(placed.module, Path(), weights_of(placed.program.imported))
    assert (placed.transposes, lite.moves.transposes) == (2, 2)


def test_described_ops_of_other_names_are_named():
    text = """func.func @main(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
      %y = npu.vendor_pool "vendor.blur"(%x) written_in = <NCHW> data_layout = <NCHW>
        : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
      return %y : tensor<1x2x3x4xf32>
    }"""
    with pytest.raises(DiagnosticException, match=r"'vendor\.blur' has no counterpart in LiteRT"):
        to_litert(parse(text))


def test_grid_samples_of_other_kinds_are_named():
    program = npu_opt.load(sampling(SIZES[0], mode="bilinear", padding_mode="reflection"))
    with pytest.raises(NotExportable, match=r"'npu\.grid_sample' with linear and reflection has no counterpart"):
        to_litert(program.module)


@pytest.mark.parametrize("kind", ["Conv", "depthwise", "MaxPool", "AveragePool"])
def test_same_pads_of_unknown_sizes(kind: str):
    """LiteRT computes the pads at run time, for each size."""
    random, channels = np.random.default_rng(0), 4
    attributes: dict[str, Any] = {"auto_pad": "SAME_UPPER", "strides": [2, 3], "kernel_shape": [3, 4]}
    groups = channels if kind == "depthwise" else 1
    weights = {"w": random.standard_normal((channels, channels // groups, 3, 4)), "b": random.standard_normal(channels)}
    weights = {name: each.astype(np.float32) for name, each in weights.items()} if "Pool" not in kind else {}
    name = "Conv" if kind == "depthwise" else kind
    attributes |= {"group": groups} if weights else {}
    node = helper.make_node(name, ["x", *weights], ["y"], **attributes)
    model = model_of(node, {"x": [1, channels, "h", "w"], "y": [1, channels, "p", "q"]}, **weights)
    engine = litert(model)
    for height, width in ((7, 8), (6, 9), (1, 1)):
        x = random.standard_normal((1, channels, height, width)).astype(np.float32)
        assert_close(engine.run([x])[0], run(model, {"x": x})[0], ROOM_OF_SUMS, f"{height} {width}")


def test_same_pads_with_options_are_named():
    node = helper.make_node(
        "AveragePool", ["x"], ["y"], auto_pad="SAME_UPPER", kernel_shape=[3, 3], strides=[2, 2], count_include_pad=1
    )
    program = npu_opt.load(model_of(node, {"x": [1, 4, "h", "w"], "y": [1, 4, "p", "q"]}))
    with pytest.raises(NotExportable, match=r"'onnx\.AveragePool' with these options has no counterpart in LiteRT"):
        to_litert(program.module)


@pytest.mark.parametrize(("kind", "window"), [("MaxPool", 2), ("AveragePool", 2), ("Conv", 1)])
def test_same_pads_of_windows_that_onnx_runtime_shifts_are_named(kind: str, window: int):
    weights = {"w": np.ones((4, 4, 1, 1), np.float32)} if kind == "Conv" else {}
    attributes: dict[str, Any] = {"auto_pad": "SAME_UPPER", "kernel_shape": [window, 3], "strides": [window + 2, 3]}
    if kind == "Conv":
        attributes["kernel_shape"] = [1, 1]
    node = helper.make_node(kind, ["x", *weights], ["y"], **attributes)
    program = npu_opt.load(model_of(node, {"x": [1, 4, "h", "w"], "y": [1, 4, "p", "q"]}, **weights))
    with pytest.raises(NotExportable, match=rf"'onnx\.{kind}' with strides that leave out elements has no counterpart"):
        to_litert(program.module)


def pooled(window: int, stride: int, begin: int, end: int, kind: str = "MaxPool") -> ModelProto:
    attributes: dict[str, Any] = {"kernel_shape": [window, window], "strides": [stride, stride], "ceil_mode": 1}
    node = helper.make_node(kind, ["x"], ["y"], pads=[begin, begin, end, end], **attributes)
    return model_of(node, {"x": [1, 3, "H", "W"], "y": [1, 3, "P", "Q"]})


@pytest.mark.parametrize(("window", "stride", "begin", "end"), [(2, 2, 0, 0), (3, 2, 0, 0), (3, 2, 1, 1), (4, 3, 0, 1)])
def test_the_last_window_of_a_pool_with_ceil(window: int, stride: int, begin: int, end: int):
    """If it leaves a rest, where the size is unknown until the file runs."""
    model = pooled(window, stride, begin, end)
    engine = litert(model)
    for height, width in ((7, 8), (8, 5), (9, 10)):
        x = np.random.default_rng(0).standard_normal((1, 3, height, width)).astype(np.float32)
        (expected,), (found,) = run(model, {"x": x}), engine.run([x])
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("model", [pooled(2, 3, 0, 0), pooled(2, 2, 0, 0, "AveragePool")])
def test_a_pool_with_ceil_that_unknown_sizes_decide_is_refused(model: ModelProto):
    with pytest.raises(NotExportable, match="'ceil' and an unknown size"):
        litert(model)
