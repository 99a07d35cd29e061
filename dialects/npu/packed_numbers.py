"""The numbers of constants in blocks, and without."""

from typing import cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import AnyDenseElement, BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute

from ...layout import Layout, LayoutClass, identity_layout, invert, unpermute
from ..program.written import Dense, is_kept_once, splat
from .attrs import LayoutAttr
from .source import ConstantOp, elements_of
from .values import encoding, layout_of


def without_blocks(constant: ConstantOp) -> ConstantOp | None:
    """The logical tensor of a constant in blocks, in identity order; None for numbers in a file."""
    value, layout = constant.value, layout_of(constant.result)
    if not isinstance(value, DenseIntOrFPElementsAttr) or layout is None or not layout.tiles:
        return None
    shape = layout.logical_shape(value.get_shape())
    attribute = LayoutAttr(identity_layout(layout.cls, len(shape)))
    return ConstantOp(stored_as(value, TensorType(value.get_element_type(), shape, attribute)))


def stored_as(value: Dense, type_: TensorType) -> Dense:
    """The logical tensor of these numbers, stored as a type says; padding is zeros."""
    before, after = _layout_of_type(value.get_type()), _layout_of_type(type_)
    if is_kept_once(value) and not after.padded_axes:
        return splat(type_, value.data.data)
    numbers, shape = elements_of(value), type_.get_shape()
    known = after.logical_shape(shape)
    logical = _with_axes(numbers, before)[tuple(map(slice, known))]
    pieces = unpermute(shape, after.order_for(len(shape)))
    whole = after.filled_shape(pieces)
    filled = np.pad(logical, [*((0, size - end) for size, end in zip(whole, known, strict=True)), (0, 0)])
    stored = filled.reshape(*pieces, numbers.shape[-1]).transpose(*after.order_for(len(shape)), len(shape))
    return DenseIntOrFPElementsAttr(cast("TensorType[AnyDenseElement]", type_), BytesAttr(stored.tobytes()))


def _with_axes(numbers: NDArray[np.uint8], layout: Layout) -> NDArray[np.uint8]:
    """The numbers of a stored tensor along its logical axes, with padding."""
    rank = numbers.ndim - 1
    pieces = numbers.transpose(*invert(layout.order_for(rank)), rank)
    sizes = pieces.shape[:-1]
    return pieces.reshape(*layout.filled_shape(sizes), numbers.shape[-1])


def _layout_of_type(type_: Attribute) -> Layout:
    return encoding(type_) or Layout(LayoutClass.TENSOR)
