"""Elementwise ops."""

from math import inf

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f32, f64
from xdsl.ir import SSAValue

from .....dialects.npu import activations, binary, unary
from .....dialects.npu.base import NpuOp
from .....dialects.npu.elementwise import CastOp, SelectOp
from .....dialects.npu.quantization import QuantizeOp
from .....dialects.npu.values import integer_range, is_boolean, is_float
from .....interpreter.elements import is_integer_type
from ....decimals import shortest_f32
from ... import counterparts
from ..node import ImportedOp, Operand
from ..registry import reads

UNARY = {row.tosa.OPERATION_NAME: row.op for row in (*counterparts.UNARY, *counterparts.ACTIVATIONS) if row.tosa}
BINARY = {row.tosa.OPERATION_NAME: row.op for row in counterparts.BINARY if row.tosa}
WHOLE = ("tosa.ceil", "tosa.floor")
"""Ops whose result is a whole number. Integers, which MLIR takes as well, are their own."""

WRAPPING = 32
"""Integers of at least this width wrap in TOSA."""


def build(node: ImportedOp, op: type[NpuOp], *operands: SSAValue) -> SSAValue:
    """Add an op with the result type of the MLIR op."""
    return node.add(op, operands)


@reads(*UNARY)
def unary_op(node: ImportedOp, x: Operand) -> SSAValue:
    if node.op.name in WHOLE and is_integer_type(x.type):
        return x.value
    return build(node, UNARY[node.op.name], x.value)


@reads(*BINARY)
def binary_op(node: ImportedOp, lhs: Operand, rhs: Operand) -> SSAValue:
    node.require_nan_propagates()
    return build(node, BINARY[node.op.name], lhs.value, rhs.value)


@reads("tosa.mul")
def product(node: ImportedOp, lhs: Operand, rhs: Operand, shift: Operand | None = None) -> SSAValue:
    """Operands are cast to the result type, which may be wider."""
    node.require(shift is None or shift.is_all(0), "a shift")
    return build(node, binary.MulOp, node.cast(lhs.value, node.element), node.cast(rhs.value, node.element))


@reads("tosa.select")
def select(node: ImportedOp, condition: Operand, on_true: Operand, on_false: Operand) -> SSAValue:
    return build(node, SelectOp, condition.value, on_true.value, on_false.value)


@reads("tosa.negate")
def negate(node: ImportedOp, x: Operand, zero: Operand, result_zero: Operand) -> SSAValue:
    node.require_no_zero_points(zero, result_zero)
    # The least value of narrow integers saturates in TOSA; npu.neg wraps.
    node.require(not is_integer_type(x.type) or x.type.bitwidth >= WRAPPING, "narrow integers")
    return build(node, unary.NegOp, x.value)


@reads("tosa.clamp")
def clamp(node: ImportedOp, x: Operand) -> SSAValue:
    node.require_nan_propagates()
    low, high = (node.op.attributes[name].value for name in ("min_val", "max_val"))
    least, most, read = -inf, inf, shortest_f32
    if is_integer_type(x.type):
        node.require(not is_boolean(x.type), "truth values")
        (least, most), read = integer_range(x.type), float
        node.require(all(float(bound) == bound for bound in (low, high)), "bounds beyond f64")
    bounds = {
        name: FloatAttr(read(bound), f64)
        for name, bound, end in (("min", low, least), ("max", high, most))
        if bound != end
    }
    if not bounds:
        return x.value
    if low == 0 and high == most:
        return build(node, activations.ReluOp, x.value)
    return node.add(activations.ClipOp, [x.value], bounds)


@reads("tosa.cast")
def cast(node: ImportedOp, x: Operand) -> SSAValue:
    """Casts of floats to integers round to nearest even and saturate, like a quantisation of scale 1."""
    if is_boolean(node.element) or not (is_float(x.type) and is_integer_type(node.element)):
        return build(node, CastOp, x.value)
    step, zero = node.constant(1.0, f32), node.constant(np.zeros((), np.int64), node.element)
    wide = x.value if x.type in (f32, f64) else node.cast(x.value, f32)
    return build(node, QuantizeOp, wide, step, zero)
