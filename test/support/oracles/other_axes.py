"""The forms of one op over other axes of the same data, by exhaustive search. Nothing is shared with the passes.

An axis is split wherever the program splits its data: a piece of it lies along an axis of some view. The pieces of an
axis go with it through the op, to all operands and results that have its role. Then every order of all pieces is tried.
Pieces that cannot be axes of their own have to stay adjacent.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby, pairwise, permutations, product
from math import factorial, prod

import numpy as np
import numpy.typing as npt
from npu_opt.dialects.npu.axes import Place, Role
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.feature import FeatureOp
from npu_opt.dialects.npu.reduction import AxisReductionOp
from npu_opt.dialects.npu.same_layout import SameLayoutOp
from npu_opt.dialects.npu.values import order_of_value, shape_of
from npu_opt.layout import Order
from xdsl.ir import Operation, SSAValue

MOST_SEQUENCES = 1_000
"""The largest number of orders of pieces tried for one op."""

Numbers = npt.NDArray[np.int64]
Line = frozenset[int]
"""The numbers of the elements from the first one on along a piece of an axis."""
Data = Mapping[SSAValue, tuple[SSAValue, Numbers]]


class TooMany(Exception):
    """A program that is too large for exhaustive search."""


class Lines:
    """The pieces of data along the axes of the views of a program and of its ops."""

    def __init__(self, ops: Sequence[Operation], data: Data) -> None:
        self._data = data
        self._of: dict[SSAValue, set[Line]] = {}
        for root, numbers in data.values():
            self._of.setdefault(root, set()).update(
                frozenset(line_of(numbers, axis).tolist()) for axis in range(numbers.ndim) if numbers.size
            )
        self._cuts: dict[tuple[Operation, int], set[int]] = {}
        known = -1
        while known != (known := sum(map(len, (*self._of.values(), *self._cuts.values())))):
            for op in ops:
                self._go_through(op)

    def cuts(self, op: Operation, role: int) -> Iterator[tuple[int, ...]]:
        """All ways to split the axis of a role, as the sizes of its pieces."""
        points = sorted(self._cuts.get((op, role), ()))
        found = [
            chosen
            for count in range(len(points), 0, -1)
            for chosen in combinations(points, count)
            if all(more % less == 0 for less, more in pairwise(chosen))
        ]
        for chosen in found:
            if not any(set(chosen) < set(other) for other in found):
                yield tuple(more // less for less, more in reversed(list(pairwise(chosen))))

    def _go_through(self, op: Operation) -> None:
        """Split the axes of an op wherever some operand or result is split."""
        if not isinstance(op, NpuOp) or (roles := op.roles()) is None:
            return
        for number, role in enumerate(roles.roles):
            if not role.splits:
                continue
            along = [(self._data[value], axis) for value, axis in places(op, role) if value in self._data]
            points = self._cuts.setdefault((op, number), set())
            for (root, numbers), axis in along:
                line = line_of(numbers, axis)
                for other in self._of[root]:
                    points.update(_ends([place for place, each in enumerate(line) if int(each) in other], len(line)))
            for (root, numbers), axis in along:
                line = line_of(numbers, axis)
                for less, more in combinations(sorted(points), 2):
                    if len(line) % more == 0 and more % less == 0:
                        self._of[root].add(frozenset(line[:more:less].tolist()))


def line_of(numbers: Numbers, axis: int) -> Numbers:
    """The elements along an axis from the first one on."""
    if not numbers.size:
        return numbers.reshape(-1)
    return numbers[tuple(slice(None) if each == axis else 0 for each in range(numbers.ndim))]


def _ends(places: Sequence[int], size: int) -> tuple[int, ...]:
    """The positions at which a piece of an axis begins and ends, if its numbers are contiguous."""
    if len(places) < 2:
        return ()
    step = places[1]
    end = step * len(places)
    is_piece = list(places) == list(range(0, end, step)) and size % end == 0 and end % step == 0
    return (step, end, 1, size) if is_piece else ()


def places(op: NpuOp, role: Role) -> list[tuple[SSAValue, int]]:
    """The operands and results that have a role, each with its logical axis."""
    values = (*op.operands, *op.results)
    return [(values[place], order_of_value(values[place])[position]) for place, position in _positions(op, role)]


def other_ways(
    op: NpuOp, orders: Sequence[Sequence[Order]], data: Data, lines: Lines
) -> Iterator[tuple[bytes | None, ...]]:
    """The orders of operands and results in which an op can be written over other axes.

    `orders` are all forms over its own axes.
    """
    roles = op.roles()
    if roles is None:
        return
    choices = [[*lines.cuts(op, number)] or [()] for number in range(len(roles.roles))]
    for cut in product(*choices):
        if any(len(parts) > 1 for parts in cut):
            yield from _cut_ways(op, orders, data, cut)


def _cut_ways(
    op: NpuOp, orders: Sequence[Sequence[Order]], data: Data, cut: Sequence[tuple[int, ...]]
) -> Iterator[tuple[bytes | None, ...]]:
    roles = op.roles()
    assert roles is not None
    seen = [_cut_axes(op, place, value, data, cut) for place, value in enumerate((*op.operands, *op.results))]
    if any(each is None for each in seen):
        return
    for piece_order in _sequences(op, orders, cut):
        yield tuple(
            None if value not in data else _stored(data[value][1], each, piece_order[place])
            for place, (value, each) in enumerate(zip((*op.operands, *op.results), seen, strict=True))
        )


Axes = tuple[tuple[int, ...], dict[tuple[int, int], int]]
"""A shape, with the role and the piece of each of its axes."""


def _cut_axes(op: NpuOp, place: int, value: SSAValue, data: Data, cut: Sequence[tuple[int, ...]]) -> Axes | None:
    """A value with its logical axes split; None if it cannot be split there."""
    roles = op.roles()
    assert roles is not None
    if value not in data:
        return (), {}
    shape = data[value][1].shape
    order = order_of_value(value)
    positions = [(number, each) for number, role in enumerate(roles.roles) for each in _positions(op, role)]
    by_axis = {order[position]: number for number, (other, position) in positions if other == place}
    sizes: list[int] = []
    names: dict[tuple[int, int], int] = {}
    for axis, size in enumerate(shape):
        parts = cut[by_axis[axis]] if axis in by_axis else ()
        if len(parts) < 2 or size == 1:
            names[by_axis.get(axis, -1 - axis), 0] = len(sizes)
            sizes.append(size)
            continue
        if prod(parts) != size:
            return None
        for part, each in enumerate(parts):
            names[by_axis[axis], part] = len(sizes)
            sizes.append(each)
    return tuple(sizes), names


def _stored(numbers: Numbers, axes: Axes | None, piece_order: Sequence[tuple[int, int]]) -> bytes:
    assert axes is not None
    shape, names = axes
    order = [names[each] for each in piece_order if each in names]
    order += [axis for axis in range(len(shape)) if axis not in order]
    return numbers.reshape(shape).transpose(order).tobytes()


def _sequences(
    op: NpuOp, orders: Sequence[Sequence[Order]], cut: Sequence[tuple[int, ...]]
) -> Iterator[Sequence[Sequence[tuple[int, int]]]]:
    """For each operand and result the order of its pieces, in all ways in which the op can have them."""
    roles = op.roles()
    assert roles is not None
    values = (*op.operands, *op.results)
    pieces = [(number, part) for number, parts in enumerate(cut) for part in range(max(1, len(parts)))]
    may_be_apart = isinstance(op, SameLayoutOp | AxisReductionOp) and not isinstance(op, FeatureOp)
    if may_be_apart:
        # A role of one element everywhere may be anywhere.
        sizes = [
            max((shape_of(values[place])[position] for place, position in _positions(op, role)), default=1)
            for role in roles.roles
        ]
        moved = [piece for piece in pieces if sizes[piece[0]] > 1]
        if factorial(len(moved)) > MOST_SEQUENCES:
            raise TooMany(f"{op.name} has too many parts")
        whole = {number for number, role in enumerate(roles.roles) if any(name == "axis" for name, _ in role.marks)}
        for piece_order in permutations(moved):
            runs = [number for number, _ in groupby(number for number, _ in piece_order)]
            if all(runs.count(number) <= 1 for number in whole):
                yield [piece_order] * len(values)
        return
    inside = [[*permutations(range(max(1, len(parts))))] for parts in cut]
    if prod(map(len, inside)) * len(orders) > MOST_SEQUENCES:
        raise TooMany(f"{op.name} has too many parts")
    for order in orders:
        for chosen in product(*inside):
            yield [
                [
                    (number, part)
                    for axis in order[place]
                    for number, role in enumerate(roles.roles)
                    if (place, order_of_value(value).index(axis)) in _positions(op, role)
                    for part in chosen[number]
                ]
                for place, value in enumerate(values)
            ]


def _positions(op: NpuOp, role: Role) -> list[Place]:
    """The values with a role, results counted after operands."""
    return [*role.operands, *((len(op.operands) + result, position) for result, position in role.results)]
