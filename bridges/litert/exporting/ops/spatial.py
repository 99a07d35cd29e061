"""Mirror and rotate."""

from .....dialects.npu import spatial as ops
from ..graph import LiteGraph, LiteTensor
from ..registry import moves
from .movement import reversed_along


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
