"""The axes of one op in a normal form that is independent of its layouts.

Each operand is a node with an arrangement, and the op's role map relates the physical axes. The axes are split into
stretches with one piece of each operand, stretches that continue each other are merged, also if not adjacent, and the
merged axes are sorted. Two ops whose operands differ only in their layouts have equal lists.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ..dialects.npu.axes import Marks, Role, RoleMap
from ..layout import UNIT, Arrangement, Extent, Piece, product

Pieces: TypeAlias = tuple[Piece, ...]


class Slot(NamedTuple):
    """A piece of an axis of the op; its size is None if known at run time only."""

    axis: int
    inner: Extent
    size: Extent | None


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of an op: for each operand the pieces of its node along the axis."""

    operands: tuple[Pieces, ...]
    results: tuple[int, ...]
    """The results that have the axis."""
    marks: Marks
    size: Extent | None
    """The number of elements along it, if a result has the axis and the size is known."""

    def sort_key(self) -> tuple[object, ...]:
        """An arbitrary order of axes that is the same in both programs."""
        pieces = tuple(
            tuple((piece.axis, *_extent_key(piece.inner), *_extent_key(piece.size)) for piece in along)
            for along in self.operands
        )
        return self.results, self.marks, pieces, () if self.size is None else _extent_key(self.size)


def _extent_key(extent: Extent) -> tuple[int, tuple[int, ...]]:
    return extent.factor, extent.symbols


@dataclass(frozen=True, slots=True)
class OpAxes:
    """The sorted axes of an op, and the pieces of them at the physical positions of each result."""

    axes: tuple[Axis, ...]
    stored: tuple[tuple[tuple[Slot, ...], ...], ...]


@dataclass(eq=False, slots=True)
class Stretch:
    """A contiguous part of a role."""

    axis: Axis
    merges: bool
    """True if it may be merged with a stretch that continues it."""


def axes_of(
    roles: RoleMap,
    operands: Sequence[Arrangement],
    results: Sequence[Sequence[Extent | None]],
    operand_order: Sequence[int],
    uniform: frozenset[int] = frozenset(),
) -> OpAxes:
    """The axes of an op with operands of these arrangements and results of these sizes.

    `operand_order` is the order in which the operands are compared, which is free for a commutative op. `uniform` are
    operands whose elements are all equal.

    If two axes are equal, all operands are repeated along them: a piece belongs to one axis only, unless the numbers do
    not depend on it. The op does not depend on the position along them either, unless attributes mark them. So they are
    one axis for the results.
    """
    by_role = [_stretches(role, operands, results, operand_order, uniform) for role in roles.roles]
    chains = _chains([stretch for stretches in by_role for stretch in stretches])
    merged = sorted(((_merge(chain), chain) for chain in chains), key=lambda pair: pair[0].sort_key())
    place: dict[Stretch, Slot] = {}
    for index, (axis, chain) in enumerate(merged):
        if not axis.marks and axis.size is not None:
            index = next(first for first, (other, _) in enumerate(merged) if other == axis)
        inner = UNIT
        for stretch in reversed(chain):
            place[stretch] = Slot(index, inner, stretch.axis.size)
            inner = inner.times(stretch.axis.size or UNIT)
    stored: list[list[tuple[Slot, ...]]] = [[()] * len(sizes) for sizes in results]
    for role, stretches in zip(roles.roles, by_role, strict=True):
        for result, position in role.results:
            slots = tuple(place[each] for each in stretches if result in each.axis.results)
            if len(slots) == 1 and slots[0].size is None:
                # Results with different sizes along the axis keep their own.
                slots = (slots[0]._replace(size=results[result][position]),)
            stored[result][position] = slots
    return OpAxes(tuple(axis for axis, _ in merged), tuple(map(tuple, stored)))


def _stretches(
    role: Role,
    operands: Sequence[Arrangement],
    results: Sequence[Sequence[Extent | None]],
    operand_order: Sequence[int],
    uniform: frozenset[int],
) -> list[Stretch]:
    """The stretches of a role, most significant first; none for an unmarked axis of one element."""
    along: list[Pieces] = [()] * len(operands)
    for operand, position in role.operands:
        along[operand_order.index(operand)] += operands[operand].axes[position]
    sizes = [(result, results[result][position]) for result, position in role.results]
    having = tuple(result for result, size in sizes if size is None or not size.is_unit)
    known = {size for _, size in sizes if size is not None and not size.is_unit}
    if role.splits and (parts := _split(along)) is not None:
        split_size = product(_size(part) for part in parts)
        if not known - {split_size} and (parts or not having):
            alike = [index for index, operand in enumerate(operand_order) if operand in uniform]
            return [
                Stretch(Axis(_without(part, alike), having, role.marks, _size(part)), merges=True) for part in parts
            ]
    size = known.pop() if len(known) == 1 else None
    if not having and not any(along) and not role.marks:
        return []
    return [Stretch(Axis(tuple(along), having, role.marks, size), merges=False)]


