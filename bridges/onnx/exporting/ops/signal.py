"""DFT, whose parts are the last axis."""

from typing import Any

from .....dialects.npu import signal as ops
from .....dialects.npu.values import rank_of
from .....layout import invert
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports

AXIS_AS_INPUT = 20
"""The opset from which on the axis of a DFT is an input."""


@exports(ops.DftOp)
def dft(op: ops.DftOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    rank, parts = rank_of(op.input), op.parts.value.data
    order = (*(axis for axis in range(rank) if axis != parts), parts)
    axis = order.index(op.axis.value.data)
    how: dict[str, Any] = {}
    if op.inverse is not None:
        how["inverse"] = 1
    if op.onesided is not None:
        how["onesided"] = 1
    given = [graph.transpose(x, order), None if op.length is None else graph.numbers(op.length.value.data)]
    if graph.opset.number >= AXIS_AS_INPUT:
        given.append(graph.numbers(axis))
    else:
        how["axis"] = axis
    while given[-1] is None:
        given.pop()
    return graph.transpose(graph.op("DFT", *given, **how), invert(order))
