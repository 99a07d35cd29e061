"""Pooling: the kernels of LiteRT take images with channels last."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType

from .....dialects.npu import pooling as ops
from .....dialects.npu.feature import Window
from .....dialects.npu.values import element_type_of, integer_range
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..graph import LiteGraph, LiteTensor, Shape
from ..registry import exports, moves
from ..storage import channels_last, from_channels_last, logical_shape
from ..windows import SAME, VALID, is_same, padding_of, pads_seen

LOWEST = float(np.finfo(np.float32).min)
"""The number to which the kernel of MAX_POOL_2D clamps."""


@moves(ops.MaxPoolOp)
def max_pool(op: ops.MaxPoolOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    element = element_type_of(op.input)
    least = float(integer_range(cast("IntegerType", element))[0]) if isinstance(element, IntegerType) else LOWEST
    return image_pool(op, graph, x, "MAX_POOL_2D", least - x.shift)


@exports(ops.AvgPoolOp)
def avg_pool(op: ops.AvgPoolOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    if not x.element.is_float:
        raise NotExportable(f"'{op.name}' of integers has no counterpart in LiteRT")
    return image_pool(op, graph, x, "AVERAGE_POOL_2D", 0.0)


def image_pool(op: ops.PoolingOp, graph: LiteGraph, x: LiteTensor, kind: str, value: float) -> LiteTensor:
    """A pooling of images; signals are images with a height of 1."""
    layout, extents = op.feature_layout("input", op.input), tuple(op.window.get_values())
    window, shape = op.sliding_window(len(extents)), logical_shape(op.result, layout)
    if len(extents) > 2 or any(dilation != 1 for dilation in window.dilations):
        raise NotExportable(f"'{op.name}' with dilations or of volumes has no counterpart in LiteRT")
    data, wanted = channels_last(graph, x, layout), (shape[0], *shape[2:], shape[1])
    if len(extents) == 1:
        batch, width, channels = data.shape
        data, wanted, extents = (
            graph.reshape(data, (batch, 1, width, channels)),
            (wanted[0], 1, *wanted[1:]),
            (1, *extents),
        )
        fields = (window.strides, 1), (window.dilations, 1), (window.pads_begin, 0), (window.pads_end, 0)
        window = Window(*((first, *numbers) for numbers, first in fields))
    result = _image(op, graph, data, kind, window, extents, wanted, value)
    return from_channels_last(graph, graph.reshape(result, (shape[0], *shape[2:], shape[1])), layout)


def _image(
    op: ops.PoolingOp,
    graph: LiteGraph,
    data: LiteTensor,
    kind: str,
    window: Window,
    extents: Sequence[int],
    wanted: Shape,
    value: float,
) -> LiteTensor:
    window_moves: dict[str, Any] = {
        "strideH": window.strides[0],
        "strideW": window.strides[1],
        "filterHeight": extents[0],
        "filterWidth": extents[1],
    }
    sizes, positions = data.shape[1:3], wanted[1:3]
    if op.ceil is not None and DYNAMIC in (*sizes, *positions):
        window = _with_last_position(op, window, extents, kind)
    if DYNAMIC not in (*sizes, *positions) and not _counts(window, extents, sizes, positions, False).all():
        raise NotExportable(f"'{op.name}' with a window of padding only has no counterpart in LiteRT")
    if kind == "MAX_POOL_2D":
        padding, data = padding_of(graph, data, window, extents, positions, value)
        return graph.node(kind, [data], wanted, padding=padding, **window_moves)
    begin, end = pads_seen(sizes, window, extents, positions)
    counts_padding = "count_padding" in op.properties
    if not any((*begin, *end)):
        return graph.node(kind, [data], wanted, padding=VALID, **window_moves)
    if not counts_padding and is_same(sizes, window, extents, positions):
        return graph.node(kind, [data], wanted, padding=SAME, **window_moves)
    if DYNAMIC in (*sizes, *positions):
        raise NotExportable(f"'{op.name}' with pads of an unknown size")
    padded = graph.pad(data, [0, *begin, 0], [0, *end, 0])
    mean = graph.node(kind, [padded], wanted, padding=VALID, **window_moves)
    counts = _counts(window, extents, sizes, positions, counts_padding)
    if (counts == counts.flat[0]).all() and counts.flat[0] == extents[0] * extents[1]:
        return mean
    share = extents[0] * extents[1] / np.maximum(counts, 1)
    return graph.binary("MUL", mean, graph.numbers(share[None, :, :, None], data.element))


def _with_last_position(op: ops.PoolingOp, window: Window, extents: Sequence[int], kind: str) -> Window:
    """A window with pads for the position that `ceil` adds where sizes that are not known leave a rest."""
    more = [stride - 1 for stride in window.strides]
    ends = [end + each for end, each in zip(window.pads_end, more, strict=True)]
    # Else that position may lie in the pads altogether, and is none.
    is_in_data = all(end < extent for end, extent in zip(ends, extents, strict=True))
    if any(more) and (kind != "MAX_POOL_2D" or not is_in_data):
        raise NotExportable(f"'{op.name}' with 'ceil' and an unknown size has no counterpart in LiteRT")
    return Window(window.strides, window.dilations, window.pads_begin, tuple(ends))


def _counts(
    window: Window, extents: Sequence[int], sizes: Sequence[int], positions: Sequence[int], counts_padding: bool
) -> NDArray[np.float64]:
    """The number of counted elements at each position."""
    result = np.ones((), np.float64)
    for axis, (extent, size, count) in enumerate(zip(extents, sizes, positions, strict=True)):
        begin, end = window.pads_begin[axis], window.pads_end[axis]
        seen = np.arange(count)[:, None] * window.strides[axis] + np.arange(extent)
        low, high = (0, begin + size + end) if counts_padding else (begin, begin + size)
        result = result[..., None] * ((seen >= low) & (seen < high)).sum(1)
    return result


def spatial_axes(op: ops.GlobalPoolingOp) -> list[int]:
    order = op.feature_layout("input", op.input).order or ()
    return [position for position, logical in enumerate(order) if logical >= 2]


@moves(ops.GlobalMaxPoolOp)
def global_max_pool(op: ops.GlobalMaxPoolOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.reduce("REDUCE_MAX", x, spatial_axes(op))


@exports(ops.GlobalAvgPoolOp)
def global_avg_pool(op: ops.GlobalAvgPoolOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    if not x.element.is_float:
        raise NotExportable(f"'{op.name}' of integers has no counterpart in LiteRT")
    return graph.reduce("MEAN", x, spatial_axes(op))
