"""Sums and products of quantised numbers, in the integer kernels of LiteRT."""

from .....dialects.npu import quantized_elementwise as ops
from .....dialects.npu.values import element_type_of, shape_of
from ...errors import NotExportable
from ..elements import LiteElement, element_of
from ..graph import MOST_BROADCAST_AXES, LiteGraph, LiteTensor
from ..quantized import numbers_of, result_of
from ..registry import exports


@exports(ops.QuantAddOp, ops.QuantMulOp)
def combined(
    op: ops.QuantizedBinaryOp,
    graph: LiteGraph,
    lhs: LiteTensor,
    rhs: LiteTensor,
    lhs_scale: LiteTensor,
    lhs_zero: LiteTensor,
    rhs_scale: LiteTensor,
    rhs_zero: LiteTensor,
    result_scale: LiteTensor,
    result_zero: LiteTensor,
) -> LiteTensor:
    element, shape = element_of(element_type_of(op.result)), shape_of(op.result)
    if {element, lhs.element, rhs.element} - {LiteElement.I8, LiteElement.U8}:
        raise NotExportable(f"'{op.name}' of {lhs.element.name} has no counterpart in LiteRT")
    if len(shape) > MOST_BROADCAST_AXES:
        raise NotExportable(f"'{op.name}' of {len(shape)} axes has no counterpart in LiteRT")
    left = graph.quantised(lhs, numbers_of(graph, lhs_scale, lhs_zero))
    right = graph.quantised(rhs, numbers_of(graph, rhs_scale, rhs_zero))
    operands = [graph.reshape(x, ()) if len(x.shape) > len(shape) else x for x in (left, right)]
    result = graph.elementwise("ADD" if isinstance(op, ops.QuantAddOp) else "MUL", operands)
    return graph.reshape(result_of(result, numbers_of(graph, result_scale, result_zero), element), shape)
