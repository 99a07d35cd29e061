"""Quarter turns in files: they compute the same as one rotation, and leave as a transpose and a reverse."""

from itertools import product
from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.dialects.npu.spatial import RotateOp
from npu_opt.interpreter import run
from npu_opt.passes.recognise_turns import RecogniseTurns
from npu_opt.tools.opt import run as main
from onnx import ModelProto, TensorProto, helper
from support import optional_tools
from support.ir_text import parse
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

NCHW, NHWC = "[0, 1, 3, 2]", "[0, 2, 1, 3]"


def recognised(module: ModuleOp) -> int:
    """The rotations of a module, after the pass."""
    RecogniseTurns().apply(Context(), module)
    module.verify()
    return sum(isinstance(op, RotateOp) for op in module.walk())


def turn(permutation: str, axis: int, is_reversed_first: bool) -> str:
    """A program of a transpose and a reverse."""
    types = ["2x3x4x5", "2x3x5x4" if permutation == NCHW else "2x4x3x5"]
    sizes = types[0] if is_reversed_first else types[1]
    reverse = f"npu.reverse %{{}} axes = [{axis}] : tensor<{sizes}xf32>"
    transpose = f"npu.transpose %{{}} permutation = {permutation} : (tensor<{types[0]}xf32>) -> tensor<{types[1]}xf32>"
    first, second = (reverse, transpose) if is_reversed_first else (transpose, reverse)
    return (
        f"func.func @main(%x: tensor<{types[0]}xf32>) -> tensor<{types[1]}xf32> {{\n%a = {first.format('x')}\n"
        f"%b = {second.format('a')}\nfunc.return %b : tensor<{types[1]}xf32>\n}}"
    )


@pytest.mark.parametrize(("permutation", "place", "is_first"), [*product((NCHW, NHWC), (0, 1), (False, True))])
def test_turns_compute_the_same(permutation: str, place: int, is_first: bool):
    axis = (2 if permutation == NCHW else 1) + place
    module = parse(turn(permutation, axis, is_first))
    x = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)
    (expected,) = run(module, "main", [x])
    assert recognised(module) == 1
    (found,) = run(module, "main", [x])
    assert np.array_equal(found, expected)


def test_a_turn_in_onnx_is_a_transpose_and_a_slice(tmp_path: Path):
    lists = {"starts": [-1], "ends": [-(2**31)], "axes": [2], "steps": [-1]}
    constants = [helper.make_tensor(name, TensorProto.INT64, [1], numbers) for name, numbers in lists.items()]
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"], perm=[0, 1, 3, 2]),
        helper.make_node("Slice", ["t", *lists], ["y"]),
    ]
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", [1, 3, 4, 5]), ("y", [1, 3, 5, 4]))
    )
    proto = helper.make_model(
        helper.make_graph(nodes, "g", [x], [y], constants), opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    (tmp_path / "model.onnx").write_bytes(proto.SerializeToString())
    module = npu_opt.load(tmp_path / "model.onnx").module
    assert recognised(module) == 1
    main([str(tmp_path / "model.onnx"), "--recognise-turns", "-o", str(tmp_path / "out.onnx")])
    written = ModelProto.FromString((tmp_path / "out.onnx").read_bytes())
    assert sorted(node.op_type for node in written.graph.node) == ["Slice", "Transpose"]


def test_a_turn_in_litert_is_a_transpose_and_a_reverse(tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
    text, *files = (tmp_path / name for name in ("text.mlir", "model.tflite", "out.tflite"))
    text.write_text(turn(NHWC, 1, False))
    main([str(text), "-o", str(files[0])])
    main([str(files[0]), "--recognise-turns", "-o", str(files[1])])
    for file in files:
        assert recognised(npu_opt.load(file).module) == 1
    assert npu_opt.check(*files)


def test_a_turn_in_tosa_is_a_transpose_and_a_reverse():
    if optional_tools.mlir_bindings().location is None:
        pytest.skip(optional_tools.mlir_bindings().note)
    from npu_opt.bridges.mlir.importing.importer import read_module

    module = read_module(
        """func.func @main(%x: tensor<1x4x5x3xf32>) -> tensor<1x5x4x3xf32> {
          %0 = tosa.transpose %x {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x4x5x3xf32>) -> tensor<1x5x4x3xf32>
          %1 = tosa.reverse %0 {axis = 1 : i32} : (tensor<1x5x4x3xf32>) -> tensor<1x5x4x3xf32>
          return %1 : tensor<1x5x4x3xf32>
        }""",
        "model.mlir",
    )
    assert recognised(module) == 1
