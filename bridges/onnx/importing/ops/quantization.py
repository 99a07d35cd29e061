"""Quantisation and dequantisation."""

from xdsl.ir import SSAValue

from .....dialects.npu import activations, binary, quantization, reduction, unary
from .....dialects.npu.values import has_one_element
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..types import UI8
from .elementwise import cast, combine


def _axis(node: ImportedNode, scale: SSAValue) -> int | None:
    """The axis with one scale per position, or None."""
    if node.integer("block_size"):
        raise UnsupportedNode("block_size")
    return None if has_one_element(scale) else node.axis(node.integer("axis", 1))


@converts("QuantizeLinear")
def quantize_linear(node: ImportedNode) -> Converted:
    value, scale, output = node.operand(0), node.operand(1), node.output()
    axis = _axis(node, scale)
    point = node.optional(2)
    if point is None:
        zero = node.graph.add_scalar(0, output.element)
        point = zero if axis is None else node.broadcast(zero, node.sizes_of(scale))
    return node.add(quantization.QuantizeOp, [value, scale, point], output.sizes, output.element, axis=axis)


@converts("DequantizeLinear")
def dequantize_linear(node: ImportedNode) -> Converted:
    value, scale, output = node.operand(0), node.operand(1), node.output()
    axis = _axis(node, scale)
    point = node.optional(2)
    if point is None:
        zero = node.scalar(0, value)
        point = zero if axis is None else node.broadcast(zero, node.sizes_of(scale))
    return node.add(quantization.DequantizeOp, [value, scale, point], output.sizes, output.element, axis=axis)


@converts("DynamicQuantizeLinear")
def dynamic_quantize_linear(node: ImportedNode) -> Converted:
    """Quantise the range of the input, 0 included, in 255 steps."""
    value = node.operand(0)
    axes = range(node.rank(0))
    zero = node.scalar(0.0, value)
    least = node.add(reduction.ReduceMinOp, [value], (), axes=axes) if axes else value
    largest = node.add(reduction.ReduceMaxOp, [value], (), axes=axes) if axes else value
    least = combine(node, binary.MinOp, least, zero)
    largest = combine(node, binary.MaxOp, largest, zero)
    span = combine(node, binary.SubOp, largest, least)
    scale = combine(node, binary.DivOp, span, node.scalar(255.0, value))
    place = combine(node, binary.DivOp, combine(node, binary.SubOp, zero, least), scale)
    inside = node.add(activations.ClipOp, [place], (), min=0.0, max=255.0)
    point = cast(node, node.add(unary.RoundOp, [inside], ()), UI8)
    result = node.add(quantization.QuantizeOp, [value, scale, point], node.output().sizes, UI8)
    return result, scale, point
