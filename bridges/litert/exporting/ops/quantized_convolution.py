"""Quantised convolutions, in the integer kernels of LiteRT."""

import numpy as np

from .....dialects.npu import quantized_convolution as ops
from .....dialects.npu.values import element_type_of
from ...errors import NotExportable
from ..elements import LiteElement, element_of
from ..graph import LiteGraph, LiteTensor
from ..quantized import factors, numbers_of, result_of, sums
from ..registry import exports
from ..storage import channels_last, from_channels_last, logical_shape, to_logical
from .convolution import came_as, image_convolution


@exports(ops.QuantConv2dOp)
def quantized_convolution(
    op: ops.QuantConv2dOp,
    graph: LiteGraph,
    x: LiteTensor,
    kernel: LiteTensor,
    data_scale: LiteTensor,
    data_zero: LiteTensor,
    kernel_scale: LiteTensor,
    kernel_zero: LiteTensor,
    result_scale: LiteTensor,
    result_zero: LiteTensor,
    bias: LiteTensor | None,
) -> LiteTensor:
    """CONV_2D or DEPTHWISE_CONV_2D of i8, or of ui8; the scale of the bias is that of data and kernel."""
    layout = op.feature_layout("data", op.data)
    kernel_layout = op.known_layout("kernel", op.kernel, "kernel_layout", op.kernel_layout)
    element = element_of(element_type_of(op.result))
    if element not in (LiteElement.I8, LiteElement.U8) or x.element not in (LiteElement.I8, LiteElement.U8):
        raise NotExportable(f"'{op.name}' of {x.element.name} has no counterpart in LiteRT")
    given = numbers_of(graph, data_scale, data_zero)
    of_kernel = numbers_of(graph, kernel_scale, kernel_zero)
    data, weights, is_kept = factors(op, graph, x, given, to_logical(graph, kernel, kernel_layout), of_kernel)
    shape = logical_shape(op.result, layout)
    assert weights.quantization is not None
    total = sums(graph, bias, shape[1], given.scale[0], weights.quantization)
    wanted = (shape[0], *shape[2:], shape[1])
    image, groups = channels_last(graph, data, layout), op.groups.value.data
    result = image_convolution(graph, image, weights, total, op.sliding_window(2), groups, wanted, came=came_as(op))
    made = result_of(result, numbers_of(graph, result_scale, result_zero), element, is_kept=is_kept)
    return from_channels_last(graph, made, layout)


@exports(ops.Conv2dIntegerOp)
def convolution(
    op: ops.Conv2dIntegerOp,
    graph: LiteGraph,
    x: LiteTensor,
    kernel: LiteTensor,
    data_zero: LiteTensor,
    kernel_zero: LiteTensor,
) -> LiteTensor:
    """A convolution of the centred integers in f32, which is exact if the sums are below 2^24."""
    layout = op.feature_layout("data", op.data)
    kernel_layout = op.known_layout("kernel", op.kernel, "kernel_layout", op.kernel_layout)
    weights = to_logical(graph, kernel, kernel_layout)
    zeros = graph.reshape(kernel_zero, (_count(kernel_zero), 1, 1, 1))
    window, shape = op.sliding_window(2), logical_shape(op.result, layout)
    data = channels_last(graph, centred(graph, x, graph.reshape(data_zero, ())), layout)
    wanted = (shape[0], *shape[2:], shape[1])
    reach = int(np.prod(weights.shape[1:])) * 255 * 255
    if reach >= LARGEST_EXACT:
        raise NotExportable(f"'{op.name}' with sums of {reach} has no exact counterpart in LiteRT")
    result = image_convolution(graph, data, centred(graph, weights, zeros), None, window, op.groups.value.data, wanted)
    return from_channels_last(graph, graph.cast(graph.unary("ROUND", result), LiteElement.I32), layout)


LARGEST_EXACT = 1 << 24
"""The least whole number whose neighbours have no f32 each."""


def _count(x: LiteTensor) -> int:
    return int(np.prod(x.shape)) if x.shape else 1


def centred(graph: LiteGraph, x: LiteTensor, zero_point: LiteTensor) -> LiteTensor:
    """Integers minus their zero point, in f32."""
    known, zeros = graph.known(x), graph.known(zero_point)
    if known is not None and zeros is not None:
        return graph.numbers(known.astype(np.int64) - zeros.astype(np.int64), LiteElement.F32)
    return graph.binary("SUB", graph.cast(graph.raw(x), LiteElement.F32), graph.cast(zero_point, LiteElement.F32))