def _size(part: tuple[Pieces, ...]) -> Extent:
    """The size of a part in which every operand has one piece or none."""
    return next(pieces[0].size for pieces in part if pieces)


def _without(part: tuple[Pieces, ...], alike: Sequence[int]) -> tuple[Pieces, ...]:
    """The part without uniform operands, if others determine the axis.

    Along an axis that may be split, an operand has the size of the axis or is repeated, which is the same for equal
    elements.
    """
    if all(not pieces or index in alike for index, pieces in enumerate(part)):
        return part
    return tuple(() if index in alike else pieces for index, pieces in enumerate(part))


def _split(along: Sequence[Pieces]) -> list[tuple[Pieces, ...]] | None:
    """Split the operands' pieces so that each part has one piece of each operand; None if their sizes do not allow it.

    Operands without a piece are repeated along the axis. From the last pieces backwards, the smallest remainder is
    split off the others.
    """
    if len({(len(pieces), pieces[0].size) for pieces in along if pieces}) == 1 and max(map(len, along)) == 1:
        return [tuple(along)]
    rests = [list(pieces) for pieces in along]
    present = [index for index, pieces in enumerate(along) if pieces]
    parts: list[tuple[Pieces, ...]] = []
    while any(rests):
        if not all(rests[index] for index in present):
            return None
        last = [rests[index].pop() for index in present]
        size = min((piece.size for piece in last), key=lambda each: (len(each.symbols), each.factor))
        if size.factor == 0 and any(piece.size != size for piece in last):
            return None
        part: list[Pieces] = [()] * len(along)
        for index, piece in zip(present, last, strict=True):
            part[index] = (Piece(piece.axis, piece.inner, size),)
            if piece.size == size:
                continue
            rest = piece.size.divided_by(size)
            if rest is None:
                return None
            rests[index].append(Piece(piece.axis, piece.inner.times(size), rest))
        parts.append(tuple(part))
    return parts[::-1]


def _chains(stretches: Sequence[Stretch]) -> list[list[Stretch]]:
    """Collect stretches that continue each other in every operand into chains, most significant first."""
    by_start = {_start(stretch): stretch for stretch in stretches if stretch.merges}
    following: dict[Stretch, Stretch] = {}
    for stretch in stretches:
        if stretch.merges and (less := by_start.get(_end(stretch))) is not None and less is not stretch:
            following[stretch] = less
    continued = set(following.values())
    chains: list[list[Stretch]] = []
    for stretch in stretches:
        if stretch in continued:
            continue
        chain = [stretch]
        while (less := following.get(chain[-1])) is not None:
            chain.append(less)
        chains.append(chain)
    return chains


def _start(stretch: Stretch) -> tuple[object, ...]:
    """The end of a stretch that this one continues."""
    axis = stretch.axis
    ends = tuple((index, p.axis, p.inner.times(p.size)) for index, (p, *_) in _present(axis))
    return axis.results, axis.marks, ends


def _end(stretch: Stretch) -> tuple[object, ...]:
    """The end of a stretch in every operand."""
    axis = stretch.axis
    return axis.results, axis.marks, tuple((index, p.axis, p.inner) for index, (p, *_) in _present(axis))


def _present(axis: Axis) -> list[tuple[int, Pieces]]:
    return [(index, pieces) for index, pieces in enumerate(axis.operands) if pieces]


def _merge(chain: Sequence[Stretch]) -> Axis:
    """The axis that a chain of stretches forms."""
    first, last = chain[0].axis, chain[-1].axis
    if len(chain) == 1:
        return first
    size = product(stretch.axis.size or UNIT for stretch in chain)
    operands = tuple((Piece(p[0].axis, p[0].inner, size),) if p else () for p in last.operands)
    return Axis(operands, first.results, first.marks, size)
