"""Layout algebra: classes, orders, arrangements, and carrying orders through reshapes. Plain Python, no IR."""

from .arrangement import Arrangement
from .carry import carry
from .cut import AxisPiece, Cut, LogicalSize, Tile
from .extent import DYNAMIC, UNIT, Extent, named, named_pair, product
from .factoring import REPEATED, Block, Factoring, Piece, factor
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
    "AxisPiece",
    "Block",
    "BlockError",
    "Cut",
    "Extent",
    "Factoring",
    "Layout",
    "LayoutClass",
    "LayoutError",
    "LogicalSize",
    "Movement",
    "Order",
    "Piece",
    "ReadStep",
    "Tile",
    "carry",
    "channels_last",
    "compose",
    "factor",
    "identity",
    "identity_layout",
    "invert",
    "is_permutation",
    "letters",
    "merge_steps",
    "movement",
    "named",
    "named_pair",
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
