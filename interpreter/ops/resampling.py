"""Ops that enlarge or shrink the spatial axes of a feature map."""

from collections.abc import Sequence

import numpy as np

from ...dialects.npu import resampling as ops
from ..elements import Array, precise
from ..registry import meaning
from ..storage import to_logical, to_stored


def repeated(x: Array, factors: Sequence[int]) -> Array:
    """Each element, repeated along each of the last axes."""
    for axis, factor in enumerate(factors, x.ndim - len(factors)):
        x = np.repeat(x, factor, axis)
    return x


@meaning(ops.UpsampleOp)
def upsample(op: ops.UpsampleOp, x: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    return to_stored(repeated(to_logical(x, layout), op.factors.get_values()), layout)


@meaning(ops.UnpoolOp)
def unpool(op: ops.UnpoolOp, x: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    data, window = to_logical(x, layout), op.window.get_values()
    sizes = [size * extent for size, extent in zip(data.shape[2:], window, strict=True)]
    result = np.zeros((*data.shape[:2], *sizes), x.dtype)
    result[(..., *(slice(None, None, extent) for extent in window))] = data
    return to_stored(result, layout)


@meaning(ops.MaskUnpoolOp)
def mask_unpool(op: ops.MaskUnpoolOp, x: Array, mask: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    data = repeated(to_logical(x, layout), op.window.get_values())
    return to_stored(np.where(to_logical(mask, layout), data, np.zeros_like(data)), layout)


@meaning(ops.BilinearOp)
def bilinear(op: ops.BilinearOp, x: Array) -> Array:
    """Interpolation along H, then along W: the weight of an element is the product of those along both."""
    layout = op.feature_layout("input", op.input)
    data = precise(to_logical(x, layout))
    for index, axis in enumerate((2, 3)):
        size = data.shape[axis]
        factor = op.factors.get_values()[index] if op.factors else None
        length = op.sizes.get_values()[index] if op.sizes else ops.scaled(size, factor or 0)
        scale = factor or (length / size if size else 1)
        data = interpolated(data, axis, positions_on(op.coordinates.data, length, size, scale))
    return to_stored(data, layout)


def positions_on(coordinates: str, length: int, size: int, scale: float) -> Array:
    """The positions of a result axis on the axis of the input, which has this size."""
    places = np.arange(length, dtype=np.float64)
    match coordinates:
        case "half_pixel":
            found = (places + 0.5) / scale - 0.5
        case "asymmetric":
            found = places / scale
        case _:
            found = places * (size - 1) / max(length - 1, 1)
    return np.clip(found, 0, max(size - 1, 0))


def interpolated(data: Array, axis: int, positions: Array) -> Array:
    """The weighted mean of the two elements around each position."""
    before = np.floor(positions).astype(np.int64)
    behind = np.minimum(before + 1, max(data.shape[axis] - 1, 0))
    weight = np.expand_dims(positions - before, [other for other in range(data.ndim - axis) if other])
    first, second = data.take(before, axis), data.take(behind, axis)
    # An element of weight zero is ignored, even if it is infinite.
    return np.where(weight == 0, first, first * (1 - weight) + second * weight)


@meaning(ops.DepthToSpaceOp)
def depth_to_space(op: ops.DepthToSpaceOp, x: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    data, block = to_logical(x, layout), op.block.value.data
    batch, channels, height, width = data.shape
    depth = channels // (block * block)
    if op.mode.data == "dcr":
        blocks = data.reshape(batch, block, block, depth, height, width).transpose(0, 3, 4, 1, 5, 2)
    else:
        blocks = data.reshape(batch, depth, block, block, height, width).transpose(0, 1, 4, 2, 5, 3)
    return to_stored(blocks.reshape(batch, depth, height * block, width * block), layout)


@meaning(ops.SpaceToDepthOp)
def space_to_depth(op: ops.SpaceToDepthOp, x: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    data, block = to_logical(x, layout), op.block.value.data
    batch, depth, height, width = data.shape
    blocks = data.reshape(batch, depth, height // block, block, width // block, block).transpose(0, 3, 5, 1, 2, 4)
    return to_stored(blocks.reshape(batch, block * block * depth, height // block, width // block), layout)
