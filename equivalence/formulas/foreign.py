"""Ops of ONNX that the dialect does not have, as those of LiteRT that compute the same.

Ops of LiteRT are written without what the file says besides their operands: those here have no options that matter.
"""

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.npu import binary, dynamic, movement
from ...dialects.npu.attrs import i64_array, i64_attr
from ...dialects.npu.axes import numbers_of
from ...dialects.npu.never_negative import is_never_negative
from ...dialects.npu.source import ForeignOp, OpaqueOp
from ...dialects.npu.values import element_type_of, shape_of
from ...layout import DYNAMIC
from .registry import foreign_formula, formula
from .steps import Steps

SHAPE, ARGS, BROADCAST = "litert.SHAPE", "litert.BROADCAST_ARGS", "litert.BROADCAST_TO"
GATHER_ND, SLICE = "litert.GATHER_ND", "litert.SLICE"


def number(op: ForeignOp, name: str, default: int) -> int:
    """An integer attribute."""
    found = op.attributes.get(name)
    return found.value.data if isinstance(found, IntegerAttr) else default


def _has_only(op: OpaqueOp, *names: str) -> bool:
    """True if an op without effects has no other attributes than these."""
    return op.pure is not None and op.attributes.keys() <= {*names}


@foreign_formula(ARGS, BROADCAST, GATHER_ND, SLICE)
def without_options(op: OpaqueOp, steps: Steps) -> None:
    if not op.attributes or not _has_only(op, "litert.operator", "litert.version"):
        return
    kinds: list[tuple[tuple[int, ...], Attribute]] = [(shape_of(value), element_type_of(value)) for value in op.results]
    steps.return_(*steps.foreign(op.op_name.data, steps.block.args, kinds))


def _shape(steps: Steps, x: SSAValue, element: Attribute) -> SSAValue:
    rank = len(shape_of(x))
    whole = steps.add(dynamic.ShapeOfOp, [x], (rank,), {"axes": i64_array(*range(rank))}, i64)
    return steps.cast(whole, element)


@foreign_formula(SHAPE)
def sizes(op: OpaqueOp, steps: Steps) -> None:
    if _has_only(op, "litert.operator", "litert.version") and shape_of(op.operands[0]):
        _shape(steps, steps.block.args[0], steps.element)


@formula(dynamic.ShapeOfOp)
def sizes_of_axes(op: dynamic.ShapeOfOp, steps: Steps) -> None:
    """A part of all sizes, or some of them in another order."""
    axes = numbers_of(op.axes)
    if axes == tuple(range(len(shape_of(op.input)))):
        return
    whole = _shape(steps, steps.operand(op.input), i64)
    if axes == tuple(range(axes[0], axes[0] + len(axes))):
        steps.return_(steps.slice(whole, [axes[0]], [len(axes)]))
        return
    places = steps.constant(np.array(axes, np.int64), i64)
    steps.add(movement.GatherOp, [whole, places], (len(axes),), {"axis": i64_attr(0)}, i64)


@foreign_formula("onnx.Expand")
def expand(op: OpaqueOp, steps: Steps) -> None:
    """Repeated to the sizes that both have together."""
    if not _has_only(op):
        return
    x, sizes = steps.block.args
    common = [_shape(steps, x, element_type_of(sizes)), sizes]
    (whole,) = steps.foreign(ARGS, common, [((len(steps.result),), element_type_of(sizes))])
    steps.foreign(BROADCAST, [x, whole], [(steps.result, steps.element)])


@formula(dynamic.DynamicSliceOp)
def first(op: dynamic.DynamicSliceOp, steps: Steps) -> None:
    """So many of the first elements along some axes, or all if there are fewer."""
    given, starts, places = shape_of(op.input), steps.known(1), numbers_of(op.axes)
    if starts is None or starts.any() or op.steps is not None or not is_never_negative(op.limits):
        return
    if any(given[axis] == DYNAMIC for axis in places):
        return
    x, _, ends = steps.block.args
    counts = steps.cast(ends, i32)
    sizes = [steps.constant(np.array([-1 if size == DYNAMIC else size], np.int32), i32) for size in given]
    for index, axis in enumerate(places):
        count = counts if len(places) == 1 else _part(steps, counts, index)
        sizes[axis] = steps.add(binary.MinOp, [count, steps.integer(given[axis])], (1,), element=i32)
    zeros = steps.constant(np.zeros(len(given), np.int32), i32)
    whole = sizes[0] if len(sizes) == 1 else _joined(steps, sizes)
    steps.foreign(SLICE, [x, zeros, whole], [(steps.result, steps.element)])


def _part(steps: Steps, vector: SSAValue, index: int) -> SSAValue:
    properties = {"starts": i64_array(index), "limits": i64_array(index + 1)}
    return steps.add(movement.SliceOp, [vector], (1,), properties, element_type_of(vector))


def _joined(steps: Steps, parts: list[SSAValue]) -> SSAValue:
    return steps.add(movement.ConcatOp, [parts], (len(parts),), {"axis": i64_attr(0)}, element_type_of(parts[0]))


@foreign_formula("onnx.GatherND")
def gather_nd(op: OpaqueOp, steps: Steps) -> None:
    """Places that are not counted from the end."""
    if _has_only(op, "batch_dims") and not number(op, "batch_dims", 0) and is_never_negative(op.operands[1]):
        x, places = steps.block.args
        steps.foreign(GATHER_ND, [x, steps.cast(places, i32)], [(steps.result, steps.element)])
