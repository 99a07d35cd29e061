"""Pooling.

MaxPool and AveragePool of ONNX, unless a window is known to have no data, where ONNX Runtime does not compute what ONNX
says. There, and for integers without a kernel, the maximum or sum of one slice per window element (windows.py).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType

from .....dialects.npu import pooling as ops
from .....dialects.npu.feature import FeatureMapOp, Window
from .....dialects.npu.values import element_type_of, integer_range, logical_shape, shape_of
from .....layout import DYNAMIC, identity
from ..convolutions import channels_first, channels_last, window_attributes
from ..elements import BF16, F16, F32, F64, FLOATS, I64, U64
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports
from ..storage import to_logical, to_stored
from ..windows import known, padded, reaches, window_slices

Sizes = Sequence[int]


def least_element(op: FeatureMapOp, x: OnnxTensor) -> float:
    """The least value of the input's element type."""
    if x.element in FLOATS:
        return -np.inf
    return integer_range(cast("IntegerType", element_type_of(op.input)))[0]


def has_small_pads(window: Window, extents: Sizes) -> bool:
    """True if ONNX Runtime takes the pads: each is smaller than the window, dilations apart."""
    return all(max(pads) < extent for *pads, extent in zip(window.pads_begin, window.pads_end, extents, strict=True))


def sees_data(window: Window, extents: Sizes) -> bool:
    """True if the window contains data at each position, for any data size."""
    pads = zip(window.pads_begin, window.pads_end, extents, window.dilations, strict=True)
    return all(
        not (begin or end) or (dilation == 1 and max(begin, end) < extent) for begin, end, extent, dilation in pads
    )


def may_be_a_pool(op: ops.PoolingOp, window: Window, extents: Sizes, sizes: Sizes) -> bool:
    """True unless ONNX Runtime refuses the pads, or a window has no data in the sizes that are known."""
    return has_small_pads(window, extents) and (DYNAMIC in sizes or sees_data(window, extents) or op.sees_data())


def sliding(op: ops.PoolingOp, counts: bool = False) -> tuple[Window, Sizes, Sizes, Sizes]:
    """The window, its size, the spatial sizes of the data, and the number of positions; `counts` padding or not."""
    extents = op.window.get_values()
    layout = op.feature_layout("input", op.input)
    window, sizes = op.sliding_window(len(extents)), logical_shape(op.input, layout)[2:]
    positions = window.positions(sizes, extents, op.ceil is not None)
    return _fitted(window, extents, sizes, positions, op.ceil is not None, counts), extents, sizes, positions


def _fitted(window: Window, extents: Sizes, sizes: Sizes, positions: Sizes, ceil: bool, counts: bool) -> Window:
    """The window without large pads that it does not reach, or that early opsets count as one more position."""
    if DYNAMIC in sizes:
        return window
    spans = zip(sizes, positions, window.strides, window.pads_begin, reaches(window, extents), strict=True)
    needed = [max((count - 1) * stride + reach - size - begin, 0) for size, count, stride, begin, reach in spans]
    ends = [
        min(end, most) if ceil or end >= extent else end
        for end, most, extent in zip(window.pads_end, needed, extents, strict=True)
    ]
    fitted = replace(window, pads_end=tuple(ends))
    if ceil and not counts and _counts_too_many(fitted, extents, sizes, positions):
        return replace(window, pads_end=tuple(needed))
    return fitted


