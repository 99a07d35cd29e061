"""Quantisation and dequantisation."""

from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerType

from ...dialects.npu import quantization as ops
from ...dialects.npu.values import element_type_of
from ..elements import Array, saturate
from ..quantized import centred, multiplier, requantized, scalar
from ..registry import meaning
from .normalization import along


def _against(op: ops.QuantizationOp, parameter: Array, x: Array) -> Array:
    """A scale or zero point in a shape for broadcasting: one, or one per position of the axis."""
    if op.axis is None or parameter.size == 1:
        return parameter.reshape(())
    return along(parameter, op.axis.value.data, x.ndim)


@meaning(ops.QuantizeOp)
def quantize(op: ops.QuantizeOp, x: Array, scale: Array, zero_point: Array) -> Array:
    # The quotient has the type of its operands, as in ONNX, which affects the rounding of halves.
    rounded = np.rint(x / _against(op, scale, x)).astype(np.float64)
    shifted = rounded + _against(op, zero_point, x).astype(np.float64)
    return saturate(shifted, cast(IntegerType, element_type_of(op.result)))


@meaning(ops.DequantizeOp)
def dequantize(op: ops.DequantizeOp, x: Array, scale: Array, zero_point: Array) -> Array:
    return centred(x, _against(op, zero_point, x)) * _against(op, scale, x).astype(np.float64)


@meaning(ops.RequantizeOp)
def requantize(
    op: ops.RequantizeOp, x: Array, lhs_scale: Array, rhs_scale: Array, result_scale: Array, zero_point: Array
) -> Array:
    if op.axis is None or rhs_scale.size == 1:
        rhs_scale = scalar(rhs_scale)
    else:
        rhs_scale = along(rhs_scale, op.axis.value.data, x.ndim)
    return requantized(x, multiplier(lhs_scale, rhs_scale, result_scale), scalar(zero_point), op.result)


@meaning(ops.DynamicQuantizeOp)
def dynamic_quantize(op: ops.DynamicQuantizeOp, x: Array) -> tuple[Array, Array, Array]:
    least, largest = x.min(initial=0), x.max(initial=0)
    scale = (largest - least) / np.float32(255) if largest != least else np.float32(1)
    zero_point = np.rint((0 - least) / scale)
    quantized = np.rint(x / scale).astype(np.float64) + np.float64(zero_point)
    return saturate(quantized, ops.BYTE), np.asarray(scale), saturate(np.asarray(zero_point), ops.BYTE)
