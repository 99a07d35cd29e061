"""Resampling of the spatial axes of an activation."""

from collections.abc import Sequence

import numpy as np

from .....dialects.npu import resampling as ops
from .....dialects.npu.values import logical_shape
from .....interpreter.elements import Array
from .....interpreter.ops.resampling import positions_on
from .. import arrange
from ..arithmetic import precise
from ..arrange import fitted, reshape, transpose
from ..elements import I64
from ..loops import element_by_element, take
from ..registry import lowers
from ..scalars import Scalar, select
from ..tensors import Tensor, numbers
from .convolution import from_channels_last, to_channels_last, with_zeros_between


def _repeated(x: Tensor, factors: Sequence[int]) -> Tensor:
    """Repeat each element of data with channels last along the spatial axes."""
    return arrange.repeated(x, [1, *factors, 1])


@lowers(ops.UpsampleOp)
def upsample(op: ops.UpsampleOp, x: Tensor) -> Tensor:
    layout = op.feature_layout("input", op.input)
    return from_channels_last(_repeated(to_channels_last(x, layout), op.factors.get_values()), layout)


@lowers(ops.UnpoolOp)
def unpool(op: ops.UnpoolOp, x: Tensor) -> Tensor:
    layout, window = op.feature_layout("input", op.input), op.window.get_values()
    x = with_zeros_between(to_channels_last(x, layout), window)
    return from_channels_last(fitted(x, [0] * x.rank, [0, *(extent - 1 for extent in window), 0]), layout)


@lowers(ops.MaskUnpoolOp)
def mask_unpool(op: ops.MaskUnpoolOp, x: Tensor, mask: Tensor) -> Tensor:
    layout = op.feature_layout("input", op.input)
    data, where = _repeated(to_channels_last(x, layout), op.window.get_values()), to_channels_last(mask, layout)
    result = element_by_element(
        lambda keep, number: select(keep, number, number.literal(0)), where, data, element=x.element
    )
    return from_channels_last(result, layout)


@lowers(ops.BilinearOp)
def bilinear(op: ops.BilinearOp, x: Tensor) -> Tensor:
    """Interpolate along H, then along W; the weights multiply."""
    layout = op.feature_layout("input", op.input)
    sizes = logical_shape(op.result, layout)[2:]
    x = precise(to_channels_last(x, layout))
    for index, (axis, length) in enumerate(zip((1, 2), sizes, strict=True)):
        size = x.shape[axis]
        factor = op.factors.get_values()[index] if op.factors else None
        scale = factor or (length / size if size else 1)
        x = _interpolated(x, axis, positions_on(op.coordinates.data, length, size, scale))
    return from_channels_last(x, layout)


def _interpolated(x: Tensor, axis: int, positions: Array) -> Tensor:
    before = np.floor(positions)
    behind = np.minimum(before + 1, x.shape[axis] - 1)
    weight = numbers((positions - before).reshape([-1 if other == axis else 1 for other in range(x.rank)]), x.element)

    def between(first: Scalar, second: Scalar, part: Scalar) -> Scalar:
        # An element of weight 0 does not count, even if it is infinite.
        return select(part == 0, first, first * (1 - part) + second * part)

    lower, upper = (take(x, numbers(each, I64), axis) for each in (before, behind))
    return element_by_element(between, lower, upper, weight)


@lowers(ops.DepthToSpaceOp)
def depth_to_space(op: ops.DepthToSpaceOp, x: Tensor) -> Tensor:
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    x = to_channels_last(x, layout)
    batch, height, width, channels = x.shape
    depth = channels // (block * block)
    if op.mode.data == "dcr":
        blocks = transpose(reshape(x, [batch, height, width, block, block, depth]), (0, 1, 3, 2, 4, 5))
    else:
        blocks = transpose(reshape(x, [batch, height, width, depth, block, block]), (0, 1, 4, 2, 5, 3))
    return from_channels_last(reshape(blocks, [batch, height * block, width * block, depth]), layout)


@lowers(ops.SpaceToDepthOp)
def space_to_depth(op: ops.SpaceToDepthOp, x: Tensor) -> Tensor:
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    x = to_channels_last(x, layout)
    batch, height, width, depth = x.shape
    rows, columns = height // block, width // block
    blocks = transpose(reshape(x, [batch, rows, block, columns, block, depth]), (0, 1, 3, 2, 4, 5))
    return from_channels_last(reshape(blocks, [batch, rows, columns, block * block * depth]), layout)
