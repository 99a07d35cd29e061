"""Conversion between stored and logical order of axes."""

import numpy as np

from ..layout import Layout, Order, invert
from .elements import Array


def to_logical(array: Array, layout: Layout | Order) -> Array:
    """Permute a stored array to logical order: N, C, spatial... for a feature map. Padding of blocks stays."""
    pieces = np.transpose(array, invert(_spelt_out(array, layout)))
    return pieces.reshape(layout.filled_shape(pieces.shape)) if isinstance(layout, Layout) and layout.tiles else pieces


def to_stored(array: Array, layout: Layout | Order) -> Array:
    """Permute an array in logical order, with the padding of blocks, to stored order."""
    if isinstance(layout, Layout) and layout.tiles:
        array = array.reshape(layout.piece_sizes(array.shape))
    return np.transpose(array, _spelt_out(array, layout))


def _spelt_out(array: Array, layout: Layout | Order) -> Order:
    return layout.order_for(array.ndim) if isinstance(layout, Layout) else layout
