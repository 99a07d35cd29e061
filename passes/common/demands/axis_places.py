"""The places of the axes that an attribute names, in an op or in a form of it."""

from collections.abc import Sequence

from ....dialects.npu.axes import Relayout, numbers_of
from ....dialects.npu.base import NpuOp
from ....dialects.npu.values import order_of_type, rank_of, shape_of, tensor_type
from ....layout import permute, unpermute
from ....targets import INCREASING, LAST, NEXT_TO_LAST, OTHER, AxisPlace


def place_of(op: NpuOp, relayout: Relayout | None, name: str) -> str:
    """The place of the axes that an attribute names in a form. Axes of one element have none."""
    value, shape = op.properties.get(name), shape_of(op.operands[0])
    if relayout is not None:
        value = relayout.properties.get(name, value)
        shape = permute(unpermute(shape, order_of_type(tensor_type(op.operands[0]))), relayout.operands[0])
    if value is None:
        return LAST
    long = [axis for axis, size in enumerate(shape) if size != 1]
    named = [axis for axis in long if axis in numbers_of(value)]
    if named == long[len(long) - len(named) :]:
        return LAST
    return NEXT_TO_LAST if named == long[-1 - len(named) : -1] else OTHER


def are_at(place: AxisPlace, op: NpuOp, relayout: Relayout | None, axes: Sequence[int]) -> bool:
    """True if axes are where a target demands them; those of one element may be anywhere among increasing ones."""
    if place == LAST:
        return _are_last(op, axes)
    if place != INCREASING:
        return tuple(axes) == (place,)
    shape = shape_of(op.operands[0])
    if relayout is not None:
        shape = permute(unpermute(shape, order_of_type(tensor_type(op.operands[0]))), relayout.operands[0])
    long = [axis for axis, size in zip(axes, shape, strict=True) if size != 1]
    return long == sorted(long)


def _are_last(op: NpuOp, axes: Sequence[int]) -> bool:
    rank = rank_of(op.operands[0])
    return sorted(axes) == [*range(rank - len(axes), rank)]
