"""img2col, mirror and rotate, for which ONNX has no ops."""

from math import prod

from .....dialects.npu import spatial as ops
from .....dialects.npu.values import logical_shape, order_of_value
from .....layout import DYNAMIC
from ..convolutions import channels_last
from ..graph import OnnxGraph, OnnxTensor, OperandSize
from ..registry import exports
from ..storage import to_logical, to_stored
from ..windows import columns


@exports(ops.Img2colOp)
def img2col(op: ops.Img2colOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """One slice per window element, concatenated along the channels, with the positions merged into one axis."""
    layout = op.feature_layout("input", op.input)
    batch, channels, *sizes = logical_shape(op.input, layout)
    window, extents = op.sliding_window(2), op.window.get_values()
    positions = window.positions(sizes, extents)
    data = channels_last(graph, to_logical(graph, x, layout, 4), 4)
    seen = columns(graph, data, window, extents, sizes, positions)
    count = DYNAMIC if DYNAMIC in positions else prod(positions)
    depth = graph.size(seen, 3) if channels == DYNAMIC else channels * prod(extents)
    result = graph.reshape(seen, [OperandSize(0) if batch == DYNAMIC else batch, count, depth])
    return to_stored(graph, result, order_of_value(op.result), 3)


@exports(ops.MirrorOp)
def mirror(op: ops.MirrorOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Slices with steps of -1."""
    return graph.reversed(x, op.axes.get_values())


@exports(ops.RotateOp)
def rotate(op: ops.RotateOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """A half turn mirrors H and W; a quarter turn swaps them and mirrors one."""
    layout = op.feature_layout("input", op.input)
    height, width = layout.position_of("H"), layout.position_of("W")
    turns = op.turns.value.data % 4
    if turns == 0:
        return x
    if turns == 2:
        return graph.reversed(x, [height, width])
    exchanged = [width if axis == height else height if axis == width else axis for axis in range(4)]
    return graph.reversed(graph.transpose(x, tuple(exchanged)), [height if turns == 1 else width])
