"""Conversion of elementwise operators of one operand, casts and choices."""

from math import inf

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from .....dialects.npu import binary, unary
from .....dialects.npu.elementwise import SelectOp
from .....dialects.npu.values import element_type_of, is_boolean, is_float
from ...counterparts import ACTIVATIONS, UNARY
from ..arithmetic import cast, combine, given, number, scalar, valued
from ..node import CallNode
from ..registry import converts
from .shape import CONTIGUOUS

_UNARY = {row.name: row.op for row in (*UNARY, *ACTIVATIONS)}


@converts(*_UNARY)
def one_operand(node: CallNode) -> SSAValue:
    """The op of the row; integers become floats first where the result is one."""
    x = cast(node, node.operand("self"), node.result().element)
    node.require(not node.get("decimals"), "decimals")
    return node.add(_UNARY[node.call.name], [x], node.sizes_of(x))


@converts("aten.square.default")
def square(node: CallNode) -> SSAValue:
    x = node.operand("self")
    return combine(node, binary.MulOp, [x, x])


@converts("aten.trunc.default", "aten.fix.default")
def trunc(node: CallNode) -> SSAValue:
    return truncated(node, node.operand("self"))


def truncated(node: CallNode, x: SSAValue) -> SSAValue:
    """Floats without their fractions; the sign of a zero is that of the number."""
    is_negative = combine(node, binary.LessOp, [x, scalar(node, 0.0, element_type_of(x))], i1)
    up, down = (node.add(op, [x], node.sizes_of(x)) for op in (unary.CeilOp, unary.FloorOp))
    return combine(node, SelectOp, [is_negative, up, down], element_type_of(x))


@converts("aten.logical_not.default", "aten.bitwise_not.default")
def negation(node: CallNode) -> SSAValue:
    x = node.operand("self")
    if not is_boolean(element_type_of(x)) and node.call.name.startswith("aten.logical"):
        return combine(node, binary.EqualOp, [x, scalar(node, 0, element_type_of(x))], i1)
    return node.add(unary.NotOp, [x], node.sizes_of(x))


def truth(node: CallNode, x: SSAValue) -> SSAValue:
    """True where an element is not zero."""
    return cast(node, x, i1)


@converts("aten.isnan.default")
def is_nan(node: CallNode) -> SSAValue:
    x = node.operand("self")
    return combine(node, binary.NotEqualOp, [x, x], i1)


@converts("aten.isinf.default")
def is_inf(node: CallNode) -> SSAValue:
    x = node.operand("self")
    node.require(is_float(element_type_of(x)), "integers")
    size = node.add(unary.AbsOp, [x], node.sizes_of(x))
    return combine(node, binary.EqualOp, [size, scalar(node, inf, element_type_of(x))], i1)


# Casts.


@converts("aten._to_copy.default", "aten.to.dtype", "prims.convert_element_type.default")
def to_type(node: CallNode) -> SSAValue:
    """A cast, or nothing. Copies to another device or with other strides stay."""
    x = node.operand("a" if node.call.name.startswith("prims.") else "self")
    node.require(node.get("memory_format") in CONTIGUOUS, "other strides")
    places = [node.get(name) for name in ("device", "layout", "pin_memory")]
    node.require(all(each in (None, False, "cpu", "torch.strided") for each in places), "another device or layout")
    return cast(node, x, node.result().element)


# Choices.


@converts("aten.where.self", "aten.where.ScalarSelf", "aten.where.ScalarOther", "aten.where.Scalar")
def where(node: CallNode) -> SSAValue:
    element = node.result().element
    chosen = [valued(node, given(node, name), element) for name in ("self", "other")]
    return combine(node, SelectOp, [truth(node, node.operand("condition")), *chosen], element)


@converts("aten.masked_fill.Scalar", "aten.masked_fill.Tensor")
def masked_fill(node: CallNode) -> SSAValue:
    element = node.result().element
    value = valued(node, given(node, "value"), element)
    return combine(node, SelectOp, [node.operand("mask"), value, node.operand("self")], element)


@converts("aten.threshold.default")
def threshold(node: CallNode) -> SSAValue:
    """The elements above a number, and another one in place of the others."""
    x = node.operand("self")
    element = element_type_of(x)
    bound, value = (scalar(node, number(node, name), element) for name in ("threshold", "value"))
    is_low = combine(node, binary.LessEqualOp, [x, bound], i1)
    return combine(node, SelectOp, [is_low, value, x], element)
