"""Products and convolutions of quantised numbers.

QLinearMatMul, QLinearConv, MatMulInteger and ConvInteger of ONNX for the element types that ONNX Runtime knows them
for. Where it does not, and for a bias that QLinearMatMul has not, the sum in i32 and what makes elements of it, in f64.
"""

from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from .....dialects.npu import linear
from .....dialects.npu import quantized_convolution as ops
from .....dialects.npu.base import element_type_of, has_one_element, shape_of
from .....dialects.npu.feature import logical_shape
from .....dialects.npu.movement import integer_range
from ..elements import F64, I8, I32, I64, U8
from ..graph import Graph, Tensor
from ..registry import exports
from ..storage import to_logical, to_stored
from .convolution import kernel_layout, sum_of_nothing, window_attributes, with_bias
from .linear import adds_nothing, matrices
from .linear import with_bias as plus_bias

TRIPLES = ((U8, U8, U8), (U8, I8, U8), (I8, I8, I8))
"""The element types of both operands and the result for which ONNX Runtime has the QLinear ops."""


def scalar(graph: Graph, x: Tensor, value: SSAValue) -> Tensor:
    """A parameter that has one element, of whatever rank."""
    return graph.reshape(x, ()) if shape_of(value) else x


def flat(graph: Graph, x: Tensor, value: SSAValue) -> Tensor:
    """A parameter with one element, which becomes a scalar, or one per channel."""
    return scalar(graph, x, value) if has_one_element(value) else x


def requantized(
    graph: Graph, total: Tensor, scales: tuple[Tensor, Tensor, Tensor], zero_point: Tensor, result: SSAValue
) -> Tensor:
    """Sums of i32 times the scales, rounded half to even, plus the zero point, saturated."""
    lhs, rhs, unit = (graph.cast(scale, F64) for scale in scales)
    scale = graph.node("Div", graph.node("Mul", lhs, rhs), unit)
    rounded = graph.node("Round", graph.node("Mul", graph.cast(total, F64), scale))
    return saturated(graph, graph.node("Add", rounded, graph.cast(zero_point, F64)), result)


def saturated(graph: Graph, x: Tensor, result: SSAValue) -> Tensor:
    """Numbers of f64 without fraction as the nearest elements of an integer type."""
    low, high = integer_range(cast("IntegerType", element_type_of(result)))
    clipped = graph.node("Clip", x, graph.like(x, low), graph.like(x, high))
    return graph.cast(clipped, I64)


# Products of matrices.


@exports(linear.MatmulIntegerOp)
def matmul_integer(
    op: linear.MatmulIntegerOp, graph: Graph, lhs: Tensor, rhs: Tensor, lhs_zero: Tensor, rhs_zero: Tensor
) -> Tensor:
    return _product(op, graph, lhs, rhs, lhs_zero, rhs_zero)


def _product(
    op: linear.MatmulIntegerOp | linear.QuantizedProductOp,
    graph: Graph,
    lhs: Tensor,
    rhs: Tensor,
    lhs_zero: Tensor,
    rhs_zero: Tensor,
) -> Tensor:
    """The product of integers without their zero points, in i32."""
    if adds_nothing(op):
        return sum_of_nothing(graph, op.name, I32, shape_of(op.result))
    first = matrices(graph, lhs, op.lhs, op.trans_a)
    second = matrices(graph, rhs, op.rhs, op.trans_b)
    points = scalar(graph, lhs_zero, op.lhs_zero_point), flat(graph, rhs_zero, op.rhs_zero_point)
    if len(shape_of(op.lhs)) == 2 or has_one_element(op.rhs_zero_point):
        return graph.node("MatMulInteger", first, second, *points, element=I32)
    pairs = (first, points[0]), (second, points[1])
    return graph.node("MatMul", *(graph.node("Sub", graph.cast(x, I32), graph.cast(p, I32)) for x, p in pairs))


@exports(linear.QuantMatmulOp, linear.QuantGemmOp)
def quantized_product(
    op: linear.QuantizedProductOp,
    graph: Graph,
    lhs: Tensor,
    rhs: Tensor,
    lhs_scale: Tensor,
    lhs_zero: Tensor,
    rhs_scale: Tensor,
    rhs_zero: Tensor,
    result_scale: Tensor,
    result_zero: Tensor,
    bias: Tensor | None = None,
) -> Tensor:
    scales = (
        scalar(graph, lhs_scale, op.lhs_scale),
        flat(graph, rhs_scale, op.rhs_scale),
        scalar(graph, result_scale, op.result_scale),
    )
    target = result_zero.element
    has_vectors = not (has_one_element(op.rhs_scale) and has_one_element(op.rhs_zero_point))
    has_kernel = (lhs.element, rhs.element, target) in TRIPLES and (len(shape_of(op.lhs)) == 2 or not has_vectors)
    if has_kernel and bias is None and not adds_nothing(op):
        zero = flat(graph, rhs_zero, op.rhs_zero_point)
        inputs = [
            matrices(graph, lhs, op.lhs, op.trans_a),
            scales[0],
            scalar(graph, lhs_zero, op.lhs_zero_point),
            matrices(graph, rhs, op.rhs, op.trans_b),
            *together(graph, scales[1], op.rhs_scale, zero, op.rhs_zero_point),
            scales[2],
            scalar(graph, result_zero, op.result_zero_point),
        ]
        return graph.node("QLinearMatMul", *inputs, element=target)
    total = _product(op, graph, lhs, rhs, lhs_zero, rhs_zero)
    value = op.bias if isinstance(op, linear.QuantGemmOp) else None
    total = plus_bias(op, graph, total, bias, value)
    return requantized(graph, total, scales, scalar(graph, result_zero, op.result_zero_point), op.result)


