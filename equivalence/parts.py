"""Concatenations and splits in the largest blocks of which all parts consist.

Parts of 64 and 128 elements are one and two blocks of 64. Along the elements of a block such an op is like any other,
so that it makes no difference if the axis is stored in blocks of any size that divides the parts.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import gcd
from typing import TypeVar

from ..dialects.npu.axes import Place, Role, RoleMap
from ..dialects.npu.movement import ConcatOp, SplitOp
from ..layout import UNIT, Arrangement, Extent
from .merged import MergedAxes
from .roles import Axis, OpAxes, Slot, axes_of
from .values import sizes_of

SizeT = TypeVar("SizeT", bound=Extent | None)


def axes_by_parts(
    op: ConcatOp | SplitOp, roles: RoleMap, operands: Sequence[Arrangement], merged: MergedAxes
) -> tuple[OpAxes, Hashable] | None:
    """The axes of the op with its axis as two, and the blocks in each part; None if sizes are unknown or zero."""
    axis, results = op.axis.value.data, [sizes_of(result) for result in op.results]
    whole = [each.shape for each in operands]
    lengths = [sizes[axis] for sizes in (whole if isinstance(op, ConcatOp) else results)]
    known = [size.factor for size in lengths if size is not None and not size.symbols]
    is_known = len(known) == len(lengths) and all(sizes[axis] is not None for sizes in results)
    if not is_known or not all(known) or not all(size.factor for sizes in whole for size in sizes):
        return None
    block = Extent(gcd(*known))
    # A size that is unknown to the program may be known from the parts.
    ends = [sizes[axis] for sizes in (*whole, *results)]
    if any(size is None or size.divided_by(block) is None for size in ends):
        return None
    stored = [merged.reshaped(each, _cut(each.shape, axis, block)) for each in operands]
    in_blocks = [each for each in stored if each is not None]
    if len(in_blocks) < len(stored):
        return None
    cut = [_cut(sizes, axis, block) for sizes in results]
    finer = _finer(roles, axis, len(operands), len(results))
    axes = axes_of(finer, in_blocks, cut, range(len(operands)), merged)
    return _joined(axes), tuple(sizes[axis] for sizes in cut)


def _joined(axes: OpAxes) -> OpAxes:
    """The results with the axis of the blocks and the one that continues it in the operands as one, if there is one.

    So the axis may be split where no block ends.
    """
    outer = next((number for number, axis in enumerate(axes.axes) if axis.marks), None)
    if outer is None:
        return axes
    blocks = axes.axes[outer]
    within = [number for number, axis in enumerate(axes.axes) if _continues(axis, blocks, len(axes.stored))]
    if len(within) != 1:
        return axes
    size = axes.axes[within[0]].size or UNIT

    def moved(slot: Slot) -> Slot:
        if slot.axis == outer:
            slot = Slot(within[0], slot.inner.times(size), slot.size)
        return slot._replace(axis=slot.axis - (slot.axis > outer))

    return replace(axes, stored=tuple(tuple(tuple(map(moved, slots)) for slots in each) for each in axes.stored))


def _continues(axis: Axis, blocks: Axis, results: int) -> bool:
    """True if all results have the axis, and it continues that of the blocks in all operands with several."""
    pairs = [pair for pair in zip(blocks.operands, axis.operands, strict=True) if pair[0]]
    return (
        bool(pairs)
        and axis.size is not None
        and len(axis.results) == results
        and all(
            inside and inside[0].axis == outer[-1].axis and inside[0].inner.times(inside[0].size) == outer[-1].inner
            for outer, inside in pairs
        )
    )


def _cut(sizes: Sequence[SizeT], axis: int, block: Extent) -> list[SizeT | Extent]:
    """The sizes with that of the axis as two: the number of blocks, and the elements of a block."""
    size = sizes[axis]
    outer = None if size is None else size.divided_by(block)
    assert outer is not None, "the parts are blocks"
    return [*sizes[:axis], outer, block, *sizes[axis + 1 :]]


def _finer(roles: RoleMap, axis: int, operands: int, results: int) -> RoleMap:
    """The roles, and that of the elements of a block."""
    moved = [
        replace(role, operands=_behind(role.operands, axis), results=_behind(role.results, axis))
        for role in roles.roles
    ]
    places = [tuple((index, axis + 1) for index in range(count)) for count in (operands, results)]
    return replace(roles, roles=(*moved, Role(operands=places[0], results=places[1])))


def _behind(places: Sequence[Place], axis: int) -> tuple[Place, ...]:
    return tuple((index, place + (place > axis)) for index, place in places)


def in_one(stored: Arrangement, axis: int, merged: MergedAxes) -> Arrangement:
    """A result with the axis as one again."""
    axes = stored.axes
    return merged.simplified(Arrangement.merged((*axes[:axis], axes[axis] + axes[axis + 1], *axes[axis + 2 :])))
