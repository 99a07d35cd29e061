"""Matrix products. f32 uses TOSA, which requires one batch axis; other types use loops.

Quantised products use TOSA if both operands are i8 with constant zero points.
"""

from math import prod

from .....dialects.npu import linear as ops
from .....dialects.npu.values import element_type_of
from ...bindings import tosa
from ..arithmetic import add, converted
from ..arrange import along, broadcast, reshape, transpose, with_axes
from ..elements import F32, I32, Element, element_of
from ..loops import ElementIndex, loop, products
from ..quantized import centred, multiplier, requantized, scalar, zeros_of
from ..registry import lowers
from ..tensors import Tensor, tosa_op, zero_points


def matrices(x: Tensor, transposed: object) -> Tensor:
    """An operand with its last two axes swapped if `transposed` is set."""
    return transpose(x, [*range(x.rank - 2), x.rank - 1, x.rank - 2]) if transposed else x


def product(lhs: Tensor, rhs: Tensor) -> Tensor:
    """A batched matrix product, in the accumulator type."""
    if lhs.element == F32 and lhs.size and rhs.size:
        return _by_tosa(lhs, rhs)
    batch, depth = _batch(lhs, rhs), lhs.shape[-1]
    shape = [*batch, lhs.shape[-2], rhs.shape[-1]]
    rank = len(batch)
    left = [*_batch_places(lhs), loop(rank), loop(rank + 2)]
    right = [*_batch_places(rhs), loop(rank + 2), loop(rank + 1)]
    return products(shape, [depth], (lhs, left), (rhs, right))


def _batch_places(x: Tensor) -> list[ElementIndex]:
    """The batch indices of an operand; unit axes are broadcast."""
    return [0 if size == 1 else loop(axis) for axis, size in enumerate(x.shape[:-2])]


def product_of_integers(lhs: Tensor, rhs: Tensor, zeros: tuple[int, int]) -> Tensor:
    """A product of integers minus these zero points, in i32."""
    return _by_tosa(lhs, rhs, zeros, I32)


def _batch(lhs: Tensor, rhs: Tensor) -> list[int]:
    """The batch sizes of a product; unit axes are broadcast."""
    return [max(sizes) if min(sizes) else 0 for sizes in zip(lhs.shape[:-2], rhs.shape[:-2], strict=True)]


def _by_tosa(lhs: Tensor, rhs: Tensor, zeros: tuple[int, int] = (0, 0), total: Element = F32) -> Tensor:
    batch = _batch(lhs, rhs)
    wide = [reshape(broadcast(x, [*batch, *x.shape[-2:]]), [prod(batch), *x.shape[-2:]]) for x in (lhs, rhs)]
    points = zero_points(lhs, rhs, zeros)
    sizes = [lhs.shape[-2], rhs.shape[-1]]
    made = tosa_op(tosa.MatMulOp, [prod(batch), *sizes], total, wide[0].value, wide[1].value, *points)
    return reshape(made, [*batch, *sizes])


def with_bias(total: Tensor, bias: Tensor | None) -> Tensor:
    """Add a bias, which broadcasts to the product; a vector lies along the columns."""
    if bias is None:
        return total
    bias = converted(bias, total.element)
    if bias.rank == 1:
        bias = with_axes(bias, range(total.rank - 1))
    return add(total, bias)


@lowers(ops.MatmulOp)
def matmul(op: ops.MatmulOp, lhs: Tensor, rhs: Tensor) -> Tensor:
    return product(matrices(lhs, op.trans_a), matrices(rhs, op.trans_b))


@lowers(ops.GemmOp)
def gemm(op: ops.GemmOp, lhs: Tensor, rhs: Tensor, bias: Tensor | None) -> Tensor:
    return with_bias(product(matrices(lhs, op.trans_a), matrices(rhs, op.trans_b)), bias)


def _centred_product(
    op: ops.LinearOp, lhs: Tensor, rhs: Tensor, lhs_zero_point: Tensor, rhs_zero_point: Tensor
) -> Tensor:
    """The product of integers minus their zero points; that of rhs may be per column."""
    rows, columns = matrices(lhs, op.trans_a), matrices(rhs, op.trans_b)
    if (zeros := zeros_of(rows, columns, lhs_zero_point, rhs_zero_point)) is not None:
        return product_of_integers(rows, columns, zeros)
    per_column = reshape(rhs_zero_point, [rhs_zero_point.size])
    if per_column.size > 1:
        per_column = along(per_column, columns.rank - 1, columns.rank)
    return product(centred(rows, scalar(lhs_zero_point)), centred(columns, per_column))


@lowers(ops.MatmulIntegerOp)
def matmul_integer(
    op: ops.MatmulIntegerOp, lhs: Tensor, rhs: Tensor, lhs_zero_point: Tensor, rhs_zero_point: Tensor
) -> Tensor:
    return _centred_product(op, lhs, rhs, lhs_zero_point, rhs_zero_point)


@lowers(ops.QuantMatmulOp, ops.QuantGemmOp)
def quantized_product(
    op: ops.QuantizedProductOp,
    lhs: Tensor,
    rhs: Tensor,
    lhs_scale: Tensor,
    lhs_zero_point: Tensor,
    rhs_scale: Tensor,
    rhs_zero_point: Tensor,
    result_scale: Tensor,
    result_zero_point: Tensor,
    bias: Tensor | None = None,
) -> Tensor:
    total = with_bias(_centred_product(op, lhs, rhs, lhs_zero_point, rhs_zero_point), bias)
    scale = reshape(multiplier(lhs_scale, rhs_scale, result_scale), [rhs_scale.size])
    per_column = along(scale, total.rank - 1, total.rank)
    return requantized(total, per_column, scalar(result_zero_point), element_of(element_type_of(op.result)))
