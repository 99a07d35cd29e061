"""The proof that no byte order can help, by prices that no conversion is below.

Each conversion costs at least the cheapest one of its storage. At these least prices a problem has no prices by byte
orders, so that all of them are few variables. If its bound is the cost of a program, no order makes that cheaper.

Where all conversions of a storage cost the same, two of them never cost less than one, and an order that nothing in the
program leads to cannot help. So the orders that are known are enough for a first bound, but only without the prices of
ops: one order could save the prices of two ops that have none in common.
"""

from __future__ import annotations

from collections.abc import Collection
from operator import itemgetter

from xdsl.ir import SSAValue

from ..modes.closure import with_orders
from ..modes.modes import KnownOrders, Modes
from ..modes.module_storage import ModuleStorage
from .conversion_prices import ConversionPrices
from .every_order import count_of, orders_of, sets_of_pieces, whole_pieces
from .module_problem import ModuleProblem, Weights

MOST_ORDERS = 12_000
"""The maximum number of byte orders of all storages together."""


MOST_PAIRS = 20_000
"""The maximum number of conversions of all storages together that have their own prices."""


class LeastPrices:
    """The least price of a conversion of each storage."""

    def __init__(self, storage: ModuleStorage, prices: ConversionPrices) -> None:
        self._storage = storage
        self._prices = prices

    def bound(self, problem: ModuleProblem, modes: Modes) -> int:
        """A lower bound of all choices of known orders, proved in whole numbers, without the prices of ops."""
        return problem.bound_at({root: self._of(root, modes) for root in problem.roots}, has_op_prices=False)

    def bound_of_all(self, problem: ModuleProblem, modes: Modes) -> int:
        """A lower bound of all choices of some modes: storages of few pairs of orders have their own prices."""
        weights: Weights = {root: self._of(root, modes) for root in problem.roots}
        left = MOST_PAIRS
        for pairs, root in sorted(((problem.pairs(root), root) for root in problem.roots), key=itemgetter(0)):
            left -= pairs
            if left < 0:
                break
            weights[root] = self._prices.weight(root)
        return problem.bound_at(weights, has_op_prices=True)

    def _of(self, root: SSAValue, modes: Modes) -> int:
        if self._prices.weight(root) == 0:
            return 0
        return self._prices.least(root, whole_pieces(root, modes.byte_orders.get(root, ()), self._storage))

    def every_order(self, modes: Modes, roots: Collection[SSAValue]) -> Modes | None:
        """The modes of some storages in all sequences of their pieces; None if these are too many."""
        found = with_orders(modes, self._all_of, roots)
        return found if found is not None and found.has_all_orders else None

    def _all_of(self, known: KnownOrders) -> KnownOrders | None:
        sets = {root: sets_of_pieces(root, orders, self._storage, self._prices) for root, orders in known.items()}
        if sum(map(count_of, sets.values())) > MOST_ORDERS:
            return None
        return {root: orders_of(found) for root, found in sets.items()}
