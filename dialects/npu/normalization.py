"""Normalisations and softmax: ops that relate elements along some axes to each other.

Axes are physical positions, so all of these ops work on values of any class.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, TensorType, f64
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    prop_def,
)

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, Layout
from .attrs import F64, I64, I64Array, i64_attr
from .axes import AxisTable
from .base import InputOp, OwnTiles
from .declared_axes import axes_of
from .fusion import FusionKind
from .same_layout import KeepsZeros, SameLayoutOp
from .type_format import SIGNATURE
from .values import (
    element_type_of,
    has_one_element,
    order_of_value,
    repeats_to,
    shape_of,
    shape_text,
)
from .vectors import VectorsAlongAxis

DEFAULT_EPSILON = FloatAttr(1e-5, f64)


class NormalizationOp(SameLayoutOp, InputOp, ABC):
    """An op on floats with a result of the input's shape."""

    def verify_meaning(self) -> None:
        self.check_float("input", self.input)
        for name, value in zip(self.operand_names()[1:], self.operands[1:], strict=True):
            self.check_element_type(name, value, element_type_of(self.input))
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_shape("result", self.result, shape_of(self.input))
        self.verify_attributes(shape_of(self.input))

    def verify_attributes(self, shape: Sequence[int]) -> None:
        """Check the attributes, and the shapes of the operands other than the input, which has this shape."""

    def check_epsilon(self, epsilon: FloatAttr) -> None:
        if epsilon.value.data < 0:
            raise self.wrong("epsilon", "a number that is not negative", epsilon.value.data)


class AxisNormOp(NormalizationOp, ABC):
    """A normalisation along one axis."""

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; axis: one, splits")

    axis = prop_def(I64)


@op_definition
class SoftmaxOp(AxisNormOp):
    """exp(x) divided by the sum of exp(x) along the axis.

    ```mlir
    %y = npu.softmax %x axis = 3 : tensor<1x12x64x64xf32>
    ```
    """

    name = "npu.softmax"


@op_definition
class LogSoftmaxOp(AxisNormOp):
    """The natural logarithm of the softmax: x minus the logarithm of the sum of exp(x) along the axis.

    ```mlir
    %y = npu.log_softmax %x axis = 1 : tensor<8x1000xf32>
    ```
    """

    name = "npu.log_softmax"


@op_definition
class HardmaxOp(AxisNormOp):
    """1 at the first of the largest elements along the axis, and 0 elsewhere; only 0 if one of them is NaN.

    ```mlir
    %y = npu.hardmax %x axis = 1 : tensor<8x1000xf32>
    ```
    """

    name = "npu.hardmax"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; axis: one")


@op_definition
class LpNormOp(AxisNormOp):
    """x divided by the norm of the elements along the axis, or 0 if the norm is 0.

    The norm is the sum of |x| if `p = 1`, and the square root of the sum of x² if `p = 2`.

    ```mlir
    %y = npu.lp_norm %x axis = 1 p = 1 : tensor<8x512xf32>
    ```
    """

    name = "npu.lp_norm"

    p = prop_def(I64, default_value=i64_attr(2))

    def verify_attributes(self, shape: Sequence[int]) -> None:
        if self.p.value.data not in (1, 2):
            raise self.wrong("p", "1 or 2", self.p.value.data)


