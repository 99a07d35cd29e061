"""Ops on elements or slices that positions along one axis choose; data may be in any order along the others."""

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, TensorType, UnitAttr, i1
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC
from .attrs import I64
from .axes import AxisTable, Marks
from .base import InputOp
from .declared_axes import axes_of
from .fusion import FusionKind
from .same_layout import SameLayoutOp
from .values import element_type_of, rank_of, shape_of


class AlongAxisOp(SameLayoutOp, ABC):
    """An op that relates positions along one axis to each other."""

    TAKES_BLOCKS: ClassVar[bool] = False

    axis = prop_def(I64)

    def beside_axis(self, size: int) -> tuple[int, ...]:
        """The shape of the input with another size along the axis."""
        shape, axis = shape_of(self.operands[0]), self.axis.value.data
        return (*shape[:axis], size, *shape[axis + 1 :])


class PerElementOp(AlongAxisOp, InputOp, ABC):
    """An op with a position for each element of a tensor that may be shorter than the input along every axis."""

    indices = operand_def(TensorType)

    def axis_marks(self, axis: int) -> tuple[Marks, bool]:
        """An axis along which the indices are or may be shorter is none that may be split."""
        marks, splits = super().axis_marks(axis)
        return marks, splits and self._covers(axis)

    def relates(self, position: int) -> bool:
        return super().relates(position) or not self._covers(position)

    def _covers(self, axis: int) -> bool:
        return DYNAMIC != shape_of(self.input)[axis] == shape_of(self.indices)[axis]

    def verify_meaning(self) -> None:
        self.check_integer("indices", self.indices)
        shape, indices, axis = shape_of(self.input), shape_of(self.indices), self.axis.value.data
        if rank_of(self.indices) != len(shape):
            raise self.wrong("indices", f"rank {len(shape)} like input", rank_of(self.indices))
        for place, (size, count) in enumerate(zip(shape, indices, strict=True)):
            if place != axis and DYNAMIC not in (size, count) and count > size:
                raise self.wrong("indices", f"at most {size} elements along axis {place}", count)


