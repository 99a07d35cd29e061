"""Ops that read a feature map at places that other operands name.

The places are no whole numbers, so that elements around them count. The operands with places have axes in the order of
ONNX, whatever that of the feature map.
"""

from abc import ABC
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, StringAttr, TensorType, UnitAttr, f64
from xdsl.ir import SSAValue
from xdsl.irdl import AttrSizedOperandSegments, operand_def, opt_operand_def, opt_prop_def, prop_def

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, Order
from .attrs import F64, I64, I64Array, i64_attr
from .axes import AxisTable, Orders, Relayout, agree
from .declared_axes import axes_of
from .feature import FeatureMapOp, WindowedOp
from .values import (
    Shape,
    dims_agree,
    element_type_of,
    is_identity,
    layout_of,
    order_of_value,
    shape_of,
    shape_text,
)


class SamplingOp(FeatureMapOp, ABC):
    """An op on a feature map, whose further operands name places and keep their orders."""

    TAKES_BLOCKS: ClassVar[bool] = False

    def verify_meaning(self) -> None:
        super().verify_meaning()
        for name, value in self._places():
            self.check_tensor_class(name, value)
            if (layout := layout_of(value)) is not None and not is_identity(layout):
                raise self.wrong(name, "axes in logical order", layout)

    def _places(self) -> list[tuple[str, SSAValue]]:
        return [*zip(self.operand_names(), self.operands, strict=True)][1:]

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        own: list[Order] = [order_of_value(value) for _, value in self._places()]
        return super().relayouts([operands[0], *own], results) if agree(operands[1:], own) else []


