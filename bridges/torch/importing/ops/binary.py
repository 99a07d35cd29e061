"""Conversion of arithmetic, logic and comparison of two operands."""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import f32, i1
from xdsl.ir import Attribute, SSAValue

from .....dialects.npu import binary
from .....dialects.npu.base import NpuOp
from .....dialects.npu.values import element_type_of, is_boolean, is_float
from ....building import UnsupportedNode
from ..arithmetic import Number, cast, combine, common_element, given, is_exact, is_half, number, valued
from ..node import CallNode
from ..registry import converts
from .elementwise import truncated

KINDS = ("Tensor", "Scalar")
COMPARISONS: Mapping[str, type[NpuOp]] = {
    "eq": binary.EqualOp,
    "ne": binary.NotEqualOp,
    "lt": binary.LessOp,
    "le": binary.LessEqualOp,
    "gt": binary.GreaterOp,
    "ge": binary.GreaterEqualOp,
}
LOGIC: Mapping[str, type[NpuOp]] = {"and": binary.AndOp, "or": binary.OrOp, "xor": binary.XorOp}
EXTREMA: Mapping[str, type[NpuOp]] = {"aten.maximum.default": binary.MaxOp, "aten.minimum.default": binary.MinOp}


def computed(node: CallNode, op: type[NpuOp], pair: Sequence[SSAValue | Number], sign: str | None = None) -> SSAValue:
    """Arithmetic in the type of the result, or in 32 bits where 16 do not hold a number."""
    element = node.result().element
    wide = element
    for each in pair:
        if not isinstance(each, SSAValue) and not is_exact(each, element):
            wide = f32
        if isinstance(each, SSAValue) and is_half(element) and _is_rounded_late(node, each, element):
            raise UnsupportedNode("a scalar of more bits")
    found = combine(node, op, [valued(node, each, wide) for each in pair], sign=sign)
    return cast(node, found, element)


def _is_rounded_late(node: CallNode, value: SSAValue, element: Attribute) -> bool:
    given = element_type_of(value)
    return not node.rank(value) and is_float(given) and given != element


def scaled(node: CallNode, each: SSAValue | Number, factor: Number) -> SSAValue | Number:
    """An operand times a factor."""
    if factor == 1:
        return each
    if not isinstance(each, SSAValue):
        return each * factor
    return computed(node, binary.MulOp, [each, factor])


@converts("aten.add.Tensor", "aten.add.Scalar", "aten.sub.Tensor", "aten.sub.Scalar")
def sums(node: CallNode) -> SSAValue:
    op = binary.AddOp if node.call.name.startswith("aten.add") else binary.SubOp
    if is_boolean(node.result().element):
        raise UnsupportedNode("a sum of truth values")
    return computed(node, op, [given(node, "self"), scaled(node, given(node, "other"), number(node, "alpha", 1))])


@converts("aten.rsub.Tensor", "aten.rsub.Scalar")
def reversed_difference(node: CallNode) -> SSAValue:
    pair = given(node, "other"), scaled(node, given(node, "self"), number(node, "alpha", 1))
    return computed(node, binary.SubOp, pair)


@converts("aten.mul.Tensor", "aten.mul.Scalar")
def product(node: CallNode) -> SSAValue:
    if is_boolean(node.result().element):
        return combine(node, binary.AndOp, [node.operand("self"), node.operand("other")])
    return computed(node, binary.MulOp, [given(node, "self"), given(node, "other")])


@converts(
    "aten.div.Tensor", "aten.div.Scalar", "aten.div.Tensor_mode", "aten.div.Scalar_mode", "aten.true_divide.Tensor"
)
def quotient(node: CallNode) -> SSAValue:
    pair, mode = [given(node, "self"), given(node, "other")], node.get("rounding_mode")
    if mode == "floor":
        return _floored(node, pair)
    if mode is None or not is_float(node.result().element):
        return computed(node, binary.DivOp, pair)
    if is_half(node.result().element):
        raise UnsupportedNode("a quotient that is rounded twice")
    return truncated(node, computed(node, binary.DivOp, pair))


@converts("aten.floor_divide.default", "aten.floor_divide.Scalar")
def floored_quotient(node: CallNode) -> SSAValue:
    return _floored(node, [given(node, "self"), given(node, "other")])


def _floored(node: CallNode, pair: Sequence[SSAValue | Number]) -> SSAValue:
    """The quotient of integers, rounded down: one less where a remainder has another sign than the divisor."""
    element = node.result().element
    if is_float(element):
        raise UnsupportedNode("a quotient of floats, rounded down")
    lhs, rhs = (valued(node, each, element) for each in pair)
    quotient = combine(node, binary.DivOp, [lhs, rhs])
    rests = [combine(node, binary.ModOp, [lhs, rhs], sign=sign) for sign in ("lhs", "rhs")]
    is_more = combine(node, binary.NotEqualOp, rests, i1)
    return combine(node, binary.SubOp, [quotient, cast(node, is_more, element)])


@converts("aten.remainder.Tensor", "aten.remainder.Scalar", "aten.fmod.Tensor", "aten.fmod.Scalar")
def remainder(node: CallNode) -> SSAValue:
    sign = "lhs" if node.call.name.startswith("aten.fmod") else "rhs"
    return computed(node, binary.ModOp, [given(node, "self"), given(node, "other")], sign=sign)


@converts("aten.pow.Tensor_Tensor", "aten.pow.Tensor_Scalar", "aten.pow.Scalar")
def power(node: CallNode) -> SSAValue:
    """A square is a product, as in PyTorch."""
    pair, element = [given(node, "self"), given(node, "exponent")], node.result().element
    if pair[1] == 2 and not isinstance(pair[1], SSAValue):
        base = valued(node, pair[0], element)
        return combine(node, binary.MulOp, [base, base])
    if not is_float(element) and not isinstance(pair[1], SSAValue) and pair[1] < 0:
        raise UnsupportedNode("a negative power of integers")
    return computed(node, binary.PowOp, pair)


@converts(*EXTREMA)
def extremum(node: CallNode) -> SSAValue:
    return computed(node, EXTREMA[node.call.name], [node.operand("self"), node.operand("other")])


@converts(*(f"aten.{name}.{kind}" for name in COMPARISONS for kind in KINDS))
def comparison(node: CallNode) -> SSAValue:
    pair = [given(node, "self"), given(node, "other")]
    element = common_element(node, pair)
    if any(not isinstance(each, SSAValue) and not is_exact(each, element) for each in pair):
        raise UnsupportedNode("a number of more bits")
    return combine(node, COMPARISONS[node.call.name.split(".")[1]], [valued(node, each, element) for each in pair], i1)


@converts(*(f"aten.logical_{name}.default" for name in LOGIC))
def logic(node: CallNode) -> SSAValue:
    op = LOGIC[node.call.name.split(".")[1].removeprefix("logical_")]
    return combine(node, op, [cast(node, node.operand(name), i1) for name in ("self", "other")])


@converts(*(f"aten.{name}.{kind}" for each in LOGIC for name in (f"bitwise_{each}", f"__{each}__") for kind in KINDS))
def bits(node: CallNode) -> SSAValue:
    op = LOGIC[node.call.name.split(".")[1].removeprefix("bitwise_").strip("_")]
    return computed(node, op, [given(node, "self"), given(node, "other")])
