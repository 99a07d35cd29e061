"""The channels of convolutions in blocks, with the padding that hardware computes as well."""

from typing import NamedTuple

import numpy as np
from xdsl.ir import SSAValue

from ..dialects.npu.convolution import BlockedConvolutionOp
from ..dialects.npu.sum_blocks import CHANNELS, OUTPUTS
from ..dialects.npu.values import layout_of, shape_of
from ..layout import unpermute
from .elements import Array
from .storage import to_logical


class Factors(NamedTuple):
    """Data (N, C, spatial...) and kernel (O, I, spatial...) with padding, and the number of groups."""

    data: Array
    kernel: Array
    groups: int


def factors(op: BlockedConvolutionOp, data: Array, kernel: Array) -> Factors:
    """Stored data and kernel, such that the outcome has as many channels as the result with its padding.

    The padding of a depthwise convolution has groups of its own.
    """
    kernel_layout = op.known_layout("kernel", op.kernel, "kernel_layout", op.kernel_layout)
    source = to_logical(data, op.feature_layout("data", op.data))
    weights = to_logical(kernel, kernel_layout)
    groups, layout = op.groups.value.data, layout_of(op.result)
    if layout is None or not layout.tiles:
        return Factors(source, weights, groups)
    pieces = unpermute(shape_of(op.result), layout.order_for(layout.rank or 0))
    channels = layout.filled_shape(pieces)[CHANNELS]
    if groups > 1 and weights.shape[CHANNELS] == 1:
        return Factors(_fitted(source, CHANNELS, channels), _fitted(weights, OUTPUTS, channels), channels)
    kept = op.kernel_axes.kept
    return Factors(source, _fitted(weights, kept, channels if kept == OUTPUTS else channels // groups), groups)


def vector(value: SSAValue, array: Array) -> Array:
    """One number, or one for each channel with its padding."""
    layout = layout_of(value)
    return array.reshape(-1) if layout is None else to_logical(array, layout).reshape(-1)


def _fitted(array: Array, axis: int, size: int) -> Array:
    """An array with this size along an axis; what is cut off or added is padding."""
    found = array[(slice(None),) * axis + (slice(size),)]
    behind = [(0, size - found.shape[axis] if each == axis else 0) for each in range(found.ndim)]
    return np.pad(found, behind)
