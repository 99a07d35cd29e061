"""Quantisation, requantisation and dequantisation: an integer q represents the number (q - zero point) * scale."""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import IntegerType, Signedness, TensorType, f32, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_prop_def, result_def

from ...compat.xdsl import op_definition
from .attrs import I64, i64_attr
from .axes import AxisTable
from .base import InputOp, NpuOp, SimplifiedOp
from .binary import AddOp
from .declared_axes import axes_of
from .fusion import FusionKind
from .quantized import QuantizedOp
from .same_layout import SameLayoutOp
from .shape import ReshapeOp
from .values import element_type_of, has_one_element, rank_of, shape_of, tensor_type, with_element
from .vectors import VectorsAlongAxis

BYTE = IntegerType(8, Signedness.UNSIGNED)
"""The elements of dynamically quantised values."""


class QuantizationOp(QuantizedOp, VectorsAlongAxis, InputOp, ABC):
    """An op that converts numbers to the integers that represent them, or back."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.ELEMENTWISE
    AXES: ClassVar[AxisTable] = axes_of("input[*A], scale[axis], zero_point[axis] -> result[*A]; axis: one, splits")

    scale = operand_def(TensorType)
    zero_point = operand_def(TensorType)
    axis = opt_prop_def(I64)
    """The axis with a scale and a zero point per position; without it there is one of each."""

    def check_both(self, numbers: str, integers: str) -> None:
        """Check the op; `numbers` and `integers` are the names `input` and `result`, or vice versa."""
        quantized: SSAValue = getattr(self, integers)
        self.check_float(numbers, getattr(self, numbers))
        self.check_integer(integers, quantized)
        shape = shape_of(self.input)
        channels = None if self.axis is None else shape[self.axis.value.data]
        self.check_scale("scale", self.scale, channels)
        self.check_zero_point("zero_point", self.zero_point, quantized, channels)
        self.check_shape("result", self.result, shape)


@op_definition
class QuantizeOp(QuantizationOp, SimplifiedOp):
    """x / scale, rounded to the nearest integer (halves to the even one), plus the zero point, saturated.

    Scale and zero point have one element, or with `axis` one per position along it. NaN becomes 0.

    ```mlir
    %q = npu.quantize %x, %s, %z axis = 3
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xi8>)
      -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
    ```
    """

    name = "npu.quantize"

    def verify_meaning(self) -> None:
        self.check_both(numbers="input", integers="result")


@op_definition
class DequantizeOp(QuantizationOp):
    """(x - zero point) * scale.

    Scale and zero point have one element, or with `axis` one per position along it.

    ```mlir
    %y = npu.dequantize %q, %s, %z : (tensor<1x64xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x64xf32>
    ```
    """

    name = "npu.dequantize"

    def verify_meaning(self) -> None:
        self.check_both(numbers="result", integers="input")


@op_definition
class RequantizeOp(QuantizedOp, VectorsAlongAxis, InputOp):
    """Sums of products of quantised numbers, quantised: the last step of npu.quant_conv2d and npu.quant_gemm.

    A sum of i32 times the scales of both factors, divided by that of the result, rounded half to even, plus the zero
    point of the result, is saturated to the element type of the result. With `axis`, the scale of the right factor may
    be one per position along it.

    ```mlir
    %q = npu.requantize %sum, %xs, %ws, %ys, %yz axis = 3
      : (tensor<1x8x8x16xi32, #npu.layout<NHWC>>, tensor<f32>, tensor<16xf32>, tensor<f32>, tensor<i8>)
      -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
    ```
    """

    name = "npu.requantize"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.ELEMENTWISE
    AXES: ClassVar[AxisTable] = axes_of(
        "input[*A], lhs_scale[], rhs_scale[axis], result_scale[], result_zero_point[] -> result[*A]; axis: one, splits"
    )

    lhs_scale = operand_def(TensorType)
    rhs_scale = operand_def(TensorType)
    result_scale = operand_def(TensorType)
    result_zero_point = operand_def(TensorType)
    axis = opt_prop_def(I64)
    """The axis with a scale of the right factor per position; without it there is one."""

    def verify_meaning(self) -> None:
        self.check_element_type("input", self.input, i32)
        shape = shape_of(self.input)
        self.check_parameters(None if self.axis is None else shape[self.axis.value.data])
        self.check_shape("result", self.result, shape)


class Parameters(NamedTuple):
    """One scale and one zero point."""

    scale: SSAValue
    zero_point: SSAValue


def dequantized(value: SSAValue, parameters: Parameters) -> DequantizeOp:
    """The op that computes the numbers that integers represent, in the element type of the scale."""
    result = with_element(value, element_type_of(parameters.scale))
    return DequantizeOp.build(operands=[value, *parameters], result_types=[result])


def quantized(value: SSAValue, parameters: Parameters, result: Attribute) -> QuantizeOp:
    """The op that quantises numbers."""
    return QuantizeOp.build(operands=[value, *parameters], result_types=[result])


class Requantization(NamedTuple):
    """The operands of `npu.requantize` besides the sums."""

    lhs_scale: SSAValue
    rhs_scale: SSAValue
    result_scale: SSAValue
    result_zero_point: SSAValue


def sums_like(result: SSAValue) -> TensorType:
    """The type of the sums of which a value is requantised."""
    return with_element(result, i32)


def finished(
    sums: NpuOp, bias: SSAValue | None, parameters: Requantization, result: Attribute, axis: int
) -> list[NpuOp]:
    """The ops that turn sums into quantised numbers: a bias, a vector along `axis` if it has another rank, is added."""
    ops = [sums]
    total = sums.results[0]
    if bias is not None:
        ops += added(total, bias, axis)
        total = ops[-1].results[0]
    properties: dict[str, Attribute] = {} if has_one_element(parameters.rhs_scale) else {"axis": i64_attr(axis)}
    return [*ops, RequantizeOp.build(operands=[total, *parameters], result_types=[result], properties=properties)]


def added(total: SSAValue, bias: SSAValue, axis: int) -> Sequence[NpuOp]:
    """The ops that add a bias to sums."""
    views: list[NpuOp] = []
    if rank_of(bias) != rank_of(total) and not has_one_element(bias):
        shape = [shape_of(bias)[0] if place == axis else 1 for place in range(rank_of(total))]
        views = [ReshapeOp(bias, TensorType(i32, shape, tensor_type(total).encoding))]
        bias = views[0].results[0]
    return [*views, AddOp.build(operands=[total, bias], result_types=[total.type])]


@op_definition
class DynamicQuantizeOp(SameLayoutOp, InputOp):
    """The input, quantised to 8 bits such that its range, extended to 0, is divided into 255 steps.

    The scale is (largest - least) / 255, where least is at most 0 and largest is at least 0; it is 1 if both are 0. The
    zero point is -least / scale, rounded to the nearest integer (halves to the even one). The result is that of
    `npu.quantize` with both.

    ```mlir
    %q, %s, %z = npu.dynamic_quantize %x : (tensor<1x64xf32>) -> (tensor<1x64xui8>, tensor<f32>, tensor<ui8>)
    ```
    """

    name = "npu.dynamic_quantize"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A], scale[], zero_point[]")
    TAKES_PADDING: ClassVar[bool] = False

    scale = result_def(TensorType)
    zero_point = result_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_element_type("input", self.input, f32)
        for name, value, element in (
            ("result", self.result, BYTE),
            ("scale", self.scale, f32),
            ("zero_point", self.zero_point, BYTE),
        ):
            self.check_element_type(name, value, element)
            self.check_shape(name, value, shape_of(self.input) if name == "result" else ())
