"""Quantisation and dequantisation: an integer q represents the number (q - zero point) * scale."""

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, Signedness, TensorType, f32
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from .attrs import I64
from .axes import ONE_AXIS_SPLITS, AxisTable
from .base import SameLayoutOp, VectorsAlongAxis
from .fusion import FusionKind
from .quantized import QuantizedOp
from .type_format import SIGNATURE
from .values import shape_of

BYTE = IntegerType(8, Signedness.UNSIGNED)
"""The elements of dynamically quantised values."""


class QuantizationOp(QuantizedOp, VectorsAlongAxis, ABC):
    """An op that converts numbers to the integers that represent them, or back."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.ELEMENTWISE
    AXES: ClassVar[AxisTable] = AxisTable({"axis": ONE_AXIS_SPLITS}, vectors=frozenset({"scale", "zero_point"}))
    INDEPENDENT: ClassVar[frozenset[str]] = frozenset({"scale", "zero_point"})

    input = operand_def(TensorType)
    scale = operand_def(TensorType)
    zero_point = operand_def(TensorType)
    axis = opt_prop_def(I64)
    """The axis with a scale and a zero point per position; without it there is one of each."""
    result = result_def(TensorType)

    assembly_format = "operands (`axis` `=` $axis^)? " + SIGNATURE
    traits = traits_def(Pure())

    def check_both(self, numbers: str, integers: str) -> None:
        """Check the op; `numbers` and `integers` are the names `input` and `result`, or vice versa."""
        quantized: SSAValue = getattr(self, integers)
        self.check_float(numbers, getattr(self, numbers))
        self.check_quantized(integers, quantized)
        shape, channels = shape_of(self.input), None
        if self.axis is not None:
            self.check_axis("axis", self.axis.value.data, len(shape))
            channels = shape[self.axis.value.data]
        self.check_scale("scale", self.scale, channels)
        self.check_zero_point("zero_point", self.zero_point, quantized, channels)
        self.check_shape("result", self.result, shape)


@op_definition
class QuantizeOp(QuantizationOp):
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
class DynamicQuantizeOp(SameLayoutOp):
    """The input, quantised to 8 bits such that its range, extended to 0, is divided into 255 steps.

    The scale is (largest - least) / 255, where least is at most 0 and largest is at least 0; it is 1 if both are 0. The
    zero point is -least / scale, rounded to the nearest integer (halves to the even one). The result is that of
    `npu.quantize` with both.

    ```mlir
    %q, %s, %z = npu.dynamic_quantize %x : (tensor<1x64xf32>) -> (tensor<1x64xui8>, tensor<f32>, tensor<ui8>)
    ```
    """

    name = "npu.dynamic_quantize"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OPAQUE
    INDEPENDENT: ClassVar[frozenset[str]] = frozenset({"scale", "zero_point"})

    input = operand_def(TensorType)
    result = result_def(TensorType)
    scale = result_def(TensorType)
    zero_point = result_def(TensorType)

    assembly_format = "$input " + SIGNATURE
    traits = traits_def(Pure())

    def verify_meaning(self) -> None:
        self.check_element_type("input", self.input, f32)
        for name, value, element in (
            ("result", self.result, BYTE),
            ("scale", self.scale, f32),
            ("zero_point", self.zero_point, BYTE),
        ):
            self.check_element_type(name, value, element)
            self.check_shape(name, value, shape_of(self.input) if name == "result" else ())
