"""Matrix products."""

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from .....dialects.npu import binary, linear
from .....dialects.npu.shape import ReshapeOp
from .....layout import MAX_RANK
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..sizes import Size, broadcast, product
from .elementwise import as_it_came, combine


@converts("Gemm")
def gemm(node: ImportedNode) -> Converted:
    """alpha * A * B + beta * C; factors other than 1 become multiplications."""
    alpha, beta = node.number("alpha", 1.0), node.number("beta", 1.0)
    flags = {"trans_a": node.flag("transA"), "trans_b": node.flag("transB")}
    lhs, rhs, bias = node.operand(0), node.operand(1), node.optional(2) if beta != 0 else None
    rows, columns = node.output().sizes
    node.mark_read(2)
    batch: tuple[Size, ...] = ()
    if not (isinstance(rows, int) or flags["trans_a"] or (bias is not None and len(node.sizes_of(bias)) > 1)):
        lhs, batch = _unflattened(node, lhs)
    sizes = (*(batch or (rows,)), columns)
    rhs = node.aligned(rhs, len(sizes))
    if bias is not None and beta != 1:
        bias = combine(node, binary.MulOp, bias, node.scalar(beta, bias))
    if alpha == 1:
        result = node.add(linear.GemmOp, [lhs, rhs, bias], sizes, **flags)
        result = as_it_came(result, "Gemm") if batch else result
    else:
        result = node.add(linear.GemmOp, [lhs, rhs, None], sizes, **flags)
        result = as_it_came(combine(node, binary.MulOp, result, node.scalar(alpha, result)), "Gemm")
        result = result if bias is None else as_it_came(combine(node, binary.AddOp, result, bias), "Gemm")
    return node.reshape(result, (rows, columns)) if batch else result


def _unflattened(node: ImportedNode, rows: SSAValue) -> tuple[SSAValue, tuple[Size, ...]]:
    """The operand of the reshape that merged axes into the unknown number of rows, and these axes.

    The rows could not be split again, because the factors of a product of unknown sizes are not determined.
    """
    width = node.sizes_of(rows)[-1]
    if not isinstance(rows.owner, ReshapeOp):
        return rows, ()
    source = rows.owner.input
    sizes = node.sizes_of(source)
    for outer in range(min(len(sizes), MAX_RANK) - 1, 1, -1):
        if product(sizes[outer:]) == width:
            batch = sizes[:outer]
            return node.reshape(source, (*batch, width)), batch
    return rows, ()


def product_sizes(left: Sequence[Size], right: Sequence[Size]) -> tuple[Size, ...]:
    """The sizes of a product of matrices, where a vector has no rows in front or no columns behind."""
    if not (left and right):
        raise UnsupportedNode("a scalar operand")
    batch = broadcast((left[:-2], right[:-2]))
    if batch is None:
        raise UnsupportedNode("batch sizes are not known to be equal")
    return (*batch, *left[-2:-1], *(right[-1:] if len(right) > 1 else ()))


class Matrices:
    """The operands of a product, reshaped to the same rank, and the shape of the result."""

    def __init__(self, node: ImportedNode, lhs: SSAValue, rhs: SSAValue):
        before = node.sizes_of(lhs), node.sizes_of(rhs)
        self._squeezed = product_sizes(*before)
        left = (1, *before[0]) if len(before[0]) == 1 else before[0]
        right = (*before[1], 1) if len(before[1]) == 1 else before[1]
        rank = max(len(left), len(right))
        ones = (1,) * rank
        self.lhs = node.reshape(lhs, (*ones[len(left) :], *left))
        self.rhs = node.reshape(rhs, (*ones[len(right) :], *right))
        self.sizes = product_sizes(left, right)

    def squeezed(self, node: ImportedNode, result: SSAValue) -> SSAValue:
        """Drop the axes that were added to vectors from the result."""
        return node.reshape(result, self._squeezed)


@converts("MatMul")
def matmul(node: ImportedNode) -> Converted:
    matrices = Matrices(node, node.operand(0), node.operand(1))
    return matrices.squeezed(node, node.add(linear.MatmulOp, [matrices.lhs, matrices.rhs], matrices.sizes))


@converts("MatMulInteger")
def matmul_integer(node: ImportedNode) -> Converted:
    matrices = Matrices(node, node.operand(0), node.operand(1))
    points = [zero_point(node, 2, matrices.lhs), zero_point(node, 3, matrices.rhs)]
    operands = [matrices.lhs, matrices.rhs, *points]
    return matrices.squeezed(node, node.add(linear.MatmulIntegerOp, operands, matrices.sizes, i32))


@converts("QLinearMatMul")
def qlinear_matmul(node: ImportedNode) -> Converted:
    matrices = Matrices(node, node.operand(0), node.operand(3))
    parameters = [node.operand(index) for index in (1, 2, 4, 5, 6, 7)]
    operands: Sequence[SSAValue] = [matrices.lhs, matrices.rhs, *parameters]
    result = node.add(linear.QuantMatmulOp, operands, matrices.sizes, node.output().element)
    return matrices.squeezed(node, result)


def zero_point(node: ImportedNode, index: int, of: SSAValue) -> SSAValue:
    """The input that is the zero point of a value (default: 0)."""
    given = node.optional(index)
    return node.scalar(0, of) if given is None else given
