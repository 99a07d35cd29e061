"""Reductions: ops that compute one element from all elements along some axes, and running sums.

Axes are physical positions. With `keep` a reduced axis stays with one element; without it the axis is dropped, and the
remaining axes have no names: the result is of class Tensor or NTensor, and its axes keep their logical order.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute
from xdsl.irdl import opt_prop_def, prop_def

from ...compat.xdsl import op_definition
from .attrs import I64, I64Array
from .axes import AxisTable
from .base import InputOp
from .declared_axes import axes_of
from .fusion import FusionKind
from .replaced_axes import ReplacedAxesOp
from .same_layout import SameLayoutOp
from .values import element_type_of, shape_of


class AxisReductionOp(ReplacedAxesOp, ABC):
    """An op that reduces some axes of its input to one element."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.REDUCTION

    keep = opt_prop_def(UnitAttr)
    """Present if the reduced axes stay, with one element."""

    def keeps_layout(self) -> bool:
        return self.keep is not None

    def merge_axes(self, counts: Sequence[int]) -> dict[str, Attribute] | None:
        return self.AXES.merge_axes(self, counts)

    @abstractmethod
    def verify_elements(self) -> None:
        """Check the element types."""

    def verify_meaning(self) -> None:
        self.verify_elements()
        shape, axes = shape_of(self.input), self.replaced()
        if self.keep is not None:
            expected = [1 if axis in axes else size for axis, size in enumerate(shape)]
        else:
            expected = [size for axis, size in enumerate(shape) if axis not in axes]
        self.check_shape("result", self.result, expected)


class ReduceOp(AxisReductionOp, ABC):
    """A reduction of several axes to an element of the same type."""

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*R]; axes: some, splits")

    axes = prop_def(I64Array)

    def verify_elements(self) -> None:
        self.check_number("input", self.input)
        self.check_element_type("result", self.result, element_type_of(self.input))


class FloatReduceOp(ReduceOp, ABC):
    """A reduction of floats."""

    def verify_elements(self) -> None:
        self.check_float("input", self.input)
        super().verify_elements()


@op_definition
class ReduceSumOp(ReduceOp):
    """The sum of the elements along the axes, 0 if there are none; integers wrap.

    ```mlir
    %y = npu.reduce_sum %x axes = [1, 2] : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x16xf32>
    ```
    """

    name = "npu.reduce_sum"


@op_definition
class ReduceMeanOp(FloatReduceOp):
    """The sum of the elements along the axes, divided by their number; NaN if there are none.

    ```mlir
    %y = npu.reduce_mean %x axes = [1, 2] keep
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.reduce_mean"


@op_definition
class ReduceMaxOp(ReduceOp):
    """The largest element along the axes; NaN if one is; the least number of the type if there are none.

    ```mlir
    %y = npu.reduce_max %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
    """

    name = "npu.reduce_max"


@op_definition
class ReduceMinOp(ReduceOp):
    """The least element along the axes; NaN if one is; the largest number of the type if there are none.

    ```mlir
    %y = npu.reduce_min %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
    """

    name = "npu.reduce_min"


@op_definition
class ReduceProdOp(ReduceOp):
    """The product of the elements along the axes, 1 if there are none; integers wrap.

    ```mlir
    %y = npu.reduce_prod %x axes = [1] : (tensor<2x3xi32>) -> tensor<2xi32>
    ```
    """

    name = "npu.reduce_prod"


@op_definition
class ReduceL1Op(ReduceOp):
    """The sum of |x| along the axes, 0 if there are none; integers wrap.

    ```mlir
    %y = npu.reduce_l1 %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
    """

    name = "npu.reduce_l1"


@op_definition
class ReduceL2Op(FloatReduceOp):
    """The square root of the sum of x² along the axes, 0 if there are none.

    ```mlir
    %y = npu.reduce_l2 %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
    """

    name = "npu.reduce_l2"


@op_definition
class ReduceSumSquareOp(ReduceOp):
    """The sum of x² along the axes, 0 if there are none; integers wrap.

    ```mlir
    %y = npu.reduce_sum_square %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
    """

    name = "npu.reduce_sum_square"


@op_definition
class ReduceLogSumExpOp(FloatReduceOp):
    """The natural logarithm of the sum of exp(x) along the axes.

    ```mlir
    %y = npu.reduce_log_sum_exp %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
    """

    name = "npu.reduce_log_sum_exp"


class ArgReduceOp(AxisReductionOp, ABC):
    """A reduction of one axis to a position along it."""

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*R]; axis: one")

    axis = prop_def(I64)

    def verify_elements(self) -> None:
        self.check_number("input", self.input)
        self.check_integer("result", self.result)

    def verify_meaning(self) -> None:
        shape, axis = shape_of(self.input), self.axis.value.data
        if shape[axis] == 0:
            raise self.wrong("input", f"an element along axis {axis}", "none")
        super().verify_meaning()


@op_definition
class ArgMaxOp(ArgReduceOp):
    """The position of the largest element along the axis, the first one if there are several.

    NaN counts as larger than every number.

    ```mlir
    %y = npu.arg_max %x axis = 1 : (tensor<8x1000xf32>) -> tensor<8xi64>
    ```
    """

    name = "npu.arg_max"


@op_definition
class ArgMinOp(ArgReduceOp):
    """The position of the least element along the axis, the first one if there are several.

    NaN counts as less than every number.

    ```mlir
    %y = npu.arg_min %x axis = 1 keep : (tensor<8x1000xf32>) -> tensor<8x1xi32>
    ```
    """

    name = "npu.arg_min"


class RunningOp(SameLayoutOp, InputOp, ABC):
    """A reduction of the elements along the axis up to each element."""

    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; axis: one")

    axis = prop_def(I64)
    exclusive = opt_prop_def(UnitAttr)
    """Present if an element is left out of its own result."""
    reverse = opt_prop_def(UnitAttr)
    """Present if it runs from the end of the axis."""

    def verify_meaning(self) -> None:
        self.check_number("input", self.input)
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_shape("result", self.result, shape_of(self.input))


@op_definition
class CumsumOp(RunningOp):
    """The sum of the elements along the axis up to each element; integers wrap.

    With `exclusive` the element itself is left out. With `reverse` the sum runs from the end of the axis.

    ```mlir
    %y = npu.cumsum %x axis = 1 exclusive reverse : tensor<2x3xf32>
    ```
    """

    name = "npu.cumsum"


@op_definition
class CumprodOp(RunningOp):
    """The product of the elements along the axis up to each element; integers wrap.

    With `exclusive` the element itself is left out. With `reverse` the product runs from the end of the axis.

    ```mlir
    %y = npu.cumprod %x axis = 1 exclusive reverse : tensor<2x3xf32>
    ```
    """

    name = "npu.cumprod"
