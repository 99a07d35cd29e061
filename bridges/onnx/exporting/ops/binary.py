"""Elementwise ops of two operands."""

from collections.abc import Mapping

from .....dialects.notes.node_kinds import ONNX_KIND, was
from .....dialects.npu import binary as ops
from .....dialects.npu.elementwise import BinaryOp
from .....dialects.npu.values import shape_of
from ...counterparts import BINARY
from ...element_types import I8, I16, I32, SINGLE, U8, U16, U32, U64
from ..elements import BOOL, FLOATS, I64, UNSIGNED
from ..gemm_bias import gemm_and_bias
from ..graph import OnnxGraph, OnnxTensor, numbers_of
from ..opset import NeedsOpset
from ..registry import exports, exports_rest
from .elementwise import aligned, one_node

SHIFTS_SIGNED = 28
"""The opset from which on BitShift takes signed integers."""
UNSIGNED_OF: Mapping[int, int] = {I8: U8, I16: U16, I32: U32, I64: U64}


@exports(ops.AddOp, ops.SubOp, ops.MulOp)
def arithmetic(op: BinaryOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    """A product that was a shift is one again, if its factor still is."""
    if was(op, "BitShift", ONNX_KIND) and (shifted := _shifted(op, graph, lhs, rhs, "LEFT")) is not None:
        return shifted
    if was(op, "Gemm", ONNX_KIND) and (product := _within_gemm(op, graph, lhs, rhs)) is not None:
        return product
    if isinstance(op, ops.AddOp) and (both := gemm_and_bias(op.operands, (lhs, rhs))) is not None:
        return graph.node("Gemm", *both.inputs, **both.flags)
    return one_node(op, graph, lhs, rhs)


def _within_gemm(op: BinaryOp, graph: OnnxGraph, product: OnnxTensor, other: OnnxTensor) -> OnnxTensor | None:
    """The Gemm in front with this number as factor, or this bias; None if the product is written in another way."""
    node, numbers = product.node, numbers_of(other)
    if node is None or node.kind != "Gemm" or len(node.inputs) > 2 or not isinstance(node.attributes, Mapping):
        return None
    if isinstance(op, ops.AddOp):
        bias = other if other.lifted is None else other.lifted.source
        return graph.node("Gemm", *node.inputs, bias, **node.attributes)
    if numbers is None or numbers.size != 1:
        return None
    return graph.node("Gemm", *node.inputs, **node.attributes, alpha=float(numbers.item()))


@exports(ops.NotEqualOp)
def not_equal(op: ops.NotEqualOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    if op.lhs is op.rhs and lhs.element in SINGLE and graph.opset.has("IsNaN"):
        return graph.node("IsNaN", lhs, element=BOOL)
    return graph.op("Not", graph.compare("Equal", *aligned(op, graph, (lhs, rhs))))


def replaced_by_one(graph: OnnxGraph, x: OnnxTensor, *values: int) -> OnnxTensor:
    """Replace these integers by 1, because division by them is undefined in ONNX."""
    if x.weights is not None and not any((x.weights.array() == value).any() for value in values):
        return x
    for value in values:
        found = graph.compare("Equal", x, graph.like(x, value))
        x = graph.cast(graph.where(found, graph.like(x, 1), x), x.element)
    return x


@exports(ops.DivOp)
def divide(op: ops.DivOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    """Integers divided by 0 are 0; divided by -1 they are negated with wrapping."""
    if was(op, "BitShift", ONNX_KIND) and (shifted := _shifted(op, graph, lhs, rhs, "RIGHT")) is not None:
        return shifted
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    if lhs.element in FLOATS or was(op, "Div", ONNX_KIND):
        return graph.op("Div", lhs, rhs)
    lhs, rhs = graph.computable_pair("Div", lhs, rhs)
    is_signed = lhs.element not in UNSIGNED
    divisor = replaced_by_one(graph, rhs, *((0, -1) if is_signed else (0,)))
    result = graph.node("Div", lhs, divisor)
    if divisor is rhs:
        return result
    zero = graph.like(rhs, 0)
    if is_signed:
        is_negation = graph.compare("Equal", rhs, graph.like(rhs, -1))
        result = graph.where(is_negation, graph.node("Sub", zero, lhs), result)
    return graph.where(graph.compare("Equal", rhs, zero), zero, result)


@exports(ops.ModOp)
def mod(op: ops.ModOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    """ONNX has the remainder with the sign of rhs for integers only. Integers modulo 0 and -1 are 0."""
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    has_sign_of_lhs = op.sign.data == "lhs"
    if lhs.element not in FLOATS:
        lhs, rhs = graph.computable_pair("Div", lhs, rhs)
        undefined = (0, -1) if lhs.element not in UNSIGNED else (0,)
        divisor = rhs if was(op, "Mod", ONNX_KIND) else replaced_by_one(graph, rhs, *undefined)
        return graph.node("Mod", lhs, divisor, fmod=int(has_sign_of_lhs))
    lhs, rhs = graph.computable_pair("Div", lhs, rhs)
    rest = graph.node("Mod", lhs, rhs, fmod=1)
    if has_sign_of_lhs:
        return rest
    zero = graph.like(rest, 0)
    signs = [graph.compare("Less", x, zero) for x in (rest, rhs)]
    is_left = graph.node("Not", graph.compare("Equal", rest, zero))
    is_other = graph.node("And", is_left, graph.node("Xor", *signs))
    return graph.where(is_other, graph.node("Add", rest, rhs), rest)


def _shifted(op: BinaryOp, graph: OnnxGraph, x: OnnxTensor, power: OnnxTensor, way: str) -> OnnxTensor | None:
    """A product with, or a quotient by, a power that is written as a shift of 1, as one shift."""
    one = power.node
    if one is None or one.kind != "BitShift" or one.attributes != {"direction": "LEFT"}:
        return None
    base, places = one.inputs
    if base is None or base.weights is None or (base.weights.array() != 1).any():
        return None
    lhs, rhs = aligned(op, graph, (x, power))
    return graph.node("BitShift", lhs, places, direction=way) if rhs is power else None


@exports(ops.PowOp)
def power(op: ops.PowOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    if was(op, "BitShift", ONNX_KIND) and lhs.element in (UNSIGNED | UNSIGNED_OF.keys()):
        came_signed = lhs.element not in UNSIGNED and (graph.foreign_opset or 0) >= SHIFTS_SIGNED
        if came_signed and graph.opset.number < SHIFTS_SIGNED and not graph.opset.is_fixed:
            raise NeedsOpset("BitShift", graph.opset, SHIFTS_SIGNED)
        places = graph.cast(rhs, UNSIGNED_OF.get(lhs.element, lhs.element))
        return graph.cast(graph.node("BitShift", graph.like(places, 1), places, direction="LEFT"), lhs.element)
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    if lhs.element in FLOATS:
        return graph.op("Pow", lhs, rhs)
    return integer_power(graph, lhs, rhs)


def integer_power(graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    """Wrapping integer power by repeated squaring.

    ONNX Runtime computes Pow of integers in f64. For negative exponents the result is 0, except for the bases 1 and -1.
    """
    base, exponent = graph.cast(lhs, I64), graph.cast(rhs, I64)
    one, zero = graph.like(base, 1), graph.like(base, 0)
    if rhs.weights is not None and rhs.weights.array().size:
        bits = max(int(rhs.weights.array().max()), 1).bit_length()
    else:
        bits = 63
    power, rest, result = base, graph.node("Max", exponent, zero), None
    two = graph.like(base, 2)
    for bit in range(bits):
        is_set = graph.compare("Equal", graph.node("Mod", rest, two), one)
        factor = graph.where(is_set, power, one)
        result = factor if result is None else graph.node("Mul", result, factor)
        if bit + 1 < bits:
            power, rest = graph.node("Mul", power, power), graph.node("Div", rest, two)
    assert result is not None
    is_unit = graph.compare("Equal", graph.node("Abs", base), one)
    is_odd = graph.compare("Equal", graph.node("Mod", exponent, two), one)
    unit = graph.where(is_odd, base, one)
    negative = graph.where(is_unit, unit, zero)
    return graph.where(graph.compare("Less", exponent, zero), negative, result)


@exports(ops.PreluOp)
def prelu(op: ops.PreluOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    """PRelu broadcasts the slope only, and supports floats only; a select in all other cases."""
    if lhs.element in FLOATS and shape_of(op.lhs) == shape_of(op.result):
        data, slope = lhs, aligned(op, graph, (lhs, rhs))[1]
        return graph.op("PRelu", data, slope)
    lhs, rhs = aligned(op, graph, (lhs, rhs))
    lhs, rhs = graph.computable_pair("Mul", lhs, rhs)
    is_negative = graph.compare("Less", lhs, graph.like(lhs, 0))
    return graph.where(is_negative, graph.node("Mul", lhs, rhs), lhs)


@exports_rest(row.op for row in BINARY)
def binary(op: BinaryOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    return one_node(op, graph, lhs, rhs)
