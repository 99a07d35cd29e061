"""Quantised numbers: an integer represents (integer - zero point) * scale, as in ONNX's QLinear ops."""

from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from ..dialects.npu.values import element_type_of
from .elements import Array, saturate


def centred(x: Array, zero_point: Array) -> Array:
    """The integers minus their zero point, in 64 bits."""
    return x.astype(np.int64) - zero_point.astype(np.int64)


def requantized(total: Array, scale: Array, zero_point: Array, result: SSAValue) -> Array:
    """Sums in i32 times a scale, rounded half to even, plus the zero point, saturated to the elements of the result."""
    rounded = np.rint(total.astype(np.int32) * scale)
    return saturate(rounded + zero_point.astype(np.float64), cast(IntegerType, element_type_of(result)))


def multiplier(lhs_scale: Array, rhs_scale: Array, result_scale: Array) -> Array:
    """The scale of a product of two operands, relative to the result's scale."""
    return scalar(lhs_scale).astype(np.float64) * rhs_scale.astype(np.float64) / scalar(result_scale)


def scalar(parameter: Array) -> Array:
    """A parameter of one element and any rank, as a scalar."""
    return parameter.reshape(())
