"""Conversion of quantised numbers: the operators of the namespace quantized_decomposed."""

from typing import cast as typed

import numpy as np
from xdsl.dialects.builtin import IntegerType, f32
from xdsl.ir import Attribute, SSAValue

from .....dialects.npu import activations, quantization
from .....dialects.npu.values import element_type_of, integer_range
from ....building import UnsupportedNode
from ..arithmetic import cast, number, scalar
from ..node import CallNode
from ..registry import converts

KINDS = ("per_tensor.default", "per_tensor.tensor", "per_channel.default")


@converts(*(f"quantized_decomposed.quantize_{kind}" for kind in KINDS))
def quantize(node: CallNode) -> SSAValue:
    """Numbers of a narrower range than the type's are clipped."""
    x, element = node.operand("input"), node.result().element
    parameters = _parameters(node, element, element_type_of(x))
    found = node.add(quantization.QuantizeOp, [x, *parameters], node.sizes_of(x), element, axis=_axis(node, x))
    low, high = (int(number(node, name)) for name in ("quant_min", "quant_max"))
    if (low, high) == _range(element):
        return found
    return node.add(activations.ClipOp, [found], node.sizes_of(x), min=float(low), max=float(high))


@converts(*(f"quantized_decomposed.dequantize_{kind}" for kind in KINDS))
def dequantize(node: CallNode) -> SSAValue:
    x, element = node.operand("input"), node.result().element
    parameters = _parameters(node, element_type_of(x), element)
    return node.add(quantization.DequantizeOp, [x, *parameters], node.sizes_of(x), element, axis=_axis(node, x))


def _range(element: Attribute) -> tuple[int, int]:
    if not isinstance(element, IntegerType):
        raise UnsupportedNode(f"elements of {element}")
    low, high = integer_range(typed("IntegerType", element))
    return low, high


def _axis(node: CallNode, x: SSAValue) -> int | None:
    return node.axis(int(node.get("axis")), node.rank(x)) if "axis" in node.call.values else None


def _parameters(node: CallNode, integer: Attribute, real: Attribute) -> tuple[SSAValue, SSAValue]:
    """Scale and zero point, in the types of the numbers and of the integers."""
    if real != f32:
        raise UnsupportedNode(f"numbers of {real}")
    low, high = _range(integer)
    names = ("scales", "zero_points") if "per_channel" in node.call.name else ("scale", "zero_point")
    if node.has(names[0]):
        scale = cast(node, _whole(node, node.operand(names[0])), real)
    else:
        scale = scalar(node, number(node, names[0]), real)
    if node.has(names[1]):
        return scale, cast(node, _whole(node, node.operand(names[1])), integer)
    if names[1] not in node.call.values:
        return scale, node.constant_of(np.zeros(node.sizes_of(scale)), integer)
    point = int(number(node, names[1]))
    if not low <= point <= high:
        raise UnsupportedNode(f"a zero point of {point}")
    return scale, scalar(node, point, integer)


def _whole(node: CallNode, value: SSAValue) -> SSAValue:
    """A parameter; one of a whole tensor has no axes."""
    return value if "per_channel" in node.call.name else node.reshape(value, ())
