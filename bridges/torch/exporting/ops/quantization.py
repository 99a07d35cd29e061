"""Quantisation and dequantisation: the operators of the namespace quantized_decomposed."""

from typing import cast

from xdsl.dialects.builtin import IntegerType, f64, i64
from xdsl.ir import SSAValue

from .....dialects.npu import quantization as ops
from .....dialects.npu.values import element_type_of, has_one_element, integer_range, shape_of
from ..graph import CallBuilder
from ..registry import exports
from .elementwise import cast as cast_to


@exports(ops.QuantizeOp, ops.DequantizeOp)
def convert(op: ops.QuantizationOp, graph: CallBuilder, x: SSAValue, scale: SSAValue, zero_point: SSAValue) -> SSAValue:
    """By two numbers, by two tensors of one element, or by one of each for each channel."""
    is_quantized = isinstance(op, ops.QuantizeOp)
    integer = element_type_of(op.result if is_quantized else op.input)
    name = f"quantized_decomposed.{'quantize' if is_quantized else 'dequantize'}"
    low, high = integer_range(cast("IntegerType", integer))
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
