"""Reductions and cumulative sums."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerType

from .....dialects.npu import reduction as ops
from .....dialects.npu.values import element_type_of, integer_range, shape_of
from .....layout import DYNAMIC
from ...counterparts import REDUCTIONS
from ...errors import NotExportable
from ..elements import FLOATS, I32, I64
from ..graph import END, OnnxGraph, OnnxTensor
from ..registry import exports, exports_rest

KINDS = {row.op: row.kind for row in REDUCTIONS}
COMPARING = (ops.ReduceMaxOp, ops.ReduceMinOp)


@exports(ops.ReduceProdOp)
def multiply(op: ops.ReduceProdOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Integers are multiplied in halves if their number is known, because ReduceProd does not wrap."""
    axes, keep = op.axes.get_values(), op.keep is not None
    sizes = [shape_of(op.input)[axis] for axis in axes]
    if x.element in FLOATS or DYNAMIC in sizes:
        whole = x if x.element in FLOATS else graph.cast(x, I64)
        return graph.reduce("ReduceProd", whole, axes, keep)
    x = graph.cast(x, I64)
    for axis, size in zip(axes, sizes, strict=True):
        x = _multiplied_along(graph, x, axis, size, len(shape_of(op.input)))
    return x if keep else graph.op("Squeeze", x, graph.ints(*axes))


def _multiplied_along(graph: OnnxGraph, x: OnnxTensor, axis: int, size: int, rank: int) -> OnnxTensor:
    """The product along an axis, which becomes a unit axis."""
    while size != 1:
        if size % 2 or not size:
            x = graph.padded(x, [0] * rank, [int(other == axis) for other in range(rank)], 1)
        half = (size + 1) // 2
        if half:
            first, second = graph.slice(x, [axis], [0], [half]), graph.slice(x, [axis], [half], [END])
            x = graph.node("Mul", first, second)
        size = half or 1
    return x


@exports_rest(KINDS)
def reduce(op: ops.ReduceOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Reductions other than max and min accumulate integers in i64, but for sums of i32, which wrap in either."""
    is_sum = isinstance(op, ops.ReduceSumOp) and x.element == I32
    if x.element not in FLOATS and not isinstance(op, COMPARING) and not is_sum:
        x = graph.cast(x, I64)
    axes, keep = op.axes.get_values(), op.keep is not None
    sizes = shape_of(op.input)
    is_of_nothing = any(sizes[axis] == 0 for axis in axes)
    if isinstance(op, COMPARING) and is_of_nothing and x.element not in FLOATS:
        # For no elements, ONNX Runtime returns the limit of the type in which it computes.
        low, high = integer_range(cast("IntegerType", element_type_of(op.input)))
        padded = graph.padded(x, [0] * len(sizes), _one_along(sizes), low if isinstance(op, ops.ReduceMaxOp) else high)
        return graph.reduce(KINDS[type(op)], padded, axes, keep)
    if isinstance(op, ops.ReduceMeanOp) and is_of_nothing:
        # In ONNX Runtime the mean of no elements is 0.
        total = graph.reduce("ReduceSum", x, axes, keep)
        return graph.node("Add", total, graph.like(total, np.nan))
    return graph.reduce(KINDS[type(op)], x, axes, keep)


def _one_along(sizes: Sequence[int]) -> list[int]:
    """A pad of one for each axis without elements."""
    return [int(size == 0) for size in sizes]


@exports(ops.ArgMaxOp, ops.ArgMinOp)
def position(op: ops.ArgReduceOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """The order of NaN is undefined in ONNX."""
    kind = "ArgMax" if isinstance(op, ops.ArgMaxOp) else "ArgMin"
    return graph.op(kind, x, element=I64, axis=op.axis.value.data, keepdims=int(op.keep is not None))


@exports(ops.CumsumOp, ops.CumprodOp)
def running(op: ops.RunningOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    kind = "CumSum" if isinstance(op, ops.CumsumOp) else "CumProd"
    if x.element not in {*FLOATS, I32}:
        x = graph.cast(x, I64)
    if kind == "CumProd" and not graph.opset.has(kind):
        return _multiplied_so_far(op, graph, graph.computable_one("Mul", x))
    axis = graph.numbers(np.int64(op.axis.value.data))
    return graph.op(kind, x, axis, exclusive=int(op.exclusive is not None), reverse=int(op.reverse is not None))


def _multiplied_so_far(op: ops.RunningOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Each element times the one before it, then times that in front of both, and so on by doubled distances."""
    shape, axis, is_backward = shape_of(op.input), op.axis.value.data, op.reverse is not None
    size = shape[axis]
    if size == DYNAMIC:
        raise NotExportable(f"'{op.name}' along an axis of unknown size before opset 26")

    def moved(found: OnnxTensor, distance: int) -> OnnxTensor:
        """The elements at a distance, and ones beyond the end."""
        widths = [distance * (each == axis) for each in range(len(shape))]
        none = [0] * len(shape)
        padded = graph.padded(found, none if is_backward else widths, widths if is_backward else none, 1)
        first = distance if is_backward else 0
        return graph.slice(padded, [axis], [first], [first + size])

    result, distance = moved(x, 1) if op.exclusive else x, 1
    while distance < size:
        result = graph.node("Mul", result, moved(result, distance))
        distance *= 2
    return result
