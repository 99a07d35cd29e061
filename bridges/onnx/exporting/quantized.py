"""Scales, zero points, and requantisation of i32 sums.

Element types without a kernel of QLinearMatMul and QLinearConv, and QLinearMatMul with a bias, use a sum in i32 that is
requantised in f64.
"""

from typing import cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from ....dialects.npu.values import element_type_of, has_one_element, integer_range, shape_of
from .elements import F64, I8, I64, U8
from .graph import OnnxGraph, OnnxTensor

TRIPLES = ((U8, U8, U8), (U8, I8, U8), (I8, I8, I8))
"""The element types of lhs, rhs and result for which ONNX Runtime has the QLinear ops."""


def scalar(graph: OnnxGraph, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
    """A parameter of one element as a scalar."""
    return graph.reshape(x, ()) if shape_of(value) else x


def flat(graph: OnnxGraph, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
    """A parameter as a scalar if it has one element, else unchanged."""
    return scalar(graph, x, value) if has_one_element(value) else x


def requantized(
    graph: OnnxGraph,
    total: OnnxTensor,
    scales: tuple[OnnxTensor, OnnxTensor, OnnxTensor],
    zero_point: OnnxTensor,
    result: SSAValue,
) -> OnnxTensor:
    """Requantise sums of i32: times the scales, rounded half to even, plus the zero point, saturated."""
    lhs, rhs, unit = (graph.cast(scale, F64) for scale in scales)
    scale = graph.node("Div", graph.node("Mul", lhs, rhs), unit)
    rounded = graph.node("Round", graph.node("Mul", graph.cast(total, F64), scale))
    return saturated(graph, graph.node("Add", rounded, graph.cast(zero_point, F64)), result)


def saturated(graph: OnnxGraph, x: OnnxTensor, result: SSAValue) -> OnnxTensor:
    """Saturating cast of whole f64 numbers to an integer type."""
    low, high = integer_range(cast("IntegerType", element_type_of(result)))
    clipped = graph.node("Clip", x, graph.like(x, low), graph.like(x, high))
    return graph.cast(clipped, I64)


def broadcast_parameters(
    graph: OnnxGraph, scale: OnnxTensor, scale_value: SSAValue, zero: OnnxTensor, zero_value: SSAValue
) -> tuple[OnnxTensor, OnnxTensor]:
    """Broadcast a scale and a zero point to one shape."""
    if has_one_element(scale_value) == has_one_element(zero_value):
        return scale, zero
    if has_one_element(scale_value):
        return graph.op("Expand", scale, graph.size(zero, 0)), zero
    return scale, graph.op("Expand", zero, graph.size(scale, 0))
