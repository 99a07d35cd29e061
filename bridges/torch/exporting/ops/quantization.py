"""Quantisation and dequantisation: the operators of the namespace quantized_decomposed."""

from typing import cast

from xdsl.dialects.builtin import IntegerType, f64, i64
from xdsl.ir import SSAValue

from .....dialects.npu import quantization as ops
from .....dialects.npu.source import OpaqueOp
from .....dialects.npu.values import element_type_of, has_one_element, integer_range, shape_of
from ...calls import Call
from ..graph import CallBuilder
from ..registry import exports
from .elementwise import cast as cast_to

QUANTISE = "quantized_decomposed.quantize_"
MOVED = ("permute", "reshape", "view")
"""Operators that move integers."""


@exports(ops.QuantizeOp, ops.DequantizeOp)
def convert(op: ops.QuantizationOp, graph: CallBuilder, x: SSAValue, scale: SSAValue, zero_point: SSAValue) -> SSAValue:
    """By two numbers, by two tensors of one element, or by one of each for each channel."""
    is_quantized = isinstance(op, ops.QuantizeOp)
    integer = element_type_of(op.result if is_quantized else op.input)
    name = f"quantized_decomposed.{'quantize' if is_quantized else 'dequantize'}"
    low, high = integer_range(cast("IntegerType", integer)) if is_quantized else _range_of(x)
    how: dict[str, object] = {"quant_min": low, "quant_max": high, "dtype": integer}
    sizes, element = shape_of(op.result), element_type_of(op.result)
    if op.axis is not None and not (has_one_element(scale) and has_one_element(zero_point)):
        operands = {"input": x, "scales": scale, "zero_points": cast_to(graph, zero_point, i64)}
        return graph.call(f"{name}_per_channel.default", operands, sizes, element, axis=op.axis.value.data, **how)
    numbers = [graph.number(graph.reshape(each, ())) for each in (scale, zero_point)]
    if None not in numbers:
        how |= {"scale": numbers[0], "zero_point": numbers[1]}
        return graph.call(f"{name}_per_tensor.default", {"input": x}, sizes, element, **how)
    both = cast_to(graph, scale, f64), cast_to(graph, zero_point, i64)
    operands = {"input": x, "scale": both[0], "zero_point": both[1]}
    return graph.call(f"{name}_per_tensor.tensor", operands, sizes, element, **how)


def narrowed(graph: CallBuilder, x: SSAValue, low: int, high: int) -> SSAValue | None:
    """Clipped integers as numbers that are quantised to a narrower range; None for other integers."""
    call = _call_of(x)
    if call is None or not call.name.startswith(QUANTISE):
        return None
    own = _range_of(x)
    least, most = max(low, own[0]), min(high, own[1])
    if (least, most) == own:
        return x
    values = {**call.values, "quant_min": least, "quant_max": most}
    return None if least > most else graph.call(call.name, call.operands, shape_of(x), element_type_of(x), **values)


def _range_of(x: SSAValue) -> tuple[int, int]:
    """The range that integers were quantised to, perhaps in another order or shape; else that of their type."""
    integers, call = x, _call_of(x)
    while call is not None and call.name.partition(".")[2].startswith(MOVED):
        integers = next(iter(call.operands.values()))
        call = _call_of(integers)
    if call is not None and call.name.startswith(QUANTISE):
        return call.values["quant_min"], call.values["quant_max"]
    return integer_range(cast("IntegerType", element_type_of(x)))


def _call_of(x: SSAValue) -> Call | None:
    return Call.of(x.owner) if isinstance(x.owner, OpaqueOp) else None
