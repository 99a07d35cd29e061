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
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...layout import Order, identity, permute
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


class StepList:
    """A block whose arguments are the operands of an op, with builders for the ops in it."""

    def __init__(self, op: Operation) -> None:
        self.block = Block(arg_types=[TensorType(element_type_of(each), shape_of(each)) for each in op.operands])
        self.element = element_type_of(op.results[0])
        self.result = shape_of(op.results[0])

    def add(
        self,
        op: type[NpuOp],
        operands: Sequence[SSAValue | Sequence[SSAValue]],
        sizes: Shape | None = None,
        properties: Mapping[str, Attribute | None] | None = None,
        element: Attribute | None = None,
    ) -> SSAValue:
        """Add an op; the default shape and element type are those of the result."""
        type_ = TensorType(self.element if element is None else element, self.result if sizes is None else sizes)
        types: list[Any] = [type_]
        made = op.build(operands=operands, result_types=types, properties=dict(properties or {}))
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

    def reshape(self, x: SSAValue, sizes: Sequence[int]) -> SSAValue:
        wanted = tuple(sizes)
        return x if shape_of(x) == wanted else self.add(ReshapeOp, [x], wanted, element=element_type_of(x))

    def transpose(self, x: SSAValue, permutation: Order) -> SSAValue:
        if permutation == identity(len(permutation)):
            return x
        properties = {"permutation": i64_array(*permutation)}
        return self.add(TransposeOp, [x], permute(shape_of(x), permutation), properties, element_type_of(x))

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

    def slice(self, x: SSAValue, starts: Sequence[int], sizes: Sequence[int]) -> SSAValue:
        if shape_of(x) == tuple(sizes):
            return x
        limits = [start + size for start, size in zip(starts, sizes, strict=True)]
        properties = {"starts": i64_array(*starts), "limits": i64_array(*limits)}
        return self.add(SliceOp, [x], tuple(sizes), properties, element_type_of(x))

    def concat(self, parts: Sequence[SSAValue], axis: int) -> SSAValue:
        if len(parts) == 1:
            return parts[0]
        given = shape_of(parts[0])
        sizes = (*given[:axis], sum(shape_of(part)[axis] for part in parts), *given[axis + 1 :])
        return self.add(ConcatOp, [parts], sizes, {"axis": i64_attr(axis)}, element_type_of(parts[0]))