def together(
    graph: Graph, scale: Tensor, scale_value: SSAValue, zero: Tensor, zero_value: SSAValue
) -> tuple[Tensor, Tensor]:
    """A scale and a zero point of one shape: if one of them is a vector, the other is repeated."""
    if has_one_element(scale_value) == has_one_element(zero_value):
        return scale, zero
    if has_one_element(scale_value):
        return graph.op("Expand", scale, graph.size(zero, 0)), zero
    return scale, graph.op("Expand", zero, graph.size(scale, 0))


# Convolutions.


@exports(ops.Conv2dIntegerOp)
def convolution(
    op: ops.Conv2dIntegerOp, graph: Graph, x: Tensor, kernel: Tensor, data_zero: Tensor, kernel_zero: Tensor
) -> Tensor:
    layout = op.feature_layout("data", op.data)
    return to_stored(graph, _convolved(op, graph, x, kernel, data_zero, kernel_zero), layout, 4)


def _convolved(
    op: ops.Conv2dIntegerOp | ops.QuantConv2dOp,
    graph: Graph,
    x: Tensor,
    kernel: Tensor,
    data_zero: Tensor,
    kernel_zero: Tensor,
) -> Tensor:
    """The sum in i32, in logical sequence.

    ONNX Runtime takes one zero point for the whole kernel. Where there is one per channel, the kernel is convolved
    without, and the sum of what its window sees, which a kernel of ones gives, times the zero point is subtracted.
    """
    data, weights, attributes = _operands(op, graph, x, kernel)
    zero = scalar(graph, data_zero, op.data_zero_point)
    if _is_nothing(op):
        shape = logical_shape(op.result, op.feature_layout("data", op.data))
        return sum_of_nothing(graph, op.name, I32, shape)
    if has_one_element(op.kernel_zero_point):
        inputs = data, weights, zero, scalar(graph, kernel_zero, op.kernel_zero_point)
        return graph.node("ConvInteger", *inputs, element=I32, **attributes)
    total = graph.node("ConvInteger", data, weights, zero, element=I32, **attributes)
    ones = graph.op("Expand", graph.numbers(np.ones((), np.uint8)), graph.node("Shape", weights, element=I64))
    seen = graph.node("ConvInteger", data, ones, zero, element=I32, **attributes)
    points = graph.unsqueeze(graph.cast(kernel_zero, I32), [1, 2])
    return graph.node("Sub", total, graph.node("Mul", seen, points))


def _is_nothing(op: ops.Conv2dIntegerOp | ops.QuantConv2dOp) -> bool:
    return 0 in (*shape_of(op.data), *shape_of(op.kernel))


def _operands(
    op: ops.Conv2dIntegerOp | ops.QuantConv2dOp, graph: Graph, x: Tensor, kernel: Tensor
) -> tuple[Tensor, Tensor, dict[str, Any]]:
    """Data and kernel in logical sequence, and the attributes of ONNX."""
    layout, weights_layout = op.feature_layout("data", op.data), kernel_layout(op, "kernel", op.kernel)
    attributes = window_attributes(op.sliding_window(2), logical_shape(op.kernel, weights_layout)[2:])
    attributes["group"] = op.groups.value.data
    data, weights = to_logical(graph, x, layout, 4), to_logical(graph, kernel, weights_layout, 4)
    return data, weights, attributes


@exports(ops.QuantConv2dOp)
def quantized_convolution(
    op: ops.QuantConv2dOp,
    graph: Graph,
    x: Tensor,
    kernel: Tensor,
    data_scale: Tensor,
    data_zero: Tensor,
    kernel_scale: Tensor,
    kernel_zero: Tensor,
    result_scale: Tensor,
    result_zero: Tensor,
    bias: Tensor | None,
) -> Tensor:
    layout = op.feature_layout("data", op.data)
    data, weights, attributes = _operands(op, graph, x, kernel)
    scale, unit = scalar(graph, data_scale, op.data_scale), scalar(graph, result_scale, op.result_scale)
    factor = flat(graph, kernel_scale, op.kernel_scale)
    point = scalar(graph, result_zero, op.result_zero_point)
    target = result_zero.element
    if (x.element, kernel.element, target) in TRIPLES and not _is_nothing(op):
        zero = flat(graph, kernel_zero, op.kernel_zero_point)
        pair = together(graph, factor, op.kernel_scale, zero, op.kernel_zero_point)
        inputs = [data, scale, scalar(graph, data_zero, op.data_zero_point), weights, *pair, unit, point]
        inputs += [] if bias is None else [bias]
        return to_stored(graph, graph.node("QLinearConv", *inputs, element=target, **attributes), layout, 4)
    total = with_bias(graph, _convolved(op, graph, x, kernel, data_zero, kernel_zero), bias, 4)
    if not has_one_element(op.kernel_scale):
        factor = graph.unsqueeze(factor, [1, 2])
    return to_stored(graph, requantized(graph, total, (scale, factor, unit), point, op.result), layout, 4)
