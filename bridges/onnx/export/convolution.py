"""The convolution family.

Floats of 16 and 32 bits are Conv and ConvTranspose of ONNX. Integers and f64, for which ONNX Runtime has neither, are
products of matrices: what the kernel's window sees (windows.py) times the kernel.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.npu import convolution as ops
from ....dialects.npu.feature import Window, logical_shape
from ....layout import Layout
from .elements import BF16, F16, F32, F64, I64
from .graph import Graph, Tensor
from .registry import exports
from .storage import to_logical, to_stored
from .windows import columns, known, reaches

Sizes = Sequence[int]


def kernel_layout(op: ops.ConvolutionOp, name: str, value: SSAValue) -> Layout:
    return op.known_layout(name, value, "kernel_layout", op.kernel_layout)


def groups_of(op: ops.ConvolutionOp) -> int:
    return op.groups.value.data


def has_kernel(x: Tensor) -> bool:
    """Whether ONNX Runtime can convolve numbers like these."""
    return x.element in (F16, BF16, F32)


def sum_of_nothing(graph: Graph, op: str, element: int, shape: Sizes) -> Tensor:
    """Zeros: ONNX Runtime never comes back from data or a kernel without elements."""
    known(op, shape)
    return graph.numbers(np.zeros(shape), element)


def summable(graph: Graph, x: Tensor) -> Tensor:
    """Numbers in an element type in which matrices are multiplied."""
    return x if x.element in (F32, F64) else graph.cast(x, F32 if x.element in (F16, BF16) else I64)


def window_attributes(window: Window, extents: Sizes) -> dict[str, Any]:
    """The attributes of ONNX for a window."""
    return {
        "kernel_shape": list(extents),
        "strides": list(window.strides),
        "dilations": list(window.dilations),
        "pads": [*window.pads_begin, *window.pads_end],
    }


def channels_last(graph: Graph, x: Tensor, rank: int) -> Tensor:
    return graph.transpose(x, (0, *range(2, rank), 1))


def channels_first(graph: Graph, x: Tensor, rank: int) -> Tensor:
    return graph.transpose(x, (0, rank - 1, *range(1, rank - 1)))


def convolved(
    graph: Graph, x: Tensor, kernel: Tensor, window: Window, groups: int, shapes: tuple[Sizes, Sizes, Sizes]
) -> Tensor:
    """The outcome (N, O, spatial...) of data (N, C, spatial...) and a kernel (O, I, spatial...), as products.

    `shapes` are those of data, kernel and outcome.
    """
    (batch, _, *sizes), (outputs, inputs, *extents), (_, _, *positions) = shapes
    rank = len(shapes[0])
    seen = columns(graph, channels_last(graph, x, rank), window, extents, sizes, positions)
    rows, depth = batch * prod(positions), prod(extents) * inputs
    weights = graph.transpose(kernel, (*range(2, rank), 1, 0))
    if groups == 1:
        product = graph.node("MatMul", graph.reshape(seen, [rows, depth]), graph.reshape(weights, [depth, outputs]))
    else:
        split = graph.reshape(seen, [rows, prod(extents), groups, inputs])
        grouped = graph.reshape(graph.transpose(split, (2, 0, 1, 3)), [groups, rows, depth])
        cut = graph.reshape(weights, [depth, groups, outputs // groups])
        products = graph.node("MatMul", grouped, graph.transpose(cut, (1, 0, 2)))
        product = graph.transpose(products, (1, 0, 2))
    return channels_first(graph, graph.reshape(product, [batch, *positions, outputs]), rank)


def with_bias(graph: Graph, outcome: Tensor, bias: Tensor | None, rank: int) -> Tensor:
    """The outcome plus one number per channel."""
    if bias is None:
        return outcome
    wide = graph.unsqueeze(graph.cast(bias, outcome.element), range(1, rank - 1))
    return graph.node("Add", outcome, wide)


@exports(ops.Conv1dOp, ops.Conv2dOp, ops.Conv3dOp)
def convolution(op: ops.ForwardConvolutionOp, graph: Graph, x: Tensor, kernel: Tensor, bias: Tensor | None) -> Tensor:
    layout, rank = op.feature_layout("data", op.data), op.SPATIAL_RANK + 2
    weights_layout = kernel_layout(op, "kernel", op.kernel)
    data, weights = to_logical(graph, x, layout, rank), to_logical(graph, kernel, weights_layout, rank)
    window, groups = op.sliding_window(op.SPATIAL_RANK), groups_of(op)
    shapes = logical_shape(op.data, layout), logical_shape(op.kernel, weights_layout), logical_shape(op.result, layout)
    if 0 in (*shapes[0], *shapes[1]):
        nothing = sum_of_nothing(graph, op.name, summable(graph, x).element, shapes[2])
        result = with_bias(graph, nothing, bias, rank)
    elif has_kernel(x):
        inputs = [data, weights, *([] if bias is None else [bias])]
        result = graph.op("Conv", *inputs, group=groups, **_convolution_window(window, shapes[1][2:]))
    else:
        known(op.name, *shapes)
        data, weights = summable(graph, data), summable(graph, weights)
        result = with_bias(graph, convolved(graph, data, weights, window, groups, shapes), bias, rank)
    return to_stored(graph, result, layout, rank)


def _convolution_window(window: Window, extents: Sizes) -> dict[str, Any]:
    attributes = window_attributes(window, extents)
    if any(extent < 0 for extent in extents):
        # The kernel says it, at run time.
        del attributes["kernel_shape"]
    return attributes


def spread(
    graph: Graph, outcome: Tensor, kernel: Tensor, window: Window, groups: int, shapes: tuple[Sizes, Sizes, Sizes]
) -> Tensor:
    """What each element of the data adds to the outcome: the transpose of a convolution, of these shapes.

    Where it is longer than the windows reach, the transposed convolution has no pads, its front is cut off, and zeros
    are added behind: ONNX allows only small additions there.
    """
    (_, _, *sizes), (_, _, *extents), (_, _, *positions) = shapes
    spans = reaches(window, extents)
    whole = [(count - 1) * stride + span for count, stride, span in zip(positions, window.strides, spans, strict=True)]
    behind = [full - begin - size for full, begin, size in zip(whole, window.pads_begin, sizes, strict=True)]
    attributes = window_attributes(window, extents)
    if all(cut >= 0 for cut in behind):
        attributes["pads"] = [*window.pads_begin, *behind]
        return graph.op("ConvTranspose", outcome, kernel, group=groups, **attributes)
    attributes["pads"] = [0] * (2 * len(sizes))
    result = graph.op("ConvTranspose", outcome, kernel, group=groups, **attributes)
    ends = [begin + size for begin, size in zip(window.pads_begin, sizes, strict=True)]
    cut = graph.slice(result, range(2, 2 + len(sizes)), window.pads_begin, ends)
    lengths = [max(full - begin, 0) for full, begin in zip(whole, window.pads_begin, strict=True)]
    more = [max(size - length, 0) for size, length in zip(sizes, lengths, strict=True)]
    return graph.padded(cut, [0] * (2 + len(sizes)), [0, 0, *more])


def spread_as_products(
    graph: Graph, outcome: Tensor, kernel: Tensor, window: Window, groups: int, shapes: tuple[Sizes, Sizes, Sizes]
) -> Tensor:
    """The same for integers and f64: a convolution of the outcome, with zeros between its elements, by the mirrored
    kernel with inputs and outputs exchanged."""
    (batch, channels, *sizes), (outputs, inputs, *extents), (_, _, *positions) = shapes
    rank, spatial = len(shapes[0]), len(sizes)
    spans = reaches(window, extents)
    axes = list(range(2, rank))
    stuffed = zeros_between(graph, outcome, (batch, outputs, *positions), window.strides)
    lengths = [count * stride for count, stride in zip(positions, window.strides, strict=True)]
    # Position r of the data sees the outcome from r + begin - (span - 1) on.
    low = [span - 1 - begin for span, begin in zip(spans, window.pads_begin, strict=True)]
    high = [
        size + span - 1 - before - length for size, span, before, length in zip(sizes, spans, low, lengths, strict=True)
    ]
    moved = graph.padded(stuffed, [0, 0, *(max(n, 0) for n in low)], [0, 0, *(max(n, 0) for n in high)])
    if any(n < 0 for n in (*low, *high)):
        starts = [max(-n, 0) for n in low]
        ends = [start + size + span - 1 for start, size, span in zip(starts, sizes, spans, strict=True)]
        moved = graph.slice(moved, axes, starts, ends)
    mirrored = graph.reversed(kernel, axes)
    if groups == 1:
        exchanged = graph.transpose(mirrored, (1, 0, *axes))
    else:
        cut = graph.reshape(mirrored, [groups, outputs // groups, inputs, *extents])
        swapped = graph.transpose(cut, (0, 2, 1, *range(3, rank + 1)))
        exchanged = graph.reshape(swapped, [channels, outputs // groups, *extents])
    ones, zeros = (1,) * spatial, (0,) * spatial
    plain = Window(ones, window.dilations, zeros, zeros)
    lengthened = [size + span - 1 for size, span in zip(sizes, spans, strict=True)]
    new_shapes = (
        (batch, outputs, *lengthened),
        (channels, outputs // groups, *extents),
        (batch, channels, *sizes),
    )
    return convolved(graph, moved, exchanged, plain, groups, new_shapes)


def zeros_between(graph: Graph, x: Tensor, shape: Sizes, window: Sizes) -> Tensor:
    """Each element of (N, C, spatial...) at the first place of a window of its own, and zeros at the other places."""
    if all(extent == 1 for extent in window):
        return x
    rank = len(shape)
    wide = graph.unsqueeze(x, [2 * axis - 1 for axis in range(2, rank)])
    # N, C, then each spatial axis and its window.
    high = [0, 0, *(number for extent in window for number in (0, extent - 1))]
    filled = graph.padded(wide, [0] * len(high), high)
    return graph.reshape(filled, joined(graph, x, shape, window))


def joined(graph: Graph, x: Tensor, shape: Sizes, factors: Sizes) -> list[int | Tensor]:
    """The sizes of (N, C, spatial...), each spatial one so many times as large."""
    times = (1, 1, *factors)
    sizes: list[int | Tensor] = []
    for axis, (size, factor) in enumerate(zip(shape, times, strict=True)):
        if size >= 0:
            sizes.append(size * factor)
        elif factor == 1:
            sizes.append(graph.size(x, axis))
        else:
            sizes.append(graph.node("Mul", graph.size(x, axis), graph.ints(factor)))
    return sizes


@exports(ops.ConvTranspose1dOp, ops.ConvTranspose2dOp, ops.ConvTranspose3dOp)
def transposed(op: ops.TransposedConvolutionOp, graph: Graph, x: Tensor, kernel: Tensor, bias: Tensor | None) -> Tensor:
    """With `output_pads` that ONNX allows, its own; others are cut or filled behind."""
    layout, rank = op.feature_layout("data", op.data), op.SPATIAL_RANK + 2
    weights_layout = kernel_layout(op, "kernel", op.kernel)
    data, weights = to_logical(graph, x, layout, rank), to_logical(graph, kernel, weights_layout, rank)
    window, groups = op.sliding_window(op.SPATIAL_RANK), groups_of(op)
    shapes = logical_shape(op.result, layout), logical_shape(op.kernel, weights_layout), logical_shape(op.data, layout)
    more = op.output_pads.get_values() if op.output_pads else (0,) * op.SPATIAL_RANK
    if 0 in (*shapes[2], *shapes[1]):
        nothing = sum_of_nothing(graph, op.name, summable(graph, x).element, shapes[0])
        result = with_bias(graph, nothing, bias, rank)
    elif has_kernel(x) and all(pad < stride for pad, stride in zip(more, window.strides, strict=True)):
        inputs = [data, weights, *([] if bias is None else [bias])]
        attributes = _convolution_window(window, shapes[1][2:])
        result = graph.op("ConvTranspose", *inputs, group=groups, output_padding=list(more), **attributes)
    else:
        known(op.name, *shapes)
        result = _gradient(graph, data, weights, window, groups, shapes)
        result = with_bias(graph, result, bias, rank)
    return to_stored(graph, result, layout, rank)


def _gradient(
    graph: Graph, outcome: Tensor, kernel: Tensor, window: Window, groups: int, shapes: tuple[Sizes, Sizes, Sizes]
) -> Tensor:
    if has_kernel(outcome):
        return spread(graph, outcome, kernel, window, groups, shapes)
    outcome, kernel = summable(graph, outcome), summable(graph, kernel)
    return spread_as_products(graph, outcome, kernel, window, groups, shapes)


@exports(ops.Conv2dBpaOp)
def activation_gradient(op: ops.Conv2dBpaOp, graph: Graph, grad: Tensor, kernel: Tensor) -> Tensor:
    """A transposed convolution that is cut or filled to the sizes of the result."""
    layout = op.feature_layout("grad", op.grad)
    weights_layout = kernel_layout(op, "kernel", op.kernel)
    shapes = logical_shape(op.result, layout), logical_shape(op.kernel, weights_layout), logical_shape(op.grad, layout)
    known(op.name, shapes[0][2:], shapes[1], shapes[2][2:])
    if 0 in (*shapes[2], *shapes[1]):
        nothing = sum_of_nothing(graph, op.name, summable(graph, grad).element, shapes[0])
        return to_stored(graph, nothing, layout, 4)
    outcome, weights = to_logical(graph, grad, layout, 4), to_logical(graph, kernel, weights_layout, 4)
    result = _gradient(graph, outcome, weights, op.sliding_window(2), groups_of(op), shapes)
    return to_stored(graph, result, layout, 4)


@exports(ops.Conv2dBpwOp)
def kernel_gradient(op: ops.Conv2dBpwOp, graph: Graph, x: Tensor, grad: Tensor) -> Tensor:
    """A product of matrices per group: the outcome's gradient times what the kernel's window sees of the data."""
    layout, stored = op.feature_layout("data", op.data), kernel_layout(op, "result", op.result)
    (batch, channels, *sizes), (_, outputs, *positions) = logical_shape(op.data, layout), logical_shape(op.grad, layout)
    (_, inputs, *extents) = logical_shape(op.result, stored)
    known(op.name, (batch, channels, *sizes), (outputs, *positions))
    groups, rows = groups_of(op), batch * prod(positions)
    if 0 in (batch, *sizes, *positions):
        nothing = sum_of_nothing(graph, op.name, summable(graph, x).element, (outputs, inputs, *extents))
        return to_stored(graph, nothing, stored, 4)
    data = channels_last(graph, to_logical(graph, summable(graph, x), layout, 4), 4)
    seen = columns(graph, data, op.sliding_window(2), extents, sizes, positions)
    seen = graph.reshape(seen, [rows, prod(extents), groups, inputs])
    seen = graph.reshape(graph.transpose(seen, (2, 0, 1, 3)), [groups, rows, prod(extents) * inputs])
    outcome = channels_last(graph, to_logical(graph, summable(graph, grad), layout, 4), 4)
    outcome = graph.reshape(outcome, [rows, groups, outputs // groups])
    product = graph.node("MatMul", graph.transpose(outcome, (1, 2, 0)), seen)
    result = graph.reshape(product, [outputs, *extents, inputs])
    return to_stored(graph, graph.transpose(result, (0, 3, 1, 2)), stored, 4)
