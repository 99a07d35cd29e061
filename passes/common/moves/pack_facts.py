"""The facts of transposes, packs and unpacks, which the prices of a target are about."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.npu.axes import Relayout
from ....dialects.npu.packing import PackingOp, PackOp
from ....dialects.npu.values import element_type_of, logical_shape, shape_of
from ....layout import Layout, Movement, identity_layout
from ....layout.byte_order import changes_padding, movement_between
from ....targets.facts import PackKind, TransposeFacts
from .conversion_ops import ConversionOp


def facts_of(op: ConversionOp, moved: int, relayout: Relayout | None = None) -> TransposeFacts:
    """The facts of a conversion that moves some bytes; those of a pack or unpack as it is or in another form."""
    if isinstance(op, PackingOp):
        return pack_facts(op, moved, relayout)
    return TransposeFacts.of(element_type_of(op.input), shape_of(op.input), op.moved(), moved)


def pack_facts(op: PackingOp, moved: int, relayout: Relayout | None = None) -> TransposeFacts:
    """The facts of a pack or unpack that moves some bytes, as it is or in another form.

    A single block without padding is the whole axis, so that it takes a transpose.
    """
    layouts = operand, result = op.layouts(relayout)
    shape = logical_shape(op.input)
    # Between blocks of which neither divides the other, the data is unpacked at least.
    whole = identity_layout(operand.cls, len(shape)).byte_order(shape)
    given, wanted = (layout.byte_order(shape) for layout in layouts)
    fills = changes_padding(given, wanted)
    blocked, stored = (result, op.result) if isinstance(op, PackOp) else (operand, op.input)
    has_several = has_several_blocks(blocked, shape_of(stored))
    is_pack = fills or has_several or all(layout.tiles for layout in layouts)
    return TransposeFacts(
        str(element_type_of(op.input)),
        movement_between(given, wanted) or movement_between(given, whole) or Movement((), ()),
        moved,
        (PackKind.PACK if isinstance(op, PackOp) else PackKind.UNPACK) if is_pack else None,
        fills,
    )


def has_several_blocks(layout: Layout, shape: Sequence[int]) -> bool:
    """True if an axis of a tensor that is stored in this shape has more than one block."""
    return any(shape[outer] != 1 for outer, *inner in layout.pieces_by_axis() if inner)
