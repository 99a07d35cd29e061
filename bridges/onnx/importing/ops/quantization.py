"""Quantisation and dequantisation."""

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from .....dialects.npu import quantization
from .....dialects.npu.values import has_one_element
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, types
from ..shaped import Shaped
from ..types import UI8
from .elementwise import as_it_came

MICROSOFT = "com.microsoft"
"""The domain of ONNX Runtime's own ops, which its quantiser writes for types that ONNX's did not have."""


def _axis(node: ImportedNode, scale: SSAValue) -> int | None:
    """The axis with one scale per position, or None."""
    node.mark_read("axis", "output_dtype")
    node.flag("saturate", 1)
    if node.integer("block_size"):
        raise UnsupportedNode("block_size")
    return None if has_one_element(scale) else node.axis(node.integer("axis", 1))


@converts("QuantizeLinear")
def quantize_linear(node: ImportedNode) -> SSAValue:
    value, scale, output = node.operand(0), node.operand(1), node.output()
    axis = _axis(node, scale)
    point = node.optional(2)
    if point is None:
        zero = node.graph.add_scalar(0, output.element)
        point = zero if axis is None else node.broadcast(zero, node.sizes_of(scale))
    return node.add(quantization.QuantizeOp, [value, scale, point], output.sizes, output.element, axis=axis)


@converts("DequantizeLinear")
def dequantize_linear(node: ImportedNode) -> SSAValue:
    value, scale, output = node.operand(0), node.operand(1), node.output()
    axis = _axis(node, scale)
    point = node.optional(2)
    if point is None:
        zero = node.scalar(0, value)
        point = zero if axis is None else node.broadcast(zero, node.sizes_of(scale))
    return node.add(quantization.DequantizeOp, [value, scale, point], output.sizes, output.element, axis=axis)


@types(f"{MICROSOFT}.QuantizeLinear")
def quantized_type(node: ImportedNode) -> Shaped:
    return Shaped(node.shaped(2).element if node.has_input(2) else UI8, node.sizes())


@types(f"{MICROSOFT}.DequantizeLinear")
def dequantized_type(node: ImportedNode) -> Shaped:
    return Shaped(node.shaped(1).element, node.sizes())


@converts(f"{MICROSOFT}.QuantizeLinear")
def quantize_linear_of_runtime(node: ImportedNode) -> Converted:
    return as_it_came(quantize_linear(node), f"{MICROSOFT}.QuantizeLinear")


@converts(f"{MICROSOFT}.DequantizeLinear")
def dequantize_linear_of_runtime(node: ImportedNode) -> Converted:
    return as_it_came(dequantize_linear(node), f"{MICROSOFT}.DequantizeLinear")


@converts("DynamicQuantizeLinear")
def dynamic_quantize_linear(node: ImportedNode) -> Converted:
    value = node.operand(0)
    results = Shaped(UI8, node.sizes()), Shaped(f32, ()), Shaped(UI8, ())
    return tuple(node.add_many(quantization.DynamicQuantizeOp, [value], results))
