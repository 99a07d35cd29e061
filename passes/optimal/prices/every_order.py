"""All byte orders that the storages of a small program could have, where prices may favour any of them."""

from collections.abc import Collection
from itertools import chain, permutations
from math import factorial

from xdsl.ir import SSAValue

from ....layout import Arrangement, Piece
from ....layout.byte_order import is_padded
from ....layout.common_pieces import cuts_of, pieces_of
from ...common.storages.storage import ByteOrder
from ..modes.modes import KnownOrders
from ..modes.module_storage import ModuleStorage
from .conversion_prices import ConversionPrices, Data

MOST_ORDERS = 300
"""The maximum number of byte orders of all storages together."""
SMALL = 100
"""In programs with more ops than that, one byte order is tried for two ops at most."""
MOST_PAIRS = 6000
"""The maximum number of conversions between byte orders of storages that are not alike."""


def every_order(known: KnownOrders, storage: ModuleStorage, prices: ConversionPrices, ops: int) -> KnownOrders | None:
    """All sequences of the pieces that known byte orders and views have; None if they are too many for so many ops."""
    most = MOST_ORDERS if ops <= SMALL else min(MOST_ORDERS, ops // 2)
    sets: dict[SSAValue, list[tuple[Piece, ...]]] = {}
    different: set[tuple[Data, *tuple[tuple[Piece, ...], ...]]] = set()
    count = pairs = 0
    for root, orders in known.items():
        sets[root] = found = sets_of_pieces(root, orders, storage, prices)
        count += count_of(found)
        if (alike := (prices.data(root), *found)) not in different:
            different.add(alike)
            pairs += count_of(found) ** 2
        if count > most or pairs > MOST_PAIRS:
            return None
    return {root: orders_of(found) for root, found in sets.items()}


def orders_of(sets: Collection[Collection[Piece]]) -> list[ByteOrder]:
    """All sequences of the pieces of some sets."""
    return [Arrangement((sequence,)).byte_order for pieces in sets for sequence in permutations(pieces)]


def sets_of_pieces(
    root: SSAValue, known: Collection[ByteOrder], storage: ModuleStorage, prices: ConversionPrices
) -> list[tuple[Piece, ...]]:
    """The pieces of a storage without padding, and those with the padding of each way to cut it into blocks."""
    in_blocks = prices.in_blocks(root)
    if not in_blocks:
        return [tuple(whole_pieces(root, known, storage))]
    sizes = storage.view(root).sizes
    padded = [each for each in in_blocks if is_padded(each, sizes)]
    others = [each for each in (*known, *in_blocks) if not is_padded(each, sizes)]
    return list(dict.fromkeys((tuple(whole_pieces(root, others, storage)), *map(tuple, map(sorted, padded)))))


def whole_pieces(root: SSAValue, known: Collection[ByteOrder], storage: ModuleStorage) -> list[Piece]:
    """The pieces of a storage that neither its known byte orders nor its views split."""
    views = [axis for value in storage.views(root) for axis in storage.view(value).axes.axes]
    whole = tuple(chain.from_iterable(storage.view(root).axes.axes))
    return pieces_of(whole, cuts_of(whole, *known, *views))


def count_of(sets: Collection[Collection[Piece]]) -> int:
    """The number of sequences of the pieces of some sets."""
    return sum(factorial(len(pieces)) for pieces in sets)
