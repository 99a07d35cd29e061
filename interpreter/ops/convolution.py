"""The convolution family: each op computes one of data, kernel and outcome from the others.

`columns` of the windows turns a convolution into a product of matrices, per group: kernel (O, I * places) times data (I
* places, positions).
"""

from math import prod
from typing import TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.npu import convolution as ops
from ...dialects.npu.feature import Window
from ...dialects.npu.quantized_convolution import QuantConv2dOp
from ...dialects.npu.values import logical_shape
from ...layout import Layout
from ..channels import factors, vector
from ..elements import Array, accumulator
from ..products import product
from ..registry import meaning
from ..storage import to_logical, to_stored
from ..windows import Sizes, columns, summed

Biased: TypeAlias = ops.ForwardConvolutionOp | ops.TransposedConvolutionOp | QuantConv2dOp
"""An op that may have one number per channel to be added."""


def kernel_layout(op: ops.ConvolutionOp, name: str, value: SSAValue) -> Layout:
    return op.known_layout(name, value, "kernel_layout", op.kernel_layout)


def groups_of(op: ops.ConvolutionOp) -> int:
    return op.groups.value.data


def convolved(data: Array, kernel: Array, window: Window, groups: int) -> Array:
    """The outcome (N, O, spatial...) of data (N, C, spatial...) and a kernel (O, I, spatial...)."""
    batch, _, *sizes = data.shape
    outputs, inputs, *extents = kernel.shape
    positions = window.positions(sizes, extents)
    seen = columns(data, window, extents, positions)
    seen = seen.reshape(batch, groups, inputs * prod(extents), prod(positions))
    weights = kernel.reshape(groups, outputs // groups, inputs * prod(extents))
    return product(weights, seen).reshape(batch, outputs, *positions)


def gradient_of_data(outcome: Array, kernel: Array, window: Window, groups: int, sizes: Sizes) -> Array:
    """The transpose of `convolved` in the data: the sum of all contributions to data of these spatial sizes."""
    batch, outputs, *positions = outcome.shape
    _, inputs, *extents = kernel.shape
    weights = kernel.reshape(groups, outputs // groups, inputs * prod(extents))
    spread = outcome.reshape(batch, groups, outputs // groups, prod(positions))
    seen = product(np.swapaxes(weights, -1, -2), spread)
    return summed(seen.reshape(batch, groups * inputs, prod(extents), *positions), window, extents, sizes)


def gradient_of_kernel(data: Array, outcome: Array, window: Window, groups: int, extents: Sizes) -> Array:
    """The transpose of `convolved` in the kernel: the sum of all contributions to a kernel of these spatial sizes."""
    batch, channels, *_ = data.shape
    _, outputs, *positions = outcome.shape
    inputs = channels // groups
    seen = columns(data, window, extents, positions)
    seen = seen.reshape(batch, groups, inputs * prod(extents), prod(positions))
    spread = outcome.reshape(batch, groups, outputs // groups, prod(positions))
    return product(spread, np.swapaxes(seen, -1, -2)).sum(0).reshape(outputs, inputs, *extents)


def with_bias(op: Biased, outcome: Array, bias: Array | None) -> Array:
    """The outcome plus one number per channel."""
    if op.bias is None or bias is None:
        return outcome
    return outcome + vector(op.bias, bias).reshape(-1, *[1] * (outcome.ndim - 2))


@meaning(ops.Conv1dOp, ops.Conv2dOp, ops.Conv3dOp)
def convolution(op: ops.ForwardConvolutionOp, data: Array, kernel: Array, bias: Array | None) -> Array:
    source, weights, groups = factors(op, data, kernel)
    window = op.sliding_window(op.SPATIAL_RANK)
    outcome = convolved(accumulator(source), accumulator(weights), window, groups)
    return to_stored(with_bias(op, outcome, bias), op.shared_layout())


@meaning(ops.ConvTranspose1dOp, ops.ConvTranspose2dOp, ops.ConvTranspose3dOp)
def transposed(op: ops.TransposedConvolutionOp, data: Array, kernel: Array, bias: Array | None) -> Array:
    source, weights, groups = factors(op, data, kernel)
    window = op.sliding_window(op.SPATIAL_RANK)
    more = op.output_pads.get_values() if op.output_pads else (0,) * op.SPATIAL_RANK
    sizes = _transposed_sizes(window, source.shape[2:], weights.shape[2:], more)
    result = gradient_of_data(accumulator(source), accumulator(weights), window, groups, sizes)
    return to_stored(with_bias(op, result, bias), op.shared_layout())


def _transposed_sizes(window: Window, positions: Sizes, extents: Sizes, more: Sizes) -> Sizes:
    reach = [
        (count - 1) * stride + dilation * (extent - 1) + 1
        for count, stride, dilation, extent in zip(positions, window.strides, window.dilations, extents, strict=True)
    ]
    pads = [begin + end for begin, end in zip(window.pads_begin, window.pads_end, strict=True)]
    return [max(full - pad + behind, 0) for full, pad, behind in zip(reach, pads, more, strict=True)]


@meaning(ops.Conv2dBpaOp)
def feature_map_gradient(op: ops.Conv2dBpaOp, grad: Array, kernel: Array) -> Array:
    layout = op.feature_layout("grad", op.grad)
    result = gradient_of_data(
        accumulator(to_logical(grad, layout)),
        accumulator(to_logical(kernel, kernel_layout(op, "kernel", op.kernel))),
        op.sliding_window(op.SPATIAL_RANK),
        groups_of(op),
        logical_shape(op.result, layout)[2:],
    )
    return to_stored(result, layout)


@meaning(ops.Conv2dBpwOp)
def kernel_gradient(op: ops.Conv2dBpwOp, data: Array, grad: Array) -> Array:
    layout = op.feature_layout("data", op.data)
    stored = kernel_layout(op, "result", op.result)
    result = gradient_of_kernel(
        accumulator(to_logical(data, layout)),
        accumulator(to_logical(grad, layout)),
        op.sliding_window(op.SPATIAL_RANK),
        groups_of(op),
        logical_shape(op.result, stored)[2:],
    )
    return to_stored(result, stored)