@op_definition
class GridSampleOp(SamplingOp):
    """The elements of a feature map around the places of a grid, weighted by distance.

    The last axis of the grid names a place along each spatial axis, the last one first: -1 is at the beginning of
    the axis, and 1 at its end, which with `align_corners` are the centres of the first and the last element. The mode
    is `linear` between two elements along each axis, `nearest`, or `cubic` between four with a coefficient of -0.75.
    Outside of the axis are zeros, the last element (`border`), or the elements mirrored at the ends of the axis
    (`reflection`).

    ```mlir
    %y = npu.grid_sample %x, %g mode = "nearest" align_corners
      : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.grid_sample"

    AXES: ClassVar[AxisTable] = axes_of("input[N~, C, *S~], grid[B, *P, K] -> result[N~, C, *S~]")
    MODES: ClassVar[tuple[str, ...]] = ("linear", "nearest", "cubic")
    PADDINGS: ClassVar[tuple[str, ...]] = ("zeros", "border", "reflection")

    grid = operand_def(TensorType)
    mode = prop_def(StringAttr, default_value=StringAttr("linear"))
    padding = prop_def(StringAttr, default_value=StringAttr("zeros"))
    align_corners = opt_prop_def(UnitAttr)

    def verify_input(self) -> None:
        self.check_rank("input", self.input, 4, 5)
        self.check_float("input", self.input)
        self.check_element_type("grid", self.grid, element_type_of(self.input))
        self.check_word("mode", self.mode, self.MODES)
        self.check_word("padding", self.padding, self.PADDINGS)

    def result_shape(self, shape: Shape) -> Shape:
        self.check_rank("grid", self.grid, len(shape))
        batch, channels, *sizes = shape
        places = shape_of(self.grid)
        self.check_shape("grid", self.grid, (batch, *places[1:-1], len(sizes)))
        return (batch, channels, *places[1:-1])


@op_definition
class RoiAlignOp(SamplingOp):
    """The mean or the largest of some interpolated elements in each part of each region of a feature map.

    A region is a row of `boxes`: the first column, the first row, the last column and the last row, all times
    `scale`, in the image that `batches` names. It is cut into `sizes` parts, with `ratio` samples along each axis of a
    part, or by default as many as it has elements, rounded up. Places are moved by half an element with `half_pixel`; a
    region has at least the size of one element without. A sample is the sum of the four elements around it times their
    weights by distance, but in mode `max` the largest of these products.

    ```mlir
    %y = npu.roi_align %x, %r, %b sizes = [2, 2] scale = 2.500000e-01
      : (tensor<1x8x10x16xf32, #npu.layout<NHWC>>, tensor<3x4xf32>, tensor<3xi64>)
      -> tensor<3x2x2x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.roi_align"

    AXES: ClassVar[AxisTable] = axes_of("input[N~, C, H~, W~], boxes[R, K], batches[R] -> result[N~, C, H~, W~]")
    MODES: ClassVar[tuple[str, ...]] = ("mean", "max")

    boxes = operand_def(TensorType)
    batches = operand_def(TensorType)
    sizes = prop_def(I64Array)
    scale = prop_def(F64, default_value=FloatAttr(1.0, f64))
    ratio = opt_prop_def(I64)
    mode = prop_def(StringAttr, default_value=StringAttr("mean"))
    half_pixel = opt_prop_def(UnitAttr)

    def verify_input(self) -> None:
        self.check_rank("input", self.input, 4)
        self.check_float("input", self.input)
        self.check_word("mode", self.mode, self.MODES)
        self.check_numbers("sizes", self.sizes.get_values(), 2, 1)
        if self.ratio is not None:
            self.check_numbers("ratio", [self.ratio.value.data], 1, 1)
        self.check_element_type("boxes", self.boxes, element_type_of(self.input))
        self.check_integer("batches", self.batches)

    def result_shape(self, shape: Shape) -> Shape:
        self.check_rank("batches", self.batches, 1)
        (count,) = shape_of(self.batches)
        self.check_shape("boxes", self.boxes, (count, 4))
        if count == DYNAMIC:
            (count, _) = shape_of(self.boxes)
        return (count, shape[1], *self.sizes.get_values())


@op_definition
class DeformConvOp(WindowedOp, SamplingOp):
    """A convolution of images whose windows have an offset for each element.

    For each of `offset_groups` groups of channels and each element of the window there are two offsets, along H and
    along W, and one factor of the mask, for each position of the window. An element is interpolated from the four
    around its place; outside of the image are zeros. The axes of offsets, kernel and mask are those of ONNX.

    ```mlir
    %y = npu.deform_conv %x, %o, %k strides = [2, 2] pads = [1, 1, 1, 1]
      : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x18x4x4xf32>, tensor<6x4x3x3xf32>)
      -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.deform_conv"

    AXES: ClassVar[AxisTable] = axes_of(
        "input[N~, C~, H~, W~], offsets[B, L, P, Q], kernel[U, J, Y, X], bias[U], mask[B, M, P, Q]"
        " -> result[N~, C~, H~, W~]"
    )

    offsets = operand_def(TensorType)
    kernel = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    mask = opt_operand_def(TensorType)
    groups = prop_def(I64, default_value=i64_attr(1))
    offset_groups = prop_def(I64, default_value=i64_attr(1))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$input `,` $offsets `,` $kernel (`bias` `(` $bias^ `:` type($bias) `)`)?"
        " (`mask` `(` $mask^ `:` type($mask) `)`)?"
        " (`groups` `=` $groups^)? (`offset_groups` `=` $offset_groups^)? (`strides` `=` $strides^)?"
        " (`dilations` `=` $dilations^)? (`pads` `=` $pads^)? (`data_layout` `=` $data_layout^)? attr-dict"
        " `:` `(` type($input) `,` type($offsets) `,` type($kernel) `)` `->` type($result)"
    )

    def verify_input(self) -> None:
        self.check_rank("input", self.input, 4)
        self.check_float("input", self.input)
        self.check_rank("kernel", self.kernel, 4)
        if DYNAMIC in shape_of(self.kernel):
            raise self.wrong("kernel", "static sizes", shape_text(shape_of(self.kernel)))
        for name, value in self._places():
            self.check_element_type(name, value, element_type_of(self.input))

    def result_shape(self, shape: Shape) -> Shape:
        batch, channels, *sizes = shape
        outputs, inputs, *window = shape_of(self.kernel)
        groups, parts = self.groups.value.data, self.offset_groups.value.data
        for name, count, whole in (("groups", groups, outputs), ("offset_groups", parts, channels)):
            if count < 1 or (whole != DYNAMIC and whole % count):
                raise self.wrong(name, f"a divisor of {whole} channels", count)
        if not dims_agree(channels, groups * inputs):
            raise self.wrong("kernel", f"{channels} input channels in {groups} groups", inputs)
        positions = self.sliding_window(2).positions(sizes, window)
        places = parts * prod(window)
        self.check_shape("offsets", self.offsets, (batch, 2 * places, *positions))
        if self.bias is not None:
            self.check_shape("bias", self.bias, (outputs,))
        if self.mask is not None:
            self.check_shape("mask", self.mask, (batch, places, *positions))
        return (batch, outputs, *positions)
