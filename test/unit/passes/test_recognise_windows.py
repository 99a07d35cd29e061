"""Windows in files that are written as moves of elements: they compute the same as one op, and the proof says so."""

from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.dialects.npu.attrs import i64_array
from npu_opt.dialects.npu.resampling import MaskUnpoolOp, UnpoolOp
from npu_opt.dialects.npu.spatial import Img2colOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import run
from npu_opt.passes.recognise_windows import RecogniseWindows
from npu_opt.tools.opt import run as main
from onnx import ModelProto, NodeProto, TensorProto, helper
from support import optional_tools
from support.ir_text import parse
from support.oracles.onnx_running import executed
from support.oracles.running import main_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

Array = Any


def recognised(module: ModuleOp) -> list[type]:
    """The windows of a module, after the pass."""
    RecogniseWindows().apply(Context(), module)
    module.verify()
    return [type(op) for op in module.walk() if isinstance(op, Img2colOp | UnpoolOp | MaskUnpoolOp)]


def sliced(random: Random) -> str:
    """Slices of an image in NHWC for each element of a window."""
    extents, steps, strides, counts = ([random.randint(1, 3) for _ in range(2)] for _ in range(4))
    extents[random.randint(0, 1)] = 2
    reach = [(n - 1) * s + (e - 1) * d + 1 for n, s, e, d in zip(counts, strides, extents, steps, strict=True)]
    low = [random.randint(0, 1) for _ in range(2)]
    high, width = (max(each - before, 1) for each, before in zip(reach, low, strict=True))
    padded = high + low[0] + 1, width + low[1] + 1
    shape, around = f"1x{counts[0]}x{counts[1]}x3xf32", f"1x{padded[0]}x{padded[1]}x3xf32"
    text = [
        f"%p = npu.pad %x low = [0, {low[0]}, {low[1]}, 0] high = [0, 1, 1, 0]"
        f" : (tensor<1x{high}x{width}x3xf32>) -> tensor<{around}>"
    ]
    names: list[str] = []
    for row, column in product(range(extents[0]), range(extents[1])):
        start = row * steps[0], column * steps[1]
        end = [s + (n - 1) * by + 1 for s, n, by in zip(start, counts, strides, strict=True)]
        names.append(f"%s{row}{column}")
        text.append(
            f"{names[-1]} = npu.slice %p starts = [0, {start[0]}, {start[1]}, 0] limits = [1, {end[0]}, {end[1]}, 3]"
            f" steps = [1, {strides[0]}, {strides[1]}, 1] : (tensor<{around}>) -> tensor<{shape}>"
        )
    result = f"tensor<1x{counts[0]}x{counts[1]}x{3 * len(names)}xf32>"
    operands = ", ".join(f"tensor<{shape}>" for _ in names)
    text.append(f"%y = npu.concat {', '.join(names)} axis = 3 : ({operands}) -> {result}")
    body = "\n".join(text)
    return f"func.func @main(%x: tensor<1x{high}x{width}x3xf32>) -> {result} {{\n{body}\nfunc.return %y : {result}\n}}"


@pytest.mark.parametrize("seed", range(12))
def test_windows_of_slices(seed: int):
    text = sliced(Random(seed))
    given, module = parse(text), parse(text)
    assert recognised(module) == [Img2colOp]
    (argument,) = main_of(given).body.block.args
    x = np.random.default_rng(seed).standard_normal(shape_of(argument)).astype(np.float32)
    assert np.array_equal(run(given, "main", [x])[0], run(module, "main", [x])[0])
    assert compare(given, module).verdict is Verdict.PROVED


def test_other_windows_are_not_proved():
    """Pads at the other ends, and other distances of elements and positions."""
    given, module = parse(sliced(Random(3))), parse(sliced(Random(3)))
    recognised(module)
    assert compare(given, module).verdict is Verdict.PROVED
    (op,) = [each for each in module.walk() if isinstance(each, Img2colOp)]
    assert op.pads is not None
    for name, numbers in (("pads", op.pads.get_values()), ("dilations", (1, 2)), ("strides", (2, 1))):
        changed = module.clone()
        (other,) = [each for each in changed.walk() if isinstance(each, Img2colOp)]
        other.properties[name] = i64_array(*reversed(numbers))
        assert other.properties != op.properties
        assert compare(given, changed).verdict is not Verdict.PROVED


UNFOLDED: dict[str, Any] = {"rows": [[0, 2], [1, 3], [2, 4]], "columns": [[0, 1, 2], [2, 3, 4]]}


