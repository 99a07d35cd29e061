"""Orders: permutations that map physical positions to logical axes.

An order of rank n is a permutation of 0..n-1. `order[p]` is the logical axis stored at physical position `p`, so the
identity is row-major storage in logical order and `(0, 2, 3, 1)` is NHWC for the logical axes N, C, H, W. The
permutation of a transpose is written alike: `permutation[p]` is the operand's position that ends at `p`.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Key = TypeVar("Key", int, tuple[int, ...])

Order: TypeAlias = tuple[int, ...]

KNOWN_ORDERS = 4096
"""Size of the caches of orders; a program has few different ones."""


@cache
def identity(rank: int) -> Order:
    """The order of row-major storage."""
    return tuple(range(rank))


def is_permutation(order: Sequence[int]) -> bool:
    """True if `order` contains each of 0..n-1 once."""
    return sorted(order) == list(range(len(order)))


@lru_cache(maxsize=KNOWN_ORDERS)
def invert(order: Order) -> Order:
    """The physical position of each logical axis."""
    positions = [0] * len(order)
    for position, axis in enumerate(order):
        positions[axis] = position
    return tuple(positions)


def permute(items: Sequence[T], order: Order) -> tuple[T, ...]:
    """The items in the order `order`: a logical shape becomes the physical one."""
    return tuple([items[axis] for axis in order])


def unpermute(items: Sequence[T], order: Order) -> tuple[T, ...]:
    """The inverse of `permute`: a physical shape becomes the logical one."""
    return permute(items, invert(order))


def compose(first: Order, second: Order) -> Order:
    """The permutation that equals `first` followed by `second`."""
    return permute(first, second)


@lru_cache(maxsize=KNOWN_ORDERS)
def permutation_between(source: Order, result: Order) -> Order:
    """The permutation of the transpose from the order `source` to the order `result`.

    >>> nhwc, nchw = (0, 2, 3, 1), (0, 1, 2, 3)
    >>> permutation_between(nchw, nhwc), permutation_between(nhwc, nchw)
    ((0, 2, 3, 1), (0, 3, 1, 2))
    """
    return permute(invert(source), result)


def same_storage(left: Order, right: Order, shape: Sequence[int]) -> bool:
    """True if both orders store a tensor of this logical shape as the same bytes.

    The position of a unit axis is free, and a tensor without elements has no bytes.
    """
    if left == right or 0 in shape:
        return True
    return without_units(left, shape) == without_units(right, shape)


def without_units(order: Order, shape: Sequence[int]) -> Order:
    """The axes of `order` that are not known to have size 1."""
    return tuple([axis for axis in order if shape[axis] != 1])


def order_from_keys(keys: Sequence[Key]) -> Order:
    """The order of a tensor, from a sort key of the logical axis at each physical position.

    Keys are distinct. If axis 2 of the order (0, 2, 3, 1) is dropped, the rest 0, 3, 1 is the order (0, 2, 1).
    """
    ranks = {key: rank for rank, key in enumerate(sorted(keys))}
    return tuple(ranks[key] for key in keys)
