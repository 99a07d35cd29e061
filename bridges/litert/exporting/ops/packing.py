"""Conversions between layouts with blocks, and others."""

from .....dialects.npu import packing as ops
from ..blocks import to_logical, to_stored
from ..graph import LiteGraph, LiteTensor
from ..registry import exports


@exports(ops.PackOp, ops.UnpackOp)
def packing(op: ops.PackingOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """The logical tensor, stored anew."""
    return to_stored(graph, to_logical(graph, x, op.input), op.result)
