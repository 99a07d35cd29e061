"""The proof that no byte order can help, by prices that no conversion is below.

If all conversions of a storage cost the same, two of them never cost less than one, so that an order which nothing in
the program leads to cannot help. Each conversion costs at least the cheapest one of its storage. Where the least cost
at these prices is that of the program, no order makes it cheaper.
"""

from .conversion_prices import ConversionPrices
from .every_order import whole_pieces
from .modes import Modes
from .module_problem import ModuleProblem, Solved
from .module_storage import ModuleStorage


def has_least_cost(
    problem: ModuleProblem,
    modes: Modes,
    storage: ModuleStorage,
    prices: ConversionPrices,
    solved: Solved,
    time_limit: float,
) -> bool:
    """True if a solution costs no more than the least prices allow, whatever the byte orders."""
    if solved.avoided:
        return False
    weights = {
        root: 0
        if solved.weights[root] == 0
        else prices.least(root, whole_pieces(root, modes.byte_orders[root], storage))
        for root in problem.roots
    }
    return problem.floor({**weights}, time_limit) >= solved.solution.cost
