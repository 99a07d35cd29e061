"""Positions of the elements of a constant in its file, one by one.

Reshapes that split permuted axes may have no arrangement, or one that depends on the intermediate shapes. The position
of each element is unique.
"""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import SSAValue

from ..dialects.npu.shape import AnyTransposeOp, ReshapeOp, ViewOp
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.values import order_of_value
from ..dialects.npu.views import sizes_after, views_above
from ..layout import Arrangement, Extent, Piece, invert, named, unpermute

Positions = NDArray[np.uint32]

MOST_ELEMENTS = 1 << 24
"""The maximum number of elements of a constant whose positions are computed."""


def positions_of(value: SSAValue, known: Mapping[SSAValue, Positions]) -> Positions | None:
    """The positions of the elements of a view of a constant; None if there are too many, or sizes are unknown."""
    chain: list[ViewOp] = []
    for view in views_above(value):
        if value in known:
            break
        chain.append(view)
        value = view.input
    positions = known[value] if value in known else _as_read(value)
    for view in reversed(chain):
        positions = None if positions is None else _viewed(view, positions)
    return positions


def _as_read(value: SSAValue) -> Positions | None:
    constant = value.owner
    if not isinstance(constant, ConstantOp) or isinstance(constant.value, DenseIntOrFPElementsAttr):
        return None
    count = prod(constant.steps[0].shape)
    if count > MOST_ELEMENTS:
        return None
    positions = np.arange(count, dtype=np.uint32)
    for step in constant.steps:
        positions = positions.reshape(step.shape).transpose(step.permutation)
    return positions


def _viewed(view: ViewOp, positions: Positions) -> Positions | None:
    if isinstance(view, AnyTransposeOp):
        return positions.transpose(view.moved())
    if not isinstance(view, ReshapeOp):
        return positions
    sizes = sizes_after(view, named(positions.shape))
    if sizes is None or prod(size.factor for size in sizes) != positions.size:
        return None
    order = order_of_value(view.result)
    logical = positions.transpose(invert(order_of_value(view.input)))
    return logical.reshape(unpermute([size.factor for size in sizes], order)).transpose(order)


def arrangement_of(positions: Positions) -> Arrangement | None:
    """The arrangement of the axes in the row of the file's elements, if every axis consists of pieces of the row."""
    axes: list[Sequence[Piece]] = []
    total = np.zeros((), np.uint32)
    for axis in range(positions.ndim):
        place: list[int | slice] = [0] * positions.ndim
        place[axis] = slice(None)
        line = positions[tuple(place)]
        if (pieces := _pieces(line)) is None:
            return None
        axes.append(pieces)
        total = total[..., None] + line
    return Arrangement.merged([tuple(pieces) for pieces in axes]) if np.array_equal(total, positions) else None


def places_of(pieces: Sequence[Piece]) -> NDArray[np.int64]:
    """The positions along an axis that consists of pieces of known sizes of one row."""
    places = np.zeros((), np.int64)
    for piece in pieces:
        places = places[..., None] + piece.inner.factor * np.arange(piece.size.factor)
    return places.reshape(-1)


def shuffled_pieces(indices: NDArray[np.int64], axis: int) -> tuple[Piece, ...] | None:
    """The pieces of an axis in the order in which indices select them; None if they are no permutation of pieces."""
    size = len(indices)
    places = np.where(indices < 0, indices + size, indices)
    if (
        not np.array_equal(np.sort(places), np.arange(size))
        or (found := arrangement_of(places.astype(np.uint32))) is None
    ):
        return None
    return tuple(piece._replace(axis=axis) for piece in found.axes[0])


def _pieces(line: Positions) -> list[Piece] | None:
    """The pieces of the row that an axis with these positions consists of, the one with the longest steps first."""
    pieces: list[Piece] = []
    while len(line) > 1:
        ramp = line[1] * np.arange(len(line), dtype=np.uint32)
        size = int(np.argmin(line == ramp)) or len(line)
        if len(line) % size or not np.array_equal(line.reshape(-1, size), line[::size, None] + ramp[:size]):
            return None
        pieces.append(Piece(0, Extent(int(line[1])), Extent(size)))
        line = line[::size]
    return pieces[::-1]
