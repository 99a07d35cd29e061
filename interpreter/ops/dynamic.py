"""Ops whose sizes and positions are numbers of the run."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.npu import dynamic as ops
from ...dialects.npu.base import NpuOp
from ...dialects.npu.values import shape_of
from ...layout import DYNAMIC
from ..elements import Array, precise
from ..errors import InterpreterError
from ..registry import meaning
from .resampling import interpolated


def of_type(op: NpuOp, found: Array, result: SSAValue | None = None) -> Array:
    """The result, which has the sizes that its type states."""
    stated = shape_of(op.results[0] if result is None else result)
    if any(size not in (DYNAMIC, actual) for size, actual in zip(stated, found.shape, strict=True)):
        raise InterpreterError(f"'{op.name}': the numbers lead to shape {found.shape}, not to that of the result")
    return found


@meaning(ops.ShapeOfOp)
def shape_of_value(op: ops.ShapeOfOp, x: Array) -> Array:
    return np.array([x.shape[axis] for axis in op.axes.get_values()], np.int64)


@meaning(ops.DynamicSliceOp)
def dynamic_slice(op: ops.DynamicSliceOp, x: Array, starts: Array, limits: Array, steps: Array | None) -> Array:
    strides = np.ones_like(starts) if steps is None else steps
    for axis, *bounds in zip(op.axes.get_values(), starts.tolist(), limits.tolist(), strides.tolist(), strict=True):
        x = np.take(x, _taken(op, x.shape[axis], *bounds), axis)
    return of_type(op, x)


def _taken(op: ops.DynamicSliceOp, size: int, start: int, limit: int, step: int) -> range:
    """The positions taken from an axis: a start before its first element is clamped to it, unlike Python's."""
    if step == 0:
        raise InterpreterError(f"'{op.name}': a step of 0")
    if size == 0:
        return range(0)
    first, last = (0, size) if step > 0 else (-1, size - 1)
    start, limit = (each + size if each < 0 else each for each in (start, limit))
    return range(min(max(start, 0), last), min(max(limit, first), last), step)


@meaning(ops.DynamicPadOp)
def dynamic_pad(op: ops.DynamicPadOp, x: Array, pads: Array, fill: Array | None) -> Array:
    axes = op.axes.get_values()
    added = np.asarray(op.value.value.data) if fill is None else fill.reshape(())
    for axis, low, high in zip(axes, pads.tolist()[: len(axes)], pads.tolist()[len(axes) :], strict=True):
        x = _padded(op, x, axis, low, high, added.astype(x.dtype))
    return of_type(op, x)


def _padded(op: ops.DynamicPadOp, x: Array, axis: int, low: int, high: int, added: Array) -> Array:
    size, mode = int(x.shape[axis]), op.mode.data
    if size + low + high < 0:
        raise InterpreterError(f"'{op.name}': axis {axis} has less than {-low - high} elements")
    if mode == "constant":
        # What is cut off may be more than there was: it is then cut from what is added at the other end.
        places = np.arange(-low, size + high, dtype=np.int64)
        return _constant(x, axis, places, added)
    left = np.take(x, np.arange(max(-low, 0), size - max(-high, 0), dtype=np.int64), axis)
    widths = [(0, 0)] * x.ndim
    widths[axis] = max(low, 0), max(high, 0)
    least = max(widths[axis]) + 1 if mode == "reflect" else int(any(widths[axis]))
    if left.shape[axis] < least:
        raise InterpreterError(f"'{op.name}': axis {axis} has too few elements for pads of {low} and {high}")
    return np.pad(left, widths, "edge" if mode == "edge" else "reflect")


