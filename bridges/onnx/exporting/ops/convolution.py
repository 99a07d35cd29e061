"""The convolution family.

Floats of 16 and 32 bits use Conv and ConvTranspose. Integers and f64, for which ONNX Runtime has no kernels, use matrix
products (convolutions.py, gradients.py). The gradient with respect to the kernel is always a matrix product.
"""

from math import prod

from .....dialects.npu import convolution as ops
from .....dialects.npu.values import logical_shape
from .....layout import DYNAMIC
from ..convolutions import (
    channels_last,
    convolved,
    empty_sum,
    groups_of,
    has_kernel,
    kernel_layout,
    summable,
    window_attributes,
    with_bias,
)
from ..gradients import TransposedConvolution, transposed_convolution
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports
from ..storage import to_logical, to_stored
from ..windows import columns, known, reaches


@exports(ops.Conv1dOp, ops.Conv2dOp, ops.Conv3dOp)
def convolution(
    op: ops.ForwardConvolutionOp, graph: OnnxGraph, x: OnnxTensor, kernel: OnnxTensor, bias: OnnxTensor | None
) -> OnnxTensor:
    layout, rank = op.feature_layout("data", op.data), op.SPATIAL_RANK + 2
    weights_layout = kernel_layout(op, "kernel", op.kernel)
    data, weights = to_logical(graph, x, layout, rank), to_logical(graph, kernel, weights_layout, rank)
    window, groups = op.sliding_window(op.SPATIAL_RANK), groups_of(op)
    given, shape = logical_shape(op.data, layout), logical_shape(op.kernel, weights_layout)
    if 0 in (*given, *shape, *logical_shape(op.result, layout)):
        nothing = empty_sum(
            graph, op.name, summable(graph, x).element, logical_shape(op.result, layout), {0: (data, 0)}
        )
        result = with_bias(graph, nothing, bias, rank)
    elif has_kernel(x):
        inputs = [data, weights, *([] if bias is None else [bias])]
        result = graph.op("Conv", *inputs, group=groups, **window_attributes(window, shape[2:]))
    else:
        known(op.name, shape)
        data, weights = summable(graph, data), summable(graph, weights)
        result = with_bias(graph, convolved(graph, data, weights, window, groups, given[2:], shape), bias, rank)
    return to_stored(graph, result, layout, rank)


@exports(ops.ConvTranspose1dOp, ops.ConvTranspose2dOp, ops.ConvTranspose3dOp)
def transposed(
    op: ops.TransposedConvolutionOp, graph: OnnxGraph, x: OnnxTensor, kernel: OnnxTensor, bias: OnnxTensor | None
) -> OnnxTensor:
    """ConvTranspose if it allows the `output_pads`; otherwise with elements removed or added at the end."""
    layout, rank = op.feature_layout("data", op.data), op.SPATIAL_RANK + 2
    weights_layout = kernel_layout(op, "kernel", op.kernel)
    data, weights = to_logical(graph, x, layout, rank), to_logical(graph, kernel, weights_layout, rank)
    window, groups = op.sliding_window(op.SPATIAL_RANK), groups_of(op)
    given, shape, wanted = (
        logical_shape(value, of) for value, of in ((op.data, layout), (op.kernel, weights_layout), (op.result, layout))
    )
    more = op.output_pads.get_values() if op.output_pads else (0,) * op.SPATIAL_RANK
    if 0 in (*given, *shape):
        nothing = empty_sum(graph, op.name, summable(graph, x).element, wanted, {0: (data, 0)})
        result = with_bias(graph, nothing, bias, rank)
    elif has_kernel(x) and all(pad < stride for pad, stride in zip(more, window.strides, strict=True)):
        inputs = [data, weights, *([] if bias is None else [bias])]
        attributes = window_attributes(window, shape[2:])
        result = graph.op("ConvTranspose", *inputs, group=groups, output_padding=list(more), **attributes)
    else:
        known(op.name, shape)
        behind = [end - pad for end, pad in zip(window.pads_end, more, strict=True)]
        how = TransposedConvolution(window, groups, shape, given, wanted[2:], behind)
        result = with_bias(graph, transposed_convolution(graph, data, weights, how), bias, rank)
    return to_stored(graph, result, layout, rank)


@exports(ops.Conv2dBpaOp)
def activation_gradient(op: ops.Conv2dBpaOp, graph: OnnxGraph, grad: OnnxTensor, kernel: OnnxTensor) -> OnnxTensor:
    """A transposed convolution, with elements removed or added at the end to match the result."""
    layout = op.feature_layout("grad", op.grad)
    weights_layout = kernel_layout(op, "kernel", op.kernel)
    given, shape = logical_shape(op.grad, layout), logical_shape(op.kernel, weights_layout)
    wanted = logical_shape(op.result, layout)
    if 0 in (*given, *shape):
        nothing = empty_sum(graph, op.name, summable(graph, grad).element, wanted, {})
        return to_stored(graph, nothing, layout, 4)
    known(op.name, shape)
    window, sizes = op.sliding_window(2), wanted[2:]
    positions = window.positions(sizes, shape[2:])
    spans = reaches(window, shape[2:])
    parts = zip(positions, window.strides, spans, window.pads_begin, sizes, strict=True)
    behind = [(count - 1) * stride + span - begin - size for count, stride, span, begin, size in parts]
    outcome, weights = to_logical(graph, grad, layout, 4), to_logical(graph, kernel, weights_layout, 4)
    how = TransposedConvolution(window, groups_of(op), shape, (*given[:2], *positions), sizes, behind)
    return to_stored(graph, transposed_convolution(graph, outcome, weights, how), layout, 4)


@exports(ops.Conv2dBpwOp)
def kernel_gradient(op: ops.Conv2dBpwOp, graph: OnnxGraph, x: OnnxTensor, grad: OnnxTensor) -> OnnxTensor:
    """A matrix product per group: the gradient times the columns of the data."""
    layout, stored = op.feature_layout("data", op.data), kernel_layout(op, "result", op.result)
    (batch, _, *sizes), (_, outputs, *positions) = logical_shape(op.data, layout), logical_shape(op.grad, layout)
    (_, inputs, *extents) = logical_shape(op.result, stored)
    known(op.name, (outputs, inputs))
    if 0 in (batch, *sizes, *positions):
        nothing = empty_sum(graph, op.name, summable(graph, x).element, (outputs, inputs, *extents), {})
        return to_stored(graph, nothing, stored, 4)
    window, groups = op.sliding_window(2), groups_of(op)
    places = window.positions(sizes, extents)
    rows = DYNAMIC if DYNAMIC in (batch, *places) else batch * prod(places)
    data = channels_last(graph, to_logical(graph, summable(graph, x), layout, 4), 4)
    seen = columns(graph, data, window, extents, sizes, places)
    seen = graph.reshape(seen, [rows, prod(extents), groups, inputs])
    seen = graph.reshape(graph.transpose(seen, (2, 0, 1, 3)), [groups, rows, prod(extents) * inputs])
    outcome = channels_last(graph, to_logical(graph, summable(graph, grad), layout, 4), 4)
    outcome = graph.reshape(outcome, [rows, groups, outputs // groups])
    product = graph.node("MatMul", graph.transpose(outcome, (1, 2, 0)), seen)
    result = graph.reshape(product, [outputs, *extents, inputs])
    return to_stored(graph, graph.transpose(result, (0, 3, 1, 2)), stored, 4)
