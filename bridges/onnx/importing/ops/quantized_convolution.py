"""Quantised convolutions."""

from xdsl.dialects.builtin import i32

from .....dialects.npu import quantized_convolution
from ..node import ImportedNode
from ..registry import Converted, converts
from ..windows import moves_of, numbers
from .convolution import layouts
from .linear import zero_point


@converts("ConvInteger")
def conv_integer(node: ImportedNode) -> Converted:
    moves = moves_of(node, numbers(node.sizes(1)[2:]), node.sizes(0)[2:])
    data, kernel = node.operand(0), node.operand(1)
    operands = [data, kernel, zero_point(node, 2, data), zero_point(node, 3, kernel)]
    properties = {**moves.properties(), **layouts(node)}
    return node.add(quantized_convolution.Conv2dIntegerOp, operands, node.output().sizes, i32, **properties)


@converts("QLinearConv")
def qlinear_conv(node: ImportedNode) -> Converted:
    moves = moves_of(node, numbers(node.sizes(3)[2:]), node.sizes(0)[2:])
    operands = [node.operand(index) for index in (0, 3, 1, 2, 4, 5, 6, 7)]
    output = node.output()
    properties = {**moves.properties(), **layouts(node)}
    op = quantized_convolution.QuantConv2dOp
    return node.add(op, [*operands, node.optional(8)], output.sizes, output.element, **properties)
