"""Sums and products of quantised numbers.

The integer kernels of ADD and MUL have scales in fixed point and round some sums the other way than ONNX; f32 does not.
Sums in f32 round as those of ONNX Runtime (rounded_sums.py).
"""

from collections.abc import Sequence

import numpy as np

from .....dialects.notes.node_kinds import was
from .....dialects.npu import quantized_elementwise as ops
from .....dialects.npu.values import element_type_of, shape_of
from ...errors import NotExportable
from ..elements import LiteElement, element_of
from ..graph import MOST_BROADCAST_AXES, LiteGraph, LiteTensor, Quantization, Shape
from ..quantized import are_unsigned, dequantised, numbers_of, quantised, result_of
from ..registry import exports
from ..rounded_sums import EightBits, Offsets, rounding_offsets


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
    if not (graph.integers_only or was(op, kind)):
        offsets = Offsets()
        if kind == "ADD":
            each = zip((*given, wanted), (lhs.element, rhs.element, element), strict=True)
            offsets = rounding_offsets(*(_eight_bits(numbers, kept) for numbers, kept in each))
        operands = [
            _rounded(graph, dequantised(graph, x, numbers), offset)
            for x, numbers, offset in zip((lhs, rhs), given, offsets, strict=True)
        ]
        return quantised(graph, graph.reshape(_joined(graph, kind, operands, shape), shape), wanted, element)
    if len(shape) > MOST_BROADCAST_AXES and not was(op, kind):
        raise NotExportable(f"'{op.name}' of {len(shape)} axes has no counterpart in LiteRT's integer kernels")
    is_kept = was(op, kind) and are_unsigned(op.lhs, op.rhs, op.result)
    taken = graph.unsigned if is_kept else graph.quantised
    operands = [taken(x, numbers) for x, numbers in zip((lhs, rhs), given, strict=True)]
    return graph.reshape(result_of(_joined(graph, kind, operands, shape), wanted, element, is_kept=is_kept), shape)


def _joined(graph: LiteGraph, kind: str, operands: Sequence[LiteTensor], shape: Shape) -> LiteTensor:
    """The sum or product of operands, where one of a single element may have a higher rank than the result.

    Integers that came with more axes than all kernels take are written as they came.
    """
    aligned = [graph.reshape(x, ()) if len(x.shape) > len(shape) else x for x in operands]
    if len(shape) > MOST_BROADCAST_AXES and not aligned[0].element.is_float:
        return graph.node(kind, aligned, shape)
    return graph.elementwise(kind, aligned)


def _eight_bits(numbers: Quantization, element: LiteElement) -> EightBits:
    """Quantised numbers with one scale, as those of sums are."""
    return EightBits(numbers.scale[0], numbers.zero_point[0], element)


def _rounded(graph: LiteGraph, x: LiteTensor, offset: float) -> LiteTensor:
    """A number plus an offset, minus it."""
    if not offset:
        return x
    if (known := graph.known(x)) is not None:
        number = np.float32(offset)
        return graph.numbers((known + number) - number, LiteElement.F32)
    return graph.binary("SUB", graph.binary("ADD", x, graph.like(x, offset)), graph.like(x, offset))
