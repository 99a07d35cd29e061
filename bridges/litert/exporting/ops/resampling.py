"""Resampling of the spatial axes of an image."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .....dialects.npu import resampling as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports, moves
from ..storage import channels_last, from_channels_last, logical_shape


@moves(ops.UpsampleOp)
def upsample(op: ops.UpsampleOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return _repeated(op, graph, x, op.factors.get_values())


@exports(ops.MaskUnpoolOp)
def mask_unpool(op: ops.MaskUnpoolOp, graph: LiteGraph, x: LiteTensor, mask: LiteTensor) -> LiteTensor:
    """The repeated elements where the mask is true, else 0."""
    repeated = _repeated(op, graph, x, op.window.get_values())
    return graph.node("SELECT_V2", [mask, repeated, graph.like(repeated, 0)], shape_of(op.result), repeated.element)


@moves(ops.UnpoolOp)
def unpool(op: ops.UnpoolOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """Zeros along new axes behind H and W, which are then merged into these."""
    layout, window = op.feature_layout("input", op.input), op.window.get_values()
    data, result = channels_last(graph, x, layout), logical_shape(op.result, layout)
    if len(window) != 2 or DYNAMIC in data.shape:
        raise NotExportable(f"'{op.name}' of an unknown size has no counterpart in LiteRT, nor one but of images")
    batch, high, wide, channels = data.shape
    # A PAD has at most five axes.
    cut = graph.reshape(data, (batch * high, 1, wide, 1, channels))
    padded = graph.pad(cut, (0,) * 5, (0, window[0] - 1, 0, window[1] - 1, 0))
    return from_channels_last(graph, graph.reshape(padded, (batch, *result[2:], channels)), layout)


def _repeated(
    op: ops.UpsampleOp | ops.MaskUnpoolOp, graph: LiteGraph, x: LiteTensor, factors: Sequence[int]
) -> LiteTensor:
    """RESIZE_NEAREST_NEIGHBOR by whole factors, with half pixels where the positions are not exact otherwise."""
    layout = op.feature_layout("input", op.input)
    shape = logical_shape(op.result, layout)
    if len(factors) != 2:
        raise NotExportable(f"'{op.name}' of {len(factors)} spatial axes has no counterpart in LiteRT")
    data = channels_last(graph, x, layout)
    is_exact = all(size != DYNAMIC and repeats_exactly(size, factor) for size, factor in zip(data.shape[1:3], factors))
    flags: dict[str, Any] = {"alignCorners": False, "halfPixelCenters": not is_exact}
    if DYNAMIC in shape[2:]:
        sizes = graph.binary("MUL", graph.part(graph.shape_of(data), 1, 3), graph.ints(*factors))
    else:
        sizes = graph.ints(*shape[2:])
    result = (shape[0], *shape[2:], shape[1])
    return from_channels_last(graph, graph.node("RESIZE_NEAREST_NEIGHBOR", [data, sizes], result, **flags), layout)


def repeats_exactly(size: int, factor: int) -> bool:
    """True if positions without half pixels, which are products with a rounded number, repeat the elements."""
    places = np.arange(size * factor)
    scale = np.float32(size) / np.float32(max(size * factor, 1))
    return np.array_equal((places.astype(np.float32) * scale).astype(np.int64), places // factor)


def _resized(
    op: ops.ResamplingOp, graph: LiteGraph, data: LiteTensor, shape: tuple[int, ...], coordinates: str
) -> LiteTensor:
    """A resize of an image with channels last; `shape` is N, C, H, W."""
    if DYNAMIC in shape[2:]:
        raise NotExportable(f"'{op.name}' of an unknown size")
    flags: dict[str, Any] = {
        "alignCorners": coordinates == "align_corners",
        "halfPixelCenters": coordinates == "half_pixel",
    }
    return graph.node("RESIZE_BILINEAR", [data, graph.ints(*shape[2:])], (shape[0], *shape[2:], shape[1]), **flags)


@exports(ops.BilinearOp)
def bilinear(op: ops.BilinearOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """RESIZE_BILINEAR, whose scale is the quotient of the sizes."""
    layout = op.feature_layout("input", op.input)
    given, shape = logical_shape(op.input, layout), logical_shape(op.result, layout)
    factors = op.factors.get_values() if op.factors else ()
    is_exact = all(size * factor == result for size, factor, result in zip(given[2:], factors, shape[2:]))
    if op.coordinates.data != "align_corners" and not is_exact:
        raise NotExportable(f"'{op.name}' by factors that do not give whole sizes has no counterpart in LiteRT")
    return from_channels_last(
        graph, _resized(op, graph, channels_last(graph, x, layout), shape, op.coordinates.data), layout
    )


@moves(ops.DepthToSpaceOp)
def depth_to_space(op: ops.DepthToSpaceOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """DEPTH_TO_SPACE, whose channels are ordered block first; for the other mode they are re-ordered by a GATHER."""
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    batch, channels, height, width = logical_shape(op.result, layout)
    data = channels_last(graph, x, layout)
    if op.mode.data == "crd" and channels != 1:
        if channels == DYNAMIC:
            raise NotExportable(f"'{op.name}' of an unknown number of channels")
        places = np.arange(channels * block * block).reshape(channels, block * block).T.reshape(-1)
        data = graph.node("GATHER", [data, graph.numbers(places, LiteElement.I32)], data.shape, axis=3, batchDims=0)
    result = graph.node("DEPTH_TO_SPACE", [data], (batch, height, width, channels), blockSize=block)
    return from_channels_last(graph, result, layout)


@moves(ops.SpaceToDepthOp)
def space_to_depth(op: ops.SpaceToDepthOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    batch, channels, height, width = logical_shape(op.result, layout)
    data = channels_last(graph, x, layout)
    result = graph.node("SPACE_TO_DEPTH", [data], (batch, height, width, channels), blockSize=block)
    return from_channels_last(graph, result, layout)