def unfold() -> tuple[list[NodeProto], list[TensorProto], list[int], list[int]]:
    """The nodes that PyTorch writes for `unfold` of windows of 3x2, two rows and one column further each time."""
    nodes = [
        helper.make_node("Pad", ["x", "pads"], ["p"]),
        helper.make_node("Gather", ["p", "rows"], ["g"], axis=2),
        helper.make_node("Gather", ["g", "columns"], ["h"], axis=4),
        helper.make_node("Transpose", ["h"], ["t"], perm=[0, 1, 2, 4, 3, 5]),
        helper.make_node("Reshape", ["t", "sizes"], ["y"]),
    ]
    lists = {"pads": [0, 0, 1, 1, 0, 0, 0, 0], "sizes": [1, 18, 6], **UNFOLDED}
    constants = [
        helper.make_tensor(name, TensorProto.INT64, np.shape(numbers), np.ravel(numbers).tolist())
        for name, numbers in lists.items()
    ]
    return nodes, constants, [1, 3, 4, 4], [1, 18, 6]


def unpooled() -> tuple[list[NodeProto], list[TensorProto], list[int], list[int]]:
    pool: dict[str, Any] = {"kernel_shape": [2, 3], "strides": [2, 3]}
    nodes = [
        helper.make_node("MaxPool", ["x"], ["p", "i"], **pool),
        helper.make_node("Exp", ["p"], ["e"]),
        helper.make_node("MaxUnpool", ["e", "i"], ["y"], **pool),
    ]
    return nodes, [], [2, 3, 4, 6], [2, 3, 4, 6]


def spread() -> tuple[list[NodeProto], list[TensorProto], list[int], list[int]]:
    """The zeros that StyleGAN2 puts between the elements before it filters them."""
    lists = {"cut": [2, 3, 4, 1, 5, 1], "pads": [0] * 9 + [1, 0, 2], "sizes": [2, 3, 8, 15]}
    constants = [helper.make_tensor(name, TensorProto.INT64, [len(each)], each) for name, each in lists.items()]
    nodes = [
        helper.make_node("Reshape", ["x", "cut"], ["r"]),
        helper.make_node("Pad", ["r", "pads"], ["p"]),
        helper.make_node("Reshape", ["p", "sizes"], ["y"]),
    ]
    return nodes, constants, [2, 3, 4, 5], [2, 3, 8, 15]


@pytest.mark.parametrize(("build", "kind"), [(unfold, Img2colOp), (unpooled, MaskUnpoolOp), (spread, UnpoolOp)])
def test_windows_in_onnx(build: Any, kind: type, tmp_path: Path):
    nodes, constants, given, result = build()
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", given), ("y", result)))
    graph = helper.make_graph(nodes, "g", [x], [y], constants)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    files = tmp_path / "model.onnx", tmp_path / "out.onnx"
    files[0].write_bytes(proto.SerializeToString())
    module = npu_opt.load(files[0]).module
    before = npu_opt.load(files[0]).module
    assert recognised(module) == [kind]
    assert compare(before, module).verdict is Verdict.PROVED
    main([str(files[0]), "--recognise-windows", "--verify-layouts", "-o", str(files[1])])
    numbers = np.random.default_rng(0).permutation(np.arange(prod(given), dtype=np.float32))
    inputs = [numbers.reshape(given) / 16]
    assert npu_opt.check(*files)
    first, second = (executed(ModelProto.FromString(file.read_bytes()), inputs) for file in files)
    assert np.array_equal(first[0], second[0])


