"""Matrix products: FULLY_CONNECTED with constant weights, BATCH_MATMUL otherwise."""

from math import prod
from typing import Any

import numpy as np

from .....dialects.notes.node_kinds import was
from .....dialects.npu import linear as ops
from .....dialects.npu.values import element_type_of, shape_of
from .....layout import identity
from ...errors import NotExportable
from ..elements import LiteElement, element_of
from ..graph import LiteGraph, LiteTensor, Shape
from ..quantized import factors, numbers_of, result_of, sums
from ..registry import exports
from .quantized_convolution import centred

MOST_BATCH_AXES = 3
"""The number of axes before the matrices that BATCH_MATMUL broadcasts."""


@exports(ops.MatmulOp)
def matmul(op: ops.MatmulOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor) -> LiteTensor:
    return _product(op, graph, lhs, rhs, None)


@exports(ops.GemmOp)
def gemm(op: ops.GemmOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor, bias: LiteTensor | None) -> LiteTensor:
    return _product(op, graph, lhs, rhs, bias)


def _product(
    op: ops.ProductOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor, bias: LiteTensor | None
) -> LiteTensor:
    shape = shape_of(op.result)
    if not lhs.element.is_float:
        raise NotExportable(f"'{op.name}' of integers has no counterpart in LiteRT")
    if _has_matrix(op, rhs):
        vector = _vector(op, graph, bias, shape[-1])
        total = _fully_connected(op, graph, lhs, rhs, vector, shape)
        return total if vector is not None or bias is None else graph.binary("ADD", total, bias)
    total = _batched(op, graph, lhs, rhs, shape)
    return total if bias is None else graph.binary("ADD", total, bias)


def _has_matrix(op: ops.LinearOp, rhs: LiteTensor) -> bool:
    """True if FULLY_CONNECTED is written: the right operand is one constant matrix, or the file had it so."""
    if prod(rhs.shape[:-2]) != 1 or was(op, "BATCH_MATMUL"):
        return False
    return rhs.data is not None or was(op, "FULLY_CONNECTED")


def _vector(op: ops.LinearOp, graph: LiteGraph, bias: LiteTensor | None, columns: int) -> LiteTensor | None:
    """The bias as one number per column, if it is constant, or was one in the file, and does not depend on the row."""
    if (
        bias is not None
        and was(op, "FULLY_CONNECTED")
        and prod(bias.shape) == columns
        and bias.shape[-1:] == (columns,)
    ):
        return graph.reshape(bias, (columns,))
    if bias is None or (known := graph.known(bias)) is None or known.size not in (1, *bias.shape[-1:]):
        return None
    return graph.numbers(np.broadcast_to(known.reshape(-1), (columns,)), bias.element)


def _fully_connected(
    op: ops.LinearOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor, bias: LiteTensor | None, shape: Shape
) -> LiteTensor:
    """The weights have one row for each column of the result."""
    weights = graph.reshape(rhs, rhs.shape[-2:])
    if not op.trans_b:
        weights = graph.transpose(weights, (1, 0))
    if op.trans_a:
        lhs = _swapped(graph, lhs)
    wide = lhs if len(lhs.shape) == len(shape) else graph.reshape(lhs, (*shape[:-1], lhs.shape[-1]))
    given = [wide, weights, *([] if bias is None else [bias])]
    return graph.node("FULLY_CONNECTED", given, shape, keepNumDims=len(shape) != 2, weightsFormat=0)


