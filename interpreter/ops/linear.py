"""Products of matrices, and of batches of matrices."""

import numpy as np

from ...dialects.npu import linear as ops
from ..elements import Array, accumulator
from ..products import product
from ..quantized import centred, multiplier, requantized, scalar
from ..registry import meaning


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


@meaning(ops.MatmulOp)
def matmul(op: ops.MatmulOp, lhs: Array, rhs: Array) -> Array:
    return product(accumulator(matrices(lhs, op.trans_a)), accumulator(matrices(rhs, op.trans_b)))


@meaning(ops.GemmOp)
def gemm(op: ops.GemmOp, lhs: Array, rhs: Array, bias: Array | None) -> Array:
    total = product(accumulator(matrices(lhs, op.trans_a)), accumulator(matrices(rhs, op.trans_b)))
    return with_bias(total, bias)


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
