"""Resampling of the spatial axes of an activation."""

from collections.abc import Callable, Sequence
from typing import Any

from .....dialects.npu import resampling as ops
from .....dialects.npu.values import logical_shape
from .....layout import DYNAMIC, Order, identity, permute
from ..convolutions import joined, windowed, zeros_between
from ..elements import BF16, F16, F32, F64, I8, I32, U8
from ..graph import OnnxGraph, OnnxTensor, OperandSize, Size
from ..registry import exports
from ..storage import to_logical, to_stored

Sizes = Sequence[int]

PLAIN = ((0, 1, 2, 3), (0, 2, 3, 1))
"""The orders for which ONNX Runtime has a kernel of Resize."""


def repeated(graph: OnnxGraph, x: OnnxTensor, shape: Sizes, factors: Sizes) -> OnnxTensor:
    """Repeat each element of (N, C, spatial...) along the spatial axes.

    Resize where there is one; other types are tiled along new axes, which are then merged into the spatial ones.
    """
    if has_nearest(x):
        return nearest(graph, x, (1, 1, *factors))
    wide = windowed(graph, x, len(shape))
    tiles = [1, 1, *(number for factor in factors for number in (1, factor))]
    return graph.reshape(graph.op("Tile", wide, graph.ints(*tiles)), joined(graph, wide, shape, factors))


def has_nearest(x: OnnxTensor) -> bool:
    """True if ONNX Runtime has a kernel of Resize that repeats these elements, along any axes."""
    return x.element in (F16, BF16, F32, I8, U8, I32)


def nearest(graph: OnnxGraph, x: OnnxTensor, factors: Sizes) -> OnnxTensor:
    """Repeat each element along each stored axis."""
    how: dict[str, Any] = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    return graph.op("Resize", x, None, graph.numbers([float(factor) for factor in factors], F32), **how)


