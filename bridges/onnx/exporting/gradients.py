"""Transposed convolutions.

Floats of 16 and 32 bits use ConvTranspose; integers and f64 are convolutions by the mirrored kernel, as matrix
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
class TransposedConvolution:
    """Parameters of a transposed convolution of `outcome`, whose result has the spatial `sizes`.

    The full result is as long as the windows reach. `window.pads_begin` elements are removed at the front.
    """

    window: Window
    groups: int
    kernel: Sizes
    """The shape of the kernel: O, I, spatial..."""
    outcome: Sizes
    """The shape of the outcome: N, O, positions..."""
    sizes: Sizes
    """The spatial sizes of the result."""
    behind: Sizes
    """The number of elements removed at the end of each spatial axis; if negative, the number of zeros added."""

    @property
    def extents(self) -> Sizes:
        return self.kernel[2:]

    def lacking(self) -> list[int]:
        """The number of zeros added at the end of each axis, at most its size."""
        pairs = zip(self.behind, self.sizes, strict=True)
        return [max(-cut if size == DYNAMIC else min(-cut, size), 0) for cut, size in pairs]


def transposed_convolution(
    graph: OnnxGraph, outcome: OnnxTensor, kernel: OnnxTensor, how: TransposedConvolution
) -> OnnxTensor:
    """A transposed convolution, by ConvTranspose if it has a kernel for the element type."""
    if has_kernel(outcome):
        return _by_conv_transpose(graph, outcome, kernel, how)
    return _by_matrix_products(graph, summable(graph, outcome), summable(graph, kernel), how)


def _by_conv_transpose(
    graph: OnnxGraph, outcome: OnnxTensor, kernel: OnnxTensor, how: TransposedConvolution
) -> OnnxTensor:
    """ConvTranspose; a Slice and a Pad if the result is longer than the windows reach."""
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


def _by_matrix_products(
    graph: OnnxGraph, outcome: OnnxTensor, kernel: OnnxTensor, how: TransposedConvolution
) -> OnnxTensor:
    """A convolution of the zero-stuffed operand by the mirrored kernel with O and I exchanged."""
    outputs, inputs, *extents = how.kernel
    rank, groups, spans = len(how.kernel), how.groups, reaches(how.window, extents)
    axes = range(2, rank)
    stuffed = zeros_between(graph, outcome, how.outcome, how.window.strides)
    # Position r of the result reads the operand from r + begin - (span - 1) on.
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
