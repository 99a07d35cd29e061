"""Quantisation and dequantisation."""

from .....dialects.npu import quantization as ops
from .....dialects.npu.values import element_type_of
from ...bindings import math
from ..arithmetic import largest, smallest
from ..arrange import along, reshape
from ..elements import F64, I64, element_of
from ..loops import element_by_element
from ..quantized import multiplier, requantized, scalar
from ..registry import lowers
from ..scalars import Scalar, select
from ..tensors import Tensor


def _against(op: ops.QuantizationOp, parameter: Tensor, x: Tensor) -> Tensor:
    """Reshape a scale or zero point to broadcast to x."""
    if op.axis is None or parameter.size == 1:
        return scalar(parameter)
    return along(parameter, op.axis.value.data, x.rank)


@lowers(ops.QuantizeOp)
def quantize(op: ops.QuantizeOp, x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
    element = element_of(element_type_of(op.result))

    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        quotient = number / factor
        if x.element.kind == "f":
            # Rounding to the operand type decides on which side of a half the quotient is.
            quotient = quotient.cast(x.element)
        return (quotient.cast(F64).function(math.roundeven) + zero.cast(F64)).saturated(element)

    return element_by_element(body, x, _against(op, scale, x), _against(op, zero_point, x), element=element)


@lowers(ops.DequantizeOp)
def dequantize(op: ops.DequantizeOp, x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        return (number.cast(I64) - zero.cast(I64)).cast(F64) * factor.cast(F64)

    return element_by_element(body, x, _against(op, scale, x), _against(op, zero_point, x), element=F64)


@lowers(ops.RequantizeOp)
def requantize(
    op: ops.RequantizeOp,
    x: Tensor,
    lhs_scale: Tensor,
    rhs_scale: Tensor,
    result_scale: Tensor,
    zero_point: Tensor,
) -> Tensor:
    scale = multiplier(lhs_scale, reshape(rhs_scale, [rhs_scale.size]), result_scale)
    if op.axis is None or rhs_scale.size == 1:
        factor = scalar(scale)
    else:
        factor = along(scale, op.axis.value.data, x.rank)
    return requantized(x, factor, scalar(zero_point), element_of(element_type_of(op.result)))


@lowers(ops.DynamicQuantizeOp)
def dynamic_quantize(op: ops.DynamicQuantizeOp, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    everywhere, byte = range(x.rank), element_of(ops.BYTE)
    least = element_by_element(lambda number: number.minimum(0), reshape(smallest(x, everywhere, 0), ()))
    most = element_by_element(lambda number: number.maximum(0), reshape(largest(x, everywhere, 0), ()))

    def step(low: Scalar, high: Scalar) -> Scalar:
        return select(low == high, low.literal(1), ((high - low) / low.literal(255)).cast(x.element))

    scale = element_by_element(step, least, most)

    def place(low: Scalar, factor: Scalar) -> Scalar:
        quotient = (low.literal(0) - low) / factor
        return quotient.cast(x.element).cast(F64).function(math.roundeven).saturated(byte)

    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        quotient = (number / factor).cast(x.element)
        return (quotient.cast(F64).function(math.roundeven) + zero.cast(F64)).saturated(byte)

    zero_point = element_by_element(place, least, scale, element=byte)
    return element_by_element(body, x, scale, zero_point, element=byte), scale, zero_point
