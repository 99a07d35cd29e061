"""A window that slides over the last axes of an array.

All work is done by one slice per place within the window, which takes the elements at that place from all positions of
the window at once.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..dialects.npu.feature import Window
from .elements import Array

Sizes = Sequence[int]


def places(window: Window, extents: Sizes, positions: Sizes) -> Iterator[tuple[slice, ...]]:
    """For each place within the window, in row-major sequence, where it lies in the padded data."""
    for offsets in np.ndindex(*extents):
        starts = [offset * dilation for offset, dilation in zip(offsets, window.dilations, strict=True)]
        yield tuple(
            slice(start, start + count * stride, stride)
            for start, count, stride in zip(starts, positions, window.strides, strict=True)
        )


def padded(data: Array, window: Window, extents: Sizes, positions: Sizes, value: float = 0) -> Array:
    """The data with padding of this value: as the window says, and as far as its last position reaches."""
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
    """What the window sees: the leading axes of the data, the places within the window, the positions of the window."""
    source = padded(data, window, extents, positions)
    leading = data.shape[: data.ndim - len(extents)]
    seen = np.empty((*leading, int(np.prod(extents)), *positions), data.dtype)
    for place, where in enumerate(places(window, extents, positions)):
        seen[(..., place, *[slice(None)] * len(extents))] = source[(..., *where)]
    return seen


def summed(seen: Array, window: Window, extents: Sizes, sizes: Sizes) -> Array:
    """The transpose of `columns`: data of these sizes in which each element is the sum of all that saw it."""
    rank = len(extents)
    leading, positions = seen.shape[: -rank - 1], seen.shape[-rank:]
    data = np.zeros((*leading, *_padded_sizes(sizes, window, extents, positions)), seen.dtype)
    for place, where in enumerate(places(window, extents, positions)):
        data[(..., *where)] += seen[(..., place, *[slice(None)] * rank)]
    inner = [slice(begin, begin + size) for begin, size in zip(window.pads_begin, sizes, strict=True)]
    return data[(..., *inner)]
