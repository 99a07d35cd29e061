"""Convolutions of integers that represent real numbers: (integer - zero point) times scale."""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def

from ...compat.xdsl import op_definition
from .axes import AxisTable
from .base import NpuOp
from .convolution import BlockedConvolutionOp
from .declared_axes import axes_of
from .quantization import Requantization, finished, sums_like
from .quantized import QuantizedOp, SteppedOp
from .sum_blocks import Zeros


class QuantizedConvolutionOp(QuantizedOp, BlockedConvolutionOp, ABC):
    """A 2-D convolution of integers with zero points.

    Channels may be stored in blocks. Padding of channels does not change the sums if it is zeros in the kernel and the
    kernel's zero point is a constant of zeros, whatever the data has there, or the same of the data.
    """

    SPATIAL_RANK: ClassVar[int] = 2
    MAY_STAY_WHOLE: ClassVar[frozenset[str]] = frozenset({"data"})
    ASKS_FOR_ZEROS: ClassVar[frozenset[str]] = frozenset({"data_zero_point", "kernel_zero_point", "result_zero_point"})

    def known_zeros(self) -> Zeros:
        # Imported late: few programs have padding.
        from .zeros import are_zeros

        named = zip(self.operand_names(), self.operands, strict=True)
        unknown = [name for name, each in named if name in self.ASKS_FOR_ZEROS and not are_zeros(each)]
        return Zeros(True, [name.removesuffix("_zero_point") for name in unknown])


@op_definition
class Conv2dIntegerOp(QuantizedConvolutionOp):
    """The 2-D convolution of (data - data_zero_point) with (kernel - kernel_zero_point) in i32, as ONNX ConvInteger.

    The kernel's zero points may be one per channel of the result.

    ```mlir
    %y = npu.conv2d_integer %x, %w, %xz, %wz data_layout = <NCHW> kernel_layout = <OIHW>
      : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>, tensor<ui8>, tensor<i8>) -> tensor<1x4x6x6xi32>
    ```
    """

    name = "npu.conv2d_integer"

    AXES: ClassVar[AxisTable] = axes_of(
        "data[N, I, *S~], kernel[O, I, *S~], data_zero_point[], kernel_zero_point[O] -> result[N, O, *S~]"
    )

    data_zero_point = operand_def(TensorType)
    kernel_zero_point = operand_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_element_type("result", self.result, i32)
        self.check_parameters(self.check_forward(self.data, self.kernel).shape[1])


@op_definition
class QuantConv2dOp(QuantizedConvolutionOp, SteppedOp):
    """The 2-D convolution of quantised numbers with a quantised result, as ONNX QLinearConv.

    The sum of (data - zero point) times (kernel - zero point), plus the bias, is an i32. Times the scales of data and
    kernel, divided by that of the result, rounded half to even, plus the zero point of the result, it is saturated to
    the element type of the result. Scale and zero point of the kernel may be one per channel of the result.

    ```mlir
    %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz, %b pads = [1, 1, 1, 1]
      : (tensor<1x8x8x3xui8, #npu.layout<NHWC>>, tensor<3x3x4x3xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<ui8>,
         tensor<4xf32>, tensor<4xi8>, tensor<f32>, tensor<ui8>, tensor<4xi32>) -> tensor<1x8x8x4xui8, #npu.layout<NHWC>>
    ```
    """

    name = "npu.quant_conv2d"

    AXES: ClassVar[AxisTable] = axes_of(
        "data[N, I, *S~], kernel[O, I, *S~], data_scale[], data_zero_point[], kernel_scale[O], kernel_zero_point[O],"
        " result_scale[], result_zero_point[], bias[O] -> result[N, O, *S~]"
    )

    data_scale = operand_def(TensorType)
    data_zero_point = operand_def(TensorType)
    kernel_scale = operand_def(TensorType)
    kernel_zero_point = operand_def(TensorType)
    result_scale = operand_def(TensorType)
    result_zero_point = operand_def(TensorType)
    bias = opt_operand_def(TensorType)

    def verify_meaning(self) -> None:
        channels = self.check_forward(self.data, self.kernel).shape[1]
        self.check_parameters(channels)
        if self.bias is not None:
            self.check_element_type("bias", self.bias, i32)
            self.check_bias(self.bias, channels)

    def steps(self, operands: Sequence[SSAValue]) -> list[NpuOp]:
        data, kernel, data_scale, data_zero, kernel_scale, kernel_zero, scale, zero, *bias = operands
        sums = Conv2dIntegerOp.build(
            operands=[data, kernel, data_zero, kernel_zero],
            result_types=[sums_like(self.result)],
            properties=dict(self.properties),
        )
        axis = self.feature_layout("data", self.data).position_of("C")
        parameters = Requantization(data_scale, kernel_scale, scale, zero)
        return finished(sums, bias[0] if bias else None, parameters, self.result.type, axis)