@exports(ops.UpsampleOp)
def upsample(op: ops.UpsampleOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    layout = op.feature_layout("input", op.input)
    shape, factors = logical_shape(op.input, layout), op.factors.get_values()
    if has_nearest(x):
        return nearest(graph, x, permute((1, 1, *factors), layout.order_for(len(shape))))
    data = to_logical(graph, x, layout, len(shape))
    return to_stored(graph, repeated(graph, data, shape, factors), layout, len(shape))


@exports(ops.UnpoolOp)
def unpool(op: ops.UnpoolOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Pad each element with zeros along new axes, which are then merged into the spatial ones."""
    layout = op.feature_layout("input", op.input)
    shape = logical_shape(op.input, layout)
    data = to_logical(graph, x, layout, len(shape))
    return to_stored(graph, zeros_between(graph, data, shape, op.window.get_values()), layout, len(shape))


@exports(ops.MaskUnpoolOp)
def mask_unpool(op: ops.MaskUnpoolOp, graph: OnnxGraph, x: OnnxTensor, mask: OnnxTensor) -> OnnxTensor:
    """The repeated elements where the mask is true, else 0."""
    layout = op.feature_layout("input", op.input)
    shape = logical_shape(op.input, layout)
    wide = graph.computable_one("Pad", to_logical(graph, x, layout, len(shape)))
    data = repeated(graph, wide, shape, op.window.get_values())
    where = to_logical(graph, mask, layout, len(shape))
    return to_stored(graph, graph.where(where, data, graph.like(data, 0)), layout, len(shape))


@exports(ops.BilinearOp)
def bilinear(op: ops.BilinearOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Resize of an image.

    ONNX Runtime has a kernel for channels in the second place or the last, and moves transposes past a Resize. In other
    layouts, batch and channels are merged first, which blocks that rewrite.
    """
    layout = op.feature_layout("input", op.input)
    batch, channels, *image = logical_shape(op.input, layout)
    if layout.order in PLAIN:
        return interpolated(op, graph, x, (batch, channels), layout.order)
    data, outer = to_logical(graph, x, layout, 4), logical_shape(op.result, layout)[2:]
    # A merge of one channel would change no shape, and block nothing.
    is_plain = channels == 1 and DYNAMIC not in (batch, *image, *outer)
    merged = (batch,) if is_plain else (merged_size(batch, channels), 1)
    result = on_merged(
        graph,
        data,
        (batch, channels, *image),
        outer,
        merged,
        lambda flat: interpolated(op, graph, flat, merged, identity(len(merged) + 2)),
    )
    return to_stored(graph, result, layout, 4)


def merged_size(batch: int, channels: int) -> int:
    return DYNAMIC if min(batch, channels) < 0 else batch * channels


def on_merged(
    graph: OnnxGraph,
    data: OnnxTensor,
    shape: Sizes,
    outer: Sizes,
    merged: Sizes,
    resize: Callable[[OnnxTensor], OnnxTensor],
) -> OnnxTensor:
    """A resize to these last two sizes of data of which the first two axes are merged to others."""
    leading = [graph.size(data, axis) if size < 0 else size for axis, size in enumerate(shape[:2])]
    inner = [OperandSize(axis) if size < 0 else size for axis, size in enumerate(shape[2:], 2)]
    resized = resize(graph.reshape(data, [*merged, *inner]))
    sizes = [OperandSize(axis) if size < 0 else size for axis, size in enumerate(outer, len(merged))]
    return graph.reshape(resized, [*leading, *sizes])


def interpolated(op: ops.BilinearOp, graph: OnnxGraph, data: OnnxTensor, outer: Sizes, order: Order) -> OnnxTensor:
    """A Resize of data in this order; `outer` are the sizes of batch and channels."""
    how: dict[str, Any] = {"mode": "linear", "coordinate_transformation_mode": op.coordinates.data}
    if op.factors is not None:
        scales = graph.numbers(permute((*[1.0] * len(outer), *op.factors.get_values()), order), F32)
        return graph.op("Resize", data, None, scales, **how)
    known = permute((*outer, *(op.sizes.get_values() if op.sizes else ())), order)
    sizes: list[Size] = [graph.size(data, axis) if size < 0 else size for axis, size in enumerate(known)]
    return graph.op("Resize", data, None, None, graph.shape(sizes), **how)


@exports(ops.DepthToSpaceOp)
def depth_to_space(op: ops.DepthToSpaceOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """DepthToSpace, or a transpose of six axes for types without a kernel."""
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    shape = logical_shape(op.input, layout)
    data = to_logical(graph, x, layout, 4)
    if _has_kernel(x):
        result = graph.op("DepthToSpace", data, blocksize=block, mode=op.mode.data.upper())
        return to_stored(graph, result, layout, 4)
    batch, channels, height, width = _sizes(graph, data, shape)
    depth = _quotient(graph, channels, block * block)
    if op.mode.data == "dcr":
        cut = graph.reshape(data, [batch, block, block, depth, height, width])
        moved = graph.transpose(cut, (0, 3, 4, 1, 5, 2))
    else:
        cut = graph.reshape(data, [batch, depth, block, block, height, width])
        moved = graph.transpose(cut, (0, 1, 4, 2, 5, 3))
    result = graph.reshape(moved, [batch, depth, _product(graph, height, block), _product(graph, width, block)])
    return to_stored(graph, result, layout, 4)


@exports(ops.SpaceToDepthOp)
def space_to_depth(op: ops.SpaceToDepthOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """SpaceToDepth, or a transpose of six axes for types without a kernel."""
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    data = to_logical(graph, x, layout, 4)
    if _has_kernel(x):
        return to_stored(graph, graph.op("SpaceToDepth", data, blocksize=block), layout, 4)
    batch, depth, height, width = _sizes(graph, data, logical_shape(op.input, layout))
    high, wide = _quotient(graph, height, block), _quotient(graph, width, block)
    cut = graph.reshape(data, [batch, depth, high, block, wide, block])
    moved = graph.transpose(cut, (0, 3, 5, 1, 2, 4))
    result = graph.reshape(moved, [batch, _product(graph, depth, block * block), high, wide])
    return to_stored(graph, result, layout, 4)


def _has_kernel(x: OnnxTensor) -> bool:
    return x.element in (F16, BF16, F32, F64, I8, U8)


def _sizes(graph: OnnxGraph, x: OnnxTensor, shape: Sizes) -> list[Size]:
    return [graph.size(x, axis) if size < 0 else size for axis, size in enumerate(shape)]


def _product(graph: OnnxGraph, size: Size, factor: int) -> Size:
    return size * factor if isinstance(size, int) else graph.node("Mul", size, graph.ints(factor))


def _quotient(graph: OnnxGraph, size: Size, divisor: int) -> Size:
    return size // divisor if isinstance(size, int) else graph.node("Div", size, graph.ints(divisor))
