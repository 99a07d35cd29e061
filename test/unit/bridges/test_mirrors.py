"""Files that reverse feature maps along spatial axes: a target sees mirrors, and they leave as the op they came."""

from collections.abc import Callable, Sequence
from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.dialects.npu.movement import ReverseOp
from npu_opt.layout import Layout
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.fusion.stages.operand_layouts import OperandLayouts
from npu_opt.passes.fusion.stages.stage_match import Matching
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import available, load, name_of
from onnx import ModelProto, TensorProto, helper, parser
from support import optional_tools
from support.oracles.onnx_running import executed
from xdsl.dialects.builtin import ModuleOp

SHAPE = [1, 3, 4, 5]
OPU = load(available()["opu"])


def onnx_file(folder: Path, axis: int) -> Path:
    """A Slice with a step of -1."""
    lists = {"starts": [-1], "ends": [-(2**31)], "axes": [axis], "steps": [-1]}
    constants = [helper.make_tensor(name, TensorProto.INT64, [1], numbers) for name, numbers in lists.items()]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE) for name in "xy")
    graph = helper.make_graph([helper.make_node("Slice", ["x", *lists], ["y"])], "g", [x], [y], constants)
    file = folder / "model.onnx"
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    file.write_bytes(model.SerializeToString())
    return file


def from_onnx(folder: Path, axis: int) -> ModuleOp:
    return npu_opt.load(onnx_file(folder, axis)).module


def from_litert(folder: Path, axis: int) -> ModuleOp:
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
    from support.generators.lite_ops import LiteOp

    data = np.zeros(SHAPE, np.float32)
    file = folder / "model.tflite"
    op = LiteOp("REVERSE_V2", "ReverseV2Options", {}, [data, np.array([axis], np.int32)])
    file.write_bytes(op.model(data))
    return npu_opt.load(file).module


def from_tosa(_: Path, axis: int) -> ModuleOp:
    if optional_tools.mlir_bindings().location is None:
        pytest.skip(optional_tools.mlir_bindings().note)
    type_ = f"tensor<{'x'.join(map(str, SHAPE))}xf32>"
    from npu_opt.bridges.mlir.importing.importer import read_module

    reverse = f"%y = tosa.reverse %x {{axis = {axis} : i32}} : ({type_}) -> {type_}"
    return read_module(f"func.func @main(%x: {type_}) -> {type_} {{\n{reverse}\nreturn %y : {type_}\n}}", "model.mlir")


def only_reverse(module: ModuleOp) -> ReverseOp:
    (op,) = (op for op in module.walk() if isinstance(op, ReverseOp))
    return op


@pytest.mark.parametrize(
    ("read", "layout", "spatial", "other"),
    [(from_onnx, "NCHW", 3, 1), (from_litert, "NHWC", 2, 3), (from_tosa, "NHWC", 1, 0)],
)
def test_a_reverse_along_a_spatial_axis_is_a_mirror(
    tmp_path: Path, read: Callable[[Path, int], ModuleOp], layout: str, spatial: int, other: int
):
    """Its demand and its stage are those of `mirror`; along other axes, and without letters, it is none."""
    for axis, default, is_mirror in ((spatial, layout, True), (other, layout, False), (spatial, "Tensor", False)):
        module = read(tmp_path, axis)
        transmit(module, Layout.parse(default))
        op = only_reverse(module)
        assert name_of(op) == ("npu.mirror" if is_mirror else "npu.reverse")
        assert (TargetLayouts(OPU).demands(op) is not None) == is_mirror
        stages = Matching(OPU, OperandLayouts(module)).stages_for(op)
        assert [stage.name for stage in stages] == ["upsample"] * is_mirror


def test_a_mirror_leaves_as_the_op_that_came(tmp_path: Path):
    file = onnx_file(tmp_path, 3)
    result = npu_opt.optimize(file, target="onnx")
    result.save(tmp_path / "out.onnx")
    assert [node.op_type for node in ModelProto.FromString((tmp_path / "out.onnx").read_bytes()).graph.node] == [
        "Slice"
    ]
    assert npu_opt.check(file, tmp_path / "out.onnx")


@pytest.mark.parametrize("shape", ["2,4,6,5", "2,h,w,5"])
@pytest.mark.parametrize(
    ("starts", "ends", "axes", "steps"),
    [
        ([1, 4], [2, -3], [1, -2], [2, -1]),
        ([-1, 5, 0], [-100, 0, 3], [3, 2, 1], [-3, -2, 2]),
        ([3, 100], [1, -100], [1, 2], [-1, -1]),
    ],
)
def test_a_slice_backward_in_another_order_is_one_node(
    starts: Sequence[int],
    ends: Sequence[int],
    axes: Sequence[int],
    steps: Sequence[int],
    shape: str,
):
    """It is a reverse and a slice in the program, or one op along axes of unknown sizes."""
    numbers = (", ".join(map(str, each)) for each in (starts, ends, axes, steps))
    lists = (f"int64[{len(axes)}] {name} = {{{each}}}" for name, each in zip("abcd", numbers, strict=True))
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
    net (float[{shape}] x) => (float[p,q,r,s] y) <{", ".join(lists)}> {{
        t = Transpose <perm = [0, 3, 1, 2]> (x)
        s = Slice (t, a, b, c, d)
        y = Transpose <perm = [0, 2, 3, 1]> (s)
    }}""")
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    assert [node.op_type for node in written.graph.node] == ["Slice"]
    x = np.arange(2 * 4 * 6 * 5, dtype=np.float32).reshape(2, 4, 6, 5)
    assert np.array_equal(executed(written, [x])[0], executed(model, [x])[0])