@op_definition
class LrnOp(AxisNormOp):
    """x / (bias + alpha / size * sum)^beta, with the sum of x² over `size` neighbouring positions of the axis.

    The neighbours of position i are those from i - (size - 1) / 2 to i + size / 2, both rounded down, that exist.

    ```mlir
    %y = npu.lrn %x axis = 3 size = 5 alpha = 1.0e-4 beta = 0.75 bias = 2.0
      : tensor<1x27x27x96xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.lrn"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; axis: one")

    size = prop_def(I64)
    alpha = prop_def(F64, default_value=FloatAttr(1e-4, f64))
    beta = prop_def(F64, default_value=FloatAttr(0.75, f64))
    bias = prop_def(F64, default_value=FloatAttr(1.0, f64))

    def verify_attributes(self, shape: Sequence[int]) -> None:
        if self.size.value.data < 1:
            raise self.wrong("size", "a positive number", self.size.value.data)

    def reach(self, length: int) -> tuple[int, int]:
        """The number of neighbours before and after a position; at most all others of an axis of known length."""
        size = self.size.value.data
        most = size if length == DYNAMIC else max(length - 1, 0)
        return min((size - 1) // 2, most), min(size // 2, most)


class AlignedNormOp(NormalizationOp, ABC):
    """A normalisation over `axes`, maybe with operands that are repeated along their unit axes."""

    axes = prop_def(I64Array)
    epsilon = prop_def(F64, default_value=DEFAULT_EPSILON)

    def verify_attributes(self, shape: Sequence[int]) -> None:
        self.check_epsilon(self.epsilon)
        for name, value in zip(self.operand_names()[1:], self.operands[1:], strict=True):
            if not has_one_element(value) and not repeats_to(found := shape_of(value), shape):
                expected = f"a shape that repeats to {shape_text(shape)}, or one element"
                raise self.wrong(name, expected, shape_text(found))


@op_definition
class TensorNormOp(AlignedNormOp):
    """(x - mean) / √(variance + epsilon), with mean and variance of the elements along the axes.

    The variance is the mean of (x - mean)².

    ```mlir
    %y = npu.tensor_norm %x axes = [1, 2]
      : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.tensor_norm"

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; axes: some, splits")


@op_definition
class LayerNormOp(AlignedNormOp):
    """(x - mean) / √(variance + epsilon) * scale + bias, with mean and variance of the elements along the axes.

    The variance is the mean of (x - mean)². Scale and bias have the rank of the input, with unit axes along which they
    are repeated, or one element; the defaults are 1 and 0.

    ```mlir
    %y = npu.layer_norm %x scale(%s : tensor<1x1x768xf32>) bias(%b : tensor<1x1x768xf32>) axes = [2]
      : tensor<1x64x768xf32>
    ```
    """

    name = "npu.layer_norm"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], scale[*A?], bias[*A?] -> result[*A]; axes: some, splits")

    scale = opt_operand_def(TensorType)
    bias = opt_operand_def(TensorType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$input (`scale` `(` $scale^ `:` type($scale) `)`)? (`bias` `(` $bias^ `:` type($bias) `)`)?"
        " `axes` `=` $axes (`epsilon` `=` $epsilon^)? attr-dict `:` custom<OpTypes>(functional-type($input, results))"
    )


@op_definition
class RmsNormOp(AlignedNormOp):
    """x / √(mean(x²) + epsilon) * scale, with the mean of the elements along the axes.

    The scale has the rank of the input, with unit axes along which it is repeated, or one element; the default is 1.

    ```mlir
    %y = npu.rms_norm %x, %s axes = [2] : (tensor<1x64x768xf32>, tensor<1x1x768xf32>) -> tensor<1x64x768xf32>
    ```
    """

    name = "npu.rms_norm"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], scale[*A?] -> result[*A]; axes: some, splits")

    scale = opt_operand_def(TensorType)


class VectorNormOp(NormalizationOp, VectorsAlongAxis, ABC):
    """A normalisation with vectors that have one number per position of `axis`, the channels."""

    scale = operand_def(TensorType)
    bias = operand_def(TensorType)
    axis = prop_def(I64)
    epsilon = prop_def(F64, default_value=DEFAULT_EPSILON)

    def verify_attributes(self, shape: Sequence[int]) -> None:
        self.check_epsilon(self.epsilon)
        for name, value in zip(self.operand_names()[1:], self.operands[1:], strict=True):
            self.check_vector(name, value, shape[self.axis.value.data])


@op_definition
class BatchNormOp(VectorNormOp, KeepsZeros):
    """(x - mean) / √(variance + epsilon) * scale + bias, with one number of each per position of the axis.

    ```mlir
    %y = npu.batch_norm %x, %s, %b, %m, %v axis = 3
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
      -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.batch_norm"

    AXES: ClassVar[AxisTable] = axes_of(
        "input[*A], scale[axis], bias[axis], mean[axis], variance[axis] -> result[*A]; axis: one, splits"
    )
    FUSION_KIND: ClassVar[FusionKind] = FusionKind.BROADCAST
    COMPUTES_EACH: ClassVar[bool] = True

    mean = operand_def(TensorType)
    variance = operand_def(TensorType)

    def check_padding(self, name: str, layout: Layout) -> None:
        """Vectors end where the data does, which `check_vector` checks."""
        if name not in self.AXES.vectors:
            super().check_padding(name, layout)

    def relates(self, position: int) -> bool:
        """The axis of the vectors relates nothing if they are in blocks as well."""
        return position == self.vector_axis and not self.has_vectors_in_blocks()

    def treats_alike(self, outer: int, inner: int) -> bool:
        return self.vector_axis != inner and (self.vector_axis != outer or self.has_vectors_in_blocks())

    def axes_in_blocks(self, tiles: Mapping[int, int]) -> dict[str, Attribute] | None:
        return {"axis": i64_attr(self.vector_axis + sum(each < self.vector_axis for each in tiles))}

    def tiles_of(self, operand: str, tiles: Mapping[int, int], own: OwnTiles) -> Mapping[int, int]:
        axis = order_of_value(self.input)[self.vector_axis]
        return {0: tiles[axis]} if axis in tiles and operand in self.AXES.vectors else {}


