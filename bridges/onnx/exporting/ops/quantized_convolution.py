"""Quantised convolutions: QLinearConv and ConvInteger of ONNX.

Element types without a kernel of QLinearConv use the sum in i32, requantised (quantized.py).
"""

from typing import Any

import numpy as np

from .....dialects.npu import quantized_convolution as ops
from .....dialects.npu.values import has_one_element, logical_shape, shape_of
from ..convolutions import empty_sum, kernel_layout, window_attributes, with_bias
from ..elements import I32, I64
from ..graph import OnnxGraph, OnnxTensor
from ..quantized import TRIPLES, broadcast_parameters, flat, requantized, scalar
from ..registry import exports
from ..storage import to_logical, to_stored


@exports(ops.Conv2dIntegerOp)
def convolution(
    op: ops.Conv2dIntegerOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    kernel: OnnxTensor,
    data_zero: OnnxTensor,
    kernel_zero: OnnxTensor,
) -> OnnxTensor:
    layout = op.feature_layout("data", op.data)
    return to_stored(graph, _convolved(op, graph, x, kernel, data_zero, kernel_zero), layout, 4)


def _convolved(
    op: ops.Conv2dIntegerOp | ops.QuantConv2dOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    kernel: OnnxTensor,
    data_zero: OnnxTensor,
    kernel_zero: OnnxTensor,
) -> OnnxTensor:
    """The sum in i32, in logical order.

    ONNX Runtime supports one zero point for the whole kernel. With one per channel, the kernel is convolved without it,
    and the zero point times the sum over the window, a convolution by ones, is subtracted.
    """
    data, weights, attributes = _operands(op, graph, x, kernel)
    zero = scalar(graph, data_zero, op.data_zero_point)
    if _has_no_elements(op):
        shape = logical_shape(op.result, op.feature_layout("data", op.data))
        return empty_sum(graph, op.name, I32, shape, {0: (data, 0)})
    if has_one_element(op.kernel_zero_point):
        inputs = data, weights, zero, scalar(graph, kernel_zero, op.kernel_zero_point)
        return graph.node("ConvInteger", *inputs, element=I32, **attributes)
    total = graph.node("ConvInteger", data, weights, zero, element=I32, **attributes)
    ones = graph.op("Expand", graph.numbers(np.ones((), np.uint8)), graph.node("Shape", weights, element=I64))
    seen = graph.node("ConvInteger", data, ones, zero, element=I32, **attributes)
    points = graph.unsqueeze(graph.cast(kernel_zero, I32), [1, 2])
    return graph.node("Sub", total, graph.node("Mul", seen, points))


def _has_no_elements(op: ops.Conv2dIntegerOp | ops.QuantConv2dOp) -> bool:
    return 0 in (*shape_of(op.data), *shape_of(op.kernel))


def _operands(
    op: ops.Conv2dIntegerOp | ops.QuantConv2dOp, graph: OnnxGraph, x: OnnxTensor, kernel: OnnxTensor
) -> tuple[OnnxTensor, OnnxTensor, dict[str, Any]]:
    """Data and kernel in logical order, and the ONNX attributes."""
    layout, weights_layout = op.feature_layout("data", op.data), kernel_layout(op, "kernel", op.kernel)
    attributes = window_attributes(op.sliding_window(2), logical_shape(op.kernel, weights_layout)[2:])
    attributes["group"] = op.groups.value.data
    data, weights = to_logical(graph, x, layout, 4), to_logical(graph, kernel, weights_layout, 4)
    return data, weights, attributes


@exports(ops.QuantConv2dOp)
def quantized_convolution(
    op: ops.QuantConv2dOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    kernel: OnnxTensor,
    data_scale: OnnxTensor,
    data_zero: OnnxTensor,
    kernel_scale: OnnxTensor,
    kernel_zero: OnnxTensor,
    result_scale: OnnxTensor,
    result_zero: OnnxTensor,
    bias: OnnxTensor | None,
) -> OnnxTensor:
    layout = op.feature_layout("data", op.data)
    data, weights, attributes = _operands(op, graph, x, kernel)
    scale, unit = scalar(graph, data_scale, op.data_scale), scalar(graph, result_scale, op.result_scale)
    factor = flat(graph, kernel_scale, op.kernel_scale)
    point = scalar(graph, result_zero, op.result_zero_point)
    target = result_zero.element
    if (x.element, kernel.element, target) in TRIPLES and not _has_no_elements(op):
        zero = flat(graph, kernel_zero, op.kernel_zero_point)
        pair = broadcast_parameters(graph, factor, op.kernel_scale, zero, op.kernel_zero_point)
        inputs = [data, scale, scalar(graph, data_zero, op.data_zero_point), weights, *pair, unit, point]
        inputs += [] if bias is None else [bias]
        return to_stored(graph, graph.node("QLinearConv", *inputs, element=target, **attributes), layout, 4)
    total = with_bias(graph, _convolved(op, graph, x, kernel, data_zero, kernel_zero), bias, 4)
    if not has_one_element(op.kernel_scale):
        factor = graph.unsqueeze(factor, [1, 2])
    return to_stored(graph, requantized(graph, total, (scale, factor, unit), point, op.result), layout, 4)
