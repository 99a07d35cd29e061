"""Ops whose results are as long as the numbers of the run say, and that take their data in the order in which it is."""

from abc import ABC
from math import prod

from xdsl.dialects.builtin import TensorType, UnitAttr, i64
from xdsl.irdl import operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC
from .attrs import I64
from .base import NpuOp
from .values import element_type_of, has_one_element, rank_of, shape_of, shape_text


class SelectionOp(NpuOp, ABC):
    """An op whose results have no axes of its operands, or some in the order in which they are."""

    traits = traits_def(Pure())

    def verify_layouts(self) -> None:
        for name, value in zip(self.result_names(), self.results, strict=True):
            self.check_tensor_class(name, value)


@op_definition
class RangeOp(SelectionOp):
    """The numbers from `start` on, each by `step` more than the one before, and before `limit`.

    They are start + i * step for i from 0 on; with a negative step they go down.

    ```mlir
    %y = npu.range %start, %limit, %step : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
    ```
    """

    name = "npu.range"

    start = operand_def(TensorType)
    limit = operand_def(TensorType)
    step = operand_def(TensorType)
    result = result_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_number("start", self.start)
        for name, value in zip(self.operand_names(), self.operands, strict=True):
            self.check_shape(name, value, ())
            self.check_element_type(name, value, element_type_of(self.start))
        self.check_element_type("result", self.result, element_type_of(self.start))
        self.check_shape("result", self.result, (DYNAMIC,))


@op_definition
class NonZeroOp(SelectionOp):
    """The positions of the elements that are not zero, one row for each axis, in the order in which they are stored.

    ```mlir
    %p = npu.non_zero %x : (tensor<4x6xf32>) -> tensor<2x?xi64>
    ```
    """

    name = "npu.non_zero"

    input = operand_def(TensorType)
    result = result_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_element_type("result", self.result, i64)
        self.check_shape("result", self.result, (rank_of(self.input), DYNAMIC))


@op_definition
class UniqueOp(SelectionOp):
    """The different elements, or slices along an axis, and for each of them its first position and how many there are.

    `places` has for each of the given ones the position of its equal among the different ones. They are sorted, slices
    by their first elements that differ, or with `as_found` in the order in which they are stored.

    ```mlir
    %y, %first, %places, %count = npu.unique %x
      : (tensor<24xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<24xi64>, tensor<?xi64>)
    ```
    """

    name = "npu.unique"

    input = operand_def(TensorType)
    axis = opt_prop_def(I64)
    """The axis of the slices; without it all elements count."""
    as_found = opt_prop_def(UnitAttr)
    found = result_def(TensorType)
    first = result_def(TensorType)
    places = result_def(TensorType)
    counts = result_def(TensorType)

    def verify_meaning(self) -> None:
        shape = shape_of(self.input)
        self.check_element_type("found", self.found, element_type_of(self.input))
        if self.axis is None:
            self.check_shape("found", self.found, (DYNAMIC,))
            given = DYNAMIC if DYNAMIC in shape else prod(shape)
        else:
            axis = self.axis.value.data
            self.check_axis("axis", axis, len(shape))
            self.check_shape("found", self.found, (*shape[:axis], DYNAMIC, *shape[axis + 1 :]))
            given = shape[axis]
        for name, value in (("first", self.first), ("places", self.places), ("counts", self.counts)):
            self.check_element_type(name, value, i64)
            self.check_shape(name, value, (given if name == "places" else DYNAMIC,))


@op_definition
class NonMaxSuppressionOp(SelectionOp):
    """The boxes with the highest scores of each class, without those that overlap one with a higher score too much.

    A row of the result has the numbers of the image, of the class and of the box. `boxes` has two opposite corners of
    each box, y before x, or with `centers` the x, y, width and height of it. For each image and class as many boxes as
    `most` says are chosen, by their scores, which are above `least`. A box is left out if its intersection with one
    that is chosen is more than `overlap` of their union; of equal scores the box with the lower number comes first.

    ```mlir
    %y = npu.non_max_suppression %boxes, %scores, %most, %overlap, %least
      : (tensor<2x100x4xf32>, tensor<2x80x100xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xi64>
    ```
    """

    name = "npu.non_max_suppression"

    boxes = operand_def(TensorType)
    scores = operand_def(TensorType)
    most = operand_def(TensorType)
    overlap = operand_def(TensorType)
    least = operand_def(TensorType)
    centers = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_rank("scores", self.scores, 3)
        images, _, boxes = shape_of(self.scores)
        self.check_shape("boxes", self.boxes, (images, boxes, 4))
        for name, value in (("boxes", self.boxes), ("scores", self.scores)):
            self.check_float(name, value)
        for name, value in (("most", self.most), ("overlap", self.overlap), ("least", self.least)):
            if not has_one_element(value):
                raise self.wrong(name, "one element", shape_text(shape_of(value)))
        self.check_integer("most", self.most)
        self.check_float("overlap", self.overlap)
        self.check_float("least", self.least)
        self.check_element_type("result", self.result, i64)
        self.check_shape("result", self.result, (DYNAMIC, 3))
