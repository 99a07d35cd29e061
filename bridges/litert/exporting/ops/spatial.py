"""img2col, mirror and rotate."""

from itertools import product
from math import prod

from .....dialects.npu import spatial as ops
from .....dialects.npu.values import order_of_value
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..graph import LiteGraph, LiteTensor
from ..registry import moves
from ..storage import channels_last
from .movement import reversed_along, sliced


@moves(ops.Img2colOp)
def img2col(op: ops.Img2colOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """One slice per window element, concatenated along the channels, with the positions merged into one axis."""
    data = channels_last(graph, x, op.feature_layout("input", op.input))
    window, extents = op.sliding_window(2), op.window.get_values()
    if DYNAMIC in data.shape:
        raise NotExportable(f"'{op.name}' of an unknown size has no counterpart in LiteRT")
    batch, *sizes, channels = data.shape
    positions = window.positions(sizes, extents)
    padded = graph.pad(data, (0, *window.pads_begin, 0), (0, *window.pads_end, 0))
    parts = [
        sliced(graph, padded, [range(batch), *taken, range(channels)])
        for taken in product(*(map(_seen, extents, positions, window.dilations, window.strides)))
    ]
    rows = graph.reshape(graph.concat(parts, 3), (batch, prod(positions), prod(extents) * channels))
    return graph.transpose(rows, order_of_value(op.result))


def _seen(extent: int, count: int, dilation: int, stride: int) -> list[range]:
    """The places that each element of a window has at its positions."""
    starts = [element * dilation for element in range(extent)]
    return [range(start, start + (count - 1) * stride + 1, stride) for start in starts]


@moves(ops.MirrorOp)
def mirror(op: ops.MirrorOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return reversed_along(graph, x, op.axes.get_values())


@moves(ops.RotateOp)
def rotate(op: ops.RotateOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """A half turn mirrors H and W; a quarter turn swaps them and mirrors one."""
    layout = op.feature_layout("input", op.input)
    height, width = layout.position_of("H"), layout.position_of("W")
    turns = op.turns.value.data % 4
    if turns == 0:
        return x
    if turns == 2:
        return reversed_along(graph, x, [height, width])
    exchanged = tuple(width if axis == height else height if axis == width else axis for axis in range(4))
    return reversed_along(graph, graph.transpose(x, exchanged), [height if turns == 1 else width])
