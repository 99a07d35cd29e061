"""Blocks of axes: pads, reshapes and transposes between logical and stored tensors."""

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.npu.values import layout_of, logical_shape, shape_of
from ....layout import DYNAMIC, Layout, invert, unpermute
from ....layout.blocks import numbered_pieces
from .elements import DTYPES
from .graph import OnnxGraph, OnnxTensor, OperandSize, Size


def to_logical(graph: OnnxGraph, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
    """The logical tensor of a value of the program, without padding."""
    layout, shape = layout_of(value), shape_of(value)
    if layout is None:
        return x
    if (known := graph.logical.get((x, layout))) is not None:
        return known
    pieces = graph.transpose(x, invert(layout.order_for(len(shape))))
    if not layout.tiles:
        return pieces
    firsts = [place for place, (_, tile) in enumerate(numbered_pieces(layout.tiles, len(shape))) if tile is None]
    whole = layout.filled_shape(unpermute(shape, layout.order_for(len(shape))))
    logical = graph.reshape(pieces, _sizes(whole, firsts))
    return _cropped(graph, logical, layout.padded_axes) if layout.padded_axes else logical


def to_stored(graph: OnnxGraph, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
    """A logical tensor, stored like a value of the program; padding is zeros."""
    layout, shape = layout_of(value), shape_of(value)
    if layout is None:
        return x
    order = layout.order_for(len(shape))
    if not layout.tiles:
        return graph.transpose(x, order)
    filled = _filled(graph, x, _pads(value, layout))
    axes = [axis for axis, _ in numbered_pieces(layout.tiles, len(shape))]
    stored = graph.transpose(graph.reshape(filled, _sizes(unpermute(shape, order), axes)), order)
    graph.logical[stored, layout] = x
    return stored


def _filled(graph: OnnxGraph, x: OnnxTensor, high: Sequence[int]) -> OnnxTensor:
    """Pad a tensor with zeros behind each axis; a constant at once."""
    if x.weights is None or x.element not in DTYPES or not any(high):
        return graph.padded(x, [0] * len(high), high)
    return graph.numbers(np.pad(x.weights.array(), [(0, count) for count in high]), x.element)


def _cropped(graph: OnnxGraph, x: OnnxTensor, sizes: Mapping[int, int]) -> OnnxTensor:
    """The first so many elements of a tensor along some axes; of a constant at once."""
    if x.weights is None or x.element not in DTYPES:
        return graph.slice(x, [*sizes], [0] * len(sizes), [*sizes.values()])
    places = tuple(slice(sizes.get(axis)) for axis in range(len(x.weights.shape)))
    return graph.numbers(x.weights.array()[places], x.element)


def _sizes(sizes: Sequence[int], axes: Sequence[int]) -> list[Size | OperandSize]:
    """The sizes of a result; unknown ones are those of the operand along these axes."""
    return [OperandSize(axis) if size == DYNAMIC else size for size, axis in zip(sizes, axes, strict=True)]


def _pads(value: SSAValue, layout: Layout) -> list[int]:
    """The number of elements behind each axis."""
    tiles, known = dict(layout.tiles), layout.padded_axes
    return [-size % tiles[axis] if axis in known else 0 for axis, size in enumerate(logical_shape(value))]
