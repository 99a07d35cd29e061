"""The prices of conversions where values may be stored in blocks: by the bytes stored, and by the op that converts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import cast

from xdsl.ir import SSAValue

from ....dialects.npu.values import shape_of
from ....layout import Piece
from ....layout.byte_order import changes_padding
from ....targets.costs import Costs
from ....targets.facts import TransposeFacts
from ...common.moves.transpose_cost import bits_of
from ...common.storages.storage import ByteOrder
from ..modes.block_forms import bytes_with_padding
from ..modes.module_storage import ModuleStorage
from ..modes.packed_views import Packed, PackedViews
from ..solve.problem import Prices
from .conversion_prices import ConversionPrices, Data, transpose_between


class BlockPrices(ConversionPrices):
    """The price of each conversion between byte orders with blocks or without."""

    def __init__(self, costs: Costs, storage: ModuleStorage, assumed_size: int, views: PackedViews) -> None:
        super().__init__(costs, storage.origins, assumed_size)
        self._storage = storage
        self._views = views
        self.tells_packs = costs.tells_packs
        self._bits = lru_cache(maxsize=None)(partial(bits_of, origins=storage.origins, assumed_size=assumed_size))
        self._in_blocks = lru_cache(maxsize=None)(self._priced_in_blocks)
        self._of_root = lru_cache(maxsize=None)(self._prices_of_root)

    def in_blocks(self, root: SSAValue) -> Sequence[ByteOrder]:
        return self._views.in_blocks(root)

    def least(self, root: SSAValue, pieces: Sequence[Piece]) -> int:
        return self._cheapest(self.data(root)) if self.in_blocks(root) else super().least(root, pieces)

    def weight(self, root: SSAValue, penalty: int = 0) -> int | Prices:
        return 0 if 0 in shape_of(root) else self._of_root(root, penalty)

    def _prices_of_root(self, root: SSAValue, penalty: int) -> Prices:
        def price(given: Hashable, wanted: Hashable) -> int:
            return self._in_blocks(root, penalty, cast("ByteOrder", given), cast("ByteOrder", wanted))

        return price

    def ticks(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> int:
        return self._in_blocks(root, 0, given, wanted)

    def _priced_in_blocks(self, root: SSAValue, penalty: int, given: ByteOrder, wanted: ByteOrder) -> int:
        return self.price(self.facts(root, given, wanted), self._stored(root, given, wanted), penalty)

    def facts(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> TransposeFacts | None:
        found = transpose_between(self._stored(root, given, wanted), given, wanted)
        if found is None:
            return None
        kind = self._views.kind(root, given, wanted) if self.tells_packs else None
        return replace(found, kind=kind, changes_padding=changes_padding(given, wanted))

    def _stored(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> Data:
        """The data of the larger side of a conversion."""
        size = bytes_with_padding(self._bits(root), (given, wanted), self._storage.view(root).sizes)
        return self.data(root)._replace(bytes=size)

    def pack(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> Packed | None:
        """The pack that a conversion is priced as; None if it is none, or if the target does not tell packs apart."""
        return self._views.pack(root, given, wanted) if self.tells_packs else None
