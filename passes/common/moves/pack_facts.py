"""The facts of packs and unpacks, which the prices of a target are about."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from ....dialects.npu.axes import Relayout
from ....dialects.npu.packing import PackingOp, PackOp, filled_shape, stored_pieces
from ....dialects.npu.values import element_type_of, logical_shape, order_of_value, shape_of
from ....layout import DYNAMIC, Cut, Layout, Movement, Order, movement, unpermute
from ....layout.common_pieces import common_pieces
from ....targets.facts import PackKind, TransposeFacts


def pack_facts(op: PackingOp, moved: int, relayout: Relayout | None = None) -> TransposeFacts:
    """The facts of a pack or unpack that moves some bytes, as it is or in another form."""
    before, after = op.layouts()
    if before.cut is not None and after.cut is not None and before.tiles != after.tiles:
        return _between_blocks(op, moved, *map(Layout.with_order, (before, after), _orders(op, relayout)))
    is_pack = isinstance(op, PackOp)
    blocked, cut = (op.result, op.layouts()[1].cut) if is_pack else (op.input, op.layouts()[0].cut)
    assert cut is not None, "the op verifies"
    operand, result = _orders(op, relayout)
    sizes = unpermute(shape_of(blocked), order_of_value(blocked))
    before = _pieces_of(operand, cut, result) if op.layouts()[0].cut is None else operand
    after = result if is_pack else _pieces_of(result, cut, operand)
    kind = PackKind.PACK if is_pack else PackKind.UNPACK
    return TransposeFacts(
        str(element_type_of(op.input)),
        movement([*map(before.index, after)], [sizes[piece] for piece in before]),
        moved,
        kind if cut.sizes or has_several_blocks(cut, sizes) else None,
        bool(cut.sizes),
    )


def _between_blocks(op: PackingOp, moved: int, before: Layout, after: Layout) -> TransposeFacts:
    """The facts of a pack from blocks to blocks of other sizes."""
    shape = tuple(1 if size == DYNAMIC else size for size in logical_shape(op.input))
    changes = filled_shape(before, shape) != filled_shape(after, shape) or after.has_zeros > before.has_zeros
    given, wanted = common_pieces(stored_pieces(before, shape), stored_pieces(after, shape))
    made = Movement((), ())
    if set(given) == set(wanted):
        made = movement([*map(given.index, wanted)], [piece.size.factor for piece in given])
    return TransposeFacts(str(element_type_of(op.input)), made, moved, PackKind.PACK, changes)


def _orders(op: PackingOp, relayout: Relayout | None) -> tuple[Order, Order]:
    if relayout is not None:
        return relayout.operands[0], relayout.results[0]
    return order_of_value(op.input), order_of_value(op.result)


def _pieces_of(order: Order, cut: Cut, stored: Order) -> Order:
    """The numbers of the pieces of axes that are stored as wholes; `stored` is the order of the pieces in blocks.

    An axis of one element has no place in memory: what fills it up is counted behind all others.
    """
    pieces, filled = cut.pieces(len(stored)), {axis for axis, size in cut.sizes if size == 1}
    last = dict.fromkeys(pieces[number].axis for number in stored if pieces[number].axis in filled)
    numbers: list[list[int]] = [[] for _ in order]
    for number, piece in enumerate(pieces):
        numbers[piece.axis].append(number)
    return tuple(
        chain.from_iterable(numbers[axis] for axis in (*(each for each in order if each not in filled), *last))
    )


def has_several_blocks(cut: Cut, sizes: Sequence[int]) -> bool:
    """True if an axis has more than one block, by the sizes of the pieces in identity order."""
    pieces = cut.pieces(len(sizes))
    return any(sizes[number - 1] != 1 for number, piece in enumerate(pieces) if piece.tile is not None)
