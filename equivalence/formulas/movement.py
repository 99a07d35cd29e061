"""Data movement."""

import numpy as np
from xdsl.dialects.builtin import StringAttr, i64

from ...dialects.npu import movement as ops
from ...dialects.npu import resampling, shape
from ...dialects.npu.attrs import i64_array, i64_attr
from ...dialects.npu.values import element_type_of, shape_of
from ...layout import DYNAMIC
from .registry import formula
from .steps import Steps


@formula(ops.GatherOp)
def gather(op: ops.GatherOp, steps: Steps) -> None:
    """Constant indices count from the start, in i64."""
    places, size = steps.known(1), shape_of(op.input)[op.axis.value.data]
    if places is None or size == DYNAMIC or places.dtype.kind not in "iu":
        return
    wide = places.astype(np.int64)
    if element_type_of(op.indices) == i64 and not (wide < 0).any():
        return
    counted = steps.constant(np.where(wide < 0, wide + size, wide), i64)
    steps.add(ops.GatherOp, [steps.operand(op.input), counted], None, {"axis": i64_attr(op.axis.value.data)})


@formula(ops.SliceOp)
def slice_of(op: ops.SliceOp, steps: Steps) -> None:
    """Positions along axes of known sizes count from the start, and end behind the last element that is taken."""
    starts, limits = list(op.starts.get_values()), list(op.limits.get_values())
    by = op.steps.get_values() if op.steps else (1,) * len(starts)
    if 0 in steps.result:
        return
    firsts, lasts = [*starts], [*limits]
    for axis, size in enumerate(shape_of(op.input)):
        if size != DYNAMIC:
            taken = range(size)[starts[axis] : limits[axis] : by[axis]]
            firsts[axis], lasts[axis] = taken[0], taken[-1] + 1
    if (firsts, lasts) == (starts, limits):
        return
    properties = {"starts": i64_array(*firsts), "limits": i64_array(*lasts), "steps": op.steps}
    steps.add(ops.SliceOp, [steps.operand(op.input)], None, properties)


@formula(ops.ReverseOp)
def reverse(op: ops.ReverseOp, steps: Steps) -> None:
    """One axis after the other."""
    axes = sorted(op.axes.get_values())
    if len(axes) < 2:
        return
    x = steps.operand(op.input)
    for axis in axes:
        x = steps.add(ops.ReverseOp, [x], None, {"axes": i64_array(axis)})


@formula(shape.BroadcastOp)
def broadcast(op: shape.BroadcastOp, steps: Steps) -> None:
    """The operand has all axes of the result first."""
    axes, given, rank = op.axes.get_values(), shape_of(op.input), len(steps.result)
    if len(given) == rank or list(axes) != sorted(axes) or not steps.is_static():
        return
    sizes = dict(zip(axes, given, strict=True))
    whole = steps.reshape(steps.operand(op.input), [sizes.get(axis, 1) for axis in range(rank)])
    steps.add(shape.BroadcastOp, [whole], None, {"axes": i64_array(*range(rank))})


@formula(ops.PadOp)
def pad(op: ops.PadOp, steps: Steps) -> None:
    """Repeated elements are gathered, one axis after the other."""
    mode, low, high = op.mode.data, op.low.get_values(), op.high.get_values()
    x = steps.operand(op.input)
    is_known = all(size != DYNAMIC or not a + b for size, a, b in zip(shape_of(x), low, high, strict=True))
    if mode not in ("edge", "symmetric") or not is_known:
        return
    for axis, (before, behind) in enumerate(zip(low, high, strict=True)):
        size = shape_of(x)[axis]
        if not before and not behind:
            continue
        places = np.arange(-before, size + behind)
        if mode == "symmetric":
            places = np.where(places < 0, -1 - places, np.where(places < size, places, 2 * size - 1 - places))
        places = np.clip(places, 0, size - 1)
        sizes = (*shape_of(x)[:axis], len(places), *shape_of(x)[axis + 1 :])
        x = steps.add(ops.GatherOp, [x, steps.constant(places, i64)], sizes, {"axis": i64_attr(axis)})


@formula(resampling.BilinearOp)
def bilinear(op: resampling.BilinearOp, steps: Steps) -> None:
    """Factors that give whole sizes are the quotients of the sizes."""
    layout = op.feature_layout("input", op.input)
    order = layout.order_for(len(steps.result))
    given, result = (dict(zip(order, shape_of(value), strict=True)) for value in (op.input, op.result))
    is_known = DYNAMIC not in (given[2], given[3], result[2], result[3])
    if op.factors is None or not steps.is_f32() or not is_known:
        return
    exact = all(given[2 + i] * factor == result[2 + i] for i, factor in enumerate(op.factors.get_values()))
    if not exact and op.coordinates.data != "align_corners":
        return
    properties = {name: value for name, value in op.properties.items() if name not in ("factors", "data_layout")}
    sizes = {"sizes": i64_array(result[2], result[3]), "data_layout": steps.layout(layout)}
    steps.add(resampling.BilinearOp, [steps.operand(op.input)], None, {**properties, **sizes})


@formula(resampling.DepthToSpaceOp)
def depth_to_space(op: resampling.DepthToSpaceOp, steps: Steps) -> None:
    """Channels whose blocks come last are re-ordered first."""
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    axis = layout.order_for(4).index(1)
    x = steps.operand(op.input)
    if op.mode != StringAttr("crd") or shape_of(x)[axis] == DYNAMIC:
        return
    channels = shape_of(x)[axis] // (block * block)
    if channels > 1:
        places = np.arange(channels * block * block).reshape(channels, block * block).T.reshape(-1)
        x = steps.add(ops.GatherOp, [x, steps.constant(places, i64)], shape_of(x), {"axis": i64_attr(axis)})
    properties = {"block": op.block, "mode": StringAttr("dcr"), "data_layout": steps.layout(layout)}
    steps.add(resampling.DepthToSpaceOp, [x], None, properties)
