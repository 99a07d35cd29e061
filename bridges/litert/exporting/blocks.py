"""Blocks of axes: pads, slices, reshapes and transposes between logical and stored tensors."""

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.npu.values import layout_of, logical_shape, shape_of
from ....layout import invert, unpermute
from .graph import LiteGraph, LiteTensor


def to_logical(graph: LiteGraph, x: LiteTensor, value: SSAValue) -> LiteTensor:
    """The logical tensor of a value of the program, without padding."""
    layout = layout_of(value)
    if layout is None:
        return x
    if (known := graph.logical.get((x, layout))) is not None:
        return known
    pieces = graph.transpose(x, invert(layout.order_for(len(x.shape))))
    if not layout.tiles:
        return pieces
    whole = graph.reshape(pieces, layout.filled_shape(pieces.shape))
    return graph.slice(whole, [0] * len(whole.shape), logical_shape(value))


def to_stored(graph: LiteGraph, x: LiteTensor, value: SSAValue) -> LiteTensor:
    """A logical tensor, stored like a value of the program; padding is zeros."""
    layout = layout_of(value)
    if layout is None:
        return x
    order = layout.order_for(len(shape_of(value)))
    if not layout.tiles:
        return graph.transpose(x, order)
    pieces = unpermute(shape_of(value), order)
    whole = layout.filled_shape(pieces)
    behind = [size - end for size, end in zip(whole, logical_shape(value), strict=True)]
    stored = graph.transpose(graph.reshape(_filled(graph, x, behind), pieces), order)
    graph.logical[stored, layout] = x
    return stored


def _filled(graph: LiteGraph, x: LiteTensor, behind: Sequence[int]) -> LiteTensor:
    """Pad a tensor with zeros behind each axis; a constant at once."""
    known = graph.known(x) if any(behind) else None
    if known is None:
        return graph.pad(x, [0] * len(behind), behind)
    return graph.numbers(np.pad(known, [(0, count) for count in behind]), x.element)
