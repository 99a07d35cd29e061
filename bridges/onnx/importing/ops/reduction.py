"""Reductions and cumulative sums."""

from collections.abc import Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from .....dialects.npu import binary, reduction, unary
from .....dialects.npu.movement import ReverseOp
from .....dialects.npu.values import element_type_of, is_boolean
from ... import counterparts
from ..node import ImportedNode
from ..registry import Converted, converts
from ..sizes import Size
from ..types import UI8
from ..windows import numbers
from .elementwise import as_it_came, cast, combine

REDUCTIONS = {row.kind: row.op for row in counterparts.REDUCTIONS} | {"ReduceLogSum": reduction.ReduceSumOp}


def reduced_sizes(sizes: Sequence[Size], axes: Sequence[int], keep: bool) -> tuple[Size, ...]:
    """The shape after a reduction."""
    if keep:
        return tuple(1 if axis in axes else size for axis, size in enumerate(sizes))
    return tuple(size for axis, size in enumerate(sizes) if axis not in axes)


@converts(*REDUCTIONS)
def reduce(node: ImportedNode) -> Converted:
    op, value = REDUCTIONS[node.proto.op_type], node.operand(0)
    keep = node.flag("keepdims", 1)
    axes, is_kept = node.axes(node.list_of("axes", 1) or []), node.flag("noop_with_empty_axes")
    if not axes and is_kept:
        return _of_each(node, value)
    axes = axes or list(range(node.rank()))
    if not axes:
        return _of_each(node, value)
    sizes = reduced_sizes(node.sizes(), axes, keep)
    element = element_type_of(value)
    if is_boolean(element):
        # Unsigned, so that the maximum of no elements is false and the minimum true.
        value = cast(node, value, UI8)
    result = node.add(op, [value], sizes, axes=axes, keep=keep)
    if node.proto.op_type == "ReduceLogSum":
        result = as_it_came(node.add(unary.LogOp, [result], sizes), "ReduceLogSum")
    return cast(node, result, element)


def _of_each(node: ImportedNode, value: SSAValue) -> SSAValue:
    """A reduction over no axes, elementwise."""
    sizes = node.sizes_of(value)
    match node.proto.op_type:
        case "ReduceL1" | "ReduceL2":
            return node.add(unary.AbsOp, [value], sizes)
        case "ReduceSumSquare":
            return combine(node, binary.MulOp, value, value)
        case "ReduceLogSum":
            return node.add(unary.LogOp, [value], sizes)
        case _:
            return value


@converts("ArgMax", "ArgMin")
def arg_reduce(node: ImportedNode) -> Converted:
    """`select_last_index` is the first index on the reversed axis."""
    op = reduction.ArgMaxOp if node.proto.op_type == "ArgMax" else reduction.ArgMinOp
    value, axis = node.operand(0), node.axis(node.integer("axis"))
    keep = node.flag("keepdims", 1)
    sizes = reduced_sizes(node.sizes(), [axis], keep)
    if not node.flag("select_last_index"):
        return node.add(op, [value], sizes, i64, axis=axis, keep=keep)
    (size,) = numbers([node.sizes()[axis]])
    backwards = node.add(ReverseOp, [value], node.sizes(), axes=[axis])
    place = node.add(op, [backwards], sizes, i64, axis=axis, keep=keep)
    return combine(node, binary.SubOp, node.scalar(size - 1, place), place)


@converts("CumSum", "CumProd")
def running(node: ImportedNode) -> Converted:
    op, axis = reduction.CumsumOp if node.proto.op_type == "CumSum" else reduction.CumprodOp, int(node.single(1))
    flags = {"exclusive": node.flag("exclusive"), "reverse": node.flag("reverse")}
    return node.add(op, [node.operand(0)], node.sizes(), axis=node.axis(axis), **flags)
