"""Byte orders on the way from one to another: two conversions may cost less than the direct one.

No use is converted twice. But an op between two conversions may run in such a byte order.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from ....layout import Arrangement, Extent
from ....layout.common_pieces import common_pieces, cuts_of, pieces_of
from ...common.storages.storage import ByteOrder
from ..modes.modes import KnownOrders
from .conversion_prices import MOST_PIECES, ConversionPrices, Data


class Detours:
    """The byte orders on cheapest ways between known ones that are cheaper than the direct conversion."""

    def __init__(self, prices: ConversionPrices) -> None:
        self._prices = prices
        self._of = lru_cache(maxsize=None)(self._find)

    def between(self, known: KnownOrders) -> KnownOrders:
        """The byte orders for each storage; many storages are alike."""
        return {
            root: self._of(self._prices.data(root), tuple(orders)) for root, orders in known.items() if len(orders) > 1
        }

    def are_shorter(self, data: Data, given: ByteOrder, wanted: ByteOrder) -> bool:
        """True if there are any between two byte orders."""
        before, after = common_pieces(given, wanted)
        if len(before) > MOST_PIECES or set(before) != set(after):
            return False
        first = sorted(before)
        places = list(permutations(first))
        start, end = places.index(tuple(before)), places.index(tuple(after))
        return bool(self._between(data, tuple(piece.size for piece in first), start, [end]))

    def _find(self, data: Data, known: tuple[ByteOrder, ...]) -> list[ByteOrder]:
        cuts = cuts_of(*known)
        whole = {tuple(pieces_of(byte_order, cuts)) for byte_order in known}
        first = sorted(pieces_of(known[0], cuts))
        if len(first) > MOST_PIECES or any(set(pieces) != set(first) for pieces in whole):
            return []
        places = list(permutations(first))
        sizes = tuple(piece.size for piece in first)
        ends = [number for number, pieces in enumerate(places) if pieces in whole]
        found = {number for end in ends for number in self._between(data, sizes, end, ends)}
        return [Arrangement((places[number],)).byte_order for number in sorted(found - set(ends))]

    def _between(self, data: Data, sizes: tuple[Extent, ...], start: int, ends: Sequence[int]) -> set[int]:
        """The inner nodes of the cheapest ways from a node to others that are cheaper than one step."""
        cost = [*self._prices.lengths(data, sizes, start)]
        before = [start] * len(cost)
        waiting = set(range(len(cost)))
        while not waiting.isdisjoint(ends):
            nearest = min(waiting, key=lambda node: cost[node])
            waiting.remove(nearest)
            lengths = self._prices.lengths(data, sizes, nearest)
            for node in waiting:
                way = cost[nearest][0] + lengths[node][0], cost[nearest][1] + lengths[node][1]
                if way < cost[node]:
                    cost[node], before[node] = way, nearest
        inner: set[int] = set()
        for node in (before[end] for end in ends):
            while node != start:
                inner.add(node)
                node = before[node]
        return inner
