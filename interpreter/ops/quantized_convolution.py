"""Convolutions of quantised numbers."""

from ...dialects.npu import quantized_convolution as ops
from ..channels import factors, vector
from ..elements import Array
from ..quantized import centred, multiplier, requantized, scalar
from ..registry import meaning
from ..storage import to_stored
from .convolution import convolved, with_bias


def _sum(
    op: ops.Conv2dIntegerOp | ops.QuantConv2dOp,
    data: Array,
    kernel: Array,
    data_zero_point: Array,
    kernel_zero_point: Array,
) -> Array:
    """The convolution of the centred numbers. Padding is zero after centring."""
    source, weights, groups = factors(op, data, kernel)
    return convolved(
        centred(source, scalar(data_zero_point)),
        centred(weights, per_channel(vector(op.kernel_zero_point, kernel_zero_point))),
        op.sliding_window(op.SPATIAL_RANK),
        groups,
    )


def per_channel(parameter: Array) -> Array:
    """A parameter of the kernel, one or one per channel of the result, broadcast to (O, I, H, W)."""
    return parameter.reshape(-1, 1, 1, 1)


@meaning(ops.Conv2dIntegerOp)
def convolution(
    op: ops.Conv2dIntegerOp, data: Array, kernel: Array, data_zero_point: Array, kernel_zero_point: Array
) -> Array:
    total = _sum(op, data, kernel, data_zero_point, kernel_zero_point)
    return to_stored(total, op.shared_layout())


@meaning(ops.QuantConv2dOp)
def quantized_convolution(
    op: ops.QuantConv2dOp,
    data: Array,
    kernel: Array,
    data_scale: Array,
    data_zero_point: Array,
    kernel_scale: Array,
    kernel_zero_point: Array,
    result_scale: Array,
    result_zero_point: Array,
    bias: Array | None,
) -> Array:
    total = with_bias(op, _sum(op, data, kernel, data_zero_point, kernel_zero_point), bias)
    scales = per_channel(vector(op.kernel_scale, kernel_scale))[:, 0]
    scale = multiplier(data_scale, scales, result_scale)
    result = requantized(total, scale, scalar(result_zero_point), op.result)
    return to_stored(result, op.shared_layout())
