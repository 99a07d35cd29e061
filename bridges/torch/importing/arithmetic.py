"""Arithmetic of values: types that operands have in common, numbers, and shapes that broadcast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, Float16Type, f32, i1, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.elementwise import CastOp
from ....dialects.npu.values import element_type_of, is_boolean, is_float, is_integer
from ....interpreter.elements import numpy_dtype
from ...building import Size, Sizes, UnsupportedNode
from ...formats.records import UI8
from .node import CallNode

Number = bool | int | float


# Numbers.


def number(node: CallNode, name: str, default: Number | None = None) -> Number:
    """An argument that is a number, known now."""
    found = node.get(name, default)
    if not isinstance(found, bool | int | float):
        raise UnsupportedNode(f"{name} is no number that is known")
    return found


def optional_number(node: CallNode, name: str) -> Number | None:
    """A number that may be left out."""
    return None if node.get(name) is None else number(node, name)


def is_exact(value: Number, element: Attribute) -> bool:
    """True if arithmetic in an element type reads this number as it is; types of 32 bits and more round it."""
    if not is_half(element) or value != value:
        return True
    with np.errstate(over="ignore"):
        return float(np.asarray(value).astype(numpy_dtype(element))) == value


def is_half(element: Attribute) -> bool:
    """True for floats of 16 bits, with which PyTorch computes in 32 bits."""
    return isinstance(element, Float16Type | BFloat16Type)


def scalar(node: CallNode, value: Number, element: Attribute) -> SSAValue:
    """A number as a value of this type."""
    if is_integer(element) and not is_boolean(element) and int(value) != value:
        raise UnsupportedNode(f"{value} as an integer")
    return node.scalar(value, element)


# Types.


def cast(node: CallNode, value: SSAValue, element: Attribute) -> SSAValue:
    if element_type_of(value) == element:
        return value
    return node.add(CastOp, [value], node.sizes_of(value), element)


def given(node: CallNode, name: str) -> SSAValue | Number:
    """An operand, or the number in its place."""
    return node.operand(name) if node.has(name) else number(node, name)


def valued(node: CallNode, each: SSAValue | Number, element: Attribute) -> SSAValue:
    """An operand or a number as a value of this type."""
    return cast(node, each, element) if isinstance(each, SSAValue) else scalar(node, each, element)


def common_element(node: CallNode, operands: Iterable[SSAValue | Number]) -> Attribute:
    """The type to which PyTorch casts operands that it compares: numbers and scalars count less than tensors."""
    groups: list[list[Attribute]] = [[], [], []]
    for each in operands:
        if isinstance(each, SSAValue):
            groups[0 if node.rank(each) else 1].append(element_type_of(each))
        else:
            groups[2].append(i1 if isinstance(each, bool) else i64 if isinstance(each, int) else f32)
    found: Attribute | None = None
    for group in groups:
        if not group:
            continue
        other = reduce(_promoted, group)
        if found is None or _kind(other) > _kind(found):
            found = other if found is None else _promoted(found, other)
    if found is None:
        raise UnsupportedNode("no operands")
    return found


def _kind(element: Attribute) -> int:
    if is_float(element):
        return 2
    if is_boolean(element):
        return 0
    if not is_integer(element):
        raise UnsupportedNode(f"elements of {element}")
    return 1


def _promoted(one: Attribute, other: Attribute) -> Attribute:
    """The type of a result of both."""
    if one == other:
        return one
    low, high = sorted((one, other), key=_kind)
    if _kind(low) < _kind(high):
        return high
    widths = numpy_dtype(low).itemsize, numpy_dtype(high).itemsize
    if is_float(high):
        return f32 if widths[0] == widths[1] else (low, high)[widths[1] > widths[0]]
    if UI8 in (low, high):
        other = high if low == UI8 else low
        if other not in (i16, i32, i64):
            return i16
        return other
    return (low, high)[widths[1] > widths[0]]


# Shapes.


def common_sizes(node: CallNode, values: Sequence[SSAValue]) -> tuple[Size, ...]:
    """The shape to which values broadcast."""
    shapes = [node.sizes_of(value) for value in values]
    rank = max(map(len, shapes))
    return tuple(_common([shape[axis - rank] for shape in shapes if len(shape) >= rank - axis]) for axis in range(rank))


def _common(sizes: Sizes) -> Size:
    found = {size: None for size in sizes if size != 1}
    known = [size for size in found if isinstance(size, int)]
    if len(known) == 1:
        return known[0]
    if known or len(found) > 1:
        raise UnsupportedNode("sizes are not known to broadcast")
    return next(iter(found), 1)


def combine(
    node: CallNode,
    op: type[NpuOp],
    values: Sequence[SSAValue],
    element: Attribute | None = None,
    **more: object,
) -> SSAValue:
    """An elementwise op on values, which broadcast."""
    sizes = common_sizes(node, values)
    operands = [node.aligned(value, len(sizes)) for value in values]
    if all(node.rank(value) != len(sizes) for value in operands):
        operands[0] = node.reshape(operands[0], (1,) * len(sizes))
    return node.add(op, operands, sizes, element, **more)


def upright(node: CallNode, vector: SSAValue, axis: int, rank: int) -> SSAValue:
    """A vector along an axis of values of this rank."""
    return node.reshape(vector, [node.sizes_of(vector)[0] if place == axis else 1 for place in range(rank)])


def known(sizes: Sizes) -> list[int]:
    """Sizes, which must be known."""
    found = [size for size in sizes if isinstance(size, int)]
    if len(found) < len(sizes):
        raise UnsupportedNode("an unknown size")
    return found
