"""A window that slides over the last axes of an array.

Each position within the window is one slice, which takes the elements there from all positions of the window at once.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..dialects.npu.feature import Window
from .elements import Array

Sizes = Sequence[int]


def places(window: Window, extents: Sizes, positions: Sizes) -> Iterator[tuple[slice, ...]]:
    """The slice of the padded data for each position within the window, in row-major order."""
    for offsets in np.ndindex(*extents):
        starts = [offset * dilation for offset, dilation in zip(offsets, window.dilations, strict=True)]
        yield tuple(
            slice(start, start + count * stride, stride)
            for start, count, stride in zip(starts, positions, window.strides, strict=True)
        )


def padded(data: Array, window: Window, extents: Sizes, positions: Sizes, value: float = 0) -> Array:
    """The data, padded with this value by the pads and as far as the last position of the window reaches."""
    sizes = data.shape[data.ndim - len(extents) :]
    whole = _padded_sizes(sizes, window, extents, positions)
    widths = [(begin, full - begin - size) for begin, size, full in zip(window.pads_begin, sizes, whole, strict=True)]
    if not any(before or behind for before, behind in widths):
        return data
    return np.pad(data, [(0, 0)] * (data.ndim - len(extents)) + widths, constant_values=value)


def _padded_sizes(sizes: Sizes, window: Window, extents: Sizes, positions: Sizes) -> tuple[int, ...]:
    return tuple(
        max(
            window.pads_begin[axis] + size + window.pads_end[axis],
            (positions[axis] - 1) * window.strides[axis] + window.dilations[axis] * (extents[axis] - 1) + 1,
        )
        for axis, size in enumerate(sizes)
    )


def columns(data: Array, window: Window, extents: Sizes, positions: Sizes) -> Array:
    """The elements of all windows, with axes: leading axes of the data, positions in the window, positions of it."""
    source = padded(data, window, extents, positions)
    leading = data.shape[: data.ndim - len(extents)]
    seen = np.empty((*leading, int(np.prod(extents)), *positions), data.dtype)
    for place, where in enumerate(places(window, extents, positions)):
        seen[(..., place, *[slice(None)] * len(extents))] = source[(..., *where)]
    return seen


def summed(seen: Array, window: Window, extents: Sizes, sizes: Sizes) -> Array:
    """The transpose of `columns`: data of these sizes in which each element is the sum of its copies in windows."""
    rank = len(extents)
    leading, positions = seen.shape[: -rank - 1], seen.shape[-rank:]
    data = np.zeros((*leading, *_padded_sizes(sizes, window, extents, positions)), seen.dtype)
    for place, where in enumerate(places(window, extents, positions)):
        data[(..., *where)] += seen[(..., place, *[slice(None)] * rank)]
    inner = [slice(begin, begin + size) for begin, size in zip(window.pads_begin, sizes, strict=True)]
    return data[(..., *inner)]
