"""Numbers that stand for (integer - zero point) times scale."""

from .....dialects.npu import linear, quantization, quantized_convolution
from .....dialects.npu.base import element_type_of
from ...bindings import math
from ..arithmetic import I8, converted, div, mul
from ..arrange import along, reshape
from ..elements import F64, I32, I64, Element, element_of
from ..loops import element_by_element
from ..registry import lowers
from ..scalars import Scalar
from ..tensors import Tensor
from .convolution import convolved, convolved_integers, groups_of, is_depthwise, kernel_layout, last, stored, with_bias
from .linear import matrices, product, product_of_integers
from .linear import with_bias as with_row


def centred(x: Tensor, zero_point: Tensor) -> Tensor:
    """The integers without their zero point, in 64 bits."""
    return element_by_element(lambda number, zero: number.cast(I64) - zero.cast(I64), x, zero_point, element=I64)


def scalar(parameter: Tensor) -> Tensor:
    """A parameter that has one element, of whatever rank."""
    return reshape(parameter, [])


def multiplier(lhs_scale: Tensor, rhs_scale: Tensor, result_scale: Tensor) -> Tensor:
    """The scale of a product of two operands, in units of the result's."""
    both = mul(converted(rhs_scale, F64), converted(scalar(lhs_scale), F64))
    return div(both, converted(scalar(result_scale), F64))


def requantized(total: Tensor, scale: Tensor, zero_point: Tensor, element: Element) -> Tensor:
    """Sums of i32 times a scale, rounded half to even, plus the zero point, saturated to the element type."""

    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        rounded = (number.cast(I32).cast(F64) * factor).function(math.roundeven)
        return (rounded + zero.cast(F64)).saturated(element)

    return element_by_element(body, total, scale, zero_point, element=element)


def _against(op: quantization.QuantizationOp, parameter: Tensor, x: Tensor) -> Tensor:
    """A scale or zero point, against the numbers: one, or one per position of the axis."""
    if op.axis is None or parameter.size == 1:
        return scalar(parameter)
    return along(parameter, op.axis.value.data, x.rank)


@lowers(quantization.QuantizeOp)
def quantize(op: quantization.QuantizeOp, x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
    element = element_of(element_type_of(op.result))

    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        quotient = number / factor
        if x.element.kind == "f":
            # A number of the type of its operands: it decides on which side of a half it lies.
            quotient = quotient.cast(x.element)
        return (quotient.cast(F64).function(math.roundeven) + zero.cast(F64)).saturated(element)

    return element_by_element(body, x, _against(op, scale, x), _against(op, zero_point, x), element=element)


@lowers(quantization.DequantizeOp)
def dequantize(op: quantization.DequantizeOp, x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        return (number.cast(I64) - zero.cast(I64)).cast(F64) * factor.cast(F64)

    return element_by_element(body, x, _against(op, scale, x), _against(op, zero_point, x), element=F64)


def zeros_of(lhs: Tensor, rhs: Tensor, lhs_zero_point: Tensor, rhs_zero_point: Tensor) -> tuple[int, int] | None:
    """The zero points of two operands, if TOSA sums up their products: they are of i8, and one number each is known."""
    if not (lhs.element == rhs.element == I8 and lhs.size and rhs.size):
        return None
    points = [each.known for each in (lhs_zero_point, rhs_zero_point)]
    if points[0] is None or points[1] is None or points[0].size != 1 or points[1].size != 1:
        return None
    return int(points[0].reshape(-1)[0]), int(points[1].reshape(-1)[0])


def _centred_product(
    op: linear.LinearOp, lhs: Tensor, rhs: Tensor, lhs_zero_point: Tensor, rhs_zero_point: Tensor
) -> Tensor:
    """The product of integers without their zero points; those of rhs are one, or one per column."""
    rows, columns = matrices(lhs, op.trans_a), matrices(rhs, op.trans_b)
    if (zeros := zeros_of(rows, columns, lhs_zero_point, rhs_zero_point)) is not None:
        return product_of_integers(rows, columns, zeros)
    per_column = reshape(rhs_zero_point, [rhs_zero_point.size])
    if per_column.size > 1:
        per_column = along(per_column, columns.rank - 1, columns.rank)
    return product(centred(rows, scalar(lhs_zero_point)), centred(columns, per_column))


@lowers(linear.MatmulIntegerOp)
def matmul_integer(
    op: linear.MatmulIntegerOp, lhs: Tensor, rhs: Tensor, lhs_zero_point: Tensor, rhs_zero_point: Tensor
) -> Tensor:
    return _centred_product(op, lhs, rhs, lhs_zero_point, rhs_zero_point)


@lowers(linear.QuantMatmulOp, linear.QuantGemmOp)
def quantized_product(
    op: linear.QuantizedProductOp,
    lhs: Tensor,
    rhs: Tensor,
    lhs_scale: Tensor,
    lhs_zero_point: Tensor,
    rhs_scale: Tensor,
    rhs_zero_point: Tensor,
    result_scale: Tensor,
    result_zero_point: Tensor,
    bias: Tensor | None = None,
) -> Tensor:
    total = with_row(_centred_product(op, lhs, rhs, lhs_zero_point, rhs_zero_point), bias)
    scale = reshape(multiplier(lhs_scale, rhs_scale, result_scale), [rhs_scale.size])
    per_column = along(scale, total.rank - 1, total.rank)
    return requantized(total, per_column, scalar(result_zero_point), element_of(element_type_of(op.result)))


def _sum(
    op: quantized_convolution.Conv2dIntegerOp | quantized_convolution.QuantConv2dOp,
    data: Tensor,
    kernel: Tensor,
    data_zero_point: Tensor,
    kernel_zero_point: Tensor,
    bias: Tensor | None,
) -> Tensor:
    """The convolution of the centred numbers. Padding is zero after that, so it holds the zero point before."""
    weights = last(kernel, kernel_layout(op, "kernel", op.kernel))
    x, window, groups = (
        last(data, op.feature_layout("data", op.data)),
        op.sliding_window(op.SPATIAL_RANK),
        groups_of(op),
    )
    zeros = zeros_of(x, weights, data_zero_point, kernel_zero_point)
    if zeros is not None and (groups == 1 or is_depthwise(x, weights, groups)):
        return with_bias(convolved_integers(x, weights, zeros, window, groups), bias)
    x, weights = centred(x, scalar(data_zero_point)), centred(weights, _per_output(kernel_zero_point))
    return with_bias(convolved(x, weights, None, window, groups), bias)


def _per_output(parameter: Tensor) -> Tensor:
    """A parameter of the kernel, one or one per channel of the result, against (O, H, W, I)."""
    return scalar(parameter) if parameter.size == 1 else reshape(parameter, [parameter.size, 1, 1, 1])


@lowers(quantized_convolution.Conv2dIntegerOp)
def convolution_of_integers(
    op: quantized_convolution.Conv2dIntegerOp,
    data: Tensor,
    kernel: Tensor,
    data_zero_point: Tensor,
    kernel_zero_point: Tensor,
) -> Tensor:
    total = _sum(op, data, kernel, data_zero_point, kernel_zero_point, None)
    return stored(total, op.feature_layout("data", op.data))


@lowers(quantized_convolution.QuantConv2dOp)
def quantized_convolution_of(
    op: quantized_convolution.QuantConv2dOp,
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
    return stored(result, op.feature_layout("data", op.data))
