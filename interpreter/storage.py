"""Conversion between stored and logical order of axes."""

import numpy as np

from ..layout import Layout, Order, invert
from .elements import Array


def to_logical(array: Array, layout: Layout | Order) -> Array:
    """Permute a stored array to logical order: N, C, spatial... for a feature map."""
    return np.transpose(array, invert(_spelt_out(array, layout)))


def to_stored(array: Array, layout: Layout | Order) -> Array:
    """Permute an array in logical order to stored order."""
    return np.transpose(array, _spelt_out(array, layout))


def _spelt_out(array: Array, layout: Layout | Order) -> Order:
    return layout.order_for(array.ndim) if isinstance(layout, Layout) else layout
