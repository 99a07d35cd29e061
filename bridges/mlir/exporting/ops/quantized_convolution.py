"""Quantised convolutions."""

from .....dialects.npu import quantized_convolution as ops
from .....dialects.npu.values import element_type_of
from ..arrange import along, reshape
from ..elements import element_of
from ..quantized import centred, multiplier, requantized, scalar, zeros_of
from ..registry import lowers
from ..tensors import Tensor
from .convolution import (
    convolved,
    convolved_integers,
    from_channels_last,
    groups_of,
    is_depthwise,
    kernel_layout,
    to_channels_last,
    with_bias,
)


def _sum(
    op: ops.Conv2dIntegerOp | ops.QuantConv2dOp,
    data: Tensor,
    kernel: Tensor,
    data_zero_point: Tensor,
    kernel_zero_point: Tensor,
    bias: Tensor | None,
) -> Tensor:
    """The convolution of centred integers. Padding is zero after centring, so it is the zero point before."""
    weights = to_channels_last(kernel, kernel_layout(op, "kernel", op.kernel))
    x, window, groups = (
        to_channels_last(data, op.feature_layout("data", op.data)),
        op.sliding_window(op.SPATIAL_RANK),
        groups_of(op),
    )
    zeros = zeros_of(x, weights, data_zero_point, kernel_zero_point)
    if zeros is not None and (groups == 1 or is_depthwise(x, weights, groups)):
        return with_bias(convolved_integers(x, weights, zeros, window, groups), bias)
    x, weights = centred(x, scalar(data_zero_point)), centred(weights, _per_output(kernel_zero_point))
    return with_bias(convolved(x, weights, None, window, groups), bias)


def _per_output(parameter: Tensor) -> Tensor:
    """Reshape a parameter of the kernel, single or per output channel, to broadcast to (O, H, W, I)."""
    return scalar(parameter) if parameter.size == 1 else reshape(parameter, [parameter.size, 1, 1, 1])


@lowers(ops.Conv2dIntegerOp)
def convolution(
    op: ops.Conv2dIntegerOp,
    data: Tensor,
    kernel: Tensor,
    data_zero_point: Tensor,
    kernel_zero_point: Tensor,
) -> Tensor:
    total = _sum(op, data, kernel, data_zero_point, kernel_zero_point, None)
    return from_channels_last(total, op.feature_layout("data", op.data))


@lowers(ops.QuantConv2dOp)
def quantized_convolution(
    op: ops.QuantConv2dOp,
    data: Tensor,
    kernel: Tensor,
    data_scale: Tensor,
    data_zero_point: Tensor,
    kernel_scale: Tensor,
    kernel_zero_point: Tensor,
    result_scale: Tensor,
    result_zero_point: Tensor,
    bias: Tensor | None,
) -> Tensor:
    total = _sum(op, data, kernel, data_zero_point, kernel_zero_point, bias)
    scale = multiplier(data_scale, reshape(kernel_scale, [kernel_scale.size]), result_scale)
    per_channel = along(scale, total.rank - 1, total.rank)
    result = requantized(total, per_channel, scalar(result_zero_point), element_of(element_type_of(op.result)))
    return from_channels_last(result, op.feature_layout("data", op.data))
