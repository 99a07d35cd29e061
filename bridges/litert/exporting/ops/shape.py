"""Reshapes, broadcasts, transposes and relabels."""

from .....dialects.npu import shape as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..graph import LiteGraph, LiteTensor
from ..registry import exports, moves


@moves(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.reshape(x, shape_of(op.result))


@exports(ops.BroadcastOp)
def broadcast(op: ops.BroadcastOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    axes, sizes = op.axes.get_values(), shape_of(op.result)
    if DYNAMIC in sizes:
        raise NotExportable(f"'{op.name}' to an unknown size")
    ranks = sorted(axes)
    ordered = graph.transpose(x, invert(tuple(ranks.index(axis) for axis in axes)))
    own = iter(ordered.shape)
    wide = graph.reshape(ordered, tuple(next(own) if axis in axes else 1 for axis in range(len(sizes))))
    return wide if wide.shape == sizes else graph.node("BROADCAST_TO", [wide, graph.ints(*sizes)], sizes)


@moves(ops.TransposeOp)
def transpose(op: ops.TransposeOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """Two in a row stay two: a target may want them so."""
    permutation = op.moved()
    is_second = isinstance(op.input.owner, ops.TransposeOp)
    return graph.new_transpose(x, permutation) if is_second else graph.transpose(x, permutation)


@moves(ops.Nchw2NhwcOp, ops.Nhwc2NchwOp)
def fixed_transpose(op: ops.FixedTransposeOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.transpose(x, op.PERMUTATION)


@moves(ops.RelabelOp)
def relabel(op: ops.RelabelOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """The same tensor, because LiteRT has no layouts."""
    return x
