"""Conversions between NCHW and NHWC in files of each format."""

from pathlib import Path

import npu_opt
import pytest
from npu_opt.dialects.npu.shape import FixedTransposeOp
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.recognise_conversions import RecogniseConversions
from npu_opt.tools.opt import run as main
from onnx import ModelProto, TensorProto, helper
from support import optional_tools
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass


def recognised(module: ModuleOp) -> list[str]:
    """The names of the conversions of a module, placed for the target of the seeds."""
    for each in (LayoutPreset(target="opu"), CanonicalizePass(), RecogniseConversions()):
        each.apply(Context(), module)
    module.verify()
    return [op.name for op in module.walk() if isinstance(op, FixedTransposeOp)]


def test_conversions_in_onnx(tmp_path: Path):
    weights = helper.make_tensor("w", TensorProto.FLOAT, [4, 3, 1, 1], [0.5] * 12)
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, 5, 6])
        for name, channels in (("x", 3), ("y", 4))
    )
    graph = helper.make_graph([helper.make_node("Conv", ["x", "w"], ["y"])], "g", [x], [y], [weights])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    files = tmp_path / "model.onnx", tmp_path / "out.onnx"
    files[0].write_bytes(proto.SerializeToString())
    assert recognised(npu_opt.load(files[0]).module) == ["npu.nchw2nhwc", "npu.nhwc2nchw"]
    flags = ["--layout-preset=target=opu", "--recognise-conversions", "--verify-layouts"]
    main([str(files[0]), *flags, "-o", str(files[1])])
    assert npu_opt.check(*files)
    assert ModelProto.FromString(files[1].read_bytes()).graph.node


LITE = {
    "npu.nchw2nhwc": """func.func @main(%x: tensor<1x3x5x6xf32>) -> tensor<1x5x6x4xf32> {
      %w = npu.constant dense<0.5> : tensor<4x1x1x3xf32>
      %a = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x3x5x6xf32>) -> tensor<1x5x6x3xf32>
      %y = npu.conv2d %a, %w data_layout = <NHWC> kernel_layout = <OHWI>
        : (tensor<1x5x6x3xf32>, tensor<4x1x1x3xf32>) -> tensor<1x5x6x4xf32>
      func.return %y : tensor<1x5x6x4xf32>
    }""",
    "npu.nhwc2nchw": """func.func @main(%x: tensor<1x5x6x3xf32>) -> tensor<1x4x5x6xf32> {
      %w = npu.constant dense<0.5> : tensor<4x1x1x3xf32>
      %y = npu.conv2d %x, %w data_layout = <NHWC> kernel_layout = <OHWI>
        : (tensor<1x5x6x3xf32>, tensor<4x1x1x3xf32>) -> tensor<1x5x6x4xf32>
      %b = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x5x6x4xf32>) -> tensor<1x4x5x6xf32>
      func.return %b : tensor<1x4x5x6xf32>
    }""",
}


@pytest.mark.parametrize("name", LITE)
def test_conversions_in_litert(name: str, tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
    text, *files = (tmp_path / name for name in ("text.mlir", "model.tflite", "out.tflite"))
    text.write_text(LITE[name])
    main([str(text), "-o", str(files[0])])
    assert recognised(npu_opt.load(files[0]).module) == [name]
    flags = ["--layout-preset=target=opu", "--canonicalize", "--recognise-conversions", "--verify-layouts"]
    main([str(files[0]), *flags, "-o", str(files[1])])
    assert npu_opt.check(*files)


TOSA = {
    "npu.nchw2nhwc": ("1x3x5x6", "1x5x6x4", "%a", "%y"),
    "npu.nhwc2nchw": ("1x5x6x3", "1x4x5x6", "%x", "%b"),
}
"""The sizes of argument and result, and the names of what the convolution reads and of what is returned."""


@pytest.mark.parametrize("name", TOSA)
def test_conversions_in_tosa(name: str, tmp_path: Path):
    if optional_tools.mlir_bindings().location is None:
        pytest.skip(optional_tools.mlir_bindings().note)
    given, result, image, returned = TOSA[name]
    before = f"%a = tosa.transpose %x {{perms = array<i32: 0, 2, 3, 1>}} : (tensor<{given}xf32>) -> tensor<1x5x6x3xf32>"
    behind = (
        f"%b = tosa.transpose %y {{perms = array<i32: 0, 3, 1, 2>}} : (tensor<1x5x6x4xf32>) -> tensor<{result}xf32>"
    )
    (tmp_path / "model.mlir").write_text(
        f"""func.func @main(%x: tensor<{given}xf32>) -> tensor<{result}xf32> {{
          %w = "tosa.const"() {{values = dense<0.5> : tensor<4x1x1x3xf32>}} : () -> tensor<4x1x1x3xf32>
          %c = "tosa.const"() {{values = dense<0.0> : tensor<4xf32>}} : () -> tensor<4xf32>
          %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
          {before if image == "%a" else ""}
          %y = tosa.conv2d {image}, %w, %c, %z, %z
            {{acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}}
            : (tensor<1x5x6x3xf32>, tensor<4x1x1x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>)
            -> tensor<1x5x6x4xf32>
          {behind if returned == "%b" else ""}
          return {returned} : tensor<{result}xf32>
        }}"""
    )
    assert recognised(npu_opt.load(tmp_path / "model.mlir").module) == [name]
