"""Quantisation and dequantisation."""

from math import frexp

import numpy as np

from .....dialects.notes.node_kinds import was
from .....dialects.npu import quantization as ops
from .....dialects.npu.values import element_type_of
from ...errors import NotExportable
from ..elements import LiteElement, element_of
from ..graph import LiteGraph, LiteTensor, Quantization
from ..quantized import along, dequantised, numbers_of, quantised, result_of
from ..registry import exports

MOVES = frozenset({"RESHAPE", "TRANSPOSE"})
"""The ops that views and transposes become."""
HELD = frozenset({LiteElement.I8, LiteElement.U8})
"""The types in which tensors hold quantised numbers."""


@exports(ops.QuantizeOp)
def quantize(
    op: ops.QuantizeOp, graph: LiteGraph, x: LiteTensor, scale: LiteTensor, zero_point: LiteTensor
) -> LiteTensor:
    element = element_of(element_type_of(op.result))
    axis = 0 if op.axis is None else op.axis.value.data
    numbers = numbers_of(graph, scale, zero_point, axis)
    if element not in HELD or x.element != LiteElement.F32:
        raise NotExportable(f"'{op.name}' of {x.element.name} to {element.name} has no counterpart in LiteRT")
    is_kept = was(op, "QUANTIZE")
    if (integers := _requantised(op, graph, x, numbers)) is not None:
        return result_of(graph.node("QUANTIZE", [integers], x.shape, element), numbers, element, is_kept=is_kept)
    given = graph.raw(x)
    if not graph.integers_only and not is_kept and _rounds_otherwise(given, numbers):
        given = _nearest(graph, given, numbers)
    return quantised(graph, given, numbers, element, is_kept=is_kept)


def _requantised(op: ops.QuantizeOp, graph: LiteGraph, x: LiteTensor, numbers: Quantization) -> LiteTensor | None:
    """The integers that are quantised again at once: in hardware without floats, and where the file did so."""
    before = op.input.owner
    came_so = was(op, "QUANTIZE") and isinstance(before, ops.DequantizeOp) and was(before, "QUANTIZE")
    if x.node is None or x.node.kind != "DEQUANTIZE" or not (came_so or graph.integers_only):
        return None
    integers = x.node.inputs[0]
    old = None if integers is None else integers.quantization
    return integers if came_so or (old is not None and len(old.scale) == len(numbers.scale) == 1) else None


def _rounds_otherwise(x: LiteTensor, numbers: Quantization) -> bool:
    """True if QUANTIZE makes other integers than ONNX of numbers in the middle of two: it multiplies by 1 / scale.

    Its kernel for several scales takes the integer further from 0 besides.
    """
    return len(numbers.scale) > 1 or (any(frexp(each)[0] != 0.5 for each in numbers.scale) and _is_given(x))


def _is_given(x: LiteTensor) -> bool:
    """True for numbers that a model is given: those that it computes are rounded otherwise anyway."""
    while x.node is not None and x.node.kind in MOVES:
        [x, *_] = [each for each in x.node.inputs if each is not None]
    return x.node is None and x.data is None


def _nearest(graph: LiteGraph, x: LiteTensor, numbers: Quantization) -> LiteTensor:
    """The nearest multiples of the scale: QUANTIZE multiplies by 1 / scale, where ONNX divides."""
    shape = along(numbers, len(x.shape))
    scale = graph.numbers(np.array(numbers.scale, np.float32).reshape(shape), x.element)
    return graph.binary("MUL", graph.unary("ROUND", graph.binary("DIV", x, scale)), scale)


@exports(ops.DequantizeOp)
def dequantize(
    op: ops.DequantizeOp, graph: LiteGraph, x: LiteTensor, scale: LiteTensor, zero_point: LiteTensor
) -> LiteTensor:
    """DEQUANTIZE; constants are dequantised at once."""
    axis = 0 if op.axis is None else op.axis.value.data
    numbers = numbers_of(graph, scale, zero_point, axis)
    if x.data is None and x.element not in HELD:
        raise NotExportable(f"'{op.name}' of {x.element.name} has no counterpart in LiteRT")
    return graph.cast(dequantised(graph, x, numbers), element_of(element_type_of(op.result)))


@exports(ops.DynamicQuantizeOp)
def dynamic_quantize(op: ops.DynamicQuantizeOp, graph: LiteGraph, x: LiteTensor) -> tuple[LiteTensor, ...]:
    """Arithmetic, as the scale is known at run time only."""
    axes = range(len(x.shape))
    zero = graph.like(x, 0)
    least = graph.binary("MINIMUM", graph.reduce("REDUCE_MIN", x, axes, keep=False), zero)
    largest = graph.binary("MAXIMUM", graph.reduce("REDUCE_MAX", x, axes, keep=False), zero)
    width = graph.binary("SUB", largest, least)
    is_flat = graph.binary("EQUAL", width, zero, LiteElement.BOOL)
    steps = graph.binary("DIV", width, graph.like(x, 255))
    scale = graph.elementwise("SELECT_V2", (is_flat, graph.like(x, 1), steps), x.element)
    point = graph.unary("ROUND", graph.binary("DIV", graph.unary("NEG", least), scale))
    moved = graph.binary("ADD", graph.unary("ROUND", graph.binary("DIV", x, scale)), point)
    inside = graph.binary("MINIMUM", graph.binary("MAXIMUM", moved, zero), graph.like(x, 255))
    return tuple(
        graph.cast(graph.cast(each, LiteElement.I32), LiteElement.U8) if each is not scale else each
        for each in (inside, scale, point)
    )
