"""Carrying an order through a reshape: the order of the result for which the reshape moves no data."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from .arrangement import Arrangement
from .extent import DYNAMIC, UNIT, Extent, named_pair
from .factoring import Piece, factor
from .order import Order, identity, without_units


def carry(
    order: Order,
    source: Sequence[int],
    result: Sequence[int],
    prefer: Order | None = None,
    same: Mapping[int, int] | None = None,
) -> Order | None:
    """The order of a reshape's result for which the reshape moves no data, or None if there is none.

    An image in NHWC is, with its lines and columns merged, a tensor whose channels are last. Its channels and lines are
    not adjacent, so that merging them would move data:

    >>> carry((0, 2, 3, 1), (1, 8, 4, 6), (1, 8, 24)), carry((0, 2, 3, 1), (1, 8, 4, 6), (1, 32, 6))
    ((0, 2, 1), None)

    The reshape takes the logical shape `source`, stored in `order`, to the logical shape `result`. The position of a
    unit axis is free, so several orders can be right: `prefer` is returned if it is one of them, otherwise the one that
    keeps the result's unit axes in place. `same` maps dynamic result axes to the source axes they equal; axes whose
    sizes cannot be matched move as one block.
    """
    links = tuple(sorted((same or {}).items()))
    return _carry(order, tuple(source), tuple(result), prefer, links)


@lru_cache(maxsize=4096)
def _carry(
    order: Order,
    source: tuple[int, ...],
    result: tuple[int, ...],
    prefer: Order | None,
    links: tuple[tuple[int, int], ...],
) -> Order | None:
    if 0 in source or 0 in result or {*source} <= {1} or {*result} <= {1}:
        return _carry_trivial(source, result, prefer)
    extents = named_pair(source, result, dict(links))
    factoring, stored = factor(*extents), without_units(order, source)
    if factoring is None:
        return None
    # A block moves as one, under the names of its first axes.
    axes, blocks = [*factoring.pieces], dict[int, tuple[int, ...]]()
    for block in factoring.blocks:
        first = stored.index(block.source[0])
        if stored[first : first + len(block.source)] != block.source:
            return None
        stored = (*stored[: first + 1], *stored[first + len(block.source) :])
        axes[block.result[0]] = (_whole(block.source[0], extents[0]),)
        blocks[block.result[0]] = block.result
    found = Arrangement(tuple(axes)).order_of(tuple(_whole(axis, extents[0]) for axis in stored))
    if found is None:
        return None
    moved = tuple(each for axis in found if axes[axis] for each in blocks.get(axis, (axis,)))
    if prefer is not None and without_units(prefer, result) == moved:
        return prefer
    rest = iter(moved)
    return tuple(axis if size == 1 else next(rest) for axis, size in enumerate(result))


def _whole(axis: int, extents: Sequence[Extent]) -> Piece:
    return Piece(axis, UNIT, extents[axis])


def _carry_trivial(source: tuple[int, ...], result: tuple[int, ...], prefer: Order | None) -> Order | None:
    """Any order is right for at most one element; only check that both sides can be that small."""
    if 0 in source or 0 in result:
        possible = all(0 in shape or DYNAMIC in shape for shape in (source, result))
    else:
        possible = {*source, *result} <= {1, DYNAMIC}
    if not possible:
        return None
    return identity(len(result)) if prefer is None else prefer
