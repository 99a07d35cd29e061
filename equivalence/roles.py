"""The axes of one op in a form that does not depend on how its operands are stored.

Each operand is a node with an arrangement, and the op's role map says which physical axes go together. The axes are cut
into stretches that have one piece of each operand, stretches that continue each other are joined again wherever they
stand, and the joined axes are sorted. Two ops whose operands differ only in how they are stored get equal lists.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ..dialects.npu.axes import Marks, Role, RoleMap
from ..layout import UNIT, Arrangement, Extent, Piece, product

Pieces: TypeAlias = tuple[Piece, ...]


class Slot(NamedTuple):
    """A piece of an axis of the op; its size is None if only the run time knows it."""

    axis: int
    inner: Extent
    size: Extent | None


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of an op: for each operand the pieces of its node that lie along it."""

    operands: tuple[Pieces, ...]
    results: tuple[int, ...]
    """The results that have the axis."""
    marks: Marks
    size: Extent | None
    """The number of elements along it, if a result has the axis and the size is known."""

    def sort_key(self) -> tuple[object, ...]:
        """Axes have no order of their own; any will do that is the same in both programs."""
        pieces = tuple(
            tuple((piece.axis, *_extent_key(piece.inner), *_extent_key(piece.size)) for piece in along)
            for along in self.operands
        )
        return self.results, self.marks, pieces, () if self.size is None else _extent_key(self.size)


def _extent_key(extent: Extent) -> tuple[int, tuple[int, ...]]:
    return extent.factor, extent.symbols


@dataclass(frozen=True, slots=True)
class OpAxes:
    """The sorted axes of an op, and which pieces of them each result stores at its physical positions."""

    axes: tuple[Axis, ...]
    stored: tuple[tuple[tuple[Slot, ...], ...], ...]


@dataclass(eq=False, slots=True)
class Stretch:
    """A part of a role that is stored in one place."""

    axis: Axis
    joins: bool
    """Whether it may be joined to a stretch that continues it."""


def axes_of(
    roles: RoleMap,
    operands: Sequence[Arrangement],
    results: Sequence[Sequence[Extent | None]],
    sequence: Sequence[int],
    uniform: frozenset[int] = frozenset(),
) -> OpAxes:
    """The axes of an op whose operands are arranged like this and whose results have these sizes.

    `sequence` says in which sequence the operands are looked at: those of a commutative op have none of their own.
    `uniform` are operands of which all elements are equal.

    Two axes that are equal are such along which all operands are repeated: a piece stands in one place only, unless the
    numbers do not depend on it. What the op computes does not depend on the place along them either, unless attributes
    say something about them. So the results have them as one axis, and it does not matter which of them stands where.
    """
    by_role = [_stretches(role, operands, results, sequence, uniform) for role in roles.roles]
    chains = _chains([stretch for stretches in by_role for stretch in stretches])
    joined = sorted(((_join(chain), chain) for chain in chains), key=lambda pair: pair[0].sort_key())
    place: dict[Stretch, Slot] = {}
    for index, (axis, chain) in enumerate(joined):
        if not axis.marks and axis.size is not None:
            index = next(first for first, (other, _) in enumerate(joined) if other == axis)
        inner = UNIT
        for stretch in reversed(chain):
            place[stretch] = Slot(index, inner, stretch.axis.size)
            inner = inner.times(stretch.axis.size or UNIT)
    stored: list[list[tuple[Slot, ...]]] = [[()] * len(sizes) for sizes in results]
    for role, stretches in zip(roles.roles, by_role, strict=True):
        for result, position in role.results:
            slots = tuple(place[each] for each in stretches if result in each.axis.results)
            if len(slots) == 1 and slots[0].size is None:
                # Results that have different sizes along the axis know each its own.
                slots = (slots[0]._replace(size=results[result][position]),)
            stored[result][position] = slots
    return OpAxes(tuple(axis for axis, _ in joined), tuple(map(tuple, stored)))


def _stretches(
    role: Role,
    operands: Sequence[Arrangement],
    results: Sequence[Sequence[Extent | None]],
    sequence: Sequence[int],
    uniform: frozenset[int],
) -> list[Stretch]:
    """The stretches of a role, most significant first; none if it has one element and says nothing."""
    along: list[Pieces] = [()] * len(operands)
    for operand, position in role.operands:
        along[sequence.index(operand)] += operands[operand].axes[position]
    sizes = [(result, results[result][position]) for result, position in role.results]
    having = tuple(result for result, size in sizes if size is None or not size.is_unit)
    known = {size for _, size in sizes if size is not None and not size.is_unit}
    if role.splits and (parts := _cut(along)) is not None:
        cut_size = product(_size(part) for part in parts)
        if not known - {cut_size} and (parts or not having):
            alike = [index for index, operand in enumerate(sequence) if operand in uniform]
            return [Stretch(Axis(_without(part, alike), having, role.marks, _size(part)), joins=True) for part in parts]
    size = known.pop() if len(known) == 1 else None
    if not having and not any(along) and not role.marks:
        return []
    return [Stretch(Axis(tuple(along), having, role.marks, size), joins=False)]


def _size(part: tuple[Pieces, ...]) -> Extent:
    """The size of a part in which every operand has one piece or none."""
    return next(pieces[0].size for pieces in part if pieces)


def _without(part: tuple[Pieces, ...], alike: Sequence[int]) -> tuple[Pieces, ...]:
    """The part without operands of equal elements, if others still say what lies along it.

    Along an axis that may be cut, an operand has the size of the axis or is repeated, which is the same for equal
    elements.
    """
    if all(not pieces or index in alike for index, pieces in enumerate(part)):
        return part
    return tuple(() if index in alike else pieces for index, pieces in enumerate(part))


def _cut(along: Sequence[Pieces]) -> list[tuple[Pieces, ...]] | None:
    """Cut the operands' pieces so that each part has one piece of each operand, or None if their sizes do not allow it.

    Operands without a piece repeat along the axis. From the last piece on, the smallest rest is cut off the others.
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
    """Put stretches that continue each other in every operand into one chain, most significant first."""
    by_start = {_start(stretch): stretch for stretch in stretches if stretch.joins}
    following: dict[Stretch, Stretch] = {}
    for stretch in stretches:
        if stretch.joins and (less := by_start.get(_end(stretch))) is not None and less is not stretch:
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
    """What a stretch has to end like for this one to continue it."""
    axis = stretch.axis
    ends = tuple((index, p.axis, p.inner.times(p.size)) for index, (p, *_) in _present(axis))
    return axis.results, axis.marks, ends


def _end(stretch: Stretch) -> tuple[object, ...]:
    """Where a stretch ends in every operand."""
    axis = stretch.axis
    return axis.results, axis.marks, tuple((index, p.axis, p.inner) for index, (p, *_) in _present(axis))


def _present(axis: Axis) -> list[tuple[int, Pieces]]:
    return [(index, pieces) for index, pieces in enumerate(axis.operands) if pieces]


def _join(chain: Sequence[Stretch]) -> Axis:
    """The axis that a chain of stretches makes up."""
    first, last = chain[0].axis, chain[-1].axis
    if len(chain) == 1:
        return first
    size = product(stretch.axis.size or UNIT for stretch in chain)
    operands = tuple((Piece(p[0].axis, p[0].inner, size),) if p else () for p in last.operands)
    return Axis(operands, first.results, first.marks, size)
