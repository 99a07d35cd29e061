"""Convolutions, plain and transposed."""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from .....dialects.npu import convolution as ops
from .....dialects.npu.feature import Window
from .....dialects.npu.values import logical_shape, shape_of
from .....layout import Layout
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports
from ..storage import to_logical, to_stored


def _kernel(op: ops.ConvolutionOp, graph: CallBuilder, kernel: SSAValue, value: SSAValue) -> SSAValue:
    layout = op.known_layout("kernel", value, "kernel_layout", op.kernel_layout)
    return to_logical(graph, kernel, layout, op.SPATIAL_RANK + 2)


def symmetric(graph: CallBuilder, x: SSAValue, window: Window, number: float = 0.0) -> tuple[SSAValue, list[int]]:
    """Data and the pads at both ends; where these differ, the data are padded before."""
    low, high = window.pads_begin, window.pads_end
    if low == high:
        return x, [*low]
    sizes = [*shape_of(x)]
    for axis, both in enumerate(zip(low, high, strict=True), 2):
        sizes[axis] += sum(both) if sizes[axis] >= 0 else 0
    pads = [pad for both in reversed([*zip(low, high, strict=True)]) for pad in both]
    found = graph.call("aten.constant_pad_nd.default", {"self": x}, sizes, pad=pads, value=number)
    return found, [0] * len(low)


def _called(
    op: ops.BlockedConvolutionOp,
    graph: CallBuilder,
    operands: dict[str, SSAValue | None],
    layout: Layout,
    pads: Sequence[int],
    more: Sequence[int] | None,
) -> SSAValue:
    """The convolution; `more` is the output padding of a transposed one."""
    rank, window = op.SPATIAL_RANK, op.sliding_window(op.SPATIAL_RANK)
    sizes = logical_shape(op.result, layout)
    how: dict[str, object] = {"stride": [*window.strides], "padding": [*pads]}
    how |= {"dilation": [*window.dilations], "groups": op.groups.value.data}
    name = f"aten.conv{rank}d.default"
    if graph.is_core:
        name = "aten.convolution.default"
        how |= {"transposed": more is not None, "output_padding": [*(more or [0] * rank)]}
    elif more is not None:
        name = f"aten.conv_transpose{rank}d.{'input' if rank > 1 else 'default'}"
        how["output_padding"] = [*more]
    return to_stored(graph, graph.call(name, operands, sizes, **how), layout, rank + 2)


@exports(ops.Conv1dOp, ops.Conv2dOp, ops.Conv3dOp)
def convolution(
    op: ops.ForwardConvolutionOp, graph: CallBuilder, x: SSAValue, kernel: SSAValue, bias: SSAValue | None
) -> SSAValue:
    layout = op.feature_layout("data", op.data)
    data, weights = to_logical(graph, x, layout, op.SPATIAL_RANK + 2), _kernel(op, graph, kernel, op.kernel)
    data, pads = symmetric(graph, data, op.sliding_window(op.SPATIAL_RANK))
    return _called(op, graph, {"input": data, "weight": weights, "bias": bias}, layout, pads, None)


@exports(ops.ConvTranspose1dOp, ops.ConvTranspose2dOp, ops.ConvTranspose3dOp)
def transposed(
    op: ops.TransposedConvolutionOp, graph: CallBuilder, x: SSAValue, kernel: SSAValue, bias: SSAValue | None
) -> SSAValue:
    """Pads that differ are more elements at the end, if these are fewer than a stride."""
    layout, window = op.feature_layout("data", op.data), op.sliding_window(op.SPATIAL_RANK)
    more = [*(op.output_pads.get_values() if op.output_pads else (0,) * op.SPATIAL_RANK)]
    apart = zip(more, window.pads_begin, window.pads_end, strict=True)
    more = [extra + low - high for extra, low, high in apart]
    steps = zip(more, window.strides, window.dilations, strict=True)
    if not all(0 <= extra < max(stride, dilation) for extra, stride, dilation in steps):
        raise NotExportable(f"'{op.name}' with these pads has no counterpart in PyTorch")
    data, weights = to_logical(graph, x, layout, op.SPATIAL_RANK + 2), _kernel(op, graph, kernel, op.kernel)
    operands = {"input": data, "weight": weights, "bias": bias}
    return _called(op, graph, operands, layout, window.pads_begin, more)
