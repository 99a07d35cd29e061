"""The steps that compute an op of known sizes, as other ops without layouts, on operands as they are stored."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    TensorType,
    f16,
    f32,
    f64,
    i1,
)
from xdsl.ir import Attribute, Block, SSAValue

from ...layout import Order
from .attrs import i64_array, i64_attr
from .base import NpuOp
from .binary import MulOp
from .elementwise import SelectOp
from .movement import ConcatOp, SliceOp
from .shape import BroadcastOp, ReshapeOp, TransposeOp
from .source import ConstantOp
from .values import Shape, element_type_of, shape_of

DTYPES: Mapping[Attribute, Any] = {f16: np.float16, f32: np.float32, f64: np.float64, i1: np.bool_}
"""The element types that constants in steps can have."""


def numbers_in_step(op: ConstantOp) -> NDArray[Any]:
    """The numbers of a constant among steps."""
    assert isinstance(op.value, DenseIntOrFPElementsAttr), "constants in steps are written out"
    return np.frombuffer(op.value.data.data, DTYPES[op.value.get_element_type()]).reshape(op.value.get_shape())


class StepList:
    """A block whose arguments are the operands of an op, with builders for the ops in it."""

    def __init__(self, op: NpuOp) -> None:
        self.block = Block(arg_types=[TensorType(element_type_of(each), shape_of(each)) for each in op.operands])
        self._location = op.location

    def add(
        self,
        op: type[NpuOp],
        operands: Sequence[SSAValue | Sequence[SSAValue]],
        sizes: Shape,
        properties: Mapping[str, Attribute] | None = None,
        element: Attribute | None = None,
    ) -> SSAValue:
        """Add an op; the default element type is that of the last operand."""
        if element is None:
            last = operands[-1]
            element = element_type_of(last if isinstance(last, SSAValue) else last[-1])
        made = op.build(operands=operands, result_types=[TensorType(element, sizes)], properties=dict(properties or {}))
        made.location = self._location
        self.block.add_op(made)
        return made.results[0]

    def constant(self, numbers: NDArray[Any], element: Attribute) -> SSAValue:
        type_ = cast("TensorType[AnyDenseElement]", TensorType(element, numbers.shape))
        op = ConstantOp(DenseIntOrFPElementsAttr(type_, BytesAttr(np.ascontiguousarray(numbers).tobytes())))
        self.block.add_op(op)
        return op.result

    def like(self, value: SSAValue, number: float) -> SSAValue:
        """A scalar of the element type of a value."""
        return self.constant(np.array(number, DTYPES[element_type_of(value)]), element_type_of(value))

    def scaled(self, x: SSAValue, factor: float) -> SSAValue:
        return x if factor == 1 else self.add(MulOp, [self.like(x, factor), x], shape_of(x))

    def chosen(self, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
        """One of two values at each place, either of one rank with the condition or of one element."""
        shapes = [shape_of(each) for each in (condition, yes, no) if shape_of(each)]
        return self.add(SelectOp, [condition, yes, no], tuple(max(sizes) for sizes in zip(*shapes, strict=True)))

    def reshape(self, x: SSAValue, sizes: Shape) -> SSAValue:
        return x if shape_of(x) == sizes else self.add(ReshapeOp, [x], sizes)

    def transpose(self, x: SSAValue, permutation: Order) -> SSAValue:
        sizes = tuple(shape_of(x)[axis] for axis in permutation)
        return self.add(TransposeOp, [x], sizes, {"permutation": i64_array(*permutation)})

    def repeated(self, x: SSAValue, axis: int, size: int) -> SSAValue:
        """Each position along an axis as often as it takes for this size."""
        given = shape_of(x)
        if given[axis] == size:
            return x
        head, tail = given[: axis + 1], given[axis + 1 :]
        wide = (*head, size // given[axis], *tail)
        axes = [*range(axis + 1), *range(axis + 2, len(wide))]
        many = self.add(BroadcastOp, [x], wide, {"axes": i64_array(*axes)})
        return self.reshape(many, (*given[:axis], size, *tail))

    def slice(self, x: SSAValue, start: int, limit: int) -> SSAValue:
        """Some positions along the last axis."""
        *outer, size = shape_of(x)
        if (start, limit) == (0, size):
            return x
        properties = {"starts": i64_array(*[0] * len(outer), start), "limits": i64_array(*outer, limit)}
        return self.add(SliceOp, [x], (*outer, limit - start), properties)

    def concat(self, parts: Sequence[SSAValue]) -> SSAValue:
        """The parts along the last axis."""
        if len(parts) == 1:
            return parts[0]
        *outer, _ = shape_of(parts[0])
        sizes = (*outer, sum(shape_of(part)[-1] for part in parts))
        return self.add(ConcatOp, [parts], sizes, {"axis": i64_attr(len(outer))})
