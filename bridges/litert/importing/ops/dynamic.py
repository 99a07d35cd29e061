"""SHAPE, and kinds of SLICE, STRIDED_SLICE, PAD and RESIZE whose numbers are known at run time only."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import FloatAttr, StringAttr, TensorType, f64, i64
from xdsl.ir import SSAValue

from .....dialects.npu import dynamic as ops
from .....dialects.npu.attrs import i64_array, i64_attr
from .....dialects.npu.binary import AddOp, MaxOp
from .....dialects.npu.elementwise import CastOp
from .....dialects.npu.movement import GatherOp
from .....dialects.npu.never_negative import is_never_negative
from .....dialects.npu.shape import TransposeOp
from .....layout import DYNAMIC
from ...exporting.elements import LiteElement
from ..node import FileNode

INTEGERS = (LiteElement.I32, LiteElement.I64)
BEGIN, END = np.iinfo(np.int32).min, np.iinfo(np.int32).max
"""Places in front of all elements and behind them."""


def sizes_of(node: FileNode) -> SSAValue:
    """The sizes of a value, which are i64 in the dialect."""
    rank = len(node.shape())
    node.require(rank > 0, "no sizes")
    sizes = node.add(ops.ShapeOfOp, [node.value(0)], {"axes": i64_array(*range(rank))}, TensorType(i64, [rank]))
    return sizes if node.result.element == LiteElement.I64 else node.add(CastOp, [sizes])


def axes_read(x: SSAValue, data: SSAValue) -> Sequence[int] | None:
    """The axes of the data whose sizes a vector lists; None if it is no such vector."""
    op = x.owner.input.owner if isinstance(x.owner, CastOp) else x.owner
    return op.axes.get_values() if isinstance(op, ops.ShapeOfOp) and op.input is data else None


def _listed(node: FileNode, index: int, *shape: int) -> SSAValue:
    """An operand of this shape with integers."""
    node.require(node.shape(index) == shape and 0 not in shape, "other axes")
    node.require(node.input(index).element in INTEGERS, "numbers of another type")
    return node.value(index)


def _result(node: FileNode, axes: Sequence[int]) -> TensorType:
    """The type of the result: along axes that are not named it has the operand's sizes."""
    given, found = node.shape(), node.result.shape
    node.require(len(given) == len(found), "another rank")
    pairs = enumerate(zip(given, found, strict=True))
    return node.typed(node.result, [(after or DYNAMIC) if axis in axes else before for axis, (before, after) in pairs])


def dynamic_slice(node: FileNode) -> SSAValue:
    """A SLICE takes so many elements from a place on, or all that follow if their number is -1."""
    axes = range(len(node.shape()))
    starts, sizes = (_listed(node, index, len(axes)) for index in (1, 2))
    limits = node.add(AddOp, [starts, sizes], {}, node.typed(node.input(1)))
    if node.is_known(2):
        counts = np.array(node.ints(2))
        node.require(counts.min() >= -1, "a negative number of elements")
        if (counts < 0).any():
            ends = node.constant(np.where(counts < 0, END, BEGIN), node.input(1).element)
            limits = node.add(MaxOp, [limits, ends], {}, node.typed(node.input(1)))
    else:
        node.require(is_never_negative(sizes), "numbers of elements that may be -1")
    operands = [node.value(0), starts, limits, None]
    return node.marked(node.add(ops.DynamicSliceOp, operands, {"axes": i64_array(*axes)}, _result(node, axes)))


def dynamic_strided_slice(node: FileNode) -> SSAValue:
    """Axes that the masks leave whole are not named; what a mask covers of the others has to be constant."""
    rank, options, steps = len(node.shape()), node.options, node.ints(3)
    masks = options.ellipsisMask, options.newAxisMask, options.shrinkAxisMask, options.offset
    node.require(not any(masks) and len(steps) == rank and min((*steps, 1)) > 0, "other axes")
    covered = [[bool(mask >> axis & 1) for axis in range(rank)] for mask in (options.beginMask, options.endMask)]
    axes = [axis for axis in range(rank) if not (covered[0][axis] and covered[1][axis] and steps[axis] == 1)]
    node.require(bool(axes), "no positions")
    bounds = [
        _bounds(node, index, axes, under, neutral)
        for index, under, neutral in zip((1, 2), covered, (0, END), strict=True)
    ]
    by = [steps[axis] for axis in axes]
    strides = node.constant(by, node.input(1).element) if max(by) > 1 else None
    operands = [node.value(0), *bounds, strides]
    return node.add(ops.DynamicSliceOp, operands, {"axes": i64_array(*axes)}, _result(node, axes))


def _bounds(node: FileNode, index: int, axes: Sequence[int], covered: Sequence[bool], neutral: int) -> SSAValue:
    """The starts or limits along the named axes; those that a mask covers are neutral."""
    rank = len(node.shape())
    bounds = _listed(node, index, rank)
    if any(covered[axis] for axis in axes):
        known = [neutral if hidden else each for each, hidden in zip(node.ints(index), covered, strict=True)]
        return node.constant([known[axis] for axis in axes], node.input(index).element)
    if len(axes) == rank:
        return bounds
    places = node.constant(axes, LiteElement.I64)
    return node.add(GatherOp, [bounds, places], {"axis": i64_attr(0)}, node.typed(node.input(index), [len(axes)]))


def dynamic_pad(node: FileNode, mode: str, value: float) -> SSAValue:
    """The numbers are pairs for the axes in a file, and first those in front of all axes in the dialect."""
    rank = len(node.shape())
    pairs, ends = _listed(node, 1, rank, 2), node.input(1)
    columns = node.add(TransposeOp, [pairs], {"permutation": i64_array(1, 0)}, node.typed(ends, (2, rank)))
    pads = node.reshaped(columns, (2 * rank,), ends.element)
    properties = {
        "axes": i64_array(*range(rank)),
        "mode": StringAttr(mode) if mode != "constant" else None,
        "value": FloatAttr(value, f64) if value or np.signbit(value) else None,
    }
    made = node.add(ops.DynamicPadOp, [node.value(0), pads, []], properties, _result(node, range(rank)))
    return node.marked(made)


def dynamic_nearest(node: FileNode, coordinates: str) -> SSAValue:
    """A resize to sizes of the run; the position is rounded down, or to the nearest with aligned corners."""
    node.require(len(node.shape()) == 4, "other axes")
    properties = {
        "axes": i64_array(1, 2),
        "coordinates": StringAttr(f"lite_{coordinates}"),
        "rounding": StringAttr("round_prefer_ceil" if coordinates == "align_corners" else "floor"),
    }
    return node.add(ops.DynamicResizeOp, [node.value(0), _listed(node, 1, 2), []], properties, _result(node, (1, 2)))
