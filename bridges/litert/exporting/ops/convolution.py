"""Convolutions.

LiteRT's kernels take channels last, and kernels as O, spatial, I. A signal is an image with a height of 1.
"""

from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from .....dialects.notes.node_kinds import KIND
from .....dialects.npu import convolution as ops
from .....dialects.npu.feature import Window
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..graph import LiteGraph, LiteTensor, Shape
from ..registry import exports
from ..storage import channels_last, from_channels_last, logical_shape, to_logical
from ..windows import VALID, padding_of, strides_and_dilations


@exports(ops.Conv1dOp, ops.Conv2dOp, ops.Conv3dOp)
def convolution(
    op: ops.ForwardConvolutionOp, graph: LiteGraph, x: LiteTensor, kernel: LiteTensor, bias: LiteTensor | None
) -> LiteTensor:
    layout = op.feature_layout("data", op.data)
    kernel_layout = op.known_layout("kernel", op.kernel, "kernel_layout", op.kernel_layout)
    data = channels_last(graph, x, layout)
    window, groups = op.sliding_window(op.SPATIAL_RANK), op.groups.value.data
    weights = to_logical(graph, kernel, kernel_layout)
    shape = logical_shape(op.result, layout)
    wanted = (shape[0], *shape[2:], shape[1])
    bias = _bias(graph, bias, weights.shape[0])
    if op.SPATIAL_RANK == 3:
        return from_channels_last(graph, _volume(op, graph, data, weights, bias, window, wanted), layout)
    if op.SPATIAL_RANK == 1:
        data, weights, window = _as_image(graph, data, weights, window)
        wanted = (wanted[0], 1, *wanted[1:])
    result = image_convolution(graph, data, weights, bias, window, groups, wanted, came=came_as(op))
    if op.SPATIAL_RANK == 1:
        result = graph.reshape(result, (wanted[0], *wanted[2:]))
    return from_channels_last(graph, result, layout)


def _bias(graph: LiteGraph, bias: LiteTensor | None, channels: int) -> LiteTensor | None:
    """The bias as a vector with one number per channel."""
    if bias is None or bias.shape == (DYNAMIC,):
        # A size that is not known is that of the channels.
        return bias
    if prod(bias.shape) == channels:
        return graph.reshape(bias, (channels,))
    known = graph.known(bias)
    if known is None:
        return graph.node("BROADCAST_TO", [graph.reshape(bias, (1,)), graph.ints(channels)], (channels,))
    return graph.numbers(np.broadcast_to(known.reshape(-1), (channels,)), bias.element)


def _as_image(
    graph: LiteGraph, data: LiteTensor, weights: LiteTensor, window: Window
) -> tuple[LiteTensor, LiteTensor, Window]:
    """A signal as an image of height 1; the kernel is O, I, W."""
    batch, width, channels = data.shape
    image = graph.reshape(data, (batch, 1, width, channels))
    # The unit axis is added where the kernels want it, so that a computed kernel in that order is not moved.
    outputs, inputs, extent = weights.shape
    wide = graph.reshape(graph.transpose(weights, (0, 2, 1)), (outputs, 1, extent, inputs))
    flat = graph.transpose(wide, (0, 3, 1, 2))
    fields = (window.strides, 1), (window.dilations, 1), (window.pads_begin, 0), (window.pads_end, 0)
    return image, flat, Window(*((first, *numbers) for numbers, first in fields))


