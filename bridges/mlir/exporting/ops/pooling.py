"""Pooling. f32 images use TOSA; everything else is loops over the window."""

from collections.abc import Callable, Sequence
from math import inf, prod

import numpy as np

from .....dialects.npu import pooling as ops
from .....dialects.npu.feature import Window
from .....interpreter.elements import Array
from ...bindings import Attribute, ir, tosa
from ..arithmetic import converted, largest, summed
from ..elements import F32, Element
from ..loops import element_by_element, loop, loops
from ..registry import lowers
from ..scalars import Scalar, select
from ..tensors import Tensor, numbers, tosa_number, tosa_op
from .convolution import (
    from_channels_last,
    sees_padding_only,
    to_channels_last,
    window_data,
    window_indices,
    with_exact_pads,
)

Sizes = Sequence[int]


def least_element(element: Element) -> float:
    """The least value of an element type."""
    return -inf if element.is_float else element.range[0]


def average(total: Tensor, count: Tensor, element: Element) -> Tensor:
    """The quotient, or 0 where the count is 0; integers are rounded to nearest even."""

    def of_floats(number: Scalar, divisor: Scalar) -> Scalar:
        return select(divisor == 0, number.literal(0), number / divisor)

    def of_integers(number: Scalar, divisor: Scalar) -> Scalar:
        cut = number / divisor
        # Down, not toward zero.
        down = cut if number.element.kind == "u" else select(cut * divisor > number, cut - 1, cut)
        twice = (number - down * divisor) * 2
        is_nearer_up = (twice > divisor) | ((twice == divisor) & ((down & 1) == 1))
        return select(is_nearer_up, down + 1, down)

    return element_by_element(of_floats if total.element.is_float else of_integers, total, count, element=element)


def _sliding(op: ops.PoolingOp, x: Tensor) -> tuple[Window, Sizes, Sizes]:
    """The window, its size, and the number of positions."""
    extents = op.window.get_values()
    window = op.sliding_window(len(extents))
    return window, extents, window.positions(x.shape[1:-1], extents, op.ceil is not None)


def _is_in_tosa(x: Tensor, window: Window) -> bool:
    return x.element == F32 and x.rank == 4 and x.size > 0 and set(window.dilations) == {1}


def _lists(x: Tensor, window: Window, extents: Sizes, positions: Sizes) -> tuple[Tensor, list[Attribute]] | None:
    """Data and attributes of a TOSA pooling op, or None if a window could be all padding."""
    if sees_padding_only(x, window, extents, positions):
        return None
    data, pads = with_exact_pads(x, window, extents, positions)
    if any(pad >= extents[place // 2] for place, pad in enumerate(pads)):
        return None
    return data, [ir.DenseI64ArrayAttr.get(list(each)) for each in (extents, window.strides, pads)]


@lowers(ops.MaxPoolOp)
def max_pool(op: ops.MaxPoolOp, x: Tensor) -> Tensor:
    layout = op.feature_layout("input", op.input)
    x = to_channels_last(x, layout)
    window, extents, positions = _sliding(op, x)
    shape = (x.shape[0], *positions, x.shape[-1])
    if _is_in_tosa(x, window) and (found := _lists(x, window, extents, positions)):
        return from_channels_last(tosa_op(tosa.MaxPool2dOp, shape, F32, found[0].value, *found[1]), layout)
    least = least_element(x.element)
    source = window_data(x, window, extents, positions, least)
    return from_channels_last(_pooled(source, window, extents, shape, least, Scalar.maximum, x.element), layout)


def _pooled(
    source: Tensor,
    window: Window,
    extents: Sizes,
    shape: Sizes,
    start: float,
    body: Callable[[Scalar, Scalar], Scalar],
    element: Element,
) -> Tensor:
    """Fold the elements in the window at each position by `body`."""
    rank = len(shape)
    read = [loop(0), *window_indices(window, 1, rank), loop(rank - 1)]

    def step(number: Scalar, so_far: Scalar) -> Scalar:
        return body(so_far, number.cast(so_far.element))

    return loops(shape, extents, [(source, read)], step, [element], [start])[0]


@lowers(ops.AvgPoolOp)
def avg_pool(op: ops.AvgPoolOp, x: Tensor) -> Tensor:
    layout = op.feature_layout("input", op.input)
    x = to_channels_last(x, layout)
    window, extents, positions = _sliding(op, x)
    shape = (x.shape[0], *positions, x.shape[-1])
    counts_padding = op.count_padding is not None and any((*window.pads_begin, *window.pads_end))
    if _is_in_tosa(x, window) and not counts_padding and (found := _lists(x, window, extents, positions)):
        zero = tosa_number(0, F32)
        element = ir.TypeAttr.get(ir.F32Type.get())
        return from_channels_last(
            tosa_op(tosa.AvgPool2dOp, shape, F32, found[0].value, zero, zero, *found[1], element), layout
        )
    made = x.element.precise
    total = _pooled(window_data(x, window, extents, positions), window, extents, shape, 0, Scalar.__add__, made)
    count = _counts(window, extents, positions, x.shape[1:-1], counts_padding)
    return from_channels_last(average(total, numbers(count[None, ..., None], made), made), layout)


def _counts(window: Window, extents: Sizes, positions: Sizes, sizes: Sizes, counts_padding: bool) -> Array:
    """The number of counted elements in the window at each position."""
    count = np.ones(())
    for axis, (extent, positions_here, size) in enumerate(zip(extents, positions, sizes, strict=True)):
        starts = np.arange(positions_here) * window.strides[axis]
        reads = starts[:, None] + np.arange(extent) * window.dilations[axis]
        first, end = window.pads_begin[axis], window.pads_begin[axis] + size
        if counts_padding:
            first, end = 0, end + window.pads_end[axis]
        count = count[..., None] * ((reads >= first) & (reads < end)).sum(1)
    return count


def _spatial_axes(op: ops.GlobalPoolingOp) -> tuple[int, ...]:
    """The physical positions of the spatial axes."""
    order = op.feature_layout("input", op.input).order or ()
    return tuple(place for place, logical in enumerate(order) if logical >= 2)


@lowers(ops.GlobalMaxPoolOp)
def global_max_pool(op: ops.GlobalMaxPoolOp, x: Tensor) -> Tensor:
    return largest(x, _spatial_axes(op), least_element(x.element))


@lowers(ops.GlobalAvgPoolOp)
def global_avg_pool(op: ops.GlobalAvgPoolOp, x: Tensor) -> Tensor:
    axes = _spatial_axes(op)
    made = x.element.precise
    count = prod(x.shape[axis] for axis in axes)
    return average(summed(converted(x, made), axes), numbers(np.full([1] * x.rank, count), made), made)
