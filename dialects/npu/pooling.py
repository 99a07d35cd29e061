"""Pooling: one number for each window and channel.

Lists with one number per spatial axis are in the order D, H, W. With `ceil` the last window may extend
beyond the pads; elements there are neither data nor padding.
"""

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import opt_prop_def, prop_def

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC
from .attrs import I64Array
from .feature import FeatureMapOp, WindowedOp
from .fusion import FusionKind
from .same_layout import KeepsZeros
from .values import Shape, logical_shape


class PoolingOp(WindowedOp, FeatureMapOp, ABC):
    """An op that slides a window of a given size over a feature map."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OUT_FUSABLE
    SPATIAL_LISTS: ClassVar[tuple[str, ...]] = ("window",)

    window = prop_def(I64Array)
    """The size of the window along each spatial axis."""
    ceil = opt_prop_def(UnitAttr)
    """Present if the number of positions is rounded up; a position that begins after the data is dropped."""

    def verify_input(self) -> None:
        self.check_number("input", self.input)

    def result_shape(self, shape: Shape) -> Shape:
        batch, channels, *sizes = shape
        window = self.window.get_values()
        self.check_numbers("window", window, len(sizes), 1)
        positions = self.sliding_window(len(sizes)).positions(sizes, window, self.ceil is not None)
        return (batch, channels, *positions)

    def sees_data(self) -> bool:
        """True if each window is known to have an element of the data."""
        extents = self.window.get_values()
        window, sizes = self.sliding_window(len(extents)), logical_shape(self.input)[2:]
        positions = window.positions(sizes, extents, self.ceil is not None)
        if DYNAMIC in sizes:
            return False
        return all(
            any(0 <= place * stride - begin + step * dilation < size for step in range(extent))
            for size, extent, count, stride, dilation, begin in zip(
                sizes, extents, positions, window.strides, window.dilations, window.pads_begin, strict=True
            )
            for place in range(count)
        )


@op_definition
class MaxPoolOp(PoolingOp):
    """The largest element in each window, NaN if one is; padding is ignored.

    The result of a window of padding only is -inf, or the least integer of the type.

    ```mlir
    %y = npu.max_pool %x window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1]
      : (tensor<1x56x56x64xf32, #npu.layout<NHWC>>) -> tensor<1x28x28x64xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.max_pool"

    def keeps_zeros(self) -> bool:
        """A window that has no data gives the least number."""
        return self.sees_data()


@op_definition
class AvgPoolOp(PoolingOp, KeepsZeros):
    """The mean of the elements in each window, or 0 if it has none.

    Padding is ignored; with `count_padding` elements of the pads count as zeros. Integers are rounded to the nearest,
    halves to the even one.

    ```mlir
    %y = npu.avg_pool %x window = [3, 3] pads = [1, 1, 1, 1] count_padding
      : tensor<1x8x8x64xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.avg_pool"

    count_padding = opt_prop_def(UnitAttr)
    """Present if padding counts as zeros."""


class GlobalPoolingOp(FeatureMapOp, ABC):
    """An op whose window is a whole channel: the spatial axes of the result have one element."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OUT_FUSABLE

    def verify_input(self) -> None:
        self.check_number("input", self.input)

    def result_shape(self, shape: Shape) -> Shape:
        batch, channels, *sizes = shape
        return (batch, channels, *(1 for _ in sizes))


@op_definition
class GlobalMaxPoolOp(GlobalPoolingOp):
    """The largest element of each channel, NaN if one is; -inf or the least integer of the type if there are none.

    ```mlir
    %y = npu.global_max_pool %x
      : (tensor<1x7x7x512xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x512xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.global_max_pool"

    def keeps_zeros(self) -> bool:
        return all(size > 0 for size in logical_shape(self.input)[2:])


@op_definition
class GlobalAvgPoolOp(GlobalPoolingOp, KeepsZeros):
    """The mean of the elements of each channel, or 0 if there are none.

    Integers are rounded to the nearest, halves to the even one.

    ```mlir
    %y = npu.global_avg_pool %x
      : (tensor<1x7x7x512xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x512xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.global_avg_pool"
