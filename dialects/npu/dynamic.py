"""Ops with a vector of numbers that are known at run time only, some for each axis that the attribute `axes` names.

The vector lists its numbers in the order of `axes`, so that in another order of the data `axes` changes, and the vector
does not. Sizes along the named axes are those that the numbers lead to; a size in the type of the result is one that
they lead to in every run.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, StringAttr, TensorType, UnitAttr, f64, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, prop_def, var_result_def

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC
from .attrs import F64, I64, I64Array
from .axes import AxisTable, numbers_of
from .base import InputOp
from .declared_axes import axes_of
from .fusion import FusionKind
from .movement import PartsOp, check_fill
from .same_layout import SameLayoutOp
from .type_format import SIGNATURE
from .values import element_type_of, has_one_element, is_float, is_integer, shape_of, shape_text


class ListedOp(SameLayoutOp, InputOp, ABC):
    """An op on data, whose further operands list numbers for the named axes."""

    TAKES_BLOCKS: ClassVar[bool] = False
    NUMBERS_EACH: ClassVar[Mapping[str, int]] = {}
    """The vectors with several numbers for an axis: the first one for each of them, then the second one."""

    axes = prop_def(I64Array)
    """The axes that the numbers are for, in their order."""

    def lists(self) -> list[int]:
        """The indices of the operands that are vectors of numbers."""
        return [index for index, name in enumerate(self.operand_names()) if name in self.AXES.independent]

    def check_element(self, name: str, value: SSAValue) -> None:
        """Check that the elements of a vector are integers."""
        self.check_integer(name, value)

    def verify_meaning(self) -> None:
        axes = numbers_of(self.axes)
        for index in self.lists():
            name, value = self.operand_names()[index], self.operands[index]
            self.check_element(name, value)
            self.check_shape(name, value, (self.NUMBERS_EACH.get(name, 1) * len(axes),))
        self.check_element_type("result", self.result, element_type_of(self.input))
        expected = tuple(DYNAMIC if axis in axes else size for axis, size in enumerate(shape_of(self.input)))
        self.check_shape("result", self.result, expected)


@op_definition
class ShapeOfOp(SameLayoutOp, InputOp):
    """The sizes of the named axes, in the order in which they are named.

    ```mlir
    %s = npu.shape_of %x axes = [0, 2] : (tensor<?x8x?x16xf32, #npu.layout<NHWC>>) -> tensor<2xi64>
    ```
    """

    name = "npu.shape_of"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[L]; axes: listed")
    TAKES_BLOCKS: ClassVar[bool] = False

    axes = prop_def(I64Array)

    def verify_meaning(self) -> None:
        axes = numbers_of(self.axes)
        self.check_element_type("result", self.result, i64)
        self.check_shape("result", self.result, (len(axes),))

    def sharing_operands(self) -> list[int]:
        return [0]


@op_definition
class DynamicSliceOp(ListedOp):
    """The elements at every `steps`-th position of each named axis, from `starts` on and before `limits`.

    Negative positions count from the end of the axis, and positions are clamped to it. The steps are 1 if absent. With
    a negative step the positions go down, and the limit is before the axis if it is less than minus its size.

    ```mlir
    %y = npu.dynamic_slice %x, %starts, %limits axes = [1, 2]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2xi64>, tensor<2xi64>)
      -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.dynamic_slice"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], starts[S], limits[L], steps[T] -> result[*A]; axes: listed")

    starts = operand_def(TensorType)
    limits = operand_def(TensorType)
    steps = opt_operand_def(TensorType)


@op_definition
class DynamicPadOp(ListedOp):
    """The input with elements added at both ends of the named axes.

    The numbers in `pads` are those before each axis, followed by those behind each axis. A negative number cuts
    elements off. In mode `constant` the added elements are the one of `fill` if it is present, else `value`, in mode
    `edge` the nearest element that is left. In mode `reflect` what is left is mirrored at its first and last element,
    which are not repeated.

    ```mlir
    %y = npu.dynamic_pad %x, %pads axes = [1, 2] mode = "edge"
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<4xi64>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.dynamic_pad"

    NUMBERS_EACH: ClassVar[Mapping[str, int]] = {"pads": 2}
    AXES: ClassVar[AxisTable] = axes_of("input[*A], pads[L] -> result[*A]; axes: listed")
    MODES: ClassVar[tuple[str, ...]] = ("constant", "edge", "reflect")

    pads = operand_def(TensorType)
    fill = opt_operand_def(TensorType)
    mode = prop_def(StringAttr, default_value=StringAttr("constant"))
    value = prop_def(F64, default_value=FloatAttr(0.0, f64))

    def verify_meaning(self) -> None:
        super().verify_meaning()
        self.check_word("mode", self.mode, self.MODES)
        check_fill(self, self.mode.data, self.value.value.data)
        if self.fill is None:
            return
        if self.mode.data != "constant" or self.value.value.data:
            raise self.wrong("fill", 'none with another value or mode than "constant"', "one")
        self.check_element_type("fill", self.fill, element_type_of(self.input))
        if not has_one_element(self.fill):
            raise self.wrong("fill", "one element", shape_text(shape_of(self.fill)))


