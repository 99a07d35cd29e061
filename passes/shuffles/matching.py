"""Matching of shuffles: views that permute the elements along one axis and change nothing else."""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.ir import SSAValue, Use

from ...dialects.npu.convolution import ForwardConvolutionOp
from ...dialects.npu.elementwise import UnaryOp
from ...dialects.npu.shape import AnyTransposeOp, ViewOp
from ...dialects.npu.values import shape_of
from ...dialects.npu.views import views_above
from ...layout import MAX_RANK, Arrangement, Piece, named
from ..common.moves.transpose_cost import reason_not_counted
from ..common.storages.origins import Origins

MOST_VIEWS = 16
"""The largest number of views of a shuffle. Longer chains are not followed, as each view may end a shuffle."""


class Shuffle(NamedTuple):
    """The elements of a value, permuted along one of its stored axes."""

    source: SSAValue
    views: Sequence[ViewOp]
    """The views that move the elements, the first one first; nothing else reads the values between them."""
    axis: int
    pieces: tuple[Piece, ...]
    """The pieces of the axis in their new order."""

    @property
    def result(self) -> SSAValue:
        return self.views[-1].result

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the pieces in their old order."""
        return tuple(piece.size.factor for piece in self._by_place())

    @property
    def permutation(self) -> tuple[int, ...]:
        """The old position of each piece."""
        old = self._by_place()
        return tuple(old.index(piece) for piece in self.pieces)

    def _by_place(self) -> list[Piece]:
        return sorted(self.pieces, key=lambda piece: -piece.inner.factor)

    def indices(self) -> list[int]:
        """The old position of each element along the axis."""
        places = np.arange(prod(self.sizes)).reshape(self.sizes).transpose(self.permutation)
        return places.reshape(-1).tolist()


def shuffle_above(last: ViewOp, origins: Origins) -> Shuffle | None:
    """The longest shuffle that ends with a view, if it is read, moves data and has no other users inside."""
    found: Shuffle | None = None
    views: list[ViewOp] = []
    if not last.result.uses or origins.is_constant(last.input):
        return None
    for view in islice(views_above(last.result), MOST_VIEWS):
        if views and not view.result.has_one_use():
            break
        views.insert(0, view)
        moves = any(isinstance(each, AnyTransposeOp) and reason_not_counted(each, origins) is None for each in views)
        if moves and view.input.type == last.result.type and (shuffle := _shuffle(views)) is not None:
            found = shuffle
    return found


def _shuffle(views: Sequence[ViewOp]) -> Shuffle | None:
    """The shuffle that views of one type at both ends amount to, if all pieces stay on their axis."""
    source = views[0].input
    whole = Arrangement.of(named(shape_of(source)))
    stored: Arrangement | None = whole
    for view in views:
        stored = None if stored is None else view.view(stored)
    if stored is None:
        return None
    changed = [axis for axis, (old, new) in enumerate(zip(whole.axes, stored.axes, strict=True)) if old != new]
    if len(changed) != 1:
        return None
    pieces = stored.axes[changed[0]]
    if any(piece.axis != changed[0] or piece.size.symbols or piece.inner.symbols for piece in pieces):
        return None
    return Shuffle(source, tuple(views), changed[0], pieces)


# Convolutions that can take or make their channels in another order.


def readers(shuffle: Shuffle, origins: Origins) -> list[ForwardConvolutionOp] | None:
    """The convolutions that read a shuffled value, directly or through unary ops; None if anything else reads it."""
    found: list[ForwardConvolutionOp] = []
    for use in _uses_behind_unary_ops(shuffle.result):
        op = use.operation
        if not isinstance(op, ForwardConvolutionOp) or use.index:
            return None
        if not _takes_any_order(op, shuffle, origins):
            return None
        found.append(op)
    return found or None


def _uses_behind_unary_ops(value: SSAValue) -> Iterator[Use]:
    for use in tuple(value.uses):
        if isinstance(use.operation, UnaryOp) and use.operation.results[0].type == value.type:
            yield from _uses_behind_unary_ops(use.operation.results[0])
        else:
            yield use


def writer(shuffle: Shuffle, origins: Origins) -> ForwardConvolutionOp | None:
    """The convolution that produces the value of a shuffle, through unary ops, if nothing else reads it."""
    value = shuffle.source
    while value.has_one_use():
        op = value.owner
        if isinstance(op, UnaryOp) and op.input.type == value.type:
            value = op.input
            continue
        if not isinstance(op, ForwardConvolutionOp) or not _takes_any_order(op, shuffle, origins):
            return None
        return op if op.bias is None or origins.is_constant(op.bias) else None
    return None


def _takes_any_order(op: ForwardConvolutionOp, shuffle: Shuffle, origins: Origins) -> bool:
    """True if a shuffle is along the channels of a convolution without groups and with a constant kernel."""
    if op.groups.value.data != 1 or not origins.is_constant(op.operands[1]):
        return False
    rank = len(shape_of(op.operands[1])) + len(shuffle.pieces) - 1
    return op.feature_layout("data", op.operands[0]).position_of("C") == shuffle.axis and rank <= MAX_RANK
