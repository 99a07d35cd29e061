"""The places of a stored tensor that are padding of blocks."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...layout import Layout, unpermute


def is_padding(layout: Layout, shape: Sequence[int]) -> NDArray[np.bool_]:
    """True at each place of a tensor, stored in this shape, that is padding."""
    order = layout.order_for(len(shape))
    pieces = unpermute(shape, order)
    found = np.zeros(layout.filled_shape(pieces), np.bool_)
    for axis, size in layout.padded:
        found[(slice(None),) * axis + (slice(size, None),)] = True
    return np.transpose(found.reshape(pieces), order)
