"""Sliding windows as slices, for windowed ops without a kernel in ONNX Runtime.

Activations have their channels last: (N, spatial..., C). There is one strided slice per window element, which takes
that element at all positions of the window.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ....dialects.npu.feature import Window
from ....layout import DYNAMIC
from ..errors import NotExportable
from .graph import END, OnnxGraph, OnnxTensor

Sizes = Sequence[int]


def reaches(window: Window, extents: Sizes) -> list[int]:
    """The dilated size of the window along each axis."""
    return [dilation * (extent - 1) + 1 for dilation, extent in zip(window.dilations, extents, strict=True)]


def padded(
    graph: OnnxGraph, x: OnnxTensor, window: Window, extents: Sizes, sizes: Sizes, positions: Sizes, value: float = 0
) -> OnnxTensor:
    """Pad the data with the window's pads, and up to the end of its last position."""
    high = list(window.pads_end)
    for axis, (size, count, reach) in enumerate(zip(sizes, positions, reaches(window, extents), strict=True)):
        if DYNAMIC not in (size, count):
            end = (count - 1) * window.strides[axis] + reach
            high[axis] = max(high[axis], end - size - window.pads_begin[axis])
    return graph.padded(x, [0, *window.pads_begin, 0], [0, *high, 0], value)


def window_slices(
    graph: OnnxGraph, source: OnnxTensor, window: Window, extents: Sizes, positions: Sizes
) -> Iterator[OnnxTensor]:
    """The slice of padded data for each window element, in row-major order."""
    axes = list(range(1, len(extents) + 1))
    spans = reaches(window, extents)
    for offsets in np.ndindex(*extents):
        starts = [int(offset) * dilation for offset, dilation in zip(offsets, window.dilations, strict=True)]
        ends: list[int] = []
        for start, count, stride, span in zip(starts, positions, window.strides, spans, strict=True):
            # If the number of positions is unknown, as many as fit into the padded data.
            room = start - span + 1
            ends.append(start + (count - 1) * stride + 1 if count != DYNAMIC else room if room else END)
        yield graph.slice(source, axes, starts, ends, window.strides)


def columns(
    graph: OnnxGraph, x: OnnxTensor, window: Window, extents: Sizes, sizes: Sizes, positions: Sizes
) -> OnnxTensor:
    """The window's content at each position: (N, positions..., window elements * C)."""
    source = padded(graph, x, window, extents, sizes, positions)
    seen = list(window_slices(graph, source, window, extents, positions))
    return seen[0] if len(seen) == 1 else graph.op("Concat", *seen, axis=len(extents) + 1)


def known(op: str, *shapes: Sizes) -> None:
    """Raise `NotExportable` for unknown sizes, which cannot be expanded to slices."""
    if any(DYNAMIC in shape for shape in shapes):
        raise NotExportable(f"'{op}': ONNX Runtime has no kernel for this, and expanding it requires known sizes")
