"""Elementwise ops of two operands."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...dialects.npu import binary as ops
from ...dialects.npu.elementwise import BinaryOp
from ..elements import Array
from ..registry import meaning
from .elementwise import aligned


def _divide(lhs: Array, rhs: Array) -> Array:
    """Integers are truncated toward zero; division by zero results in zero."""
    if lhs.dtype.kind == "f":
        return np.divide(lhs, rhs)
    down = np.floor_divide(lhs, rhs)
    is_cut = (down * rhs != lhs) & ((lhs < 0) != (rhs < 0)) & (rhs != 0)
    return np.where(is_cut, down + 1, down)


def _power(lhs: Array, rhs: Array) -> Array:
    """Integers wrap; a negative exponent truncates the fraction, which leaves zero except for 1 and -1."""
    if lhs.dtype.kind == "f":
        return np.power(lhs, rhs)
    power = np.power(lhs, np.maximum(rhs, 0))
    odd_or_even = np.power(lhs, rhs & 1)
    return np.where(rhs >= 0, power, np.where(abs(lhs) == 1, odd_or_even, 0))


def _prelu(lhs: Array, rhs: Array) -> Array:
    return np.where(lhs < 0, lhs * rhs, lhs)


FUNCTIONS: Mapping[type[BinaryOp], Callable[[Array, Array], Any]] = {
    ops.AddOp: np.add,
    ops.SubOp: np.subtract,
    ops.MulOp: np.multiply,
    ops.DivOp: _divide,
    ops.PowOp: _power,
    ops.MaxOp: np.maximum,
    ops.MinOp: np.minimum,
    ops.PreluOp: _prelu,
    ops.AndOp: np.bitwise_and,
    ops.OrOp: np.bitwise_or,
    ops.XorOp: np.bitwise_xor,
    ops.EqualOp: np.equal,
    ops.NotEqualOp: np.not_equal,
    ops.LessOp: np.less,
    ops.LessEqualOp: np.less_equal,
    ops.GreaterOp: np.greater,
    ops.GreaterEqualOp: np.greater_equal,
}


@meaning(*FUNCTIONS)
def binary(op: BinaryOp, lhs: Array, rhs: Array) -> Array:
    return np.asarray(FUNCTIONS[type(op)](*aligned(op, (lhs, rhs))))


@meaning(ops.ModOp)
def mod(op: ops.ModOp, lhs: Array, rhs: Array) -> Array:
    """Integers modulo zero are zero."""
    remainder = np.fmod if op.sign.data == "lhs" else np.mod
    return np.asarray(remainder(*aligned(op, (lhs, rhs))))
