"""Conversions between layouts whose axes are cut into blocks, and others."""

import numpy as np

from ...dialects.npu import packing as ops
from ...layout import Layout
from ..elements import Array
from ..registry import meaning
from ..storage import to_logical, to_stored


@meaning(ops.PackOp)
def pack(op: ops.PackOp, x: Array) -> Array:
    """Zeros are written; where the padding may be anything, the caller replaces them."""
    operand, result = op.layouts()
    logical = _without_padding(x, operand)
    sizes = result.piece_sizes(logical.shape)
    whole = result.filled_shape(sizes)
    filled = np.pad(logical, [(0, size - known) for size, known in zip(whole, logical.shape, strict=True)])
    return np.transpose(filled.reshape(sizes), result.order_for(len(sizes)))


@meaning(ops.UnpackOp)
def unpack(op: ops.UnpackOp, x: Array) -> Array:
    operand, result = op.layouts()
    return to_stored(_without_padding(x, operand), result)


def _without_padding(x: Array, layout: Layout) -> Array:
    logical, sizes = to_logical(x, layout), layout.padded_axes
    return logical[tuple(slice(sizes.get(axis)) for axis in range(logical.ndim))]
