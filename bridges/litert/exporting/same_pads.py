"""Convolutions and pools of ONNX on images of unknown size, with pads that give the size divided by the stride.

The dialect has no such pads, but SAME of LiteRT computes the same ones at run time.
"""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import StringAttr

from ....dialects.npu.axes import numbers_of
from ....dialects.npu.feature import Window
from ....dialects.npu.source import OpaqueOp
from ....dialects.npu.values import shape_of
from ....layout import DYNAMIC, Order, permute
from ..errors import NotExportable
from .graph import LiteGraph, LiteTensor
from .ops.convolution import image_convolution
from .windows import SAME

CHANNELS_LAST: Order = (0, 2, 3, 1)
CHANNELS_FIRST: Order = (0, 3, 1, 2)


def conv(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    x, weights, *bias = inputs
    window, shape = _window(op, weights.shape[2:]), shape_of(op.results[0])
    if DYNAMIC in (x.shape[1], *weights.shape):
        raise NotExportable(f"'{op.op_name.data}' with a kernel of unknown size has no counterpart in LiteRT")
    data, groups = graph.transpose(x, CHANNELS_LAST), x.shape[1] // weights.shape[1]
    wanted = permute(shape, CHANNELS_LAST)
    result = image_convolution(graph, data, weights, bias[0] if bias else None, window, groups, wanted, SAME)
    return (graph.transpose(result, CHANNELS_FIRST),)


def pool(op: OpaqueOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    """Pads are no numbers of a mean."""
    (x,) = inputs
    height, width = extents = _numbers(op, "kernel_shape", 0)
    window = _window(op, extents)
    counted = any(_numbers(op, name, 0)[0] for name in ("ceil_mode", "count_include_pad"))
    if counted or len(op.results) > 1 or set(window.dilations) != {1}:
        raise NotExportable(f"'{op.op_name.data}' with these options has no counterpart in LiteRT")
    moves: dict[str, Any] = {"strideH": window.strides[0], "strideW": window.strides[1], "padding": SAME}
    kind = "MAX_POOL_2D" if op.op_name.data == "onnx.MaxPool" else "AVERAGE_POOL_2D"
    data, wanted = graph.transpose(x, CHANNELS_LAST), permute(shape_of(op.results[0]), CHANNELS_LAST)
    result = graph.node(kind, [data], wanted, filterHeight=height, filterWidth=width, **moves)
    return (graph.transpose(result, CHANNELS_FIRST),)


def _window(op: OpaqueOp, extents: Sequence[int]) -> Window:
    """The window of an op, which leaves out at most one element between two places: ONNX Runtime shifts others."""
    if op.attributes.get("auto_pad") != StringAttr("SAME_UPPER") or len(shape_of(op.operands[0])) != 4:
        raise NotExportable(f"'{op.op_name.data}' has no counterpart in LiteRT")
    window = Window(_numbers(op, "strides", 1), _numbers(op, "dilations", 1), (0, 0), (0, 0))
    if any(stride > extent + 1 for stride, extent in zip(window.strides, extents, strict=False)):
        raise NotExportable(f"'{op.op_name.data}' with strides that leave out elements has no counterpart in LiteRT")
    return window


def _numbers(op: OpaqueOp, name: str, default: int) -> tuple[int, ...]:
    """The numbers of an attribute, one for each axis of an image if it is absent."""
    found = op.attributes.get(name)
    return (default, default) if found is None else numbers_of(found)
