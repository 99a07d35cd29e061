"""Transposed convolutions, and the gradients of convolutions.

Floats of 16 and 32 bits are ConvTranspose of ONNX; integers and f64 are convolutions by the mirrored kernel, written as
products. The gradient with respect to the kernel, which ONNX has not, is a product of matrices for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from .....dialects.npu import convolution as ops
from .....dialects.npu.feature import Window, logical_shape
from .....layout import DYNAMIC
from ..graph import END, Graph, Tensor
from ..registry import exports
from ..storage import to_logical, to_stored
from ..windows import columns, known, reaches
from .convolution import (
    channels_last,
    convolved,
    groups_of,
    has_kernel,
    kernel_layout,
    sum_of_nothing,
    summable,
    window_attributes,
    with_bias,
    zeros_between,
)

Sizes = Sequence[int]


@dataclass(frozen=True, slots=True)
class Spread:
    """A transposed convolution: what each element of the data adds to the outcome of a convolution.

    The whole of it is as long as the windows reach. As many elements as the pads say are cut off before it.
    """

    window: Window
    groups: int
    kernel: Sizes
    """The shape of the kernel: O, I, spatial..."""
    outcome: Sizes
    """The shape of the outcome: N, O, positions..."""
    sizes: Sizes
    """The spatial sizes of the data."""
    behind: Sizes
    """How many elements are cut off behind the whole along each spatial axis; below zero, how many zeros are added."""

    @property
    def extents(self) -> Sizes:
        return self.kernel[2:]

    def lacking(self) -> list[int]:
        """How many zeros are added behind each axis: no more than it has elements."""
        pairs = zip(self.behind, self.sizes, strict=True)
        return [max(-cut if size == DYNAMIC else min(-cut, size), 0) for cut, size in pairs]


def spread(graph: Graph, outcome: Tensor, kernel: Tensor, how: Spread) -> Tensor:
    """The data, by whatever ONNX Runtime has for these numbers."""
    if has_kernel(outcome):
        return _spread_in_onnx(graph, outcome, kernel, how)
    return _spread_as_products(graph, summable(graph, outcome), summable(graph, kernel), how)


def _spread_in_onnx(graph: Graph, outcome: Tensor, kernel: Tensor, how: Spread) -> Tensor:
    """Where it is longer than the windows reach, its front is cut off and zeros are added by ops of their own."""
    attributes = window_attributes(how.window, how.extents)
    rank = len(how.extents)
    if all(cut >= 0 for cut in how.behind):
        attributes["pads"] = [*how.window.pads_begin, *how.behind]
        return graph.op("ConvTranspose", outcome, kernel, group=how.groups, **attributes)
    attributes["pads"] = [0] * (2 * rank)
    result = graph.op("ConvTranspose", outcome, kernel, group=how.groups, **attributes)
    ends = [-cut if cut > 0 else END for cut in how.behind]
    inner = graph.slice(result, range(2, 2 + rank), how.window.pads_begin, ends)
    return graph.padded(inner, [0] * (2 + rank), [0, 0, *how.lacking()])


def _spread_as_products(graph: Graph, outcome: Tensor, kernel: Tensor, how: Spread) -> Tensor:
    """A convolution of the outcome, with zeros between its elements, by the mirrored kernel with O and I exchanged."""
    outputs, inputs, *extents = how.kernel
    rank, groups, spans = len(how.kernel), how.groups, reaches(how.window, extents)
    axes = range(2, rank)
    stuffed = zeros_between(graph, outcome, how.outcome, how.window.strides)
    # Position r of the data sees the outcome from r + begin - (span - 1) on.
    low = [span - 1 - begin for span, begin in zip(spans, how.window.pads_begin, strict=True)]
    high = [span - stride - cut for span, stride, cut in zip(spans, how.window.strides, how.behind, strict=True)]
    moved = graph.padded(stuffed, [0, 0, *(max(n, 0) for n in low)], [0, 0, *(max(n, 0) for n in high)])
    if any(n < 0 for n in (*low, *high)):
        moved = graph.slice(moved, axes, [max(-n, 0) for n in low], [n if n < 0 else END for n in high])
    mirrored = graph.reversed(kernel, axes)
    if groups == 1:
        exchanged = graph.transpose(mirrored, (1, 0, *axes))
    else:
        cut = graph.reshape(mirrored, [groups, outputs // groups, inputs, *extents])
        swapped = graph.transpose(cut, (0, 2, 1, *range(3, rank + 1)))
        exchanged = graph.reshape(swapped, [groups * inputs, outputs // groups, *extents])
    ones, zeros = (1,) * len(extents), (0,) * len(extents)
    plain = Window(ones, how.window.dilations, zeros, zeros)
    lengths = [DYNAMIC if size == DYNAMIC else size + span - 1 for size, span in zip(how.sizes, spans, strict=True)]
    return convolved(graph, moved, exchanged, plain, groups, lengths, (groups * inputs, outputs // groups, *extents))


@exports(ops.ConvTranspose1dOp, ops.ConvTranspose2dOp, ops.ConvTranspose3dOp)
def transposed(op: ops.TransposedConvolutionOp, graph: Graph, x: Tensor, kernel: Tensor, bias: Tensor | None) -> Tensor:
    """With `output_pads` that ONNX allows, its own; others are cut or filled behind."""
    layout, rank = op.feature_layout("data", op.data), op.SPATIAL_RANK + 2
    weights_layout = kernel_layout(op, "kernel", op.kernel)
    data, weights = to_logical(graph, x, layout, rank), to_logical(graph, kernel, weights_layout, rank)
    window, groups = op.sliding_window(op.SPATIAL_RANK), groups_of(op)
    given, shape, wanted = (
        logical_shape(value, of) for value, of in ((op.data, layout), (op.kernel, weights_layout), (op.result, layout))
    )
    more = op.output_pads.get_values() if op.output_pads else (0,) * op.SPATIAL_RANK
    if 0 in (*given, *shape):
        nothing = sum_of_nothing(graph, op.name, summable(graph, x).element, wanted)
        result = with_bias(graph, nothing, bias, rank)
    elif has_kernel(x) and all(pad < stride for pad, stride in zip(more, window.strides, strict=True)):
        inputs = [data, weights, *([] if bias is None else [bias])]
        attributes = window_attributes(window, shape[2:])
        result = graph.op("ConvTranspose", *inputs, group=groups, output_padding=list(more), **attributes)
    else:
        known(op.name, shape)
        behind = [end - pad for end, pad in zip(window.pads_end, more, strict=True)]
        how = Spread(window, groups, shape, given, wanted[2:], behind)
        result = with_bias(graph, spread(graph, data, weights, how), bias, rank)
    return to_stored(graph, result, layout, rank)


@exports(ops.Conv2dBpaOp)
def activation_gradient(op: ops.Conv2dBpaOp, graph: Graph, grad: Tensor, kernel: Tensor) -> Tensor:
    """A transposed convolution that is cut or filled to the sizes of the result."""
    layout = op.feature_layout("grad", op.grad)
    weights_layout = kernel_layout(op, "kernel", op.kernel)
    given, shape = logical_shape(op.grad, layout), logical_shape(op.kernel, weights_layout)
    wanted = logical_shape(op.result, layout)
    if 0 in (*given, *shape):
        nothing = sum_of_nothing(graph, op.name, summable(graph, grad).element, wanted)
        return to_stored(graph, nothing, layout, 4)
    known(op.name, shape)
    window, sizes = op.sliding_window(2), wanted[2:]
    positions = window.positions(sizes, shape[2:])
    spans = reaches(window, shape[2:])
    parts = zip(positions, window.strides, spans, window.pads_begin, sizes, strict=True)
    behind = [(count - 1) * stride + span - begin - size for count, stride, span, begin, size in parts]
    outcome, weights = to_logical(graph, grad, layout, 4), to_logical(graph, kernel, weights_layout, 4)
    how = Spread(window, groups_of(op), shape, (*given[:2], *positions), sizes, behind)
    return to_stored(graph, spread(graph, outcome, weights, how), layout, 4)


@exports(ops.Conv2dBpwOp)
def kernel_gradient(op: ops.Conv2dBpwOp, graph: Graph, x: Tensor, grad: Tensor) -> Tensor:
    """A product of matrices per group: the outcome's gradient times what the kernel's window sees of the data."""
    layout, stored = op.feature_layout("data", op.data), kernel_layout(op, "result", op.result)
    (batch, _, *sizes), (_, outputs, *positions) = logical_shape(op.data, layout), logical_shape(op.grad, layout)
    (_, inputs, *extents) = logical_shape(op.result, stored)
    known(op.name, (outputs, inputs))
    if 0 in (batch, *sizes, *positions):
        nothing = sum_of_nothing(graph, op.name, summable(graph, x).element, (outputs, inputs, *extents))
        return to_stored(graph, nothing, stored, 4)
    window, groups = op.sliding_window(2), groups_of(op)
    places = window.positions(sizes, extents)
    rows = DYNAMIC if DYNAMIC in (batch, *places) else batch * prod(places)
    data = channels_last(graph, to_logical(graph, summable(graph, x), layout, 4), 4)
    seen = columns(graph, data, window, extents, sizes, places)
    seen = graph.reshape(seen, [rows, prod(extents), groups, inputs])
    seen = graph.reshape(graph.transpose(seen, (2, 0, 1, 3)), [groups, rows, prod(extents) * inputs])
    outcome = channels_last(graph, to_logical(graph, summable(graph, grad), layout, 4), 4)
    outcome = graph.reshape(outcome, [rows, groups, outputs // groups])
    product = graph.node("MatMul", graph.transpose(outcome, (1, 2, 0)), seen)
    result = graph.reshape(product, [outputs, *extents, inputs])
    return to_stored(graph, graph.transpose(result, (0, 3, 1, 2)), stored, 4)
