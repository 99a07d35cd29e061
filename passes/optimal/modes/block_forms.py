"""Forms of ops on values in blocks, and the types of storages in blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.in_blocks import Tiles, in_blocks, in_blocks_type, own_tiles
from ....dialects.npu.relayout import type_in
from ....dialects.npu.values import encoding, layout_of
from ....layout import UNIT, Arrangement, Extent, Layout, LayoutClass, Piece, is_dirty, permute
from ....layout.blocks import AxisSizes
from ....layout.byte_order import filled, is_padded
from ....layout.common_pieces import ends_of
from ....targets import Target
from ...common.demands.target_rules import OpDemands
from ...common.moves.transpose_cost import whole_bytes
from ...common.storages.storage import ByteOrder, View
from .forms import Form
from .module_storage import ModuleStorage

ClassTiles: TypeAlias = tuple[LayoutClass, AxisSizes]
"""The blocks of the axes of values of a class."""
NO_TILES: ClassTiles = (LayoutClass.TENSOR, ())
_OwnTiles: TypeAlias = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
"""The blocks of results and of operands with a layout of their own, by name; none for what stays whole."""


class BlockForms:
    """The blocks that a target demands, and the forms of ops and storages in them."""

    def __init__(self, storage: ModuleStorage, demanded: Sequence[Layout], may_stay_whole: bool = True) -> None:
        """With `may_stay_whole` operands may have no blocks where results have some."""
        self._storage = storage
        self._may_stay_whole = may_stay_whole
        self._preferred = tuple(dict.fromkeys(layout.order for layout in demanded if layout.order is not None))
        cuts = ((layout.cls, layout.tiles) for layout in demanded if layout.tiles)
        self.tiles: list[ClassTiles] = list(dict.fromkeys(cuts))
        """The blocks of values, by their class."""
        self._kinds: dict[tuple[int, ClassTiles, _OwnTiles, frozenset[int]], int] = {}
        """The kinds of the forms, by those of the ops as they are."""

    @staticmethod
    def of(storage: ModuleStorage, target: Target) -> BlockForms | None:
        """The blocks that a target demands, or None if it demands none."""
        return BlockForms(storage, target.blocks, target.demands_whole_operands) if target.blocks else None

    def forms(self, form: Form, demands: Sequence[OpDemands], dirty: Collection[int] = ()) -> Iterator[Form]:
        """The forms of an op on values in blocks, where its results or operands are of a class that has some.

        A product of matrices has the blocks that are demanded. The padding of `dirty` operands may be anything.
        """
        op = form.op
        cuts = [NO_TILES] if op.IS_PRODUCT else []
        if op.SHARES_LAYOUT:
            classes = {layout.cls for value in op.shared() if (layout := layout_of(value)) is not None}
            cuts = [(cls, tiles) for cls, tiles in self.tiles if cls in classes]
        if not cuts or not form.is_own:
            return
        may_stay = op.MAY_STAY_WHOLE if self._may_stay_whole else frozenset[str]()
        stated = [own_tiles(op, each.operands, each.results) for each in demands] or [{}]
        every = dict.fromkeys(_frozen(own, whole) for whole in (frozenset[str](), may_stay) for own in stated)
        for each, own in product(cuts, every):
            made = in_blocks(op, dict(each[1]), {name: dict(tiles) for name, tiles in own}, dirty)
            if (found := self._seen(form, made)) is not None:
                # Constants decide if the padding of a result is zeros. Kinds of other forms are not negative.
                kind = self._kinds.setdefault((form.kind, each, own, found.dirty), -2 - len(self._kinds))
                yield replace(found, kind=kind)

    def _seen(self, form: Form, made: NpuOp | None) -> Form | None:
        """The form of a copy of an op in blocks, with the pieces of the storages that it uses."""
        if made is None:
            return None
        views: list[View | None] = []
        for own, value, cut in zip(form.views, form.values, (*made.operands, *made.results), strict=True):
            layout = encoding(cut.type)
            if own is None or layout is None or not layout.tiles:
                views.append(own)
            elif (view := self.view(own, value, layout)) is not None:
                views.append(view)
            else:
                return None
        return Form(made, tuple(views), False, is_in_blocks=True, preferred=self._preferred)

    def view(self, own: View, value: SSAValue, layout: Layout) -> View | None:
        """The pieces of a storage along each piece of the logical axes of a value."""
        cut, axes = layout.arrangement(own.sizes), [*own.axes.axes]
        for axis in layout.padded_axes:
            # What is filled up is an axis of the root as a whole.
            root = axes[axis][0].axis if axes[axis] else axis if value is own.root else None
            if root is None or not _has_axes_of(own, self._storage.view(own.root)):
                return None
            axes[axis] = (Piece(root, UNIT, ends_of(cut.byte_order)[axis]),)
        found = cut.applied_to(Arrangement(tuple(axes)))
        return None if found is None else View(own.root, found, cut.shape, layout.has_zeros)


def bytes_with_padding(bits: int, byte_orders: Sequence[ByteOrder], sizes: Sequence[Extent]) -> int:
    """The bytes of a storage with axes of these sizes, with the padding of the byte order that needs the most."""
    return whole_bytes(max(_with_padding(bits, each, sizes) for each in byte_orders))


def _with_padding(size: int, byte_order: ByteOrder, sizes: Sequence[Extent]) -> int:
    for axis, end in filled(byte_order, sizes).items():
        size = size * end // sizes[axis].factor
    return size


def fits(demands: OpDemands, form: Form) -> bool:
    """True if demands are for blocks of the sizes that the values of a form have, or for values without blocks.

    Those for operands hold for the results too, unless the results have their own.
    """
    if form.is_in_blocks and form.has_whole_operands and None in demands.results:
        return False
    wanted = (*demands.operands, *demands.results)
    return all(
        layout is None or ((found := encoding(value.type)) is not None and layout.tiles == found.tiles)
        for layout, value in zip(wanted, form.values, strict=True)
    )


def _frozen(own: Mapping[str, Tiles], whole: frozenset[str]) -> _OwnTiles:
    """The blocks of some values, with none for those that stay whole."""
    found = {name: tuple(each.items()) for name, each in own.items()}
    return tuple({**found, **{name: () for name in sorted(whole)}}.items())


def _has_axes_of(view: View, root: View) -> bool:
    """True if each axis of a view is one of its root as a whole."""
    return len(view.sizes) == len(root.sizes) and all(
        not pieces or (len(pieces) == 1 and pieces[0] == Piece(pieces[0].axis, UNIT, root.sizes[pieces[0].axis]))
        for pieces in view.axes.axes
    )


def block_type(
    root: SSAValue, storage: ModuleStorage, byte_order: ByteOrder
) -> tuple[TensorType, tuple[Extent, ...]] | None:
    """The type of a storage in a byte order that has its axes as wholes or in blocks, and the sizes of its dimensions.

    None if the byte order has other pieces.
    """
    view, ends = storage.view(root), ends_of(byte_order)
    inner = {piece.axis: piece for piece in byte_order if piece.inner == UNIT}
    tiles = {axis: piece.size.factor for axis, piece in inner.items() if piece.size != ends[axis]}
    tiles |= {axis: end.factor for axis, end in ends.items() if axis not in tiles and end != view.sizes[axis]}
    if any(piece.size.symbols for axis, piece in inner.items() if axis in tiles):
        return None
    type_ = in_blocks_type(root, tiles)
    layout = None if type_ is None else encoding(type_)
    if type_ is None or layout is None:
        return None
    pieces = layout.arrangement(view.sizes)
    order = pieces.order_of(byte_order)
    if order is None:
        return None
    return type_in(type_, order), permute(pieces.shape, order)


class Padding:
    """The padding of storages in the byte orders that they could have."""

    def __init__(
        self,
        storage: ModuleStorage,
        byte_orders: Mapping[SSAValue, Collection[ByteOrder]],
        tiles: Collection[AxisSizes],
    ) -> None:
        """`tiles` are the blocks that the target demands."""
        self._storage = storage
        orders = byte_orders.items()
        self._roots = {root for root, known in orders if any(self._is_padded(root, each) for each in known)}
        self._tiles = tiles

    def _is_padded(self, root: SSAValue, byte_order: ByteOrder) -> bool:
        return is_padded(byte_order, self._storage.view(root).sizes)

    def may_have(self, root: SSAValue) -> bool:
        """True if a storage could have padding."""
        return root in self._roots

    def is_possible(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> bool:
        """True if one pack, unpack or transpose leads from one byte order to another.

        A pack reads and writes a tensor with its own axes or in blocks that the target demands, an unpack writes one
        with its own axes; a pack writes zeros into dirty padding as well.
        """
        before, after = self._is_padded(root, given), self._is_padded(root, wanted)
        if before and after and set(given) == set(wanted):
            return is_dirty(given) >= is_dirty(wanted)
        if not before and not after:
            return True
        return self._may_be_packed(root, given) and self._may_be_packed(root, wanted)

    def _may_be_packed(self, root: SSAValue, byte_order: ByteOrder) -> bool:
        if self._storage.order(root, byte_order) is not None:
            return True
        found = block_type(root, self._storage, byte_order)
        layout = None if found is None else encoding(found[0])
        return layout is not None and (bool(layout.padded_axes) or layout.tiles in self._tiles)
