"""Transposed convolutions: what each element of the data adds to the outcome of a convolution.

Floats of 16 and 32 bits are ConvTranspose of ONNX; integers and f64 are convolutions by the mirrored kernel, written as
products.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.npu.feature import Window
from ....layout import DYNAMIC
from .convolutions import convolved, has_kernel, summable, window_attributes, zeros_between
from .graph import END, OnnxGraph, OnnxTensor
from .windows import reaches

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


def spread(graph: OnnxGraph, outcome: OnnxTensor, kernel: OnnxTensor, how: Spread) -> OnnxTensor:
    """The data, by whatever ONNX Runtime has for these numbers."""
    if has_kernel(outcome):
        return _spread_in_onnx(graph, outcome, kernel, how)
    return _spread_as_products(graph, summable(graph, outcome), summable(graph, kernel), how)


def _spread_in_onnx(graph: OnnxGraph, outcome: OnnxTensor, kernel: OnnxTensor, how: Spread) -> OnnxTensor:
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


def _spread_as_products(graph: OnnxGraph, outcome: OnnxTensor, kernel: OnnxTensor, how: Spread) -> OnnxTensor:
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
