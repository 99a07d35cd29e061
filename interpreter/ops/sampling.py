"""Ops that read a feature map at places that are no whole numbers."""

from collections.abc import Callable, Sequence
from itertools import product
from math import ceil

import numpy as np

from ...dialects.npu import sampling as ops
from ..elements import Array, precise
from ..registry import meaning
from ..storage import to_logical, to_stored

CUBIC = -0.75


@meaning(ops.GridSampleOp)
def grid_sample(op: ops.GridSampleOp, x: Array, grid: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    data = to_logical(x, layout)
    sizes, is_aligned = data.shape[2:], op.align_corners is not None
    # The last number is for the first spatial axis. Places are computed as elements of the grid, as in ONNX Runtime.
    places = [_denormalised(grid[..., -1 - axis], size, is_aligned) for axis, size in enumerate(sizes)]
    if op.mode.data == "nearest":
        places = [np.round(each) for each in places]
    padding = op.padding.data
    if padding == "reflection":
        places = [_reflected(each, size, is_aligned) for each, size in zip(places, sizes, strict=True)]
    first = [np.floor(each) for each in places]
    options = [_weights(op.mode.data, each - low) for each, low in zip(places, first, strict=True)]
    total = np.zeros((data.shape[0], data.shape[1], *grid.shape[1:-1]))
    batch = np.indices((data.shape[0], *[1] * len(sizes)))[0]
    for chosen in product(*options):
        weight: Array = np.ones(grid.shape[:-1])
        indices: list[Array] = []
        for (offset, factor), low, size in zip(chosen, first, sizes, strict=True):
            place, is_inside = _pixels(low + offset, size, padding, is_aligned)
            indices.append(place)
            weight = weight * factor * is_inside
        found = np.moveaxis(precise(data)[(batch, slice(None), *indices)], -1, 1)
        weights = weight[:, np.newaxis]
        # An element of weight zero is ignored, even if it is infinite.
        total += np.where(weights == 0, 0, found * weights)
    return to_stored(total, layout)


def _denormalised(places: Array, size: int, is_aligned: bool) -> Array:
    two, half = places.dtype.type(2), places.dtype.type(0.5)
    if is_aligned:
        return (places + 1) / two * places.dtype.type(size - 1)
    return ((places + 1) * places.dtype.type(size) - 1) * half


def _ends(size: int, is_aligned: bool) -> tuple[float, float]:
    return (0.0, size - 1.0) if is_aligned else (-0.5, size - 0.5)


def _reflected(places: Array, size: int, is_aligned: bool) -> Array:
    """The places mirrored at both ends until they are between them."""
    low, high = _ends(size, is_aligned)
    span = high - low
    if span == 0:
        return np.where((places < low) | (places > high), low, places)
    beyond = np.where(places < low, low - places, places - high)
    turns = np.floor(beyond / span)
    rest, is_even = beyond - turns * span, turns % 2 == 0
    below, above = np.where(is_even, low + rest, high - rest), np.where(is_even, high - rest, low + rest)
    return np.where(places < low, below, np.where(places > high, above, places))


def _pixels(places: Array, size: int, padding: str, is_aligned: bool) -> tuple[Array, Array]:
    """The elements at whole places, and true where there is one."""
    if padding == "reflection":
        # A conversion to integers, which is not that to the next lower one.
        places = np.trunc(_reflected(places, size, is_aligned))
    is_inside = (places >= 0) & (places < size)
    return np.clip(np.nan_to_num(places), 0, max(size - 1, 0)).astype(np.int64), is_inside | (padding != "zeros")


def _weights(mode: str, part: Array) -> Sequence[tuple[int, Array]]:
    """The offsets of the elements around a place, and their weights."""
    match mode:
        case "nearest":
            return [(0, np.ones_like(part))]
        case "linear":
            return [(0, 1 - part), (1, part)]
        case _:
            near: Callable[[Array], Array] = lambda x: ((CUBIC + 2) * x - (CUBIC + 3)) * x * x + 1  # noqa: E731
            far: Callable[[Array], Array] = lambda x: ((x - 5) * x + 8) * x * CUBIC - 4 * CUBIC  # noqa: E731
            return [(-1, far(part + 1)), (0, near(part)), (1, near(1 - part)), (2, far(2 - part))]


@meaning(ops.RoiAlignOp)
def roi_align(op: ops.RoiAlignOp, x: Array, regions: Array, batches: Array) -> Array:
    layout = op.feature_layout("input", op.input)
    data = precise(to_logical(x, layout))
    parts, moved = op.sizes.get_values(), 0.5 if op.half_pixel is not None else 0.0
    result = np.zeros((len(regions), data.shape[1], *parts))
    for number, (region, batch) in enumerate(zip(regions, batches, strict=True)):
        corners = region.astype(np.float64) * op.scale.value.data - moved
        samples: list[Array] = []
        counts: list[int] = []
        for low, high, count in zip(corners[1::-1], corners[:1:-1], parts, strict=True):
            length = high - low if op.half_pixel is not None else max(high - low, 1.0)
            each = length / count
            taken = op.ratio.value.data if op.ratio is not None else ceil(each)
            steps = np.arange(count)[:, np.newaxis] * each + (np.arange(taken) + 0.5) * each / max(taken, 1)
            samples.append((low + steps).reshape(-1))
            counts.append(taken)
        if 0 < min(counts):
            found = _interpolated(data[batch], samples, op.mode.data == "max")
            shape = (data.shape[1], parts[0], counts[0], parts[1], counts[1])
            cut = found.reshape(shape)
            result[number] = cut.max((2, 4)) if op.mode.data == "max" else cut.mean((2, 4))
    return to_stored(result, layout)


def _interpolated(image: Array, places: Sequence[Array], largest: bool) -> Array:
    """The sums of the four elements around each place times their weights, or the largest product."""
    pairs: list[Sequence[tuple[Array, Array]]] = []
    inside: list[Array] = []
    for at, size in zip(places, image.shape[1:], strict=True):
        inside.append((at >= -1) & (at <= size))
        kept = np.clip(at, 0, max(size - 1, 0))
        low = np.minimum(np.floor(kept).astype(np.int64), size - 1)
        part = kept - low
        pairs.append([(low, 1 - part), (np.minimum(low + 1, size - 1), part)])
    terms = [
        image[:, rows[:, np.newaxis], columns] * (row[:, np.newaxis] * column)
        for (rows, row), (columns, column) in product(*pairs)
    ]
    found = np.maximum.reduce(terms) if largest else np.sum(terms, axis=0)
    return np.where(inside[0][:, np.newaxis] & inside[1], found, 0)


@meaning(ops.DeformConvOp)
def deform_conv(
    op: ops.DeformConvOp, x: Array, offsets: Array, kernel: Array, bias: Array | None, mask: Array | None
) -> Array:
    layout = op.feature_layout("input", op.input)
    data, window = precise(to_logical(x, layout)), op.sliding_window(2)
    batch, channels = data.shape[:2]
    outputs, _, *extents = kernel.shape
    positions, parts, groups = offsets.shape[2:], op.offset_groups.value.data, op.groups.value.data
    moved = precise(offsets).reshape(batch, parts, *extents, 2, *positions)
    factors = np.ones((batch, parts, *extents, *positions)) if mask is None else precise(mask)
    factors = factors.reshape(batch, parts, *extents, *positions)
    result = np.zeros((batch, outputs, *positions))
    for number, place in product(range(batch), product(*map(range, extents))):
        starts: list[Array] = [
            np.arange(count) * stride - begin + step * dilation
            for count, stride, begin, step, dilation in zip(
                positions, window.strides, window.pads_begin, place, window.dilations, strict=True
            )
        ]
        starts[0], taken = starts[0][:, np.newaxis], list[Array]()
        for part, image in enumerate(np.split(data[number], parts)):
            own = [at + moved[number, part, place[0], place[1], axis] for axis, at in enumerate(starts)]
            taken.append(_between(image, own) * factors[number, part, place[0], place[1]])
        seen = np.concatenate(taken).reshape(groups, channels // groups, *positions)
        weights = precise(kernel[:, :, place[0], place[1]]).reshape(groups, outputs // groups, channels // groups)
        result[number] += np.einsum("goc,gchw->gohw", weights, seen).reshape(outputs, *positions)
    total = result if bias is None else result + precise(bias)[:, np.newaxis, np.newaxis]
    return to_stored(total, layout)


def _between(image: Array, places: Sequence[Array]) -> Array:
    """The elements around each place, interpolated, with zeros outside of the image."""
    total = np.zeros((image.shape[0], *places[0].shape))
    low = [np.floor(each) for each in places]
    for offsets in product((0, 1), repeat=2):
        weight: Array = np.ones(places[0].shape)
        indices: list[Array] = []
        for at, first, offset, size in zip(places, low, offsets, image.shape[1:], strict=True):
            pixel = first + offset
            weight = weight * (1 - np.abs(at - pixel)) * ((pixel >= 0) & (pixel < size))
            indices.append(np.clip(pixel, 0, max(size - 1, 0)).astype(np.int64))
        total += np.where(weight == 0, 0, image[(slice(None), *indices)] * weight)
    return total
