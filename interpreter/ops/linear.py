"""Products of matrices, and of batches of matrices."""

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.npu import linear as ops
from ...dialects.npu.values import layout_of
from ..elements import Array, accumulator
from ..products import product
from ..quantized import centred, multiplier, requantized, scalar
from ..registry import meaning
from ..storage import to_logical, to_stored


def matrices(array: Array, transposed: object) -> Array:
    """The matrices of an operand, transposed back if its flag is set."""
    return np.swapaxes(array, -1, -2) if transposed else array


def with_bias(total: Array, bias: Array | None) -> Array:
    """The products plus a bias that is broadcast to them; a vector is along their columns."""
    if bias is None:
        return total
    return total + (bias if bias.ndim in (1, total.ndim) else scalar(bias))


def centred_product(op: ops.LinearOp, lhs: Array, rhs: Array, lhs_zero_point: Array, rhs_zero_point: Array) -> Array:
    """The product of integers minus their zero points; rhs has one, or one per column."""
    return product(
        centred(matrices(lhs, op.trans_a), scalar(lhs_zero_point)),
        centred(matrices(rhs, op.trans_b), rhs_zero_point.reshape(-1)),
    )


def stored_product(op: ops.ProductOp, lhs: Array, rhs: Array, bias: Array | None) -> Array:
    """The product of operands that may be in blocks, with their padding."""
    lhs, rhs = _along_axes(op.lhs, lhs), _along_axes(op.rhs, rhs)
    total = product(accumulator(matrices(lhs, op.trans_a)), accumulator(matrices(rhs, op.trans_b)))
    total, layout = with_bias(total, bias), layout_of(op.result)
    return total if layout is None or not layout.tiles else to_stored(total, layout)


def _along_axes(value: SSAValue, array: Array) -> Array:
    """A value in blocks along its logical axes; any other one as it is stored."""
    layout = layout_of(value)
    return array if layout is None or not layout.tiles else to_logical(array, layout)


@meaning(ops.MatmulOp)
def matmul(op: ops.MatmulOp, lhs: Array, rhs: Array) -> Array:
    return stored_product(op, lhs, rhs, None)


@meaning(ops.GemmOp)
def gemm(op: ops.GemmOp, lhs: Array, rhs: Array, bias: Array | None) -> Array:
    return stored_product(op, lhs, rhs, None if op.bias is None or bias is None else _along_axes(op.bias, bias))


@meaning(ops.MatmulIntegerOp)
def matmul_integer(
    op: ops.MatmulIntegerOp, lhs: Array, rhs: Array, lhs_zero_point: Array, rhs_zero_point: Array
) -> Array:
    return centred_product(op, lhs, rhs, lhs_zero_point, rhs_zero_point)


@meaning(ops.QuantMatmulOp, ops.QuantGemmOp)
def quantized_product(
    op: ops.QuantizedProductOp,
    lhs: Array,
    rhs: Array,
    lhs_scale: Array,
    lhs_zero_point: Array,
    rhs_scale: Array,
    rhs_zero_point: Array,
    result_scale: Array,
    result_zero_point: Array,
    bias: Array | None = None,
) -> Array:
    total = with_bias(centred_product(op, lhs, rhs, lhs_zero_point, rhs_zero_point), bias)
    scale = multiplier(lhs_scale, rhs_scale.reshape(-1), result_scale)
    return requantized(total, scale, scalar(result_zero_point), op.result)
