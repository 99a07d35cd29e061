"""Carrying an order through a reshape: the order of the result for which the reshape moves no data."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from .extent import DYNAMIC, named_pair
from .factoring import Factoring, Piece, factor
from .order import Order, identity, without_units

_Token: TypeAlias = Piece | tuple[str, int, int]
"""An item matched between the two sides: a piece, or the n-th axis of a block."""


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
    factoring = factor(*named_pair(source, result, dict(links)))
    if factoring is None:
        return None
    stored = _stored_tokens(order, factoring)
    axes = None if stored is None else _result_axes(stored, factoring)
    if axes is None:
        return None
    if prefer is not None and without_units(prefer, result) == axes:
        return prefer
    rest = iter(axes)
    return tuple(axis if size == 1 else next(rest) for axis, size in enumerate(result))


def _carry_trivial(source: tuple[int, ...], result: tuple[int, ...], prefer: Order | None) -> Order | None:
    """Any order is right for at most one element; only check that both sides can be that small."""
    if 0 in source or 0 in result:
        possible = all(0 in shape or DYNAMIC in shape for shape in (source, result))
    else:
        possible = {*source, *result} <= {1, DYNAMIC}
    if not possible:
        return None
    return identity(len(result)) if prefer is None else prefer


def _stored_tokens(order: Order, factoring: Factoring) -> list[_Token] | None:
    """The tokens in memory order; None if the order splits a block."""
    of_axis: dict[int, list[_Token]] = {}
    for pieces in factoring.pieces:
        for piece in pieces:
            of_axis.setdefault(piece.axis, []).append(piece)
    for number, block in enumerate(factoring.blocks):
        for place, axis in enumerate(block.source):
            of_axis[axis] = [("block", number, place)]
    tokens = [token for axis in order for token in of_axis.get(axis, ())]
    for number, block in enumerate(factoring.blocks):
        first = tokens.index(("block", number, 0))
        last = first + len(block.source)
        if tokens[first:last] != [("block", number, place) for place in range(len(block.source))]:
            return None
        tokens[first:last] = [("block", number, 0)]
    return tokens


def _result_axes(stored: list[_Token], factoring: Factoring) -> Order | None:
    """The result's axes without unit axes, in the memory order of the tokens."""
    starts: dict[_Token, tuple[list[_Token], tuple[int, ...]]] = {
        pieces[0]: (list(pieces), (axis,)) for axis, pieces in enumerate(factoring.pieces) if pieces
    }
    for number, block in enumerate(factoring.blocks):
        token = ("block", number, 0)
        starts[token] = ([token], block.result)
    axes: list[int] = []
    position = 0
    while position < len(stored):
        expected, result_axes = starts.get(stored[position], ([], ()))
        if not expected or stored[position : position + len(expected)] != expected:
            return None
        axes += result_axes
        position += len(expected)
    return tuple(axes)
