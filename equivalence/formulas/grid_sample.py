"""Samples of images as gathers of pixels and arithmetic."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import SSAValue

from ...dialects.npu import binary, movement, reduction, unary
from ...dialects.npu.attrs import i64_array, i64_attr
from ...dialects.npu.sampling import GridSampleOp
from ...dialects.npu.values import shape_of
from ...layout import Order, invert
from .registry import formula
from .steps import Steps


@formula(GridSampleOp)
def grid_sample(op: GridSampleOp, steps: Steps) -> None:
    """The pixels around each place of an image with channels last, which is padded with zeros."""
    mode, padding = op.mode.data, op.padding.data
    is_known = mode in ("linear", "nearest") and padding in ("zeros", "border")
    if not is_known or not steps.is_f32() or not steps.is_static() or len(steps.result) != 4:
        return
    layout = op.feature_layout("input", op.input)
    order: Order = tuple(map(layout.position_of, "NHWC"))
    x, grid = steps.block.args
    before = int(padding == "zeros")
    stored = steps.transpose(x, order)
    image = steps.pad(stored, [0, before, before, 0], [0, before + 1, before + 1, 0])
    sizes = np.array(shape_of(stored)[2:0:-1], np.float32)
    places = _places(steps, grid, sizes, op.align_corners is not None)
    places = steps.binary(binary.MaxOp, places, steps.number(-before))
    places = steps.binary(binary.MinOp, places, _row(steps, sizes - 1 + before, grid))
    steps.transpose(_read(steps, image, places, before, mode == "nearest"), invert(order))


def _row(steps: Steps, numbers: NDArray[Any], grid: SSAValue) -> SSAValue:
    """Numbers along the last axis."""
    element = i32 if numbers.dtype == np.int32 else f32
    return steps.constant(numbers.reshape((1,) * (len(shape_of(grid)) - 1) + numbers.shape), element)


def _places(steps: Steps, grid: SSAValue, sizes: NDArray[Any], is_aligned: bool) -> SSAValue:
    """The places of a grid from -1 to 1 as numbers of pixels."""
    begun = steps.plus(grid, steps.number(1))
    if is_aligned:
        return steps.times(steps.times(begun, steps.number(0.5)), _row(steps, sizes - 1, grid))
    return steps.times(steps.minus(steps.times(begun, _row(steps, sizes, grid)), steps.number(1)), steps.number(0.5))


def _read(steps: Steps, image: SSAValue, places: SSAValue, before: int, is_nearest: bool) -> SSAValue:
    batch, height, width, channels = shape_of(image)
    sizes = shape_of(places)[:3]
    whole = steps.unary(unary.RoundOp if is_nearest else unary.FloorOp, places)
    scaled = _integers(steps, binary.MulOp, steps.cast(whole, i32), _row(steps, np.array([1, width], np.int32), places))
    total = steps.add(reduction.ReduceSumOp, [scaled], sizes, {"axes": i64_array(3), "keep": None}, i32)
    firsts = np.arange(batch).reshape(batch, 1, 1) * (height * width) + before * (width + 1)
    first = _integers(steps, binary.AddOp, total, steps.constant(firsts.astype(np.int32), i32))
    pixels = steps.reshape(image, (prod((batch, height, width)), channels))

    def at(offset: int) -> SSAValue:
        index = _integers(steps, binary.AddOp, first, steps.integer(offset)) if offset else first
        return steps.add(movement.GatherOp, [pixels, index], (*sizes, channels), {"axis": i64_attr(0)})

    if is_nearest:
        return at(0)
    part = steps.minus(places, whole)
    across, down = (steps.slice(part, [0, 0, 0, axis], (*sizes, 1)) for axis in (0, 1))
    upper = _between(steps, at(0), at(1), across)
    lower = _between(steps, at(width), at(width + 1), across)
    return _between(steps, upper, lower, down)


def _integers(steps: Steps, op: type[binary.AddOp | binary.MulOp], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return steps.add(op, [lhs, rhs], shape_of(lhs), element=i32)


def _between(steps: Steps, one: SSAValue, other: SSAValue, part: SSAValue) -> SSAValue:
    return steps.plus(one, steps.times(steps.minus(other, one), part))
