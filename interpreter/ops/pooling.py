"""Pooling."""

import numpy as np

from ...dialects.npu import pooling as ops
from ...dialects.npu.feature import FeatureMapOp, Window
from ...dialects.npu.values import element_type_of, integer_range
from ..elements import Array, is_integer_type, precise
from ..registry import meaning
from ..storage import to_logical, to_stored
from ..windows import Sizes, padded, places


def least_element(op: FeatureMapOp) -> float:
    """A lower bound of all elements of the input."""
    element_type = element_type_of(op.input)
    return integer_range(element_type)[0] if is_integer_type(element_type) else -np.inf


def average(total: Array, count: Array) -> Array:
    """The quotient, or 0 if the count is 0; integers are rounded to the nearest, halves to the even one."""
    if total.dtype.kind == "f":
        return np.where(count == 0, 0, total / count)
    count = count.astype(total.dtype)
    down = np.where(count == 0, 0, total // count)
    twice = 2 * (total - down * count)
    is_nearer_up = (twice > count) | ((twice == count) & (down % 2 == 1))
    return down + is_nearer_up


@meaning(ops.MaxPoolOp)
def max_pool(op: ops.MaxPoolOp, x: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    data = to_logical(x, layout)
    window, extents, positions = _sliding(op, data)
    least = least_element(op)
    source = padded(data, window, extents, positions, least)
    result = np.full((*data.shape[:2], *positions), least, x.dtype)
    for where in places(window, extents, positions):
        result = np.maximum(result, source[(..., *where)])
    return to_stored(result, layout)


@meaning(ops.AvgPoolOp)
def avg_pool(op: ops.AvgPoolOp, x: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    data = precise(to_logical(x, layout))
    window, extents, positions = _sliding(op, data)
    total = _sums(data, window, extents, positions)
    if op.count_padding is None:
        count = _sums(np.ones(data.shape[2:]), window, extents, positions)
    else:
        pads = zip(window.pads_begin, data.shape[2:], window.pads_end, strict=True)
        unpadded = Window(window.strides, window.dilations, (0,) * len(extents), (0,) * len(extents))
        count = _sums(np.ones([sum(sizes) for sizes in pads]), unpadded, extents, positions)
    return to_stored(average(total, count), layout)


def _sliding(op: ops.PoolingOp, data: Array) -> tuple[Window, Sizes, Sizes]:
    """The window, its size and the number of its positions."""
    extents = op.window.get_values()
    window = op.sliding_window(len(extents))
    return window, extents, window.positions(data.shape[2:], extents, op.ceil is not None)


def _sums(data: Array, window: Window, extents: Sizes, positions: Sizes) -> Array:
    source = padded(data, window, extents, positions)
    result = np.zeros((*data.shape[: data.ndim - len(extents)], *positions), data.dtype)
    for where in places(window, extents, positions):
        result = result + source[(..., *where)]
    return result


def _spatial_axes(op: ops.GlobalPoolingOp) -> tuple[int, ...]:
    """The physical positions of the spatial axes."""
    layout = op.feature_layout("input", op.input)
    return tuple(position for position in range(layout.rank or 0) if layout.axis_at(position) >= 2)


@meaning(ops.GlobalMaxPoolOp)
def global_max_pool(op: ops.GlobalMaxPoolOp, x: Array) -> Array:
    return np.asarray(np.max(x, _spatial_axes(op), keepdims=True, initial=least_element(op)))


@meaning(ops.GlobalAvgPoolOp)
def global_avg_pool(op: ops.GlobalAvgPoolOp, x: Array) -> Array:
    axes = _spatial_axes(op)
    count = np.prod([x.shape[axis] for axis in axes])
    return average(np.sum(precise(x), axes, keepdims=True), np.asarray(count))
