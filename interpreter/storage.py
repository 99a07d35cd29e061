"""From the physical sequence of axes to the logical one, and back."""

import numpy as np

from ..layout import Layout, Order, invert
from .elements import Array


def to_logical(array: Array, layout: Layout | Order) -> Array:
    """The axes of a stored array in logical sequence: N, C, spatial... for an activation."""
    return np.transpose(array, invert(_spelt_out(array, layout)))


def to_stored(array: Array, layout: Layout | Order) -> Array:
    """The axes of an array in logical sequence as they are stored."""
    return np.transpose(array, _spelt_out(array, layout))


def _spelt_out(array: Array, layout: Layout | Order) -> Order:
    return layout.order_for(array.ndim) if isinstance(layout, Layout) else layout