def image_convolution(
    graph: LiteGraph,
    data: LiteTensor,
    weights: LiteTensor,
    bias: LiteTensor | None,
    window: Window,
    groups: int,
    wanted: Shape,
    padding: int | None = None,
    came: str | None = None,
) -> LiteTensor:
    """CONV_2D, or DEPTHWISE_CONV_2D if each group has one channel; the kernel is O, I, H, W.

    The pads are those of the window, unless the padding is given. A convolution that can be either is the kind that it
    came as.
    """
    if padding is None:
        padding, data = padding_of(graph, data, window, weights.shape[2:], wanted[1:3])
    outputs, inputs = weights.shape[:2]
    channels = data.shape[3]
    moves: dict[str, Any] = {**strides_and_dilations(window), "padding": padding}
    is_depthwise = groups > 1 if came is None else came == "DEPTHWISE_CONV_2D"
    if groups == channels and inputs == 1 and is_depthwise:
        kernel = graph.transpose(weights, (1, 2, 3, 0))
        given = [data, kernel, _present(graph, bias, outputs, data)]
        return graph.node("DEPTHWISE_CONV_2D", given, wanted, depthMultiplier=outputs // channels, **moves)
    kernel = graph.transpose(weights, (0, 2, 3, 1))
    return graph.node("CONV_2D", [data, kernel, _present(graph, bias, outputs, data)], wanted, **moves)


def came_as(op: Operation) -> str | None:
    """The kind of node that an op is to be again; None if it is not known."""
    kind = op.attributes.get(KIND)
    return kind.data if isinstance(kind, StringAttr) else None


def _present(graph: LiteGraph, bias: LiteTensor | None, channels: int, data: LiteTensor) -> LiteTensor:
    """The bias, or zeros, which delegates want to see."""
    return graph.numbers(np.zeros(channels), data.element) if bias is None else bias


def _volume(
    op: ops.ForwardConvolutionOp,
    graph: LiteGraph,
    data: LiteTensor,
    weights: LiteTensor,
    bias: LiteTensor | None,
    window: Window,
    wanted: Shape,
) -> LiteTensor:
    """CONV_3D, whose kernel is D, H, W, I, O."""
    if op.groups.value.data != 1:
        raise NotExportable(f"'{op.name}' with groups has no counterpart in LiteRT")
    padding, data = padding_of(graph, data, window, weights.shape[2:], wanted[1:4])
    kernel = graph.transpose(weights, (2, 3, 4, 1, 0))
    moves = strides_and_dilations(window)
    given = [data, kernel, _present(graph, bias, weights.shape[0], data)]
    return graph.node("CONV_3D", given, wanted, padding=padding, **moves)


@exports(ops.ConvTranspose1dOp, ops.ConvTranspose2dOp)
def transposed(
    op: ops.TransposedConvolutionOp, graph: LiteGraph, x: LiteTensor, kernel: LiteTensor, bias: LiteTensor | None
) -> LiteTensor:
    """TRANSPOSE_CONV without pads, of which the rest is cut off or to which zeros are added."""
    layout = op.feature_layout("data", op.data)
    kernel_layout = op.known_layout("kernel", op.kernel, "kernel_layout", op.kernel_layout)
    data, weights = channels_last(graph, x, layout), to_logical(graph, kernel, kernel_layout)
    window, shape = op.sliding_window(op.SPATIAL_RANK), logical_shape(op.result, layout)
    wanted = (shape[0], *shape[2:], shape[1])
    if op.SPATIAL_RANK == 1:
        data, weights, window = _as_image(graph, data, weights, window)
        wanted = (wanted[0], 1, *wanted[1:])
    if any(dilation != 1 for dilation in window.dilations):
        raise NotExportable(f"'{op.name}' with dilations has no counterpart in LiteRT")
    if DYNAMIC in wanted[1:]:
        raise NotExportable(f"'{op.name}' of an unknown size")
    groups = op.groups.value.data
    parts = [
        _transposed(graph, part, each, window, wanted)
        for part, each in zip(_parts(graph, data, 3, groups), _parts(graph, weights, 0, groups), strict=True)
    ]
    result = graph.concat(parts, 3)
    if bias is not None:
        result = graph.binary("ADD", result, bias if len(bias.shape) < 2 else graph.reshape(bias, (prod(bias.shape),)))
    if op.SPATIAL_RANK == 1:
        result = graph.reshape(result, (wanted[0], *wanted[2:]))
    return from_channels_last(graph, result, layout)


def _parts(graph: LiteGraph, x: LiteTensor, axis: int, count: int) -> list[LiteTensor]:
    """Equal parts of a tensor along an axis."""
    if count == 1:
        return [x]
    size = x.shape[axis] // count
    shape = (*x.shape[:axis], size, *x.shape[axis + 1 :])
    return [
        graph.slice(x, [each * size if other == axis else 0 for other in range(len(shape))], shape)
        for each in range(count)
    ]


def _transposed(graph: LiteGraph, data: LiteTensor, weights: LiteTensor, window: Window, wanted: Shape) -> LiteTensor:
    """The transposed convolution of one group; the kernel is (channels in, channels out, H, W)."""
    kernel = graph.transpose(weights, (1, 2, 3, 0))
    channels, extents = kernel.shape[0], kernel.shape[1:3]
    full = [(size - 1) * stride + extent for size, stride, extent in zip(data.shape[1:3], window.strides, extents)]
    sizes = (data.shape[0], *full, channels)
    if DYNAMIC in sizes:
        raise NotExportable("a transposed convolution of an unknown size")
    strides: dict[str, Any] = {"strideH": window.strides[0], "strideW": window.strides[1], "padding": VALID}
    whole = graph.node("TRANSPOSE_CONV", [graph.ints(*sizes), kernel, data], sizes, data.element, **strides)
    ends = [begin + size for begin, size in zip(window.pads_begin, wanted[1:3], strict=True)]
    behind = [max(end - size, 0) for end, size in zip(ends, full, strict=True)]
    padded = graph.pad(whole, [0] * 4, [0, *behind, 0])
    return graph.slice(padded, [0, *window.pads_begin, 0], (sizes[0], *wanted[1:3], channels))
