"""Resampling: ops that enlarge or shrink the spatial axes of a feature map.

Lists with one number per spatial axis are in the order D, H, W.
"""

from abc import ABC
from ctypes import c_float
from math import floor
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import operand_def, opt_prop_def, prop_def

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC
from .attrs import I64, F64Array, I64Array
from .axes import AxisTable, numbers_of
from .declared_axes import axes_of
from .feature import FeatureMapOp, times
from .same_layout import KeepsZeros
from .values import Shape, element_type_of, is_boolean, logical_shape, shape_of


def scaled(size: int, factor: float) -> int:
    """A size times a factor, rounded down. The product is an f32, whose rounding hides that of the factor."""
    return floor(c_float(size * factor).value)


class ResamplingOp(FeatureMapOp, ABC):
    """An op whose result has other spatial sizes than its input."""


class EnlargingOp(ResamplingOp, KeepsZeros, ABC):
    """An op whose result has several elements along each spatial axis for each of the input, as an attribute says."""

    def result_shape(self, shape: Shape) -> Shape:
        (name,) = self.SPATIAL_LISTS
        batch, channels, *sizes = shape
        factors = numbers_of(self.properties[name])
        self.check_numbers(name, factors, len(sizes), 1)
        return (batch, channels, *map(times, sizes, factors))


@op_definition
class UpsampleOp(EnlargingOp):
    """Each element of the input, `factors` times along each spatial axis.

    ```mlir
    %y = npu.upsample %x factors = [2, 2]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x16x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.upsample"

    SPATIAL_LISTS: ClassVar[tuple[str, ...]] = ("factors",)

    factors = prop_def(I64Array)


@op_definition
class BilinearOp(ResamplingOp, KeepsZeros):
    """The weighted mean of the input elements around each result element, by distance.

    The spatial sizes of the result are `sizes`, or those of the input times `factors`, as an f32 and rounded down: 10
    times 0.9 is 9, as in ONNX Resize, although the f32 nearest to 0.9 is less than that. The scale of an axis is its
    factor, or with `sizes` the result's size divided by the input's. Position r of the result is at the input position

    - `half_pixel`: (r + 0.5) / scale - 0.5,
    - `asymmetric`: r / scale,
    - `align_corners`: r * (input size - 1) / (result size - 1), or 0 if the result has one element,

    clamped to the axis.

    ```mlir
    %y = npu.bilinear %x sizes = [16, 20]
      : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x20x16xf32, #npu.layout<NHWC>>
    %z = npu.bilinear %x factors = [2.000000e+00, 1.500000e+00] coordinates = "align_corners"
      : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x15x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.bilinear"

    LARGEST_FACTOR: ClassVar[float] = 2.0**32
    """Larger than images need, and small enough for sizes to stay finite."""
    COORDINATES: ClassVar[tuple[str, ...]] = ("half_pixel", "align_corners", "asymmetric")
    SPATIAL_LISTS: ClassVar[tuple[str, ...]] = ("sizes", "factors")
    AXES: ClassVar[AxisTable] = axes_of("input[N, C, H~, W~] -> result[N, C, H~, W~]")

    sizes = opt_prop_def(I64Array)
    """The spatial sizes of the result."""
    factors = opt_prop_def(F64Array)
    """The ratio of the result's size to the input's, for each spatial axis."""
    coordinates = prop_def(StringAttr, default_value=StringAttr("half_pixel"))
    """The mapping from positions of the result to positions of the input."""

    def verify_input(self) -> None:
        self.check_rank("input", self.input, 4)
        self.check_float("input", self.input)

    def result_shape(self, shape: Shape) -> Shape:
        self.check_word("coordinates", self.coordinates, self.COORDINATES)
        sizes = self._result_sizes(shape[2:])
        for letter, size, result in zip("HW", shape[2:], sizes, strict=True):
            if size == 0 and result != 0:
                raise self.wrong("input", f"an element along {letter}", "none")
        return (*shape[:2], *sizes)

    @property
    def is_copy(self) -> bool:
        """True if each position of the result is at the same one of the input."""
        is_known = self.input.type == self.result.type and DYNAMIC not in shape_of(self.input)
        return is_known and (self.factors is None or {*self.factors.get_values()} == {1.0})

    def _result_sizes(self, sizes: Shape) -> Shape:
        if (self.sizes is None) == (self.factors is None):
            raise self.wrong("sizes", "either sizes or factors", "neither" if self.sizes is None else "both")
        if self.sizes is not None:
            self.check_numbers("sizes", self.sizes.get_values(), 2, 0)
            return self.sizes.get_values()
        factors = self.factors.get_values() if self.factors else ()
        if len(factors) != 2 or not all(0 < factor <= self.LARGEST_FACTOR for factor in factors):
            expected = f"2 numbers above 0 and at most {self.LARGEST_FACTOR:.0f}"
            raise self.wrong("factors", expected, list(factors))
        return tuple(
            DYNAMIC if size == DYNAMIC else scaled(size, factor) for size, factor in zip(sizes, factors, strict=True)
        )


class UnpoolingOp(EnlargingOp, ABC):
    """An op whose result has a window of its own for each element of the input."""

    SPATIAL_LISTS: ClassVar[tuple[str, ...]] = ("window",)

    window = prop_def(I64Array)
    """The number of result elements per input element along each spatial axis."""

    def verify_input(self) -> None:
        self.check_number("input", self.input)


@op_definition
class UnpoolOp(UnpoolingOp):
    """Each element of the input at the first position of its window in the result, and 0 at the others.

    The windows are adjacent: with a window of w, element i along an axis has positions w * i to w * i + w - 1.

    ```mlir
    %y = npu.unpool %x window = [2, 2]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x16x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.unpool"