class ChannelNormOp(VectorNormOp, ABC):
    """A normalisation over `axes` with a scale and a bias per channel."""

    AXES: ClassVar[AxisTable] = axes_of(
        "input[*A], scale[axis], bias[axis] -> result[*A]; axis: one, splits; axes: some, splits"
    )

    axes = prop_def(I64Array)

    def verify_attributes(self, shape: Sequence[int]) -> None:
        super().verify_attributes(shape)
        if self.axis.value.data in (axes := self.axes.get_values()):
            raise self.wrong("axes", f"axes other than axis {self.axis.value.data}", list(axes))


@op_definition
class InstanceNormOp(ChannelNormOp):
    """(x - mean) / √(variance + epsilon) * scale + bias, with mean and variance of the elements along `axes`.

    The variance is the mean of (x - mean)². Scale and bias have one number per position of `axis`, the channels.

    ```mlir
    %y = npu.instance_norm %x, %s, %b axis = 3 axes = [1, 2]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>)
      -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.instance_norm"


@op_definition
class GroupNormOp(ChannelNormOp):
    """(x - mean) / √(variance + epsilon) * scale + bias, with mean and variance along `axes` and a group of channels.

    The channels are the positions along `axis`, divided into `groups` runs of neighbours. The variance is the mean of
    (x - mean)². Scale and bias have one number per channel. `axes` may be empty.

    ```mlir
    %y = npu.group_norm %x, %s, %b groups = 4 axis = 3 axes = [1, 2]
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>)
      -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.group_norm"

    AXES: ClassVar[AxisTable] = axes_of(
        "input[*A], scale[axis], bias[axis] -> result[*A]; axis: one; axes: any, splits"
    )

    groups = prop_def(I64)

    assembly_format = (
        "operands `groups` `=` $groups `axis` `=` $axis `axes` `=` $axes (`epsilon` `=` $epsilon^)? " + SIGNATURE
    )

    def verify_attributes(self, shape: Sequence[int]) -> None:
        super().verify_attributes(shape)
        groups, channels = self.groups.value.data, shape[self.axis.value.data]
        if groups < 1 or (channels != DYNAMIC and channels % groups):
            raise self.wrong("groups", f"a divisor of {shape_text((channels,))} channels", groups)
