"""Sliding windows of LiteRT: their padding is SAME or VALID, all else is an op of its own."""

from collections.abc import Sequence
from typing import Any

from ....dialects.npu.feature import Window
from ....layout import DYNAMIC
from .graph import LiteGraph, LiteTensor

SAME, VALID = 0, 1
"""The numbers of the file format."""
_LETTERS = ("D", "H", "W")


def strides_and_dilations(window: Window) -> dict[str, Any]:
    """The options for the movement of a window."""
    letters = _LETTERS[-len(window.strides) :]
    strides = {f"stride{letter}": stride for letter, stride in zip(letters, window.strides, strict=True)}
    factors = {f"dilation{letter}Factor": each for letter, each in zip(letters, window.dilations, strict=True)}
    return strides | factors


def same_pads(size: int, extent: int, stride: int, dilation: int, count: int) -> tuple[int, int]:
    """The pads that SAME means for one axis."""
    total = max((count - 1) * stride + (extent - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def is_same(sizes: Sequence[int], window: Window, extents: Sequence[int], positions: Sequence[int]) -> bool:
    """True if the pads of a window are those of SAME."""
    if DYNAMIC in (*sizes, *positions):
        return False
    return all(
        positions[axis] == -(-sizes[axis] // window.strides[axis])
        and same_pads(sizes[axis], extents[axis], window.strides[axis], window.dilations[axis], positions[axis])
        == (window.pads_begin[axis], _needed(axis, sizes, window, extents, positions))
        for axis in range(len(sizes))
    )


def _needed(axis: int, sizes: Sequence[int], window: Window, extents: Sequence[int], positions: Sequence[int]) -> int:
    """The pad at the end that the last position reaches; the rest of a pad is never seen."""
    reach = (positions[axis] - 1) * window.strides[axis] + (extents[axis] - 1) * window.dilations[axis] + 1
    return max(reach - sizes[axis] - window.pads_begin[axis], 0)


def pads_seen(
    sizes: Sequence[int], window: Window, extents: Sequence[int], positions: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The pads at the begin, and those at the end as far as a position reaches them; all of unknown sizes."""
    if DYNAMIC in (*sizes, *positions):
        return [*window.pads_begin], [*window.pads_end]
    return [*window.pads_begin], [_needed(axis, sizes, window, extents, positions) for axis in range(len(sizes))]


def padding_of(
    graph: LiteGraph,
    data: LiteTensor,
    window: Window,
    extents: Sequence[int],
    positions: Sequence[int],
    value: float | None = None,
) -> tuple[int, LiteTensor]:
    """SAME or VALID, and the data: padded, if the pads of the window are neither."""
    sizes = data.shape[1:-1]
    begin, end = pads_seen(sizes, window, extents, positions)
    if not any((*begin, *end)):
        return VALID, data
    if is_same(sizes, window, extents, positions):
        return SAME, data
    return VALID, graph.pad(data, [0, *begin, 0], [0, *end, 0], value)
