"""Pooling of quantised numbers, with a quantised result.

Each is the op on the numbers that the integers represent, in the float type of the scales, quantised. Maxima need no
scales: `npu.max_pool` takes the integers.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_prop_def

from ...compat.xdsl import op_definition
from .axes import AxisTable
from .base import NpuOp
from .declared_axes import axes_of
from .feature import FeatureMapOp
from .pooling import AvgPoolOp, GlobalAvgPoolOp, GlobalPoolingOp, PoolingOp
from .quantization import Parameters, dequantized, quantized
from .quantized import SteppedOp
from .values import element_type_of, logical_shape, with_element


class QuantizedPoolingOp(SteppedOp, FeatureMapOp, ABC):
    """An op on one quantised feature map."""

    IN_FLOATS: ClassVar[type[FeatureMapOp]]
    """The op on floats, with the same properties."""
    AXES: ClassVar[AxisTable] = axes_of(
        "input[N, C, *S~], input_scale[], input_zero_point[], result_scale[], result_zero_point[] -> result[N, C, *S~]"
    )

    input_scale = operand_def(TensorType)
    input_zero_point = operand_def(TensorType)
    result_scale = operand_def(TensorType)
    result_zero_point = operand_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_parameters(scales_like=self.input_scale)
        layout = self.feature_layout("input", self.input)
        self.check_feature("result", self.result, self.result_shape(logical_shape(self.input, layout)), layout)

    def steps(self, operands: Sequence[SSAValue]) -> list[NpuOp]:
        value, value_scale, value_zero, scale, zero = operands
        numbers = dequantized(value, Parameters(value_scale, value_zero))
        type_ = with_element(self.result, element_type_of(scale))
        pool = self.IN_FLOATS.build(operands=[numbers.result], result_types=[type_], properties=dict(self.properties))
        return [numbers, pool, quantized(pool.result, Parameters(scale, zero), self.result.type)]


@op_definition
class QuantAvgPoolOp(QuantizedPoolingOp, PoolingOp):
    """The mean of the numbers in each window, quantised, as ONNX Runtime's QLinearAveragePool.

    Padding is ignored; with `count_padding` elements of the pads count as zeros.

    ```mlir
    %y = npu.quant_avg_pool %x, %xs, %xz, %ys, %yz window = [3, 3] pads = [1, 1, 1, 1] count_padding
      : (tensor<1x8x8x64xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>)
      -> tensor<1x8x8x64xi8, #npu.layout<NHWC>>
    ```
    """

    name = "npu.quant_avg_pool"

    IN_FLOATS: ClassVar[type[FeatureMapOp]] = AvgPoolOp

    count_padding = opt_prop_def(UnitAttr)
    """Present if padding counts as zeros."""


@op_definition
class QuantGlobalAvgPoolOp(QuantizedPoolingOp, GlobalPoolingOp):
    """The mean of the numbers of each channel, quantised, as ONNX Runtime's QLinearGlobalAveragePool.

    ```mlir
    %y = npu.quant_global_avg_pool %x, %xs, %xz, %ys, %yz
      : (tensor<1x7x7x512xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>)
      -> tensor<1x1x1x512xi8, #npu.layout<NHWC>>
    ```
    """

    name = "npu.quant_global_avg_pool"

    IN_FLOATS: ClassVar[type[FeatureMapOp]] = GlobalAvgPoolOp
