"""The steps of a formula, with what is known of the operands."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.npu import binary, movement, reduction, unary
from ...dialects.npu.attrs import LayoutAttr, i64_array, i64_attr
from ...dialects.npu.base import NpuOp
from ...dialects.npu.elementwise import CastOp
from ...dialects.npu.source import ConstantOp, OpaqueOp
from ...dialects.npu.step_list import StepList
from ...dialects.npu.values import Shape, element_type_of, shape_of
from ...layout import DYNAMIC, Layout


class Steps(StepList):
    """A block whose arguments are the operands of an op, with further builders for the ops in it."""

    def __init__(
        self,
        op: Operation,
        known: Callable[[int], NDArray[Any] | None],
        is_padded: Callable[[int], bool] = lambda _: False,
    ):
        super().__init__(op)
        self.known = known
        self.is_padded = is_padded
        self._op = op
        self._results: Sequence[SSAValue] = ()
        self.sizes_fit = False
        """True if the steps compute the same only where numbers computed of sizes fit in 32 bits."""

    @property
    def made(self) -> bool:
        """True if there are steps."""
        return self.block.last_op is not None or bool(self._results)

    @property
    def results(self) -> Sequence[SSAValue]:
        """The values of the results of the op: those that were chosen, or the result of the last step."""
        if self._results or self.block.last_op is None:
            return self._results
        return self.block.last_op.results

    def return_(self, *results: SSAValue) -> None:
        """Choose the values of the results of the op."""
        self._results = results

    def operand(self, value: SSAValue) -> SSAValue:
        """An operand of the op, without a layout."""
        return self.block.args[self._op.operands.index(value)]

    def same(self, op: type[NpuOp], properties: Mapping[str, Attribute]) -> SSAValue:
        """Add an op of this class with the operands and the result of the op."""
        type_ = TensorType(self.element, self.result)
        made = op.create(operands=self.block.args, result_types=[type_], properties=dict(properties))
        self.block.add_op(made)
        return made.results[0]

    def foreign(
        self, name: str, operands: Sequence[SSAValue], results: Sequence[tuple[Shape, Attribute]]
    ) -> Sequence[SSAValue]:
        """Add an op of another system that has no attributes, with results of these shapes and element types."""
        made = OpaqueOp.build(
            operands=[operands],
            result_types=[[TensorType(element, shape) for shape, element in results]],
            properties={"op_name": StringAttr(name), "pure": UnitAttr()},
        )
        self.block.add_op(made)
        return made.results

    def split(self, x: SSAValue, axis: int, count: int) -> Sequence[SSAValue]:
        """Equal parts along an axis."""
        given = shape_of(x)
        size = given[axis] // count
        type_ = TensorType(element_type_of(x), (*given[:axis], size, *given[axis + 1 :]))
        properties = {"axis": i64_attr(axis), "sizes": i64_array(*[size] * count)}
        made = movement.SplitOp.build(operands=[x], result_types=[[type_] * count], properties=properties)
        self.block.add_op(made)
        return made.results

    def cast(self, x: SSAValue, element: Attribute) -> SSAValue:
        return x if element_type_of(x) == element else self.add(CastOp, [x], shape_of(x), element=element)

    def zeros(self) -> SSAValue:
        """The result of the op, if it is zeros."""
        type_ = cast("TensorType[AnyDenseElement]", TensorType(self.element, self.result))
        # A splat is kept once.
        op = ConstantOp(DenseIntOrFPElementsAttr(type_, BytesAttr(bytes(type_.get_element_type().compile_time_size))))
        self.block.add_op(op)
        return op.result

    def number(self, value: float) -> SSAValue:
        """A scalar of f32."""
        return self.constant(np.array(value, np.float32), f32)

    def integer(self, value: int) -> SSAValue:
        """A scalar of i32."""
        return self.constant(np.array(value, np.int32), i32)

    def unary(self, op: type[NpuOp], x: SSAValue) -> SSAValue:
        return self.add(op, [x], shape_of(x))

    def binary(self, op: type[NpuOp], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """An elementwise op on operands of one rank, or with one element."""
        left, right = shape_of(lhs), shape_of(rhs)
        if len(left) == len(right):
            sizes = tuple(b if a == 1 else a for a, b in zip(left, right, strict=True))
        else:
            sizes = left if len(left) > len(right) else right
        return self.add(op, [lhs, rhs], sizes)

    def plus(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.binary(binary.AddOp, lhs, rhs)

    def minus(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.binary(binary.SubOp, lhs, rhs)

    def times(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.binary(binary.MulOp, lhs, rhs)

    def over(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.binary(binary.DivOp, lhs, rhs)

    def root(self, x: SSAValue) -> SSAValue:
        return self.unary(unary.SqrtOp, x)

    def reduce(self, op: type[NpuOp], x: SSAValue, axes: Sequence[int], keep: bool = True) -> SSAValue:
        given = shape_of(x)
        sizes = tuple(1 if axis in axes else size for axis, size in enumerate(given) if keep or axis not in axes)
        properties = {"axes": i64_array(*sorted(axes)), "keep": UnitAttr() if keep else None}
        return self.add(op, [x], sizes, properties)

    def mean(self, x: SSAValue, axes: Sequence[int]) -> SSAValue:
        return self.reduce(reduction.ReduceMeanOp, x, axes)

    def begin(self, x: SSAValue, sizes: Sequence[int]) -> SSAValue:
        """The first elements along each axis; all of them where the size is unknown."""
        given = shape_of(x)
        left = tuple(full if size == DYNAMIC else size for size, full in zip(sizes, given, strict=True))
        limits = [movement.END_OF_AXIS if full == DYNAMIC else size for size, full in zip(left, given, strict=True)]
        properties = {"starts": i64_array(*[0] * len(left)), "limits": i64_array(*limits)}
        return self.add(movement.SliceOp, [x], left, properties)

    def pad(self, x: SSAValue, low: Sequence[int], high: Sequence[int]) -> SSAValue:
        """Pads of zeros."""
        if not any((*low, *high)):
            return x
        sizes = tuple(
            size + a + b if size != DYNAMIC else size for size, a, b in zip(shape_of(x), low, high, strict=True)
        )
        return self.add(movement.PadOp, [x], sizes, {"low": i64_array(*low), "high": i64_array(*high)})

    @staticmethod
    def layout(layout: Layout) -> LayoutAttr:
        """A layout as an attribute."""
        return LayoutAttr(layout)

    def is_zero(self, index: int) -> bool:
        """True if an operand is constant zeros of either sign, which add nothing to a sum that begins at 0."""
        known = self.known(index)
        return known is not None and not known.any()

    def is_static(self) -> bool:
        """True if all sizes are known."""
        return all(DYNAMIC not in shape_of(value) for value in (*self._op.operands, *self._op.results))

    def is_f32(self) -> bool:
        return self.element == f32
