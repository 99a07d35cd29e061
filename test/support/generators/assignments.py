"""Random problems of `layout-optimal` in numbers: with prices, ops that run twice, inputs, and several parts."""

from collections.abc import Hashable, Iterator
from itertools import product
from random import Random

from npu_opt.passes.optimal.solve.problem import Access, Both, Prices, Problem, StorageTerm

ORDERS = "abcd"


def random_assignment(seed: int) -> Problem:
    """A few ops with up to four modes; about a quarter has fractional optima."""
    rng = Random(seed)
    weights = rng.choice(([1, 2, 3], [1, 3, 7, 8], [768, 1536], [1, 3, 2**20, 2**20 + 2], [1, 3, 2**60, 2**60 + 2]))
    modes = [rng.randint(1, 4) for _ in range(rng.randint(2, 6))]
    may_run_twice, has_prices = rng.random() < 0.3, rng.random() < 0.5
    storages = [_storage(rng, modes, weights, may_run_twice, has_prices) for _ in range(rng.randint(1, 8))]
    priced = [op for op in range(len(modes)) if rng.random() < 0.4]
    prices = {op: [rng.choice([0, *weights]) for _ in range(modes[op])] for op in priced}
    return Problem(modes, storages, prices, any(callable(each.weight) for each in storages))


def _storage(rng: Random, modes: list[int], weights: list[int], may_run_twice: bool, has_prices: bool) -> StorageTerm:
    ops = rng.sample(range(len(modes)), rng.randint(1, min(len(modes), 4)))
    accesses = [Access(op, [*_used(rng, modes[op], may_run_twice)]) for op in ops]
    weight = _prices(rng, weights) if has_prices and rng.random() < 0.6 else rng.choice([0, *weights])
    if rng.random() < 0.3:
        return StorageTerm(weight, rng.choice(ORDERS), accesses)
    return StorageTerm(weight, accesses[0], accesses[1:])


def _used(rng: Random, modes: int, may_run_twice: bool) -> Iterator[Hashable]:
    for _ in range(modes):
        both = rng.sample(ORDERS, 2)
        yield Both(*both) if may_run_twice and rng.random() < 0.2 else both[0]


def _prices(rng: Random, weights: list[int]) -> Prices:
    table = {pair: rng.choice(weights) for pair in product(ORDERS, repeat=2)}

    def price(given: Hashable, wanted: Hashable) -> int:
        return table[given, wanted]  # pyright: ignore[reportArgumentType]  # Orders are letters here.

    return price


def choices(problem: Problem) -> Iterator[tuple[int, ...]]:
    """All choices of a small problem."""
    return product(*map(range, problem.modes))