@op_definition
class DynamicSplitOp(PartsOp):
    """The input, split along the axis into `parts` results of the sizes in a vector, one for each result.

    Without the vector the results are equally long, and as short as possible, but for the last one, which is what is
    left. With `equal` it is as long as the others: the size of the axis is a multiple of `parts`.

    ```mlir
    %a, %b = npu.dynamic_split %x axis = 2 parts = 2
      : (tensor<1x8x?x16xf32, #npu.layout<NHWC>>)
      -> (tensor<1x8x?x16xf32, #npu.layout<NHWC>>, tensor<1x8x?x16xf32, #npu.layout<NHWC>>)
    ```
    """

    name = "npu.dynamic_split"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OPAQUE
    AXES: ClassVar[AxisTable] = axes_of("input[*A], sizes[L] -> outputs[*A]; axis: one")
    TAKES_BLOCKS: ClassVar[bool] = False

    input = operand_def(TensorType)
    sizes = opt_operand_def(TensorType)
    parts = prop_def(I64)
    equal = opt_prop_def(UnitAttr)
    outputs = var_result_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_parts("outputs", self.outputs, self.input)
        if (count := self.parts.value.data) != len(self.outputs):
            raise self.wrong("parts", str(len(self.outputs)), count)
        whole = shape_of(self.input)[self.axis.value.data]
        if self.equal is not None and (self.sizes is not None or (whole != DYNAMIC and whole % count)):
            raise self.wrong("equal", f"a multiple of {count} elements without sizes", whole)
        if self.sizes is None:
            return
        self.check_integer("sizes", self.sizes)
        self.check_shape("sizes", self.sizes, (count,))

    def sharing_operands(self) -> list[int]:
        return [0]


@op_definition
class DynamicTileOp(ListedOp):
    """The input, repeated `repeats` times along the named axes.

    ```mlir
    %y = npu.dynamic_tile %x, %repeats axes = [1, 0] : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    ```
    """

    name = "npu.dynamic_tile"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], repeats[L] -> result[*A]; axes: listed")

    repeats = operand_def(TensorType)


class ResizingOp(ListedOp, ABC):
    """An op on the positions of a result with other sizes along the named axes, as `npu.dynamic_resize` has them."""

    NUMBERS_EACH: ClassVar[Mapping[str, int]] = {"roi": 2}
    COORDINATES: ClassVar[tuple[str, ...]] = (
        "half_pixel",
        "pytorch_half_pixel",
        "half_pixel_symmetric",
        "asymmetric",
        "align_corners",
        "tf_half_pixel_for_nn",
        "tf_crop_and_resize",
    )
    LITE_COORDINATES: ClassVar[tuple[str, ...]] = ()

    numbers = operand_def(TensorType)
    roi = opt_operand_def(TensorType)
    coordinates = prop_def(StringAttr, default_value=StringAttr("half_pixel"))
    value = prop_def(F64, default_value=FloatAttr(0.0, f64))

    def check_element(self, name: str, value: SSAValue) -> None:
        if not is_float(element_type_of(value)) and (name == "roi" or not is_integer(element_type_of(value))):
            expected = "a float element type" if name == "roi" else "an integer or float element type"
            raise self.wrong(name, expected, element_type_of(value))

    def verify_meaning(self) -> None:
        super().verify_meaning()
        self.check_word("coordinates", self.coordinates, (*self.COORDINATES, *self.LITE_COORDINATES))
        is_cropped = self.coordinates.data == "tf_crop_and_resize"
        if (self.roi is None) == is_cropped:
            wanted = "one with" if is_cropped else "none without"
            raise self.wrong("roi", f"{wanted} tf_crop_and_resize", "none" if self.roi is None else "one")
        check_fill(self, "constant" if is_cropped else self.coordinates.data, self.value.value.data)


