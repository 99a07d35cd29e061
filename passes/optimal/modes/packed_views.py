"""The conversions of storages that a pack or unpack does: those that cut axes of a view into blocks, or join them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.in_blocks import in_blocks_type
from ....dialects.npu.values import encoding, layout_of
from ....layout import Order
from ....layout.byte_order import have_same_blocks, is_padded, writes_zeros
from ....targets.facts import PackKind
from ...common.storages.storage import ByteOrder, View, order_in
from .block_forms import BlockForms, ClassTiles
from .module_storage import ModuleStorage


class ViewInBlocks(NamedTuple):
    """A view of a storage, and its pieces in blocks."""

    value: SSAValue
    cut: View
    type: TensorType
    """The type in blocks, with all pieces in identity order."""


class Packed(NamedTuple):
    """A pack of a view, or an unpack to it."""

    view: ViewInBlocks
    whole: Order
    """The order of the view on the side without blocks."""
    pieces: Order
    """The order of its pieces on the other side."""


class PackedViews:
    """The views of all storages that may be stored in blocks."""

    def __init__(self, module: ModuleOp, storage: ModuleStorage, blocks: BlockForms) -> None:
        self._storage = storage
        self._blocks = blocks
        self._tiles = list(dict.fromkeys((*blocks.tiles, *_tiles_of_parameters(module, blocks.tiles))))
        self._views = lru_cache(maxsize=None)(self._all_views)

    def kind(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> PackKind | None:
        """The op that converts a storage; None for a transpose."""
        sizes = self._storage.view(root).sizes
        before, after = is_padded(given, sizes), is_padded(wanted, sizes)
        if writes_zeros(given, wanted):
            return PackKind.PACK
        if before and not after and self._storage.order(root, wanted) is not None:
            return PackKind.UNPACK
        if before or after:
            return None if have_same_blocks(given, wanted) else PackKind.PACK
        if self.pack(root, given, wanted) is not None:
            return PackKind.PACK
        return None if self.pack(root, wanted, given) is None else PackKind.UNPACK

    def pack(self, root: SSAValue, whole: ByteOrder, pieces: ByteOrder) -> Packed | None:
        """The pack of a view that leads from one byte order to another, and the other way round the unpack."""
        for view in self._views(root):
            order, cut = self._storage.order(view.value, whole), order_in(view.cut, pieces)
            if order is not None and cut is not None and self._storage.order(view.value, pieces) is None:
                return Packed(view, order, cut)
        return None

    def in_blocks(self, root: SSAValue) -> Sequence[ByteOrder]:
        """For each way to cut the axes of a storage into blocks an order of the pieces."""
        return [tuple(chain.from_iterable(view.cut.axes.axes)) for view in self._views(root)]

    def _all_views(self, root: SSAValue) -> Sequence[ViewInBlocks]:
        found: list[ViewInBlocks] = []
        for value, (cls, tiles) in product(self._storage.views(root), self._tiles):
            layout = layout_of(value)
            type_ = in_blocks_type(value, dict(tiles)) if layout is not None and layout.cls is cls else None
            cut = None if type_ is None else encoding(type_)
            view = None if cut is None else self._blocks.view(self._storage.view(value), value, cut)
            if type_ is not None and view is not None:
                found.append(ViewInBlocks(value, view, type_))
        return found


def _tiles_of_parameters(module: ModuleOp, tiles: Sequence[ClassTiles]) -> Iterator[ClassTiles]:
    """The blocks of operands with a layout of their own, such as kernels."""
    for op in module.walk():
        if not isinstance(op, NpuOp):
            continue
        shared = op.sharing_operands()
        for place, (name, operand) in enumerate(zip(op.operand_names(), op.operands, strict=True)):
            if place in shared or (layout := layout_of(operand)) is None:
                continue
            for _, each in tiles:
                if own := op.tiles_of(name, dict(each), {}):
                    yield layout.cls, tuple(sorted(own.items()))
