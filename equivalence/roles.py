"""The axes of one op in a normal form that is independent of its layouts.

Each operand is a node with an arrangement, and the op's role map relates the physical axes. The axes are split into
stretches with one piece of each operand, stretches that continue each other are merged, also if not adjacent, and the
merged axes are sorted. Stretches along which all operands are repeated count for the results without them only, and
results with them are repeated as well. Two ops whose operands differ only in their layouts have equal lists.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain as joined
from math import lcm
from typing import NamedTuple, TypeAlias

from ..dialects.npu.axes import Marks, Role, RoleMap
from ..layout import REPEATED, UNIT, Arrangement, Extent, Piece, invert, product
from .merged import MergedAxes

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


class Computation(NamedTuple):
    """The key of an op with known roles."""

    name: str
    properties: Hashable
    attributes: Hashable
    nodes: tuple[int, ...]
    """Of the operands, in the order in which they are compared."""
    axes: tuple[Axis, ...]


@dataclass(eq=False, slots=True)
class Stretch:
    """A contiguous part of a role."""

    axis: Axis
    splits: bool
    """True if the op keeps its meaning when the stretch is split."""

    @property
    def merges(self) -> bool:
        """True if it may be merged with a stretch that continues it."""
        return self.splits and any(self.axis.operands)

    @property
    def is_repeated(self) -> bool:
        """True if all operands are repeated, and so are the results, if they have it."""
        axis = self.axis
        return self.splits and not any(axis.operands) and axis.size is not None and not (axis.marks and axis.results)


def axes_of(
    roles: RoleMap,
    operands: Sequence[Arrangement],
    results: Sequence[Sequence[Extent | None]],
    operand_order: Sequence[int],
    merged: MergedAxes,
) -> OpAxes:
    """The axes of an op with operands of these arrangements and results of these sizes.

    `operand_order` is the order in which the operands are compared, which is free for a commutative op. `merged` are
    the merged axes of the operands' nodes.
    """
    by_role = [_stretches(role, operands, results, operand_order) for role in roles.roles]
    stretches = [stretch for stretches in by_role for stretch in stretches]
    repeated = [stretch for stretch in stretches if stretch.is_repeated]
    place = {stretch: (Slot(REPEATED, UNIT, stretch.axis.size),) for stretch in repeated}
    chains = _chains([stretch for stretch in stretches if not stretch.is_repeated])
    by_chain = [_merge(chain, merged) for chain in chains]
    numbered = sorted(enumerate(axis for axes in by_chain for axis in axes), key=lambda pair: pair[1].sort_key())
    order = iter(invert(tuple(number for number, _ in numbered)))
    for each, axes in zip(chains, by_chain, strict=True):
        place |= _slots(each, [(next(order), axis.size) for axis in axes], merged)
    stored: list[list[tuple[Slot, ...]]] = [[()] * len(sizes) for sizes in results]
    for role, stretches in zip(roles.roles, by_role, strict=True):
        having = [(place[each], frozenset(each.axis.results)) for each in stretches]
        for result, position in role.results:
            slots = tuple(slot for slots, indices in having if result in indices for slot in slots)
            if len(slots) == 1 and slots[0].size is None:
                # Results with different sizes along the axis keep their own.
                slots = (slots[0]._replace(size=results[result][position]),)
            stored[result][position] = slots
    return OpAxes((*_counted(repeated, len(results)), *(axis for _, axis in numbered)), tuple(map(tuple, stored)))


def with_units(
    roles: RoleMap, operands: Sequence[Arrangement], results: list[list[Extent | None]]
) -> list[list[Extent | None]]:
    """The sizes of results, of which those of one element need not be known to the program, but from the operands."""
    if all(size is not None for sizes in results for size in sizes):
        return results
    found = [list(sizes) for sizes in results]
    for role in roles.roles:
        given = [operands[operand].shape[position] for operand, position in role.operands]
        if role.splits and given and all(size.is_unit for size in given):
            for result, position in role.results:
                found[result][position] = found[result][position] or UNIT
    return found


def _counted(repeated: Sequence[Stretch], results: int) -> list[Axis]:
    """One axis for all repeated stretches that the same results lack, which depend on the number of elements."""
    found: dict[tuple[tuple[int, ...], Marks], Axis] = {}
    for axis in (stretch.axis for stretch in repeated if len(stretch.axis.results) < results):
        known = found.get((axis.results, axis.marks))
        size = product(each.size for each in (axis, known) if each is not None and each.size is not None)
        found[axis.results, axis.marks] = replace(axis, size=size)
    return sorted(found.values(), key=Axis.sort_key)


def _stretches(
    role: Role,
    operands: Sequence[Arrangement],
    results: Sequence[Sequence[Extent | None]],
    operand_order: Sequence[int],
) -> list[Stretch]:
    """The stretches of a role, most significant first; none for an unmarked axis of one element."""
    along: list[Pieces] = [()] * len(operands)
    for operand, position in role.operands:
        along[operand_order.index(operand)] += operands[operand].axes[position]
    sizes = [(result, results[result][position]) for result, position in role.results]
    having = tuple(result for result, size in sizes if size is None or not size.is_unit)
    known = {size for _, size in sizes if size is not None and not size.is_unit}
    if role.splits and (parts := _parts(along)) is not None:
        split_size = product(_size(part) for part in parts)
        if not known - {split_size} and (parts or not having):
            return [Stretch(Axis(_varying(part), having, role.marks, _size(part)), role.splits) for part in parts]
    size = known.pop() if len(known) == 1 else None
    if not having and not any(along) and not role.marks:
        return []
    return [Stretch(Axis(tuple(along), having, role.marks, size), role.splits and not any(along))]


def _size(part: tuple[Pieces, ...]) -> Extent:
    """The size of a part, which is that of all operands that are not repeated."""
    return product(piece.size for piece in next(pieces for pieces in part if pieces))


def _varying(part: tuple[Pieces, ...]) -> tuple[Pieces, ...]:
    """The part without the pieces along which elements are equal.

    Along an axis that may be split, an operand has the size of the axis or is repeated, which is the same.
    """
    return tuple(() if all(piece.axis == REPEATED for piece in pieces) else pieces for pieces in part)


def _parts(along: Sequence[Pieces]) -> list[tuple[Pieces, ...]] | None:
    """Split the operands' pieces into the smallest parts of one size; None if unknown sizes do not allow it."""
    if (parts := _split(along)) is not None:
        return parts
    sizes = {product(piece.size for piece in pieces) for pieces in along if pieces}
    if len(sizes) > 1 or any(size.symbols or not size.factor for size in sizes):
        return None
    rests = [list(pieces) for pieces in along]
    blocks: list[tuple[Pieces, ...]] = []
    while any(rests):
        if (size := _smallest_common([rest for rest in rests if rest])) is None:
            return None
        blocks.append(tuple(_taken(rest, size) for rest in rests))
    return [part for block in reversed(blocks) for part in _split(block) or [block]]


