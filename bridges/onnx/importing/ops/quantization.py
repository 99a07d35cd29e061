"""Quantisation and dequantisation."""

from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, SSAValue

from .....dialects.npu import binary, low_precision, quantization
from .....dialects.npu.values import element_type_of, has_one_element, is_narrow_float
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, types
from ..shaped import Shaped
from ..types import UI8
from .elementwise import as_it_came, cast, combine

MICROSOFT = "com.microsoft"
"""The domain of ONNX Runtime's own ops, which its quantiser writes for types that ONNX's did not have."""


def _axis(node: ImportedNode, scale: SSAValue) -> int | None:
    """The axis with one scale per position, or None."""
    node.mark_read("axis", "output_dtype")
    return None if has_one_element(scale) else node.axis(node.integer("axis", 1))


def _in_blocks(node: ImportedNode, op: type[low_precision.BlockScaledOp]) -> SSAValue:
    """An op with a scale for each block."""
    node.mark_read("output_dtype")
    operands, output = [node.operand(0), node.operand(1), node.optional(2)], node.output()
    axis, size = node.axis(node.integer("axis", 1)), node.integer("block_size")
    whole, blocks = node.sizes()[axis], node.sizes(1)[axis] if node.rank(1) == node.rank() else None
    if (
        size < 1
        or blocks is None
        or (isinstance(whole, int) and isinstance(blocks, int) and blocks != -(-whole // size))
    ):
        raise UnsupportedNode("scales of blocks of another size")
    return node.add(op, operands, output.sizes, output.element, axis=axis, block_size=size)


def _with_floats(node: ImportedNode) -> tuple[SSAValue, SSAValue, SSAValue | None, Attribute]:
    """The input, its scale and its zero point as floats in which it is computed, and their type."""
    scale, rank = node.operand(1), node.rank()
    wide = element_type_of(scale)
    if is_narrow_float(wide):
        wide = node.output().element if is_narrow_float(node.shaped(0).element) else node.shaped(0).element
    axis = _axis(node, scale)

    def alike(value: SSAValue) -> SSAValue:
        if axis is not None:
            value = node.reshape(value, [*(1,) * axis, *node.sizes_of(value), *(1,) * (rank - 1 - axis)])
        return cast(node, value, wide)

    point = node.optional(2)
    return cast(node, node.operand(0), wide), alike(scale), None if point is None else alike(point), wide


@converts("QuantizeLinear")
def quantize_linear(node: ImportedNode) -> SSAValue:
    saturates, output = node.flag("saturate", 1), node.output()
    if node.integer("precision"):
        raise UnsupportedNode("a precision of its own")
    if is_narrow_float(output.element):
        if node.integer("block_size"):
            if not saturates:
                raise UnsupportedNode("numbers that overflow")
            return _in_blocks(node, low_precision.BlockQuantizeOp)
        value, scale, point, _ = _with_floats(node)
        quotient = combine(node, binary.DivOp, value, scale)
        shifted = quotient if point is None else combine(node, binary.AddOp, quotient, point)
        return cast(node, shifted, output.element, overflows=not saturates)
    if node.integer("block_size"):
        return _in_blocks(node, low_precision.BlockQuantizeOp)
    value, scale = node.operand(0), node.operand(1)
    axis = _axis(node, scale)
    point = node.optional(2)
    if point is None:
        zero = node.graph.add_scalar(0, output.element)
        point = zero if axis is None else node.broadcast(zero, node.sizes_of(scale))
    return node.add(quantization.QuantizeOp, [value, scale, point], output.sizes, output.element, axis=axis)


@converts("DequantizeLinear")
def dequantize_linear(node: ImportedNode) -> SSAValue:
    value, scale, output = node.operand(0), node.operand(1), node.output()
    if node.integer("block_size"):
        return _in_blocks(node, low_precision.BlockDequantizeOp)
    if is_narrow_float(element_type_of(value)):
        value, scale, point, _ = _with_floats(node)
        centred = value if point is None else combine(node, binary.SubOp, value, point)
        return cast(node, combine(node, binary.MulOp, centred, scale), output.element)
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
