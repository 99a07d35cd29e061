"""Retyping of values, and names of operands and results."""

import pytest
from npu_opt.compat.xdsl import retype
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.relayout import stored_in, with_layout
from npu_opt.dialects.program.names import operand_names, result_names
from npu_opt.layout import Layout
from support.ir_text import parse
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, TensorType, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

NCHW, NHWC = map(Layout.parse, ("NCHW", "NHWC"))
PLAIN = TensorType(f32, [1, 8, 4, 6])

TWICE = """
func.func @main(%image: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %twice = npu.add %image, %image : tensor<1x8x4x6xf32>
  %once = npu.sub %twice, %image : tensor<1x8x4x6xf32>
  return %once : tensor<1x8x4x6xf32>
}
"""


def body(module: ModuleOp) -> Block:
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return function.body.block


def test_a_retyped_value_is_the_same_value():
    block = body(parse(TWICE))
    (argument,) = block.args
    argument.location = FileLineColLoc(StringAttr("net.onnx"), IntAttr(7), IntAttr(1))
    location, uses = argument.location, [(use.operation, use.index) for use in argument.uses]
    retype(argument, with_layout(PLAIN, NCHW))
    assert block.args == (argument,)
    assert [(use.operation, use.index) for use in argument.uses] == uses
    assert (argument.name_hint, argument.location) == ("image", location)
    assert argument.type == with_layout(PLAIN, NCHW)
    assert "(tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>)" in str(block.first_op)


def test_types_with_and_without_a_layout():
    coloured = with_layout(PLAIN, NHWC)
    assert str(coloured) == "tensor<1x8x4x6xf32, #npu.layout<NHWC>>"
    assert with_layout(coloured, None) == PLAIN
    assert with_layout(PLAIN, None) == PLAIN


def test_a_value_stored_in_another_order():
    block = body(parse(TWICE))
    (argument,) = block.args
    assert stored_in(argument, (0, 1, 2, 3)) == PLAIN
    with pytest.raises(ValueError, match="without a layout"):
        stored_in(argument, (0, 2, 3, 1))
    retype(argument, with_layout(PLAIN, NCHW))
    stored = stored_in(argument, (0, 2, 3, 1))
    assert str(stored) == "tensor<1x4x6x8xf32, #npu.layout<NHWC>>"
    retype(argument, stored)
    assert stored_in(argument, (0, 1, 2, 3)) == with_layout(PLAIN, NCHW)


NORMS = """
func.func @main(%x: tensor<2x3xf32>, %s: tensor<1x3xf32>) {
  %0 = npu.layer_norm %x axes = [1] : tensor<2x3xf32>
  %1 = npu.layer_norm %x scale(%s : tensor<1x3xf32>) axes = [1] : tensor<2x3xf32>
  %2 = npu.layer_norm %x bias(%s : tensor<1x3xf32>) axes = [1] : tensor<2x3xf32>
  %3 = npu.layer_norm %x scale(%s : tensor<1x3xf32>) bias(%s : tensor<1x3xf32>) axes = [1]
    : tensor<2x3xf32>
  return
}
"""


def test_absent_optional_operands_have_no_name():
    norms = [op for op in body(parse(NORMS)).ops if isinstance(op, NpuOp)]
    names = [("input",), ("input", "scale"), ("input", "bias"), ("input", "scale", "bias")]
    assert [op.operand_names() for op in norms] == names
    assert [operand_names(op).fields for op in norms] == names
    assert {op.result_names() for op in norms} == {("result",)}


SPLITS = """
func.func @main(%x: tensor<6xf32>) {
  %0, %1 = npu.split %x axis = 0 sizes = [2, 4] : (tensor<6xf32>) -> (tensor<2xf32>, tensor<4xf32>)
  %2, %3, %4 = npu.split %x axis = 0 sizes = [2, 2, 2]
    : (tensor<6xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}
"""


def test_members_of_a_group_are_numbered():
    two, three = (op for op in body(parse(SPLITS)).ops if isinstance(op, NpuOp))
    assert two.result_names() == ("outputs[0]", "outputs[1]")
    assert three.result_names() == ("outputs[0]", "outputs[1]", "outputs[2]")
    assert result_names(three).fields == ("outputs",) * 3