def _smallest_common(rests: Sequence[Sequence[Piece]]) -> int | None:
    """The smallest size of last pieces, or parts of them, that all operands have; None if there is none."""
    size = min(rest[-1].size.factor for rest in rests)
    while any((found := _reached(rest, size)) != size for rest in rests):
        if found is None:
            return None
        size = found
    return size


def _reached(pieces: Sequence[Piece], size: int) -> int | None:
    """The smallest multiple of this size that last pieces, or parts of them, have; None if all of them are less."""
    count = 1
    for piece in reversed(pieces):
        size = lcm(size, count)
        if piece.size.factor % (size // count) == 0:
            return size
        count *= piece.size.factor
    return None


def _taken(rest: list[Piece], size: int) -> Pieces:
    """Take the last pieces of this size."""
    taken: list[Piece] = []
    while rest and size > 1:
        piece, part = rest.pop(), Extent(size)
        if (left := piece.size.divided_by(part)) is None:
            part, left = piece.size, UNIT
        taken.append(piece.part(UNIT, part))
        if not left.is_unit:
            rest.append(piece.part(part, left))
        size //= part.factor
    return tuple(reversed(taken))


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
            part[index] = (piece.part(UNIT, size),)
            if piece.size == size:
                continue
            rest = piece.size.divided_by(size)
            if rest is None:
                return None
            rests[index].append(piece.part(size, rest))
        parts.append(tuple(part))
    return parts[::-1]


def _chains(stretches: Sequence[Stretch]) -> list[list[Stretch]]:
    """Collect stretches that continue each other into chains, most significant first.

    They do in every operand, or in a merged axis, which stays whole.
    """
    by_start = {_start(stretch): stretch for stretch in stretches if stretch.merges}
    following: dict[Stretch, Stretch] = {}
    for stretch in stretches:
        if stretch.merges and (less := by_start.get(_end(stretch))) is not None and less is not stretch:
            following[stretch] = less
    for stretch, less in _joined_in_merged_axes([stretch for stretch in stretches if stretch.merges]):
        if stretch not in following and less not in following.values() and stretch not in _from(less, following):
            following[stretch] = less
    continued = set(following.values())
    chains: list[list[Stretch]] = []
    for stretch in stretches:
        if stretch in continued:
            continue
        chains.append([*_from(stretch, following)])
    return chains


def _joined_in_merged_axes(stretches: Sequence[Stretch]) -> Iterator[tuple[Stretch, Stretch]]:
    """The pairs of stretches of which one continues the other in a merged axis of an operand."""
    by_start: dict[Hashable, Stretch] = {}
    for stretch in stretches:
        axis = stretch.axis
        for index, p in ((index, pieces[0]) for index, pieces in _present(axis) if pieces[0].axis < REPEATED):
            by_start[axis.results, axis.marks, index, p.axis, p.inner.times(p.size)] = stretch
    for stretch in stretches if by_start else ():
        axis = stretch.axis
        for index, p in ((index, pieces[-1]) for index, pieces in _present(axis)):
            if (less := by_start.get((axis.results, axis.marks, index, p.axis, p.inner))) is not None:
                yield stretch, less


def _from(stretch: Stretch, following: Mapping[Stretch, Stretch]) -> Iterator[Stretch]:
    """A stretch and those of its chain behind it."""
    yield stretch
    while (less := following.get(stretch)) is not None:
        stretch = less
        yield stretch


def _start(stretch: Stretch) -> tuple[object, ...]:
    """The end of a stretch that this one continues."""
    axis = stretch.axis
    ends = tuple((index, p.axis, p.inner.times(p.size)) for index, (p, *_) in _present(axis))
    return axis.results, axis.marks, ends


def _end(stretch: Stretch) -> tuple[object, ...]:
    """The end of a stretch in every operand."""
    axis = stretch.axis
    return axis.results, axis.marks, tuple((index, p.axis, p.inner) for index, (*_, p) in _present(axis))


def _present(axis: Axis) -> list[tuple[int, Pieces]]:
    return [(index, pieces) for index, pieces in enumerate(axis.operands) if pieces]


def _merge(chain: Sequence[Stretch], merged: MergedAxes) -> list[Axis]:
    """The axis that a chain of stretches forms; several if it has parts in a node that merges axes."""
    axis = chain[0].axis
    if len(chain) == 1:
        return [axis]
    whole = Arrangement.merged(
        [tuple(joined.from_iterable(along)) for along in zip(*(s.axis.operands for s in chain), strict=True)]
    )
    parts = _parts(merged.simplified(whole).axes)
    if parts is None or (len(parts) > 1 and any(size.symbols for size in whole.shape)):
        parts = [whole.axes]
    return [Axis(part, axis.results, axis.marks, _size(part)) for part in parts]


def _slots(
    chain: Sequence[Stretch], axes: Sequence[tuple[int, Extent | None]], merged: MergedAxes
) -> dict[Stretch, tuple[Slot, ...]]:
    """The places of the stretches of a chain in the axes that it forms, which are given by number and size."""
    if len(axes) == 1:
        ((axis, _),) = axes
        sizes = [stretch.axis.size for stretch in chain]
        inner = [product(size or UNIT for size in sizes[place + 1 :]) for place in range(len(chain))]
        return {
            stretch: (Slot(axis, *each),) for stretch, each in zip(chain, zip(inner, sizes, strict=True), strict=True)
        }
    whole = Arrangement((tuple(Piece(axis, UNIT, size or UNIT) for axis, size in axes),))
    found = merged.reshaped(whole, [stretch.axis.size or UNIT for stretch in chain])
    assert found is not None, "static sizes can be split anywhere"
    return {stretch: tuple(map(Slot._make, pieces)) for stretch, pieces in zip(chain, found.axes, strict=True)}
