"""Elementwise ops of two operands."""

from collections.abc import Mapping

from xdsl.ir import SSAValue

from .....dialects.npu import binary as ops
from .....dialects.npu.elementwise import BinaryOp
from .....dialects.npu.values import element_type_of, is_boolean, is_float, shape_of
from ..graph import CallBuilder
from ..registry import exports
from .elementwise import aligned

ARITHMETIC: Mapping[type[BinaryOp], str] = {
    ops.AddOp: "aten.add.Tensor",
    ops.SubOp: "aten.sub.Tensor",
    ops.MulOp: "aten.mul.Tensor",
    ops.DivOp: "aten.div.Tensor",
}
MIRRORED: Mapping[type[BinaryOp], tuple[str, str]] = {
    ops.EqualOp: ("eq", "eq"),
    ops.NotEqualOp: ("ne", "ne"),
    ops.LessOp: ("lt", "gt"),
    ops.LessEqualOp: ("le", "ge"),
    ops.GreaterOp: ("gt", "lt"),
    ops.GreaterEqualOp: ("ge", "le"),
}
"""Comparisons, and those with operands exchanged."""
LOGIC: Mapping[type[BinaryOp], str] = {ops.AndOp: "and", ops.OrOp: "or", ops.XorOp: "xor"}
EXTREMA: Mapping[type[BinaryOp], str] = {ops.MaxOp: "aten.maximum.default", ops.MinOp: "aten.minimum.default"}


def called(op: BinaryOp, graph: CallBuilder, name: str, lhs: SSAValue, rhs: SSAValue, **values: object) -> SSAValue:
    """A call that reads both operands as tensors, or a number in place of the second one."""
    operands, number = {"self": lhs, "other": rhs}, None
    if not graph.has_copies and shape_of(lhs):
        number = graph.number(rhs)
    if number is not None:
        del operands["other"]
        values["other"] = number
    return graph.call(name, operands, shape_of(op.result), element_type_of(op.result), **values)


@exports(*ARITHMETIC)
def arithmetic(op: BinaryOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    is_number = not graph.has_copies and graph.number(lhs) is not None and bool(shape_of(rhs))
    if is_number and isinstance(op, ops.AddOp | ops.MulOp):
        lhs, rhs = rhs, lhs
    elif is_number and isinstance(op, ops.SubOp):
        return called(op, graph, "aten.rsub.Scalar", rhs, lhs)
    if isinstance(op, ops.DivOp) and not is_float(element_type_of(op.result)):
        return called(op, graph, "aten.div.Tensor_mode", lhs, rhs, rounding_mode="trunc")
    return called(op, graph, ARITHMETIC[type(op)], lhs, rhs)


@exports(ops.ModOp)
def mod(op: ops.ModOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    name = "fmod" if op.sign.data == "lhs" else "remainder"
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    if graph.number(rhs) is not None and shape_of(lhs):
        return called(op, graph, f"aten.{name}.{'Tensor' if graph.has_copies else 'Scalar'}", lhs, rhs)
    operands = {"self": lhs, "other": rhs}
    return graph.call(f"aten.{name}.Tensor", operands, shape_of(op.result))


@exports(ops.PowOp)
def power(op: ops.PowOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    sizes, base, exponent = shape_of(op.result), graph.number(lhs), graph.number(rhs)
    element = element_type_of(op.result)
    if exponent is not None and shape_of(lhs):
        return graph.call("aten.pow.Tensor_Scalar", {"self": lhs}, sizes, element, exponent=exponent)
    if base is not None and shape_of(rhs) and not graph.is_core:
        return graph.call("aten.pow.Scalar", {"exponent": rhs}, sizes, element, self=base)
    return graph.call("aten.pow.Tensor_Tensor", {"self": lhs, "exponent": rhs}, sizes, element)


@exports(*MIRRORED)
def comparison(op: BinaryOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    name, mirrored = MIRRORED[type(op)]
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    if not graph.has_copies and graph.number(lhs) is not None and shape_of(rhs):
        lhs, rhs, name = rhs, lhs, mirrored
    is_number = not graph.has_copies and graph.number(rhs) is not None and bool(shape_of(lhs))
    return called(op, graph, f"aten.{name}.{'Scalar' if is_number else 'Tensor'}", lhs, rhs)


@exports(*LOGIC)
def logic(op: BinaryOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    is_truth = is_boolean(element_type_of(op.result))
    name = f"aten.logical_{LOGIC[type(op)]}.default" if is_truth else f"aten.bitwise_{LOGIC[type(op)]}.Tensor"
    return graph.call(name, {"self": lhs, "other": rhs}, shape_of(op.result))


@exports(*EXTREMA)
def extremum(op: BinaryOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    return graph.call(EXTREMA[type(op)], {"self": lhs, "other": rhs}, shape_of(op.result))


@exports(ops.PreluOp)
def prelu(op: ops.PreluOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    sizes = shape_of(op.result)
    if not graph.is_core and is_float(element_type_of(op.result)) and shape_of(lhs) == sizes:
        slope = rhs if len(shape_of(rhs)) == len(sizes) else graph.reshape(rhs, [1] * len(sizes))
        return graph.call("aten._prelu_kernel.default", {"self": lhs, "weight": slope}, sizes)
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    element = element_type_of(op.result)
    is_positive = graph.truth("aten.gt.Scalar", {"self": lhs}, shape_of(lhs), other=0)
    product = graph.call("aten.mul.Tensor", {"self": lhs, "other": rhs}, sizes)
    return graph.call("aten.where.self", {"condition": is_positive, "self": lhs, "other": product}, sizes, element)
