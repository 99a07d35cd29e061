"""Layout algebra: classes, orders, arrangements, and carrying orders through reshapes. Plain Python, no IR.

Why digits, and not axes?
    A reshape from 1x8x24 to 1x8x4x6 splits an axis as a number is split into digits: 24 positions are four times six.
    Over the axes of one shape no order says how the data of the other shape is stored; over digits (`Piece`) both
    shapes name the same bytes. `factor` finds the digits that two shapes have in common.

Why from positions to digits, and not the other way?
    An `Arrangement` says for each stored axis which digits are stored there. A transpose then permutes this list, and a
    reshape groups it anew; neither reads the axes of the node. Positions along which all elements are equal have a
    digit of no axis (`REPEATED`).

Why is a size a number times symbols?
    A batch of unknown size is split and merged like any other axis. `Extent` divides only where the quotient is whole
    whatever the unknown sizes are, so that what holds for an extent holds for each size that it can have.

Why are digits merged, and axes of one element without any?
    Two values are the same bytes if they have equal arrangements. That needs one way to write each of them: adjacent
    digits that continue each other are one digit, and a unit axis, which may be anywhere, has none.

Why is a layout in blocks no other kind of layout?
    40 channels in blocks of 16 fill three blocks, of which the last one ends in padding. No reshape of 40 elements has
    48 positions, but 48 are two digits like others: a `Layout` in blocks is an order of digits of its axes, some of
    which are longer than their axis. A pack is a transpose of these digits. What is behind the end of an axis belongs
    to the byte order: zeros, or with `DirtyPadding` anything.
"""

from .arrangement import Arrangement
from .byte_order import ByteOrder, DirtyPadding, holds, is_dirty
from .carry import carry
from .extent import DYNAMIC, UNIT, Extent, named, product
from .factoring import REPEATED, Block, Piece, factor
from .layout import (
    MAX_RANK,
    Layout,
    LayoutClass,
    channels_last,
    identity_layout,
    letters,
    precedence,
    prevailing,
)
from .layout_text import BlockError, LayoutError
from .movement import Movement, movement
from .order import (
    Order,
    compose,
    identity,
    invert,
    is_permutation,
    order_from_keys,
    permutation_between,
    permute,
    same_storage,
    unpermute,
    without_units,
)
from .read_step import ReadStep, merge_steps, unpermuted

__all__ = [
    "DYNAMIC",
    "MAX_RANK",
    "REPEATED",
    "UNIT",
    "Arrangement",
    "Block",
    "BlockError",
    "ByteOrder",
    "DirtyPadding",
    "Extent",
    "Layout",
    "LayoutClass",
    "LayoutError",
    "Movement",
    "Order",
    "Piece",
    "ReadStep",
    "carry",
    "channels_last",
    "compose",
    "factor",
    "holds",
    "identity",
    "identity_layout",
    "invert",
    "is_dirty",
    "is_permutation",
    "letters",
    "merge_steps",
    "movement",
    "named",
    "order_from_keys",
    "permutation_between",
    "permute",
    "precedence",
    "prevailing",
    "product",
    "same_storage",
    "unpermute",
    "unpermuted",
    "without_units",
]
