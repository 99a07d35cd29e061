"""Numbered values: a node, and the arrangement of its axes in a stored tensor."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import NoneAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from ..dialects.npu.attrs import LayoutAttr
from ..dialects.npu.base import NpuOp
from ..dialects.npu.linear import GemmOp
from ..dialects.npu.selection import SelectionOp
from ..dialects.npu.shape import ViewOp
from ..dialects.npu.source import OpaqueOp
from ..dialects.npu.values import Shape, shape_of
from ..dialects.npu.views import sizes_after
from ..layout import DYNAMIC, Arrangement, Extent, Order, Piece, permute

Place: TypeAlias = SSAValue | tuple[Operation, int]
"""A value, or an operand of an op."""


class NumberedValue(NamedTuple):
    """A stored tensor; the arrangement is None for other types."""

    node: int
    stored: Arrangement | None


def tensor(value: NumberedValue) -> Arrangement:
    """The arrangement of a tensor value, such as any operand of the dialect's ops."""
    assert value.stored is not None
    return value.stored


def is_whole(value: NumberedValue, others: Sequence[NumberedValue]) -> bool:
    """True if an elementwise op on a value and others has the shape of the value.

    The others have one element along an axis, or as many. Unknown sizes are compared as symbols: types of unknown sizes
    are equal even if the op repeats the value.
    """
    sizes = tensor(value).shape
    return all(_fits(tensor(other).shape, sizes) for other in others)


def _fits(sizes: Sequence[Extent], whole: Sequence[Extent]) -> bool:
    if all(size.is_unit for size in sizes):
        return len(sizes) <= len(whole)
    pairs = zip(sizes, whole, strict=False)
    return len(sizes) == len(whole) and all(size.is_unit or size == full for size, full in pairs)


def takes_bias(op: GemmOp, operands: Sequence[NumberedValue]) -> bool:
    """True if a Gemm with a bias is defined for all sizes for which a product and a sum are.

    A sum repeats a product of one row or column, and a Gemm does not.
    """
    lhs, rhs, bias = (tensor(each).shape for each in operands)
    product = lhs[-1 if op.trans_a else -2], rhs[-2 if op.trans_b else -1]
    pairs = zip(reversed(bias), reversed(product), strict=False)
    return all(size.is_unit or size == full or not (full.is_unit or full.symbols) for size, full in pairs)


def places_in(view: Arrangement, result: Arrangement) -> list[int | None] | None:
    """The axis of a result that each axis of a view of it shows, if each is shown as a whole."""
    viewed = [pieces for pieces in result.axes if pieces]
    if len(set(viewed)) != len(viewed) or sorted(map(repr, viewed)) != sorted(repr(each) for each in view.axes if each):
        return None
    return [result.axes.index(pieces) if pieces else None for pieces in view.axes]


def element_type(type_: Attribute) -> Attribute:
    """The element type of a tensor; any other type itself."""
    return type_.get_element_type() if isa(type_, TensorType) else type_


def stored_type(type_: Attribute) -> Hashable:
    """The part of a type that describes the stored data; the layout does not, because it names the axes."""
    if not isa(type_, TensorType):
        return type_
    encoding = None if isinstance(type_.encoding, LayoutAttr | NoneAttr) else type_.encoding
    return type_.get_element_type(), type_.get_shape(), encoding


def known_sizes(type_: Attribute) -> Shape:
    """The sizes that the type of a tensor says; none for other types."""
    return type_.get_shape() if isa(type_, TensorType) else ()


def types_of(op: Operation, count: int, orders: Mapping[Place, Order]) -> tuple[Hashable, ...]:
    """The types of the first operands and the results of an op, including the letters if it finds axes by them.

    Those with an order here are stored in it.
    """
    operands = (reordered(op.operands[place].type, orders.get((op, place))) for place in range(count))
    types = (*operands, *(reordered(result.type, orders.get(result)) for result in op.results))
    finds_axes = isinstance(op, NpuOp) and not isinstance(op, OpaqueOp | SelectionOp)
    return types if finds_axes else tuple(map(stored_type, types))


def reordered(type_: Attribute, order: Order | None) -> Attribute:
    """The type of a tensor, without its layout, stored in another order; all other types are as they are."""
    if order is None or not isa(type_, TensorType):
        return type_
    shape = type_.get_shape()
    return TensorType(type_.get_element_type(), permute(shape, order) if order else shape)


def sizes_of(value: SSAValue) -> list[Extent | None]:
    """The sizes of a value; None for unknown ones."""
    return [None if size == DYNAMIC else Extent(size) for size in shape_of(value)]


def known_shape(op: ViewOp, stored: Arrangement) -> Shape | None:
    """The static shape of a view, from its type or from the sizes of the operand."""
    if DYNAMIC not in shape_of(op.result):
        return shape_of(op.result)
    sizes = sizes_after(op, stored.shape)
    return None if sizes is None or any(size.symbols for size in sizes) else tuple(size.factor for size in sizes)


def permuted_without_elements(logical: Arrangement, sizes: Sequence[Extent | None]) -> Arrangement | None:
    """The reshape of a value without elements as a transpose with the same sizes, if there is one.

    Any arrangement of no elements is right, and canonicalization turns such transposes into reshapes.
    """
    if all(size.factor for size in logical.shape):
        return None
    left = [(size, pieces) for size, pieces in zip(logical.shape, logical.axes, strict=True) if not size.is_unit]
    axes: list[tuple[Piece, ...]] = []
    for size in sizes:
        place = next((place for place, (each, _) in enumerate(left) if each == size), None)
        if place is None and (size is None or not size.is_unit):
            return None
        axes.append(() if place is None else left.pop(place)[1])
    return None if left else Arrangement(tuple(axes))


def transposed(value: NumberedValue, permutation: Order | None) -> NumberedValue:
    """A value, stored in another order."""
    return value if permutation is None else NumberedValue(value.node, tensor(value).transposed(permutation))


def takes(function: FuncOp, captured: Sequence[SSAValue]) -> bool:
    """True if the last arguments of a function have the stored types of these values."""
    types = function.function_type.inputs.data
    last = types[len(types) - len(captured) :]
    return len(last) == len(captured) and all(
        stored_type(type_) == stored_type(value.type) for type_, value in zip(last, captured, strict=True)
    )
