"""Sums and products of quantised numbers.

The integer kernels of ADD and MUL have scales in fixed point and round some sums the other way than ONNX; f32 does not.
"""

from collections.abc import Sequence

from .....dialects.npu import quantized_elementwise as ops
from .....dialects.npu.values import element_type_of, shape_of
from ...errors import NotExportable
from ..elements import LiteElement, element_of
from ..graph import MOST_BROADCAST_AXES, LiteGraph, LiteTensor, Shape
from ..quantized import dequantised, numbers_of, quantised, result_of
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
    given = numbers_of(graph, lhs_scale, lhs_zero), numbers_of(graph, rhs_scale, rhs_zero)
    wanted = numbers_of(graph, result_scale, result_zero)
    kind = "ADD" if isinstance(op, ops.QuantAddOp) else "MUL"
    if not graph.integers_only:
        operands = [dequantised(graph, x, numbers) for x, numbers in zip((lhs, rhs), given, strict=True)]
        return quantised(graph, graph.reshape(_joined(graph, kind, operands, shape), shape), wanted, element)
    if len(shape) > MOST_BROADCAST_AXES:
        raise NotExportable(f"'{op.name}' of {len(shape)} axes has no counterpart in LiteRT's integer kernels")
    operands = [graph.quantised(x, numbers) for x, numbers in zip((lhs, rhs), given, strict=True)]
    return graph.reshape(result_of(_joined(graph, kind, operands, shape), wanted, element), shape)


def _joined(graph: LiteGraph, kind: str, operands: Sequence[LiteTensor], shape: Shape) -> LiteTensor:
    """The sum or product of operands, where one of a single element may have a higher rank than the result."""
    return graph.elementwise(kind, [graph.reshape(x, ()) if len(x.shape) > len(shape) else x for x in operands])