@op_definition
class MaskUnpoolOp(UnpoolingOp):
    """The element of the input where the mask is true, at all positions of its window, and 0 elsewhere.

    The windows are adjacent: with a window of w, element i along an axis has positions w * i to w * i + w - 1.

    ```mlir
    %y = npu.mask_unpool %x, %m window = [2, 2]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x16x16x16xi1, #npu.layout<NHWC>>)
      -> tensor<1x16x16x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.mask_unpool"

    AXES: ClassVar[AxisTable] = axes_of("input[N, C, *S~], mask[N, C, *S~] -> result[N, C, *S~]")

    mask = operand_def(TensorType)

    def verify_input(self) -> None:
        super().verify_input()
        if not is_boolean(element_type_of(self.mask)):
            raise self.wrong("mask", "element type i1", element_type_of(self.mask))

    def verify_meaning(self) -> None:
        super().verify_meaning()
        layout = self.feature_layout("input", self.input)
        self.check_feature("mask", self.mask, self.result_shape(logical_shape(self.input, layout)), layout)
        # Sizes that are dynamic in the input may be static in both of these.
        self.check_shape("mask", self.mask, shape_of(self.result))


class BlockOp(ResamplingOp, ABC):
    """An op that exchanges channels of an image for blocks of `block` by `block` elements."""

    AXES: ClassVar[AxisTable] = axes_of("input[N, C~, H~, W~] -> result[N, C~, H~, W~]")
    TAKES_BLOCKS: ClassVar[bool] = False

    block = prop_def(I64)
    """The size of a block along H and along W."""

    def verify_input(self) -> None:
        self.check_rank("input", self.input, 4)
        if self.block.value.data < 1:
            raise self.wrong("block", "at least 1", self.block.value.data)

    def divided(self, name: str, size: int, divisor: int) -> int:
        """A size divided by a divisor, which it has to be a multiple of."""
        if size == DYNAMIC:
            return DYNAMIC
        if size % divisor:
            raise self.wrong("input", f"a multiple of {divisor} as {name}", size)
        return size // divisor


@op_definition
class DepthToSpaceOp(BlockOp):
    """The channels at each position of the input, rearranged to a block of the result.

    With a block of b, element (h, w) of a block in channel c of the result's C comes from channel (h * b + w) * C + c
    of the input in mode `dcr`, and from channel (c * b + h) * b + w in mode `crd`.

    ```mlir
    %y = npu.depth_to_space %x block = 2 mode = "crd"
      : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.depth_to_space"

    MODES: ClassVar[tuple[str, ...]] = ("dcr", "crd")

    mode = prop_def(StringAttr, default_value=StringAttr("dcr"))
    """The numbering of the channels."""

    def result_shape(self, shape: Shape) -> Shape:
        self.check_word("mode", self.mode, self.MODES)
        batch, channels, height, width = shape
        block = self.block.value.data
        return batch, self.divided("C", channels, block * block), times(height, block), times(width, block)


@op_definition
class SpaceToDepthOp(BlockOp):
    """The blocks of the input, each rearranged to the channels at one position of the result.

    With a block of b, element (h, w) of a block in channel c of the input's C becomes channel (h * b + w) * C + c of
    the result: the inverse of `npu.depth_to_space` in mode `dcr`.

    ```mlir
    %y = npu.space_to_depth %x block = 2
      : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.space_to_depth"

    def result_shape(self, shape: Shape) -> Shape:
        batch, channels, height, width = shape
        block = self.block.value.data
        sizes = self.divided("H", height, block), self.divided("W", width, block)
        return batch, times(channels, block * block), *sizes