@meaning(ops.DynamicSplitOp)
def dynamic_split(op: ops.DynamicSplitOp, x: Array, sizes: Array | None) -> tuple[Array, ...]:
    axis, count = op.axis.value.data, op.parts.value.data
    whole = int(x.shape[axis])
    each = -(-whole // count)
    found = [each] * (count - 1) + [whole - each * (count - 1)] if sizes is None else [int(size) for size in sizes]
    if min(found) < 0 or sum(found) != whole or (op.equal is not None and whole % count):
        raise InterpreterError(f"'{op.name}': parts of {found} of {whole} elements")
    parts = np.split(x, np.cumsum(found)[:-1].tolist(), axis)
    return tuple(of_type(op, part, result) for part, result in zip(parts, op.outputs, strict=True))


@meaning(ops.DynamicResizeOp)
def dynamic_resize(op: ops.DynamicResizeOp, x: Array, numbers: Array, roi: Array | None) -> Array:
    axes, coordinates = op.axes.get_values(), op.coordinates.data
    befores = [x.shape[axis] for axis in axes]
    sizes, scales = _sizes_and_scales(op, numbers, befores)
    if sizes == befores:
        return of_type(op, x)
    for place, (axis, size, scale) in enumerate(zip(axes, sizes, scales, strict=True)):
        before = x.shape[axis]
        if scale == 1 and coordinates not in op.LITE_COORDINATES:
            # ONNX Runtime keeps the axis, wherever its positions seem to be.
            continue
        if size and not before:
            raise InterpreterError(f"'{op.name}': axis {axis} has no elements")
        ends = (0.0, 1.0) if roi is None else (float(roi[place]), float(roi[place + len(axes)]))
        if coordinates in op.LITE_COORDINATES:
            origins = _lite_origins(coordinates, size, before)
        else:
            origins = _origins(coordinates, np.arange(size, dtype=np.float32), before, scale, ends)
        rounded = ROUNDINGS[op.rounding.data](origins.astype(np.float64))
        places = np.clip(rounded, 0, max(before - 1, 0)).astype(np.int64)
        if roi is not None:
            places[(origins < 0) | (origins > before - 1)] = -1
        x = _constant(x, axis, places, np.asarray(op.value.value.data).astype(x.dtype))
    return of_type(op, x)


@meaning(ops.DynamicInterpolateOp)
def dynamic_interpolate(op: ops.DynamicInterpolateOp, x: Array, numbers: Array, roi: Array | None) -> Array:
    axes, befores = op.axes.get_values(), [x.shape[axis] for axis in op.axes.get_values()]
    sizes, scales = _sizes_and_scales(op, numbers, befores)
    if sizes == befores:
        return of_type(op, x)
    data, is_outside = precise(x), np.zeros([1] * x.ndim, np.bool_)
    for place, (axis, size, scale) in enumerate(zip(axes, sizes, scales, strict=True)):
        before = x.shape[axis]
        if scale == 1:
            continue
        if size and not before:
            raise InterpreterError(f"'{op.name}': axis {axis} has no elements")
        ends = (0.0, 1.0) if roi is None else (float(roi[place]), float(roi[place + len(axes)]))
        origins = _origins(op.coordinates.data, np.arange(size, dtype=np.float32), before, scale, ends)
        if roi is not None:
            beyond = (origins < 0) | (origins > before - 1)
            is_outside = is_outside | beyond.reshape([size if axis == other else 1 for other in range(x.ndim)])
        places = origins.astype(np.float64)
        if op.cubic is None:
            data = interpolated(data, axis, np.clip(places, 0, max(before - 1, 0)))
        else:
            data = _by_cubics(data, axis, places, op.cubic.value.data, op.exclude_outside is not None)
    return of_type(op, np.where(is_outside, op.value.value.data, data))


def _by_cubics(data: Array, axis: int, places: Array, factor: float, is_inside: bool) -> Array:
    """The weighted mean of four elements, by the convolution with a cubic in each of four pieces."""
    whole, last = np.floor(places), max(data.shape[axis] - 1, 0)
    found = np.stack([whole + step for step in (-1, 0, 1, 2)])
    far = np.abs(places - found)
    weights = np.where(
        far <= 1,
        (factor + 2) * far**3 - (factor + 3) * far**2 + 1,
        factor * far**3 - 5 * factor * far**2 + 8 * factor * far - 4 * factor,
    )
    if is_inside:
        weights = np.where((found < 0) | (found > last), 0, weights)
        weights = weights / weights.sum(axis=0)
    indices = np.clip(found, 0, last).astype(np.int64)
    shape = [-1 if axis == other else 1 for other in range(data.ndim)]
    parts = [data.take(index, axis) * weight.reshape(shape) for index, weight in zip(indices, weights, strict=True)]
    return np.sum(parts, axis=0)


def _sizes_and_scales(op: ops.ResizingOp, numbers: Array, befores: Sequence[int]) -> tuple[list[int], list[float]]:
    if numbers.dtype.kind == "f":
        scales = numbers.astype(np.float32)
        if not (np.isfinite(scales) & (scales > 0)).all():
            raise InterpreterError(f"'{op.name}': scales {scales.tolist()}")
        return [int(np.float32(size) * scale) for size, scale in zip(befores, scales, strict=True)], scales.tolist()
    sizes = [int(each) for each in numbers]
    if min(sizes) < 0:
        raise InterpreterError(f"'{op.name}': sizes {sizes}")
    ratios = [size / before if before else 1.0 for size, before in zip(sizes, befores, strict=True)]
    return sizes, [float(np.float32(ratio)) for ratio in ratios]


ROUNDINGS: Mapping[str, Callable[[Array], Array]] = {
    "round_prefer_floor": lambda places: np.ceil(places - 0.5),
    "round_prefer_ceil": lambda places: np.floor(places + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


def _origins(coordinates: str, places: Array, size: int, scale: float, ends: tuple[float, float]) -> Array:
    """The positions in the input of those of the result, in f32 as ONNX Runtime computes them."""
    count = len(places)
    first, last = (np.float32(end) * np.float32(size - 1) for end in ends)
    match coordinates:
        case "pytorch_half_pixel" if count == 1:
            return places
        case "half_pixel" | "pytorch_half_pixel":
            return (places + 0.5) / scale - 0.5
        case "half_pixel_symmetric":
            whole = np.float32(scale) * np.float32(size)
            moved = np.float32(size / 2) * (np.float32(1) - np.float32(count) / whole)
            return moved + (places + 0.5) / scale - 0.5
        case "asymmetric":
            return places / scale
        case "tf_half_pixel_for_nn":
            return (places + 0.5) / scale
        case "align_corners" if count == 1:
            return places
        case _:
            return first + places * (last - first) / (count - 1) if count > 1 else places + (first + last) / 2


def _lite_origins(coordinates: str, size: int, before: int) -> Array:
    """The positions in the input as LiteRT computes them."""
    is_aligned = coordinates == "lite_align_corners" and size > 1
    taken, made = (before - 1, size - 1) if is_aligned else (before, size)
    places = np.arange(size, dtype=np.float32)
    if coordinates == "lite_half_pixel":
        places += np.float32(0.5)
    return places * (np.float32(taken) / np.float32(max(made, 1)))


def _constant(x: Array, axis: int, places: Array, fill: Array) -> Array:
    """The elements at some places along an axis, or the fill where there is none."""
    size = x.shape[axis]
    shape: Sequence[int] = (*x.shape[:axis], len(places), *x.shape[axis + 1 :])
    result = np.full(shape, fill, x.dtype)
    inside = (places >= 0) & (places < size)
    target = (slice(None),) * axis + (np.flatnonzero(inside),)
    result[target] = np.take(x, places[inside], axis)
    return result


@meaning(ops.DynamicTileOp)
def dynamic_tile(op: ops.DynamicTileOp, x: Array, repeats: Array) -> Array:
    counts = [1] * x.ndim
    for axis, count in zip(op.axes.get_values(), repeats.tolist(), strict=True):
        if count < 0:
            raise InterpreterError(f"'{op.name}': {count} repeats of axis {axis}")
        counts[axis] = count
    return of_type(op, np.tile(x, counts))