@op_definition
class DynamicResizeOp(ResizingOp):
    """The input element nearest to each position of a result with other sizes along the named axes.

    `numbers` are the sizes, or floats by which the present ones are multiplied as f32 and rounded down. The scale of an
    axis is that float, or the result's size divided by the input's. Position r of the result is at the input position

    - `half_pixel`: (r + 0.5) / scale - 0.5,
    - `pytorch_half_pixel`: likewise, but 0 if the result has one element,
    - `half_pixel_symmetric`: likewise, with what the rounding of the size changes split between both ends,
    - `asymmetric`: r / scale,
    - `align_corners`: r * (input size - 1) / (result size - 1), or 0 if the result has one element,
    - `tf_half_pixel_for_nn`: (r + 0.5) / scale,
    - `tf_crop_and_resize`: as `align_corners` between two places on each axis, which are fractions of its size less one
      in `roi`: those where it starts, followed by those where it ends. Behind either end of the input is `value`.
    - `lite_half_pixel`, `lite_asymmetric`, `lite_align_corners`: as `tf_half_pixel_for_nn`, `asymmetric` and
      `align_corners` with sizes, but a product with the quotient of the input's size and the result's in f32, as in
      LiteRT; it may be at the other side of a whole number,

    which `rounding` makes a whole number, clamped to the axis. A result of the input's sizes is the input, and an axis
    of scale 1 stays unchanged, whatever `roi` says.

    ```mlir
    %y = npu.dynamic_resize %x, %scales axes = [1, 2] coordinates = "asymmetric" rounding = "floor"
      : (tensor<1x?x?x16xf32, #npu.layout<NHWC>>, tensor<2xf32>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.dynamic_resize"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], numbers[L], roi[R] -> result[*A]; axes: listed")
    LITE_COORDINATES: ClassVar[tuple[str, ...]] = ("lite_half_pixel", "lite_asymmetric", "lite_align_corners")
    ROUNDINGS: ClassVar[tuple[str, ...]] = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")

    rounding = prop_def(StringAttr, default_value=StringAttr("round_prefer_floor"))

    assembly_format = (
        "operands `axes` `=` $axes (`coordinates` `=` $coordinates^)? (`rounding` `=` $rounding^)?"
        " (`value` `=` $value^)? " + SIGNATURE
    )

    def verify_meaning(self) -> None:
        super().verify_meaning()
        if self.coordinates.data in self.LITE_COORDINATES and is_float(element_type_of(self.numbers)):
            raise self.wrong("numbers", f"sizes with {self.coordinates.data}", element_type_of(self.numbers))
        self.check_word("rounding", self.rounding, self.ROUNDINGS)


@op_definition
class DynamicInterpolateOp(ResizingOp):
    """The weighted mean of the input elements around each position of a result with other sizes along the named axes.

    The input has two axes or three, or is an image, along up to two of its four axes. If all four are named, those that
    keep their sizes count as not named. The positions are those of `npu.dynamic_resize`. Along each axis the two
    elements around the position count, by distance, or with `cubic` the four around it, by the cubic convolution with
    this coefficient. Behind either end of the axis is its last element, or with `exclude_outside` nothing, so that the
    others count more. Outside of `roi` is `value`.

    ```mlir
    %y = npu.dynamic_interpolate %x, %sizes axes = [1, 2] cubic = -7.500000e-01
      : (tensor<1x?x?x16xf32, #npu.layout<NHWC>>, tensor<2xi64>) -> tensor<1x?x?x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.dynamic_interpolate"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], numbers[L], roi[R] -> result[*A]; axes: listed")

    cubic = opt_prop_def(F64)
    exclude_outside = opt_prop_def(UnitAttr)

    assembly_format = (
        "operands `axes` `=` $axes (`cubic` `=` $cubic^)? (`exclude_outside` $exclude_outside^)?"
        " (`coordinates` `=` $coordinates^)? (`value` `=` $value^)? " + SIGNATURE
    )

    def verify_meaning(self) -> None:
        super().verify_meaning()
        self.check_float("input", self.input)
        self.check_rank("input", self.input, 2, 4)
        rank, count = len(shape_of(self.input)), len(self.axes.get_values())
        if rank == 3 and self.cubic is not None:
            raise self.wrong("input", "rank 2 or 4 with cubic", rank)
        if rank == 4 and count == 3:
            raise self.wrong("axes", "one or two of an image, or all", list(self.axes.get_values()))
        if self.exclude_outside is not None and self.cubic is None:
            raise self.wrong("exclude_outside", "none without cubic", "one")

    def split_axes(self, parts: Sequence[int]) -> dict[str, Attribute] | None:
        """None for inputs of other ranks."""
        return super().split_axes(parts) if all(count == 1 for count in parts) else None

    def merge_axes(self, counts: Sequence[int]) -> dict[str, Attribute] | None:
        return super().merge_axes(counts) if all(count == 1 for count in counts) else None