def test_places_of_a_pool_are_in_their_windows(tmp_path: Path):
    """Of windows of nothing but -inf, the least number or NaN as well, as the proof takes for granted."""
    nodes, _, given, result = unpooled()
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", given), ("y", result)))
    places = helper.make_tensor_value_info("i", TensorProto.INT64, [2, 3, 2, 2])
    graph = helper.make_graph(nodes, "g", [x], [y, places])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    images = np.full(given, -np.inf, np.float32)
    images[0, 1], images[1, 0] = np.nan, np.finfo(np.float32).min
    found = executed(proto, [images])[1].reshape(-1) % (given[2] * given[3])
    rows, columns = found // given[3], found % given[3]
    assert np.array_equal(rows // 2, np.tile([0, 0, 1, 1], 6))
    assert np.array_equal(columns // 3, np.tile([0, 1], 12))


LITE = {
    Img2colOp: """func.func @main(%x: tensor<1x5x5x3xf32>) -> tensor<1x3x5x6xf32> {
      %a = npu.slice %x starts = [0, 0, 0, 0] limits = [1, 3, 5, 3] : (tensor<1x5x5x3xf32>) -> tensor<1x3x5x3xf32>
      %b = npu.slice %x starts = [0, 2, 0, 0] limits = [1, 5, 5, 3] : (tensor<1x5x5x3xf32>) -> tensor<1x3x5x3xf32>
      %c = npu.concat %a, %b axis = 3 : (tensor<1x3x5x3xf32>, tensor<1x3x5x3xf32>) -> tensor<1x3x5x6xf32>
      func.return %c : tensor<1x3x5x6xf32>
    }""",
    UnpoolOp: """func.func @main(%x: tensor<2x3x4x5xf32>) -> tensor<2x6x12x5xf32> {
      %a = npu.reshape %x : (tensor<2x3x4x5xf32>) -> tensor<6x1x4x1x5xf32>
      %b = npu.pad %a low = [0, 0, 0, 0, 0] high = [0, 1, 0, 2, 0] : (tensor<6x1x4x1x5xf32>) -> tensor<6x2x4x3x5xf32>
      %c = npu.reshape %b : (tensor<6x2x4x3x5xf32>) -> tensor<2x6x12x5xf32>
      func.return %c : tensor<2x6x12x5xf32>
    }""",
    MaskUnpoolOp: """func.func @main(%x: tensor<1x2x3x4xf32>, %m: tensor<1x4x9x4xi1>) -> tensor<1x4x9x4xf32> {
      %z = npu.constant dense<0.0> : tensor<f32>
      %u = npu.upsample %x factors = [2, 3] data_layout = <NHWC> : (tensor<1x2x3x4xf32>) -> tensor<1x4x9x4xf32>
      %s = npu.select %m, %u, %z : (tensor<1x4x9x4xi1>, tensor<1x4x9x4xf32>, tensor<f32>) -> tensor<1x4x9x4xf32>
      func.return %s : tensor<1x4x9x4xf32>
    }""",
}


@pytest.mark.parametrize("kind", LITE)
def test_windows_in_litert(kind: type, tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
    text, *files = (tmp_path / name for name in ("text.mlir", "model.tflite", "out.tflite"))
    text.write_text(LITE[kind])
    main([str(text), "-o", str(files[0])])
    main([str(files[0]), "--recognise-windows", "--verify-layouts", "-o", str(files[1])])
    for file in files:
        assert recognised(npu_opt.load(file).module) == [kind]
    assert npu_opt.check(*files)


TOSA = {
    Img2colOp: """func.func @main(%x: tensor<1x4x5x3xf32>) -> tensor<1x4x4x6xf32> {
      %s = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %t = tosa.const_shape {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %n = tosa.const_shape {values = dense<[1, 4, 4, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %a = tosa.slice %x, %s, %n : (tensor<1x4x5x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x3xf32>
      %b = tosa.slice %x, %t, %n : (tensor<1x4x5x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x3xf32>
      %c = tosa.concat %a, %b {axis = 3 : i32} : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x6xf32>
      return %c : tensor<1x4x4x6xf32>
    }""",
    UnpoolOp: """func.func @main(%x: tensor<1x4x5x3xf32>) -> tensor<1x8x5x3xf32> {
      %s = tosa.const_shape {values = dense<[4, 1, 5, 1, 3]> : tensor<5xindex>} : () -> !tosa.shape<5>
      %r = tosa.reshape %x, %s : (tensor<1x4x5x3xf32>, !tosa.shape<5>) -> tensor<4x1x5x1x3xf32>
      %w = tosa.const_shape {values = dense<[0, 0, 0, 1, 0, 0, 0, 0, 0, 0]> : tensor<10xindex>} : () -> !tosa.shape<10>
      %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      %p = tosa.pad %r, %w, %z : (tensor<4x1x5x1x3xf32>, !tosa.shape<10>, tensor<1xf32>) -> tensor<4x2x5x1x3xf32>
      %t = tosa.const_shape {values = dense<[1, 8, 5, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %y = tosa.reshape %p, %t : (tensor<4x2x5x1x3xf32>, !tosa.shape<4>) -> tensor<1x8x5x3xf32>
      return %y : tensor<1x8x5x3xf32>
    }""",
    MaskUnpoolOp: """func.func @main(%x: tensor<1x2x3x4xf32>, %m: tensor<1x4x9x4xi1>) -> tensor<1x4x9x4xf32> {
      %s = tosa.const_shape {values = dense<[4, 2, 6, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %o = tosa.const_shape {values = dense<[-1, -2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %b = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %u = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR}
        : (tensor<1x2x3x4xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x9x4xf32>
      %z = "tosa.const"() {values = dense<0.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
      %y = tosa.select %m, %u, %z
        : (tensor<1x4x9x4xi1>, tensor<1x4x9x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x9x4xf32>
      return %y : tensor<1x4x9x4xf32>
    }""",
}


@pytest.mark.parametrize("kind", TOSA)
def test_windows_in_tosa(kind: type, tmp_path: Path):
    if optional_tools.mlir_bindings().location is None:
        pytest.skip(optional_tools.mlir_bindings().note)
    files = tmp_path / "model.mlir", tmp_path / "out.mlir"
    files[0].write_text(TOSA[kind])
    main([str(files[0]), "--recognise-windows", "--verify-layouts", "-o", str(files[1])])
    assert recognised(npu_opt.load(files[0]).module) == [kind]
    assert npu_opt.check(*files)
