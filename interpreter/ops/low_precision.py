"""Numbers of few bits with a scale for each block."""

from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerType

from ...dialects.npu import low_precision as ops
from ...dialects.npu.values import element_type_of, is_narrow_float
from ..elements import Array, accumulator, saturate
from ..narrow_floats import from_codes, saturated, to_codes
from ..registry import meaning


def _spread(op: ops.BlockScaledOp, parameter: Array, x: Array) -> Array:
    """A number for each element: those of the blocks, repeated along the axis."""
    axis = op.axis.value.data
    repeated = np.repeat(parameter, op.block_size.value.data, axis)
    return np.take(repeated, range(x.shape[axis]), axis)


@meaning(ops.BlockQuantizeOp)
def block_quantize(op: ops.BlockQuantizeOp, x: Array, scale: Array, zero_point: Array | None) -> Array:
    element = element_type_of(op.result)
    quotient = x / _spread(op, scale, x).astype(x.dtype)
    zero = 0.0 if zero_point is None else _spread(op, zero_point, x).astype(np.float64)
    if is_narrow_float(element):
        return from_codes(to_codes(saturated(quotient + zero, element), element), element)
    return saturate(np.rint(quotient).astype(np.float64) + zero, cast(IntegerType, element))


@meaning(ops.BlockDequantizeOp)
def block_dequantize(op: ops.BlockDequantizeOp, x: Array, scale: Array, zero_point: Array | None) -> Array:
    zero = 0.0 if zero_point is None else _spread(op, zero_point, x).astype(np.float64)
    return (x.astype(np.float64) - zero) * _spread(op, scale, x).astype(np.float64)


@meaning(ops.MatmulNBitsOp)
def matmul_nbits(
    op: ops.MatmulNBitsOp,
    x: Array,
    weights: Array,
    scale: Array,
    zero_point: Array | None,
    groups: Array | None,
    bias: Array | None,
) -> Array:
    axis = op.axis.value.data
    matrix = matrix_of(op, x.shape[axis], weights, scale, zero_point, groups)
    product = accumulator(np.moveaxis(x, axis, -1)) @ matrix.T
    return np.moveaxis(product if bias is None else product + bias, -1, axis)


def matrix_of(
    op: ops.MatmulNBitsOp, rows: int, weights: Array, scale: Array, zero_point: Array | None, groups: Array | None
) -> Array:
    """The numbers that packed weights stand for, those of each column of the result in a row."""
    bits = op.bits.value.data
    columns, blocks, _ = weights.shape
    numbers = _unpacked(weights.reshape(columns, -1), bits)[:, :rows]
    if zero_point is None:
        zeros = np.full((columns, blocks), 1 << (bits - 1), np.float32)
    elif zero_point.dtype == np.uint8:
        zeros = _unpacked(zero_point.reshape(columns, -1), bits)[:, :blocks]
    else:
        zeros = zero_point.reshape(columns, blocks)
    of_row = np.arange(rows) // op.block_size.value.data if groups is None else groups
    scales = scale.reshape(columns, blocks).astype(np.float32)
    return (numbers.astype(np.float32) - zeros.astype(np.float32)[:, of_row]) * scales[:, of_row]


def _unpacked(packed: Array, bits: int) -> Array:
    """The numbers of the rows of a matrix of bytes, the first one in the lowest bits."""
    parts = (packed[:, :, None] >> np.arange(0, 8, bits, dtype=np.uint8)) & np.uint8((1 << bits) - 1)
    return parts.reshape(len(packed), -1)
