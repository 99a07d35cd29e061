"""Conversion of products of matrices."""

from xdsl.ir import SSAValue

from .....dialects.npu import binary, linear
from .....dialects.npu.values import element_type_of
from ....building import Size, UnsupportedNode
from ..arithmetic import combine, is_half, number, scalar
from ..node import CallNode
from ..registry import converts


@converts("aten.linear.default")
def dense(node: CallNode) -> SSAValue:
    """The rows of the data times the rows of the weights."""
    x, weight, bias = node.operand("input"), node.operand("weight"), node.optional("bias")
    if node.rank(weight) != 2 or (bias is not None and node.rank(bias) != 1):
        raise UnsupportedNode("weights of other ranks")
    sizes = node.sizes_of(x)
    rows = node.reshape(x, (1, *sizes)) if len(sizes) == 1 else x
    result = (*node.sizes_of(rows)[:-1], node.sizes_of(weight)[0])
    rhs = node.aligned(weight, len(result))
    operands = [rows, rhs] if bias is None else [rows, rhs, bias]
    found = node.add(linear.MatmulOp if bias is None else linear.GemmOp, operands, result, trans_b=True)
    return node.reshape(found, result[1:]) if len(sizes) == 1 else found


def product(node: CallNode, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """The product of matrices of which the other axes broadcast; a vector has no rows in front or no columns behind."""
    left, right = node.sizes_of(lhs), node.sizes_of(rhs)
    if not (left and right):
        raise UnsupportedNode("a scalar")
    wide = [(1, *left) if len(left) == 1 else left, (*right, 1) if len(right) == 1 else right]
    rank = max(map(len, wide))
    wide = [(*(1,) * (rank - len(each)), *each) for each in wide]
    operands = [node.reshape(value, each) for value, each in zip((lhs, rhs), wide, strict=True)]
    batch: list[Size] = []
    for one, other in zip(wide[0][:-2], wide[1][:-2], strict=True):
        if 1 not in (one, other) and one != other:
            raise UnsupportedNode("sizes are not known to be equal")
        batch.append(other if one == 1 else one)
    found = node.add(linear.MatmulOp, operands, (*batch, wide[0][-2], wide[1][-1]))
    rows, columns = left[-2:-1], right[-1:] if len(right) > 1 else ()
    return node.reshape(found, (*batch, *rows, *columns))


@converts("aten.matmul.default", "aten.mm.default", "aten.bmm.default", "aten.mv.default", "aten.dot.default")
def matmul(node: CallNode) -> SSAValue:
    names = {"mm": "mat2", "bmm": "mat2", "mv": "vec", "dot": "tensor"}
    return product(node, node.operand("self"), node.operand(names.get(node.call.name.split(".")[1], "other")))


@converts("aten.addmm.default")
def addmm(node: CallNode) -> SSAValue:
    """beta * bias + alpha * product."""
    bias, lhs, rhs = node.operand("self"), node.operand("mat1"), node.operand("mat2")
    if number(node, "beta", 1) != 1 or number(node, "alpha", 1) != 1:
        return _sum_of_both(node, bias, product(node, lhs, rhs))
    return node.add(linear.GemmOp, [lhs, rhs, bias], (node.sizes_of(lhs)[0], node.sizes_of(rhs)[1]))


@converts("aten.baddbmm.default", "aten.addmv.default")
def products_and_sum(node: CallNode) -> SSAValue:
    names = ("batch1", "batch2") if node.has("batch1") else ("mat", "vec")
    return _sum_of_both(node, node.operand("self"), product(node, *map(node.operand, names)))


def _sum_of_both(node: CallNode, bias: SSAValue, total: SSAValue) -> SSAValue:
    alpha, beta = number(node, "alpha", 1), number(node, "beta", 1)
    if alpha != 1:
        node.require(not is_half(element_type_of(total)), "16 bits, which may not hold the product")
        total = combine(node, binary.MulOp, [total, scalar(node, alpha, element_type_of(total))])
    if beta == 0:
        return total
    if beta != 1:
        bias = combine(node, binary.MulOp, [bias, scalar(node, beta, element_type_of(bias))])
    return combine(node, binary.AddOp, [bias, total])
