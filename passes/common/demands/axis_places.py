"""The places of the axes that an attribute names, in an op or in a form of it."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.values import order_of_type, rank_of, shape_of, tensor_type
from ....layout import permute, unpermute
from ....targets import IMAGE, INCREASING, LAST, NEXT_TO_LAST, OTHER, AxisPlace


def place_of(op: NpuOp, relayout: Relayout | None, name: str) -> str:
    """The place of the axes that an attribute names in a form. Axes of one element have none."""
    axes, shape = op.named_axes(name, relayout), shape_in(op, relayout, op.operands[0])
    if axes is None:
        return LAST
    long = [axis for axis, size in enumerate(shape) if size != 1]
    named = [axis for axis in long if axis in axes]
    if named == long[len(long) - len(named) :]:
        return LAST
    return NEXT_TO_LAST if named == long[-1 - len(named) : -1] else OTHER


def shape_in(op: Operation, relayout: Relayout | None, value: SSAValue) -> tuple[int, ...]:
    """The stored shape of an operand or result of an op, in a form of it."""
    if relayout is None:
        return shape_of(value)
    orders = zip((*op.operands, *op.results), (*relayout.reads, *relayout.results), strict=True)
    order = next(order for each, order in orders if each is value)
    return permute(unpermute(shape_of(value), order_of_type(tensor_type(value))), order)


def are_at(place: AxisPlace, op: NpuOp, relayout: Relayout | None, axes: Sequence[int]) -> bool:
    """True if axes are where a target demands them; those of one element may be anywhere among increasing ones."""
    if place == LAST:
        return _are_last(op, axes)
    if place == IMAGE:
        return are_of_image(axes, rank_of(op.operands[0]))
    if place != INCREASING:
        return tuple(axes) == (place,)
    shape = shape_in(op, relayout, op.operands[0])
    long = [axis for axis, size in zip(axes, shape, strict=True) if size != 1]
    return long == sorted(long)


def are_of_image(axes: Sequence[int], rank: int) -> bool:
    """True if axes are as in NCHW or NHWC: behind one or two others, and last or with one more behind them.

    If all are named, by numbers that may be for any of them, the first stays in front and the others go round.
    """
    if len(axes) == rank:
        whole = [*axes[1:], *axes[1:]]
        return axes[0] == 0 and any(whole[at : at + rank - 1] == [*range(1, rank)] for at in range(rank - 1))
    return any({*axes} <= {*range(first, first + rank - 2)} for first in (1, 2))


def _are_last(op: NpuOp, axes: Sequence[int]) -> bool:
    rank = rank_of(op.operands[0])
    return sorted(axes) == [*range(rank - len(axes), rank)]
