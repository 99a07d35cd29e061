"""Byte orders on the way from one to another: two conversions may cost less than the direct one.

No use is converted twice. But an op between two conversions may run in such a byte order.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

from xdsl.ir import SSAValue

from ...layout import Arrangement
from ..common.storage import ByteOrder
from .common_pieces import cuts_of, pieces_of
from .conversion_prices import ConversionPrices

Length: TypeAlias = tuple[int, int]
"""The number of conversions that nothing can do, and the price of all."""
MOST_PIECES = 4
"""No detours are searched through orders of more pieces than that."""


def detours(root: SSAValue, known: Sequence[ByteOrder], prices: ConversionPrices) -> Iterator[ByteOrder]:
    """The byte orders of a storage on cheapest ways between known ones that are cheaper than the direct conversion."""
    cuts = cuts_of(*known)
    whole = {tuple(pieces_of(byte_order, cuts)) for byte_order in known}
    first = pieces_of(known[0], cuts)
    if len(first) > MOST_PIECES or any(set(pieces) != set(first) for pieces in whole):
        return
    places = list(permutations(first))
    nodes = [Arrangement.merged([pieces]).axes[0] for pieces in places]
    lengths = [[prices.length(root, given, wanted) for wanted in nodes] for given in nodes]
    ends = [number for number, pieces in enumerate(places) if pieces in whole]
    found = {number for end in ends for number in _between(lengths, end, ends)}
    yield from (nodes[number] for number in sorted(found - set(ends)))


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
