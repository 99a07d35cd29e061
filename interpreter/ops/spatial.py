"""Windows as rows, mirror images and quarter turns."""

from math import prod

import numpy as np

from ...dialects.npu import spatial as ops
from ...dialects.npu.values import order_of_value
from ..elements import Array
from ..registry import meaning
from ..storage import to_logical, to_stored
from ..windows import columns


@meaning(ops.Img2colOp)
def img2col(op: ops.Img2colOp, x: Array) -> Array:
    data = to_logical(x, op.feature_layout("input", op.input))
    batch, channels, *sizes = data.shape
    window, extents = op.sliding_window(2), op.window.get_values()
    positions = window.positions(sizes, extents)
    # (N, C, places, positions along H, along W) becomes (N, positions, places, C).
    seen = columns(data, window, extents, positions).transpose(0, 3, 4, 2, 1)
    return to_stored(seen.reshape(batch, prod(positions), prod(extents) * channels), order_of_value(op.result))


@meaning(ops.MirrorOp)
def mirror(op: ops.MirrorOp, x: Array) -> Array:
    return np.flip(x, op.axes.get_values())


@meaning(ops.RotateOp)
def rotate(op: ops.RotateOp, x: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    return to_stored(np.rot90(to_logical(x, layout), op.turns.value.data, (2, 3)), layout)
