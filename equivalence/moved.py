"""Ops that only move elements, by the place from which each element of the result comes.

Windows as rows are slices, gathers or one op, and an image with zeros between its elements is padded and reshaped, or
one op. Such a value is the elements of others at known places, and zeros: an op is evaluated on places, not numbers.
"""

from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..dialects.npu import movement, resampling, shape, spatial
from ..dialects.npu.base import NpuOp
from ..dialects.npu.values import layout_of, shape_of
from ..dialects.program.names import by_definition
from ..interpreter import InterpreterError
from ..interpreter.registry import MEANINGS
from ..layout import DYNAMIC, REPEATED, UNIT, Arrangement, Extent, Piece
from .constants import Constants
from .values import NumberedValue, element_type, tensor

Places = NDArray[np.int64]

MOVES = (
    *(movement.ConcatOp, movement.GatherOp, movement.PadOp, movement.ReverseOp, movement.SliceOp, movement.TileOp),
    *(resampling.UnpoolOp, resampling.UpsampleOp, shape.BroadcastOp, spatial.Img2colOp),
)
MOST_ELEMENTS = 1 << 22
"""The number of elements of a value up to which their places are computed."""


class OfNode(NamedTuple):
    """A node as elements in the order of its axes, which have these sizes."""

    node: int
    axes: tuple[int, ...]


class Sources(NamedTuple):
    """The values from which elements come, in the order of their numbers, and the place of each element, from 1 on.

    The place counts the elements of all values before, and is 0 for a zero.
    """

    keys: tuple[tuple[Hashable, int], ...]
    """The number of elements of each value is behind what it is."""
    places: Places


class MovedElements:
    """The values that only have elements of others."""

    def __init__(self, number: Callable[[Hashable], int], constants: Constants) -> None:
        self._number = number
        self._constants = constants
        self._sources: dict[int, Sources] = {}
        """The sources of each node, whose axes are in the order of the places."""

    def value(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The value of an op that only moves elements; None if it does something else, or not all sizes are known."""
        is_view = isinstance(op, shape.ViewOp) and operands[0].node in self._sources
        if not (is_view or isinstance(op, MOVES)) or not _is_plain(op):
            return None
        if isinstance(op, movement.PadOp) and (op.mode.data == "constant" and not _is_zero(op.value.value.data)):
            return None
        data = operands[:1] if isinstance(op, movement.GatherOp) else operands
        found = [self._of(each) for each in data]
        given = [each for each in found if each is not None]
        if len(given) < len(found):
            return None
        keys, arrays = _joined(given)
        if isinstance(op, movement.GatherOp):
            indices = self._constants.elements(op.indices, operands[1])
            if indices is None:
                return None
            arrays.append(indices)
        try:
            places = MEANINGS[type(op)](op, *by_definition(op, arrays))
        except (InterpreterError, ValueError, IndexError):
            return None
        assert isinstance(places, np.ndarray)
        return self._numbered(keys, places, element_type(op.results[0].type))

    def _of(self, value: NumberedValue) -> Sources | None:
        """The places of the elements of a value as it is stored."""
        stored = tensor(value)
        pieces = [piece for axis in stored.axes for piece in axis]
        if any(piece.size.symbols or piece.inner.symbols for piece in pieces):
            return None
        sizes = [size.factor for size in stored.shape]
        if (known := self._sources.get(value.node)) is not None:
            offsets = _offsets(stored, known.places.shape)
            return None if offsets is None else known._replace(places=known.places.reshape(-1)[offsets])
        count = 1 + max((piece.axis for piece in pieces), default=-1)
        axes = [
            max([p.inner.factor * p.size.factor for p in pieces if p.axis == axis], default=1) for axis in range(count)
        ]
        offsets, key = _offsets(stored, axes), OfNode(value.node, tuple(axes))
        if offsets is None:
            # Axes that are merged unevenly: the value as it is stored.
            offsets, axes, key = np.arange(prod(sizes)).reshape(sizes), sizes, value
        return Sources(((key, prod(axes)),), offsets.astype(np.int64) + 1)

    def sources_of(self, value: NumberedValue) -> Sources | None:
        """The places of the elements of a value as it is stored; None if not all sizes are known."""
        return self._of(value)

    def _numbered(self, keys: Sequence[tuple[Hashable, int]], places: Places, element: Hashable) -> NumberedValue:
        """The value with these elements. Its node has the axes in an order that does not depend on how it is stored."""
        order = sorted((a for a in range(places.ndim) if places.shape[a] != 1), key=lambda axis: _line(places, axis))
        axes = places.transpose(*order, *(a for a in range(places.ndim) if a not in order))
        whole = np.ascontiguousarray(axes.reshape(axes.shape[: len(order)]))
        node = self._number(("moved", tuple(keys), whole.shape, sha256(whole.tobytes()).digest(), element))
        self._sources[node] = Sources(tuple(keys), whole)
        stored = [
            (Piece(order.index(axis), UNIT, Extent(size)),) if size != 1 else ()
            for axis, size in enumerate(places.shape)
        ]
        return NumberedValue(node, Arrangement(tuple(stored)))


def _is_plain(op: NpuOp) -> bool:
    """True if all sizes are known, and nothing is stored in blocks."""
    layouts = [layout_of(value) for value in (*op.operands, *op.results)]
    shapes = [shape_of(value) for value in (*op.operands, *op.results)]
    if any(layout is not None and layout.tiles for layout in layouts):
        return False
    return all(DYNAMIC not in sizes and 0 < prod(sizes) <= MOST_ELEMENTS for sizes in shapes)


def _is_zero(number: float) -> bool:
    return number == 0 and not np.signbit(number)


def _offsets(stored: Arrangement, sizes: Sequence[int]) -> NDArray[np.int64] | None:
    """The place of each stored element in the axes of a node, row by row; None if axes are merged unevenly."""
    total = np.zeros((), np.int64)
    for pieces in stored.axes:
        line = np.zeros((), np.int64)
        for axis, inner, size in pieces:
            if axis < REPEATED:
                return None
            stride = 0 if axis == REPEATED else prod(sizes[axis + 1 :]) * inner.factor
            line = line[..., None] + stride * np.arange(size.factor)
        total = total[..., None] + line.reshape(-1)
    return total


def _joined(given: Sequence[Sources]) -> tuple[list[tuple[Hashable, int]], list[Places]]:
    """The values that all have, and the places of each among the elements of these."""
    keys = sorted({key for each in given for key in each.keys}, key=repr)
    starts = dict(zip(keys, np.cumsum([0, *(count for _, count in keys)]).tolist(), strict=False))
    arrays: list[Places] = []
    for each in given:
        counts = [count for _, count in each.keys]
        befores = np.cumsum([0, *counts])[:-1].tolist()
        moves = np.repeat([starts[key] - before for key, before in zip(each.keys, befores, strict=True)], counts)
        arrays.append(each.places + np.concatenate([[0], moves])[each.places])
    return keys, arrays


def _line(places: Places, axis: int) -> tuple[int, ...]:
    """The sums of the places at each position of an axis, whatever the order of the other axes is."""
    return tuple(places.sum(axis=tuple(a for a in range(places.ndim) if a != axis)).tolist())
