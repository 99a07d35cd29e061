"""Products of matrices, and of batches of matrices.

A flag that says that an operand is stored transposed becomes a transpose of its last two axes, or transA and transB of
Gemm where the operands are matrices.
"""

from xdsl.ir import SSAValue

from .....dialects.npu import linear as ops
from .....dialects.npu.base import has_one_element, shape_of
from .....layout import identity
from ..elements import F16, F32, F64, I64
from ..graph import Graph, Tensor
from ..registry import exports
from .convolution import sum_of_nothing, summable


def matrices(graph: Graph, x: Tensor, value: SSAValue, transposed: object) -> Tensor:
    """The matrices of an operand, which a flag says are stored transposed."""
    if not transposed:
        return x
    *batch, rows, columns = identity(len(shape_of(value)))
    return graph.transpose(x, (*batch, columns, rows))


def operands(op: ops.LinearOp, graph: Graph, lhs: Tensor, rhs: Tensor) -> tuple[Tensor, Tensor]:
    return matrices(graph, lhs, op.lhs, op.trans_a), matrices(graph, rhs, op.rhs, op.trans_b)


def multiplied(graph: Graph, lhs: Tensor, rhs: Tensor) -> Tensor:
    """The product; small integers are added in 64 bits."""
    if lhs.element not in (F16, F32, F64):
        pair = graph.computable_pair("MatMul", lhs, rhs)
        lhs, rhs = (graph.cast(x, I64) for x in pair) if pair[0] is not lhs and pair[0].element != F32 else pair
    return graph.node("MatMul", lhs, rhs)


def adds_nothing(op: ops.LinearOp) -> bool:
    """Whether the matrices have no elements to multiply, of which ONNX Runtime makes anything."""
    return 0 in (*shape_of(op.lhs), *shape_of(op.rhs))


def total_of(op: ops.LinearOp, graph: Graph, lhs: Tensor, rhs: Tensor) -> Tensor:
    """The product of the operands."""
    if adds_nothing(op):
        return sum_of_nothing(graph, op.name, summable(graph, lhs).element, shape_of(op.result))
    return multiplied(graph, *operands(op, graph, lhs, rhs))


def with_bias(op: ops.LinearOp, graph: Graph, total: Tensor, bias: Tensor | None, value: SSAValue | None) -> Tensor:
    """The products plus what repeats to them: a vector lies along their columns."""
    if bias is None or value is None:
        return total
    if has_one_element(value):
        bias = graph.reshape(bias, ())
    return graph.node("Add", total, graph.cast(bias, total.element))


@exports(ops.MatmulOp)
def matmul(op: ops.MatmulOp, graph: Graph, lhs: Tensor, rhs: Tensor) -> Tensor:
    return total_of(op, graph, lhs, rhs)


@exports(ops.GemmOp)
def gemm(op: ops.GemmOp, graph: Graph, lhs: Tensor, rhs: Tensor, bias: Tensor | None) -> Tensor:
    """Gemm for matrices of floats, MatMul and Add for all others."""
    if len(shape_of(op.lhs)) != 2 or lhs.element not in (F16, F32, F64) or adds_nothing(op):
        return with_bias(op, graph, total_of(op, graph, lhs, rhs), bias, op.bias)
    inputs = [lhs, rhs]
    if bias is not None and op.bias is not None:
        inputs.append(graph.reshape(bias, ()) if len(shape_of(op.bias)) > 2 else bias)
    return graph.node("Gemm", *inputs, transA=int(op.trans_a is not None), transB=int(op.trans_b is not None))