@op_definition
class GatherElementsOp(PerElementOp):
    """The elements of the input at the positions that the indices have along the axis, and at their own along others.

    Negative indices count from the end of the axis; an index beyond either end is an error.

    ```mlir
    %y = npu.gather_elements %x, %i axis = 1 : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.gather_elements"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.INJECTIVE
    AXES: ClassVar[AxisTable] = axes_of("input[*A], indices[*A] -> result[*A]; axis: one")

    def verify_meaning(self) -> None:
        super().verify_meaning()
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_shape("result", self.result, shape_of(self.indices))


REDUCTIONS = ("none", "add", "mul", "max", "min")
"""The ways in which a scatter puts an update to the element that is there."""


@op_definition
class ScatterElementsOp(PerElementOp):
    """The input with the updates at the positions that the indices have along the axis, and at their own along others.

    An update takes the place of the element that is there, or with a `reduction` their sum, product, maximum or minimum
    does; integers wrap. Updates of one element are put there in the order that they have along the axis. Negative
    indices count from the end of the axis; an index beyond either end is an error.

    ```mlir
    %y = npu.scatter_elements %x, %i, %u axis = 1 reduction = "add"
      : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
    ```
    """

    name = "npu.scatter_elements"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], indices[*A], updates[*A] -> result[*A]; axis: one")

    updates = operand_def(TensorType)
    reduction = prop_def(StringAttr, default_value=StringAttr("none"))

    def verify_meaning(self) -> None:
        super().verify_meaning()
        self.check_word("reduction", self.reduction, REDUCTIONS)
        self.check_element_type("updates", self.updates, element_type_of(self.input))
        self.check_shape("updates", self.updates, shape_of(self.indices))
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_shape("result", self.result, shape_of(self.input))


@op_definition
class ScatterOp(AlongAxisOp, InputOp):
    """The input with the slices of the updates at the positions that the indices have along the axis.

    An update takes the place of the slice that is there, or with a `reduction` the sum, product, maximum or minimum of
    both does; integers wrap. Updates of one slice are put there in their order. Negative indices count from the end of
    the axis; an index beyond either end is an error.

    ```mlir
    %y = npu.scatter %x, %i, %u axis = 3
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2xi64>, tensor<1x8x8x2xf32, #npu.layout<NHWC>>)
      -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.scatter"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], indices[L], updates[*A] -> result[*A]; axis: one")

    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    reduction = prop_def(StringAttr, default_value=StringAttr("none"))

    def verify_meaning(self) -> None:
        self.check_integer("indices", self.indices)
        self.check_rank("indices", self.indices, 1)
        self.check_word("reduction", self.reduction, REDUCTIONS)
        self.check_element_type("updates", self.updates, element_type_of(self.input))
        self.check_shape("updates", self.updates, self.beside_axis(shape_of(self.indices)[0]))
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_shape("result", self.result, shape_of(self.input))


@op_definition
class TopKOp(AlongAxisOp):
    """The largest elements along the axis in descending order, and their positions.

    With `smallest` they are the smallest ones in ascending order. Of equal elements the one with the lower position
    comes first. NaN counts as larger than every number. The results say how many elements there are, or `count` does.

    ```mlir
    %v, %p = npu.top_k %x axis = 1 : (tensor<8x1000xf32>) -> (tensor<8x5xf32>, tensor<8x5xi64>)
    ```
    """

    name = "npu.top_k"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], count[L] -> found[*A], places[*A]; axis: one")

    input = operand_def(TensorType)
    count = opt_operand_def(TensorType)
    """Present if the results do not say it."""
    smallest = opt_prop_def(UnitAttr)
    found = result_def(TensorType)
    places = result_def(TensorType)

    traits = traits_def(Pure())

    def verify_meaning(self) -> None:
        self.check_number("input", self.input)
        self.check_element_type("found", self.found, element_type_of(self.input))
        self.check_integer("places", self.places)
        self.check_shape("found", self.found, self.beside_axis(DYNAMIC))
        self.check_shape("places", self.places, shape_of(self.found))
        axis = self.axis.value.data
        count, size = shape_of(self.found)[axis], shape_of(self.input)[axis]
        if DYNAMIC not in (count, size) and count > size:
            raise self.wrong("found", f"at most {size} elements along axis {axis}", count)
        if (self.count is None) == (count == DYNAMIC):
            wanted = "one, as the results have no size" if count == DYNAMIC else "none, as the results have a size"
            raise self.wrong("count", wanted, "none" if self.count is None else "one")
        if self.count is not None:
            self.check_integer("count", self.count)
            self.check_shape("count", self.count, (1,))


@op_definition
class CompressOp(AlongAxisOp, InputOp):
    """The slices along the axis for which the condition is true; it may be shorter than the axis.

    ```mlir
    %y = npu.compress %x, %c axis = 3
      : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xi1>) -> tensor<1x8x8x?xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.compress"

    AXES: ClassVar[AxisTable] = axes_of("input[*A], condition[L] -> result[*A]; axis: one")

    condition = operand_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_rank("condition", self.condition, 1)
        self.check_element_type("condition", self.condition, i1)
        size, count = shape_of(self.input)[self.axis.value.data], shape_of(self.condition)[0]
        if DYNAMIC not in (size, count) and count > size:
            raise self.wrong("condition", f"at most {size} elements", count)
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_shape("result", self.result, self.beside_axis(DYNAMIC))


@op_definition
class ReverseSequenceOp(AlongAxisOp, InputOp):
    """The input with its first elements along the axis reversed, as many as `lengths` says for each place in the batch.

    ```mlir
    %y = npu.reverse_sequence %x, %n axis = 0 batch = 1 : (tensor<7x4x16xf32>, tensor<4xi64>) -> tensor<7x4x16xf32>
    ```
    """

    name = "npu.reverse_sequence"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.INJECTIVE
    AXES: ClassVar[AxisTable] = axes_of("input[*A], lengths[batch] -> result[*A]; axis: one; batch: one")

    lengths = operand_def(TensorType)
    batch = prop_def(I64)
    """The axis with a length for each of its places."""

    def verify_meaning(self) -> None:
        self.check_integer("lengths", self.lengths)
        shape, batch = shape_of(self.input), self.batch.value.data
        if batch == self.axis.value.data:
            raise self.wrong("batch", "another axis than axis", batch)
        self.check_shape("lengths", self.lengths, (shape[batch],))
        self.check_element_type("result", self.result, element_type_of(self.input))
        self.check_shape("result", self.result, shape)
