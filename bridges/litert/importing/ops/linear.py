"""Matrix products."""

from math import prod

from xdsl.ir import SSAValue

from .....dialects.npu.linear import GemmOp, MatmulOp, QuantGemmOp, QuantMatmulOp
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ..node import FileNode, Operands, flag
from ..quantities import is_quantised, parameters, quantised_activation, weights
from ..registry import reads
from .convolution import bias_of
from .elementwise import with_rank


@reads("FULLY_CONNECTED")
def fully_connected(node: FileNode) -> SSAValue:
    """The weights have one row for each column of the result; other axes of the data than the last are rows."""
    node.require(not node.options.weightsFormat and len(node.shape(1)) == 2, "weights in another format")
    columns, inner = node.known_shape(1)
    data, bias = _rows(node, inner), bias_of(node, 2)
    *rows, _ = shape_of(data)
    shape = (*rows, columns)
    if is_quantised(node):
        return _quantised(node, data, list(bias), shape)
    node.require(node.input(0).element == node.input(1).element == node.result.element, "several element types")
    type_ = node.typed(node.result, shape)
    operands: Operands = [data, _weights(node, len(shape)), *([bias] if bias else [])]
    total = node.add(GemmOp if bias else MatmulOp, operands, {"trans_b": flag(True)}, type_)
    if not node.is_constant(1) or (bias and not node.is_constant(2)):
        node.marked(total)
    return node.activated(node.reshaped(total, node.result.shape))


def _weights(node: FileNode, rank: int) -> SSAValue:
    """The weights, with unit axes in front."""
    return node.reshaped(node.value(1), (*[1] * (rank - 2), *node.shape(1)), node.input(1).element)


def _rows(node: FileNode, inner: int) -> SSAValue:
    """The data, as rows of the size that the weights demand."""
    x, shape = node.value(0), node.shape(0)
    if len(shape) > 1 and shape[-1] == inner and len(shape) == len(node.result.shape):
        return x
    node.require(inner > 0 and (DYNAMIC in shape or prod(shape) % inner == 0), "rows of another size")
    count = DYNAMIC if DYNAMIC in shape else prod(shape) // inner
    return node.reshaped(x, (count, inner), node.input(0).element)


def _quantised(node: FileNode, data: SSAValue, bias: list[SSAValue], shape: tuple[int, ...]) -> SSAValue:
    node.require(not bias or node.is_constant(2), "a bias that is computed")
    operands: Operands = [data, _weights(node, len(shape)), *parameters(node, node.input(0))]
    operands = [*operands, *weights(node, 1, 0), *parameters(node, node.result), *([bias] if bias else [])]
    type_, flags = node.typed(node.result, shape), {"trans_b": flag(True)}
    total = node.add(QuantGemmOp if bias else QuantMatmulOp, operands, flags, type_)
    return quantised_activation(node, node.reshaped(node.marked_unsigned(total), node.result.shape))


@reads("BATCH_MATMUL")
def batch_matmul(node: FileNode) -> SSAValue:
    """All operands have the same number of axes; those in front are repeated."""
    total = _batched(node)
    is_matrix = prod(node.shape(1)[:-2]) == 1
    return node.marked(total) if is_matrix else total


def _batched(node: FileNode) -> SSAValue:
    flags = {"trans_a": flag(node.options.adjX), "trans_b": flag(node.options.adjY)}
    factors = [with_rank(node, index, len(node.result.shape)) for index in (0, 1)]
    if not is_quantised(node):
        node.require(node.result.element.is_float, "integers without scales")
        return node.add(MatmulOp, factors, flags)
    operands = [*factors, *parameters(node, node.input(0)), *parameters(node, node.input(1))]
    return node.add(QuantMatmulOp, [*operands, *parameters(node, node.result)], flags)
