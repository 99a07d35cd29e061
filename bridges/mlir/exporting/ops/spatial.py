"""img2col, mirror and rotate."""

from math import prod

from .....dialects.npu import spatial as ops
from .....dialects.npu.values import order_of_value
from .. import arrange
from ..arrange import reshape, to_stored, transpose
from ..loops import loop, view
from ..registry import lowers
from ..tensors import Tensor
from .convolution import from_channels_last, to_channels_last, window_data, window_indices


@lowers(ops.Img2colOp)
def img2col(op: ops.Img2colOp, x: Tensor) -> Tensor:
    x = to_channels_last(x, op.feature_layout("input", op.input))
    window, extents = op.sliding_window(2), op.window.get_values()
    positions = window.positions(x.shape[1:-1], extents)
    source = window_data(x, window, extents, positions)
    # N, positions, window, C.
    shape = [x.shape[0], *positions, *extents, x.shape[-1]]
    rows = view(source, shape, [loop(0), *window_indices(window, 1, 3), loop(5)])
    result = reshape(rows, [x.shape[0], prod(positions), prod(extents) * x.shape[-1]])
    return to_stored(result, order_of_value(op.result))


@lowers(ops.MirrorOp)
def mirror(op: ops.MirrorOp, x: Tensor) -> Tensor:
    return arrange.reverse(x, op.axes.get_values())


@lowers(ops.RotateOp)
def rotate(op: ops.RotateOp, x: Tensor) -> Tensor:
    """Quarter turns from H toward W."""
    layout = op.feature_layout("input", op.input)
    x = to_channels_last(x, layout)
    match op.turns.value.data % 4:
        case 0:
            return from_channels_last(x, layout)
        case 1:
            return from_channels_last(arrange.reverse(transpose(x, (0, 2, 1, 3)), [1]), layout)
        case 2:
            return from_channels_last(arrange.reverse(x, [1, 2]), layout)
        case _:
            return from_channels_last(arrange.reverse(transpose(x, (0, 2, 1, 3)), [2]), layout)
