"""Byte orders on the way from one to another: two conversions may cost less than the direct one.

No use is converted twice. But an op between two conversions may run in such a byte order.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from ...layout import Arrangement
from ..common.storage import ByteOrder
from .common_pieces import cuts_of, pieces_of
from .conversion_prices import ConversionPrices, Data, Length
from .every_order import KnownOrders

MOST_PIECES = 4
"""No detours are searched through orders of more pieces than that."""


class Detours:
    """The byte orders on cheapest ways between known ones that are cheaper than the direct conversion."""

    def __init__(self, prices: ConversionPrices) -> None:
        self._prices = prices
        self._of = lru_cache(maxsize=None)(self._find)

    def between(self, known: KnownOrders) -> KnownOrders:
        """Those of each storage; many storages are alike."""
        return {
            root: self._of(self._prices.data(root), tuple(orders)) for root, orders in known.items() if len(orders) > 1
        }

    def _find(self, data: Data, known: tuple[ByteOrder, ...]) -> list[ByteOrder]:
        cuts = cuts_of(*known)
        whole = {tuple(pieces_of(byte_order, cuts)) for byte_order in known}
        first = sorted(pieces_of(known[0], cuts))
        if len(first) > MOST_PIECES or any(set(pieces) != set(first) for pieces in whole):
            return []
        places = list(permutations(first))
        lengths = self._prices.lengths(data, tuple(piece.size for piece in first))
        ends = [number for number, pieces in enumerate(places) if pieces in whole]
        found = {number for end in ends for number in _between(lengths, end, ends)}
        return [Arrangement.merged([places[number]]).axes[0] for number in sorted(found - set(ends))]


def _between(lengths: Sequence[Sequence[Length]], start: int, ends: Sequence[int]) -> set[int]:
    """The inner nodes of the cheapest ways from a node to others that are cheaper than one step."""
    cost, before = [*lengths[start]], [start] * len(lengths)
    waiting = set(range(len(lengths)))
    while waiting:
        nearest = min(waiting, key=lambda node: cost[node])
        waiting.remove(nearest)
        for node in waiting:
            way = cost[nearest][0] + lengths[nearest][node][0], cost[nearest][1] + lengths[nearest][node][1]
            if way < cost[node]:
                cost[node], before[node] = way, nearest
    inner: set[int] = set()
    for end in ends:
        node = before[end]
        while node != start:
            inner.add(node)
            node = before[node]
    return inner