def _counts_too_many(window: Window, extents: Sizes, sizes: Sizes, positions: Sizes) -> bool:
    """True if rounding up, as early opsets do it, counts a window that begins behind the data."""
    spans = zip(sizes, window.pads_begin, window.pads_end, reaches(window, extents), strict=True)
    rooms = [size + begin + end - reach for size, begin, end, reach in spans]
    counts = [-(-room // stride) + 1 for room, stride in zip(rooms, window.strides, strict=True)]
    return window.positions(sizes, extents) != tuple(positions) and counts != [*positions]


def as_onnx(op: ops.PoolingOp, window: Window, extents: Sizes) -> dict[str, Any]:
    """The ONNX attributes of a pooling window."""
    return {**window_attributes(window, extents), "ceil_mode": int(rounds_up(op, window, extents))}


def rounds_up(op: ops.PoolingOp, window: Window, extents: Sizes) -> bool:
    """True if a position is counted that would be dropped if their number was rounded down."""
    sizes = logical_shape(op.input, op.feature_layout("input", op.input))[2:]
    if op.ceil is None or DYNAMIC in sizes:
        return op.ceil is not None
    return window.positions(sizes, extents, True) != window.positions(sizes, extents)


@exports(ops.MaxPoolOp)
def max_pool(op: ops.MaxPoolOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    layout = op.feature_layout("input", op.input)
    window, extents, sizes, positions = sliding(op)
    rank = len(sizes) + 2
    data = to_logical(graph, x, layout, rank)
    if may_be_a_pool(op, window, extents, sizes) and x.element not in (I64, U64):
        attributes = as_onnx(op, window, extents)
        return to_stored(graph, graph.op("MaxPool", data, **attributes), layout, rank)
    if op.ceil is not None:
        known(op.name, sizes)
    least = least_element(op, x)
    wide = graph.computable_one("Max", channels_last(graph, data, rank))
    source = padded(graph, wide, window, extents, sizes, positions, least)
    seen = list(window_slices(graph, source, window, extents, positions))
    result = seen[0] if len(seen) == 1 else graph.node("Max", *seen)
    return to_stored(graph, channels_first(graph, result, rank), layout, rank)


@exports(ops.AvgPoolOp)
def avg_pool(op: ops.AvgPoolOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """AveragePool, or a sum divided by the number of counted elements per position."""
    layout = op.feature_layout("input", op.input)
    counts_padding = op.count_padding is not None
    window, extents, sizes, positions = sliding(op, counts_padding)
    rank = len(sizes) + 2
    data = to_logical(graph, x, layout, rank)
    is_usual = may_be_a_pool(op, window, extents, sizes) and not (rounds_up(op, window, extents) and counts_padding)
    if is_usual and x.element in (F16, BF16, F32) and _can_dilate(graph, window, x):
        attributes = as_onnx(op, window, extents)
        if _is_dense(window):
            # ONNX Runtime keeps the attribute where it fuses quantisation, in an op that does not have it.
            del attributes["dilations"]
        result = graph.op("AveragePool", data, count_include_pad=int(counts_padding), **attributes)
        return to_stored(graph, result, layout, rank)
    if op.ceil is not None:
        known(op.name, sizes)
    counted = graph.cast(channels_last(graph, data, rank), F32 if x.element in (F16, BF16, F32) else F64)
    total = _sums(graph, padded(graph, counted, window, extents, sizes, positions), window, extents, positions)
    if DYNAMIC in sizes:
        counts = _counts_at_run_time(graph, counted, window, extents, positions, counts_padding)
    else:
        # A unit axis for the channels.
        known_counts = _counts(window, extents, sizes, positions, counts_padding)[..., None]
        counts = graph.numbers(np.maximum(known_counts, 1), total.element)
    result = graph.node("Div", total, counts)
    if x.element not in FLOATS:
        result = graph.node("Round", result)
    return to_stored(graph, channels_first(graph, result, rank), layout, rank)


def _can_dilate(graph: OnnxGraph, window: Window, x: OnnxTensor) -> bool:
    """True if AveragePool has the dilations of the window, maybe in a newer opset.

    ONNX Runtime makes QLinearAveragePool of the AveragePool of dequantised numbers, and that has no dilations.
    """
    if _is_dense(window):
        return True
    while x.node is not None and x.node.kind in ("Transpose", "Reshape") and x.node.inputs[0] is not None:
        x = x.node.inputs[0]
    if x.node is not None and x.node.kind == "DequantizeLinear":
        return False
    return not graph.opset.is_fixed or graph.opset.has_attribute("AveragePool", "dilations")


def _is_dense(window: Window) -> bool:
    return all(dilation == 1 for dilation in window.dilations)


def _sums(graph: OnnxGraph, source: OnnxTensor, window: Window, extents: Sizes, positions: Sizes) -> OnnxTensor:
    """The sum over the window on padded data."""
    total, *others = window_slices(graph, source, window, extents, positions)
    for each in others:
        total = graph.node("Add", total, each)
    return total


def _counts_at_run_time(
    graph: OnnxGraph, x: OnnxTensor, window: Window, extents: Sizes, positions: Sizes, counts_padding: bool
) -> OnnxTensor:
    """The number of counted elements at each position, computed at run time as sums of ones."""
    one = graph.like(x, 1)
    ones = graph.op("Expand", one, graph.node("Shape", x, element=I64))
    source = graph.padded(ones, [0, *window.pads_begin, 0], [0, *window.pads_end, 0], float(counts_padding))
    return graph.node("Max", _sums(graph, source, window, extents, positions), one)


def _counts(window: Window, extents: Sizes, sizes: Sizes, positions: Sizes, counts_padding: bool) -> np.ndarray:
    """The number of counted elements at each position."""
    result = np.ones((), np.float64)
    for axis, (extent, size, count) in enumerate(zip(extents, sizes, positions, strict=True)):
        begin, end = window.pads_begin[axis], window.pads_end[axis]
        starts = np.arange(count)[:, None] * window.strides[axis]
        seen = starts + np.arange(extent) * window.dilations[axis]
        low, high = (0, begin + size + end) if counts_padding else (begin, begin + size)
        result = result[..., None] * ((seen >= low) & (seen < high)).sum(1)
    return result


def _spatial_axes(op: ops.GlobalPoolingOp) -> list[int]:
    """The physical positions of the spatial axes."""
    order = op.feature_layout("input", op.input).order or ()
    return [position for position, logical in enumerate(order) if logical >= 2]


@exports(ops.GlobalMaxPoolOp)
def global_max_pool(op: ops.GlobalMaxPoolOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """GlobalMaxPool for floats with the channels second, else a reduction."""
    if _is_channels_first(op) and x.element in FLOATS:
        return graph.op("GlobalMaxPool", x)
    return graph.reduce("ReduceMax", x, _spatial_axes(op))


@exports(ops.GlobalAvgPoolOp)
def global_avg_pool(op: ops.GlobalAvgPoolOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """GlobalAveragePool for floats with the channels second, else a mean."""
    if _is_channels_first(op) and x.element in FLOATS:
        return graph.op("GlobalAveragePool", x)
    if x.element in FLOATS:
        return graph.reduce("ReduceMean", x, _spatial_axes(op))
    return graph.node("Round", graph.reduce("ReduceMean", graph.cast(x, F64), _spatial_axes(op)))


def _is_channels_first(op: ops.GlobalPoolingOp) -> bool:
    return op.feature_layout("input", op.input).order == identity(len(shape_of(op.input)))
