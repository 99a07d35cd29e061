"""Blocks of axes: pads, reshapes and transposes between logical and stored tensors."""

from xdsl.ir import SSAValue

from ....dialects.npu.values import layout_of, logical_shape, shape_of
from ....layout import invert, unpermute
from . import arrange
from .tensors import Tensor


def to_logical(x: Tensor, value: SSAValue) -> Tensor:
    """The logical tensor of a value of the program, without padding."""
    layout = layout_of(value)
    if layout is None:
        return x
    pieces = arrange.transpose(x, invert(layout.order_for(x.rank)))
    if not layout.tiles:
        return pieces
    whole = arrange.reshape(pieces, layout.filled_shape(pieces.shape))
    return arrange.slice_of(whole, [0] * whole.rank, logical_shape(value))


def to_stored(x: Tensor, value: SSAValue) -> Tensor:
    """A logical tensor, stored like a value of the program; padding is zeros."""
    layout = layout_of(value)
    if layout is None:
        return x
    order = layout.order_for(len(shape_of(value)))
    if layout.tiles:
        pieces = unpermute(shape_of(value), order)
        whole = layout.filled_shape(pieces)
        behind = [size - end for size, end in zip(whole, x.shape, strict=True)]
        x = arrange.reshape(arrange.pad(x, [0] * x.rank, behind), pieces)
    return arrange.transpose(x, order)
