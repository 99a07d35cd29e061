"""Tensors during export, with constant folding, and the constant operands of TOSA ops."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np

from ....dialects.npu.values import shape_text
from ....interpreter.bits import bits_of_bf16
from ....interpreter.elements import Array
from ....layout import DYNAMIC
from ..bindings import Attribute, Operation, Type, Value, ir, tensor, tosa
from ..errors import UnknownSizes
from .elements import Element

Shape: TypeAlias = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Tensor:
    """An SSA value, or a constant array on which ops are folded."""

    shape: Shape
    element: Element
    computed: Value | None = None
    known: Array | None = None

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def value(self) -> Value:
        """The SSA value; a constant is built at its first use."""
        if self.computed is None:
            assert self.known is not None
            # TOSA has no tensors without elements.
            numbers = dense(self.known, self.element)
            self.computed = tosa.ConstOp(numbers).result if self.size else empty(self.shape, self.element).computed
        return self.computed


def tensor_type(shape: Sequence[int], element: Element) -> Type:
    if element.kind == "whole":
        return ir.Type.parse(element.written)
    return ir.RankedTensorType.get(list(shape), element.type)


def computed(value: Value, shape: Sequence[int], element: Element) -> Tensor:
    return Tensor(tuple(shape), element, value)


def known(numbers: Array, element: Element) -> Tensor:
    """A constant tensor of an array in the interpreter's representation."""
    return Tensor(numbers.shape, element, known=numbers)


def numbers(values: Array | Sequence[float] | float, element: Element) -> Tensor:
    """A constant tensor of numbers, rounded to the element type."""
    return known(np.asarray(values).astype(element.dtype), element)


def stand_in(shape: Sequence[int], element: Element) -> Tensor:
    """A tensor of any sizes in a module that nobody runs."""
    made = ir.Operation.create("builtin.unrealized_conversion_cast", results=[tensor_type(shape, element)])
    return computed(made.result, shape, element)


def empty(shape: Sequence[int], element: Element) -> Tensor:
    """An uninitialised tensor."""
    check_sizes(shape)
    return computed(tensor.EmptyOp(list(shape), element.type).result, shape, element)


def check_sizes(shape: Sequence[int]) -> None:
    """Check that all sizes are known, as loops and most ops need them."""
    if DYNAMIC in shape:
        raise UnknownSizes(
            f"all sizes must be known to compile, found {shape_text(shape)} (--size and --shape fix those of inputs)"
        )


def dense(array: Array, element: Element) -> Attribute:
    """A dense attribute of an array."""
    shape = list(array.shape)
    if array.size > 1 and not any(array.strides):
        # An array with zero strides is a splat.
        one = dense(array[(slice(1),) * array.ndim], element)
        return ir.DenseElementsAttr.get_splat(tensor_type(shape, element), one.get_splat_value())
    array = np.ascontiguousarray(array)
    if element.kind == "bf":
        return ir.DenseElementsAttr.get(bits_of_bf16(array), type=element.type, shape=shape)
    if element.is_float or element.width in (8, 16, 32, 64):
        return ir.DenseElementsAttr.get(array, type=element.type, shape=shape)
    mask = (1 << element.width) - 1
    each = [ir.IntegerAttr.get(element.type, int(number) & mask) for number in array.reshape(-1)]
    return ir.DenseElementsAttr.get(each, type=tensor_type(shape, element))


def tosa_op(build: Callable[..., object], shape: Sequence[int], element: Element, *rest: object) -> Tensor:
    """Build an op of TOSA; its builder takes the result type first. TOSA has no tensors without elements."""
    if not prod(shape):
        return empty(shape, element)
    op: Operation = build(tensor_type(shape, element), *rest)
    return computed(op.results[0], shape, element)


def tosa_shape(sizes: Sequence[int]) -> Value:
    """A `tosa.const_shape`, in which -1 is the size that follows from the others."""
    values = np.array([-1 if size == DYNAMIC else size for size in sizes], np.int64)
    attribute = ir.DenseElementsAttr.get(values, type=ir.IndexType.get(), shape=[len(values)])
    return tosa.ConstShapeOp(ir.Type.parse(f"!tosa.shape<{len(values)}>"), attribute).result


def tosa_number(number: float, element: Element) -> Value:
    """A constant vector of one element, such as a zero point."""
    return numbers([number], element).value


def zero_points(lhs: Tensor, rhs: Tensor, zeros: tuple[float, float]) -> tuple[Value, Value]:
    """The zero points of two operands, as one constant if they are equal."""
    first = tosa_number(zeros[0], lhs.element)
    if zeros[0] == zeros[1] and lhs.element == rhs.element:
        return first, first
    return first, tosa_number(zeros[1], rhs.element)
