"""Orders: which logical axis is stored at each physical position.

An order of rank n is a permutation of 0..n-1. `order[p]` is the logical axis stored at physical position `p`, so the
identity is row-major storage in logical order and `(0, 2, 3, 1)` is NHWC for the logical axes N, C, H, W. The
permutation of a transpose is written the same way: `permutation[p]` is the operand's position that ends at `p`.
"""

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Key = TypeVar("Key", int, tuple[int, ...])

Order: TypeAlias = tuple[int, ...]


def identity(rank: int) -> Order:
    """The order that stores every axis where it stands."""
    return tuple(range(rank))


def is_permutation(order: Sequence[int]) -> bool:
    """Whether `order` names each of 0..n-1 once."""
    return sorted(order) == list(range(len(order)))


def invert(order: Order) -> Order:
    """For each logical axis, the physical position at which `order` stores it."""
    positions = [0] * len(order)
    for position, axis in enumerate(order):
        positions[axis] = position
    return tuple(positions)


def permute(items: Sequence[T], order: Order) -> tuple[T, ...]:
    """The items in the sequence that `order` names: a logical shape becomes the physical one."""
    return tuple([items[axis] for axis in order])


def unpermute(items: Sequence[T], order: Order) -> tuple[T, ...]:
    """The inverse of `permute`: a physical shape becomes the logical one."""
    return permute(items, invert(order))


def compose(first: Order, second: Order) -> Order:
    """What `second`, applied to data that `first` has already permuted, makes of the original data."""
    return permute(first, second)


def permutation_between(source: Order, result: Order) -> Order:
    """The permutation of the transpose that turns data stored in `source` into data stored in `result`."""
    return permute(invert(source), result)


def same_storage(left: Order, right: Order, shape: Sequence[int]) -> bool:
    """Whether both orders store a tensor of this logical shape as the same bytes.

    Axes of one element may stand anywhere, and a tensor without elements has no bytes to differ.
    """
    if left == right or 0 in shape:
        return True
    return without_units(left, shape) == without_units(right, shape)


def without_units(order: Order, shape: Sequence[int]) -> Order:
    """The axes of `order` that have more than one element, or an unknown number of them."""
    return tuple(axis for axis in order if shape[axis] != 1)


def order_from_keys(keys: Sequence[Key]) -> Order:
    """The order of a tensor, given for each physical position a key by which its logical axes are sorted.

    Keys are different. Where axis 2 of the order (0, 2, 3, 1) is dropped, the rest 0, 3, 1 is the order (0, 2, 1).
    """
    ranks = {key: rank for rank, key in enumerate(sorted(keys))}
    return tuple(ranks[key] for key in keys)
