"""Elementwise ops on quantised numbers, with a quantised result.

Each is the op on the numbers that the integers represent, in the float type of the scales, quantised.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def

from ...compat.xdsl import op_definition
from .axes import AxisTable
from .base import NpuOp
from .binary import AddOp, MulOp
from .declared_axes import axes_of
from .elementwise import BinaryOp, ElementwiseOp
from .quantization import Parameters, dequantized, quantized
from .quantized import SteppedOp
from .values import element_type_of, with_element


class QuantizedBinaryOp(SteppedOp, ElementwiseOp, ABC):
    """An op with two quantised operands; either may be repeated along unit axes or have one element."""

    IN_FLOATS: ClassVar[type[BinaryOp]]
    """The op on floats."""
    AXES: ClassVar[AxisTable] = axes_of(
        "lhs[*A?], lhs_scale[], lhs_zero_point[], rhs[*A?], rhs_scale[], rhs_zero_point[], result_scale[],"
        " result_zero_point[] -> result[*A]"
    )

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    lhs_scale = operand_def(TensorType)
    lhs_zero_point = operand_def(TensorType)
    rhs_scale = operand_def(TensorType)
    rhs_zero_point = operand_def(TensorType)
    result_scale = operand_def(TensorType)
    result_zero_point = operand_def(TensorType)

    def verify_elements(self) -> None:
        self.check_parameters(scales_like=self.lhs_scale)

    def steps(self, operands: Sequence[SSAValue]) -> list[NpuOp]:
        lhs, rhs, lhs_scale, lhs_zero, rhs_scale, rhs_zero, scale, zero = operands
        left = dequantized(lhs, Parameters(lhs_scale, lhs_zero))
        right = dequantized(rhs, Parameters(rhs_scale, rhs_zero))
        type_ = with_element(self.result, element_type_of(scale))
        both = self.IN_FLOATS.build(operands=[left.result, right.result], result_types=[type_])
        return [left, right, both, quantized(both.result, Parameters(scale, zero), self.result.type)]


@op_definition
class QuantAddOp(QuantizedBinaryOp):
    """The sum of quantised numbers, quantised, as ONNX Runtime's QLinearAdd.

    ```mlir
    %y = npu.quant_add %a, %b, %as, %az, %bs, %bz, %ys, %yz
      : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>,
         tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
    ```
    """

    name = "npu.quant_add"

    IN_FLOATS: ClassVar[type[BinaryOp]] = AddOp


@op_definition
class QuantMulOp(QuantizedBinaryOp):
    """The product of quantised numbers, element by element, quantised, as ONNX Runtime's QLinearMul.

    ```mlir
    %y = npu.quant_mul %a, %b, %as, %az, %bs, %bz, %ys, %yz
      : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<1x1x1x16xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>,
         tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
    ```
    """

    name = "npu.quant_mul"

    IN_FLOATS: ClassVar[type[BinaryOp]] = MulOp