def _swapped(graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """A tensor with its last two axes swapped."""
    *batch, rows, columns = identity(len(x.shape))
    return graph.transpose(x, (*batch, columns, rows))


def _batched(op: ops.LinearOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor, shape: Shape) -> LiteTensor:
    """BATCH_MATMUL, which reads transposed operands; neighbouring batch axes are merged if there are many."""
    flags: dict[str, Any] = {"adjX": op.trans_a is not None, "adjY": op.trans_b is not None}
    if len(shape) - 2 <= MOST_BATCH_AXES and lhs.shape and rhs.shape:
        return graph.node("BATCH_MATMUL", [lhs, rhs], shape, **flags)
    rank = len(shape)
    if lhs.shape[:-2] != rhs.shape[:-2] or len(lhs.shape) != rank:
        raise NotExportable(f"'{op.name}' with {rank} axes that are repeated has no counterpart in LiteRT")
    merged = [graph.reshape(x, (prod(x.shape[:-2]), *x.shape[-2:])) for x in (lhs, rhs)]
    return graph.reshape(graph.node("BATCH_MATMUL", merged, (prod(shape[:-2]), *shape[-2:]), **flags), shape)


@exports(ops.MatmulIntegerOp)
def matmul_integer(
    op: ops.MatmulIntegerOp,
    graph: LiteGraph,
    lhs: LiteTensor,
    rhs: LiteTensor,
    lhs_zero: LiteTensor,
    rhs_zero: LiteTensor,
) -> LiteTensor:
    """A product of the centred integers in f32, whose rounding is that of sums above 2^24."""
    zeros = graph.reshape(rhs_zero, ()) if prod(rhs_zero.shape) == 1 else rhs_zero
    if op.trans_b and zeros.shape:
        zeros = graph.reshape(zeros, (*zeros.shape, 1))
    left, right = centred(graph, lhs, graph.reshape(lhs_zero, ())), centred(graph, rhs, zeros)
    shape = shape_of(op.result)
    if right.data is not None and prod(right.shape[:-2]) == 1:
        total = _fully_connected(op, graph, left, right, None, shape)
    else:
        total = _batched(op, graph, left, right, shape)
    return graph.cast(graph.unary("ROUND", total), LiteElement.I32)


@exports(ops.QuantMatmulOp, ops.QuantGemmOp)
def quantized_product(
    op: ops.QuantizedProductOp,
    graph: LiteGraph,
    lhs: LiteTensor,
    rhs: LiteTensor,
    lhs_scale: LiteTensor,
    lhs_zero: LiteTensor,
    rhs_scale: LiteTensor,
    rhs_zero: LiteTensor,
    result_scale: LiteTensor,
    result_zero: LiteTensor,
    bias: LiteTensor | None = None,
) -> LiteTensor:
    """FULLY_CONNECTED of i8 or ui8 with constant weights, BATCH_MATMUL otherwise."""
    element, shape = element_of(element_type_of(op.result)), shape_of(op.result)
    if {element, lhs.element, rhs.element} - {LiteElement.I8, LiteElement.U8}:
        raise NotExportable(f"'{op.name}' of {lhs.element.name} has no counterpart in LiteRT")
    given, numbers = numbers_of(graph, lhs_scale, lhs_zero), numbers_of(graph, rhs_scale, rhs_zero)
    if rhs.data is None or not _has_matrix(op, rhs):
        if bias is not None or len(numbers.scale) > 1:
            raise NotExportable(f"'{op.name}' of computed weights with a bias or a scale per column")
        result = _batched(op, graph, graph.quantised(lhs, given), graph.quantised(rhs, numbers), shape)
        return result_of(result, numbers_of(graph, result_scale, result_zero), element)
    matrix = graph.reshape(rhs, rhs.shape[-2:])
    if not op.trans_b:
        matrix = graph.transpose(matrix, (1, 0))
    left, weights, is_kept = factors(op, graph, lhs, given, matrix, numbers)
    assert weights.quantization is not None
    if bias is not None and (graph.known(bias) is None or prod(bias.shape) not in (1, *bias.shape[-1:])):
        raise NotExportable(f"'{op.name}' with a bias per row has no counterpart in LiteRT")
    total = sums(graph, bias, shape[-1], given.scale[0], weights.quantization)
    if op.trans_a:
        left = _swapped(graph, left)
    wide = left if len(left.shape) == len(shape) else graph.reshape(left, (*shape[:-1], left.shape[-1]))
    made = graph.node("FULLY_CONNECTED", [wide, weights, total], shape, keepNumDims=len(shape) != 2, weightsFormat=0)
    return result_of(made, numbers_of(graph, result_scale, result_zero), element, is_kept=is_kept)
