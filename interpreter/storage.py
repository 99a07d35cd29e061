"""From the physical sequence of axes to the logical one, and back."""

import numpy as np
from xdsl.ir import SSAValue

from ..dialects.npu.base import layout_of, shape_of
from ..layout import Layout, Order, identity, invert
from .elements import Array


def stored_order(value: SSAValue) -> Order:
    """The order in which a value is stored; uncoloured values stand as they are."""
    rank = len(shape_of(value))
    layout = layout_of(value)
    return layout.order_for(rank) if layout else identity(rank)


def to_logical(array: Array, layout: Layout | Order) -> Array:
    """The axes of a stored array in logical sequence: N, C, spatial... for an activation."""
    return np.transpose(array, invert(_spelt_out(array, layout)))


def to_stored(array: Array, layout: Layout | Order) -> Array:
    """The axes of an array in logical sequence as they are stored."""
    return np.transpose(array, _spelt_out(array, layout))


def _spelt_out(array: Array, layout: Layout | Order) -> Order:
    return layout.order_for(array.ndim) if isinstance(layout, Layout) else layout
