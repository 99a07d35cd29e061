"""Numbers of few bits with a scale for each block: constants are written as the floats that they stand for."""

from typing import Any

from numpy.typing import NDArray

from .....dialects.npu import low_precision as ops
from .....dialects.npu.values import rank_of, shape_of
from .....interpreter import evaluate
from .....interpreter.ops.low_precision import matrix_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports


def _known(op: ops.BlockDequantizeOp | ops.MatmulNBitsOp, graph: LiteGraph, x: LiteTensor) -> NDArray[Any]:
    if (found := graph.known(x)) is None:
        raise NotExportable(f"'{op.name}' of numbers that are computed has no counterpart in LiteRT")
    return found


@exports(ops.BlockDequantizeOp)
def block_dequantize(
    op: ops.BlockDequantizeOp, graph: LiteGraph, x: LiteTensor, scale: LiteTensor, zero_point: LiteTensor | None
) -> LiteTensor:
    given = [_known(op, graph, each) for each in (x, scale, zero_point) if each is not None]
    return graph.cast(graph.numbers(evaluate(op, given)[0], LiteElement.F32), scale.element)


@exports(ops.MatmulNBitsOp)
def matmul_nbits(
    op: ops.MatmulNBitsOp,
    graph: LiteGraph,
    x: LiteTensor,
    weights: LiteTensor,
    scale: LiteTensor,
    zero_point: LiteTensor | None,
    groups: LiteTensor | None,
    bias: LiteTensor | None,
) -> LiteTensor:
    """FULLY_CONNECTED, whose axis is the last one."""
    axis, rank, shape = op.axis.value.data, rank_of(op.input), shape_of(op.result)
    rows = shape_of(op.input)[axis]
    if rows == DYNAMIC or x.element != LiteElement.F32:
        raise NotExportable(f"'{op.name}' of an unknown size or of {x.element.name} has no counterpart in LiteRT")
    zeros, places = (None if each is None else _known(op, graph, each) for each in (zero_point, groups))
    matrix = matrix_of(op, rows, _known(op, graph, weights), _known(op, graph, scale), zeros, places)
    order = (*(place for place in range(rank) if place != axis), axis)
    given = [graph.transpose(x, order), graph.numbers(matrix, LiteElement.F32), *([] if bias is None else [bias])]
    sizes = tuple(shape[place] for place in order)
    result = graph.node("FULLY_CONNECTED", given, sizes, keepNumDims=rank != 2, weightsFormat=0)
    return graph.transpose(result, invert(order))
