"""A window that slides over an activation, as slices: for what ONNX Runtime has no kernel.

Activations have their channels last here: (N, spatial..., C). One slice per place within the window takes the elements
at that place from all positions of the window at once.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ....dialects.npu.feature import Window
from ....layout import DYNAMIC
from ..errors import NotExportable
from .graph import END, OnnxGraph, OnnxTensor

Sizes = Sequence[int]


def reaches(window: Window, extents: Sizes) -> list[int]:
    """How many elements the window spans along each axis."""
    return [dilation * (extent - 1) + 1 for dilation, extent in zip(window.dilations, extents, strict=True)]


def padded(
    graph: OnnxGraph, x: OnnxTensor, window: Window, extents: Sizes, sizes: Sizes, positions: Sizes, value: float = 0
) -> OnnxTensor:
    """The data with padding: as the window says, and as far as its last position reaches."""
    high = list(window.pads_end)
    for axis, (size, count, reach) in enumerate(zip(sizes, positions, reaches(window, extents), strict=True)):
        if DYNAMIC not in (size, count):
            end = (count - 1) * window.strides[axis] + reach
            high[axis] = max(high[axis], end - size - window.pads_begin[axis])
    return graph.padded(x, [0, *window.pads_begin, 0], [0, *high, 0], value)


def places(
    graph: OnnxGraph, source: OnnxTensor, window: Window, extents: Sizes, positions: Sizes
) -> Iterator[OnnxTensor]:
    """For each place within the window, in row-major sequence, what it sees of padded data."""
    axes = list(range(1, len(extents) + 1))
    spans = reaches(window, extents)
    for offsets in np.ndindex(*extents):
        starts = [int(offset) * dilation for offset, dilation in zip(offsets, window.dilations, strict=True)]
        ends: list[int] = []
        for start, count, stride, span in zip(starts, positions, window.strides, spans, strict=True):
            # Where the number of positions is not known, all that the padded data has room for.
            room = start - span + 1
            ends.append(start + (count - 1) * stride + 1 if count != DYNAMIC else room if room else END)
        yield graph.slice(source, axes, starts, ends, window.strides)


def columns(
    graph: OnnxGraph, x: OnnxTensor, window: Window, extents: Sizes, sizes: Sizes, positions: Sizes
) -> OnnxTensor:
    """What the window sees at each of its positions: (N, positions..., places * C), the channels next to each other."""
    source = padded(graph, x, window, extents, sizes, positions)
    seen = list(places(graph, source, window, extents, positions))
    return seen[0] if len(seen) == 1 else graph.op("Concat", *seen, axis=len(extents) + 1)


def known(op: str, *shapes: Sizes) -> None:
    """Refuse sizes that only the run time knows, for what is written out place by place."""
    if any(DYNAMIC in shape for shape in shapes):
        raise NotExportable(f"'{op}': ONNX Runtime has no kernel for this, and writing it out takes known sizes")
