"""Forms of ops over pieces of their axes, which compute the same elements.

An elementwise op on flattened features could as well work on the features. A matrix product behind a flatten may sum in
any order, if its matrix is stored to match. In general an op keeps its meaning if axes are cut whose roles allow it. An
axis that cannot become several may still have its pieces permuted, if that happens in all operands and results. Thus an
op can work on a byte order that is no order of its own axes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ....dialects.npu.attrs import LayoutAttr
from ....dialects.npu.axes import Role
from ....dialects.npu.base import NpuOp, is_cut
from ....dialects.npu.copies import like, verifies
from ....dialects.npu.kinds import OpKinds
from ....dialects.npu.values import element_type_of, encoding, has_one_element, order_of_value, shape_of
from ....layout import UNIT, Arrangement, Extent, Layout, LayoutClass, Order, Piece, holds, is_dirty
from ....layout.common_pieces import cuts_of, pieces_of
from ...common.storages.storage import ByteOrder, View, byte_order_in, order_in
from .module_storage import ModuleStorage

TENSOR = LayoutAttr(Layout(LayoutClass.TENSOR))

Group: TypeAlias = tuple[int, ...]
"""The parts of an axis that form one new axis, in their new order."""


class Cutting(NamedTuple):
    """A cut of an axis: the sizes of its parts, and the parts of each new axis."""

    sizes: tuple[Extent, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Form:
    """An op over its own axes or pieces of them, or on values in blocks."""

    op: NpuOp
    """The op of the program, or a detached copy with other types."""
    views: tuple[View | None, ...]
    """For each operand and result, the pieces of its storage along each logical axis."""
    is_own: bool
    """True if the op keeps its axes; their pieces may be permuted."""
    kind: int = -1
    """Equal for forms that differ only in the storages that they use."""
    is_in_blocks: bool = False
    """True if values have blocks that the op did not come with; axes are not cut further."""
    preferred: tuple[Order, ...] = ()
    """The orders that are taken first, of several with the same byte order."""

    @property
    def values(self) -> tuple[SSAValue, ...]:
        return (*self.op.operands, *self.op.results)

    def value(self, place: int) -> SSAValue:
        """One of the values."""
        count = len(self.op.operands)
        return self.op.operands[place] if place < count else self.op.results[place - count]

    @property
    def sources(self) -> tuple[SSAValue | None, ...]:
        """The roots of the storages that the op reads."""
        return tuple(None if view is None else view.root for view in self.views[: len(self.op.operands)])

    def have_roles(self) -> list[bool]:
        """For each operand and result, true if its axes have roles; single elements have none."""
        roles = self.op.roles()
        if roles is None:
            return [view is not None for view in self.views]
        with_roles: set[int] = set()
        for role in roles.roles:
            with_roles.update(operand for operand, _ in role.operands)
            with_roles.update(len(self.op.operands) + result for result, _ in role.results)
        return [place in with_roles for place in range(len(self.values))]

    def byte_order(self, place: int, order: Order | None) -> ByteOrder | None:
        """The byte order of the storage if the op uses it in this order."""
        view = self.views[place]
        return None if order is None or view is None else byte_order_in(view, order)

    def order(self, place: int, byte_order: ByteOrder) -> Order | None:
        """The order in which the op uses a storage of this byte order; None if no order expresses it.

        The padding of a result that is wanted with zeros may be dirty, as a pack writes them.
        """
        view = self.views[place]
        if view is None:
            return None
        may_be_dirty = not view.has_zeros
        if is_dirty(byte_order) != may_be_dirty and not (may_be_dirty and place >= len(self.op.operands)):
            return None
        for order in self.preferred:
            if len(order) == len(view.axes.axes) and holds(byte_order, byte_order_in(view, order)):
                return order
        return order_in(view, byte_order)

    @property
    def dirty(self) -> frozenset[int]:
        """The operands and results whose padding may be anything."""
        return frozenset(place for place, view in enumerate(self.views) if view is not None and not view.has_zeros)

    @property
    def has_whole_operands(self) -> bool:
        """True if operands that could have the blocks of other values have none."""
        pairs = zip(self.op.operand_names(), self.op.operands, strict=True) if self.op.MAY_STAY_WHOLE else ()
        return any(name in self.op.MAY_STAY_WHOLE and not is_cut(operand) for name, operand in pairs)


class Forms:
    """The forms of all ops of a program, cached, as many ops are alike."""

    def __init__(self, storage: ModuleStorage, most_axes: int) -> None:
        self._storage = storage
        self._most_axes = most_axes
        self._op_kinds = OpKinds()
        self._kinds: dict[Hashable, int] = {}
        self._refined: dict[tuple[int, int, ByteOrder], list[Form]] = {}
        self._bound: dict[tuple[int, tuple[SSAValue | None, ...]], Form] = {}

    def own(self, op: NpuOp) -> Form:
        """The op over its own axes."""
        form = own_form(op, self._storage)
        return replace(form, kind=self._kind(self._op_kinds.of(op), _shapes(form)))

    def refined(self, form: Form, place: int, byte_order: ByteOrder) -> Iterator[Form]:
        """The form for which a byte order of one operand or result is an order of its axes."""
        key = form.kind, place, byte_order
        if key not in self._refined:
            made = refined(form, place, byte_order, self._most_axes)
            self._refined[key] = [
                replace(each, kind=self._kind(form.kind, each.is_own, _shapes(each))) for each in made
            ]
        return (self._bind(each, form) for each in self._refined[key])

    def _bind(self, found: Form, form: Form) -> Form:
        """A form with the storages of another one."""
        roots = tuple(None if view is None else view.root for view in form.views)
        key = found.kind, roots
        if key not in self._bound:
            pairs = zip(found.views, roots, strict=True)
            views = tuple(None if view is None or root is None else view._replace(root=root) for view, root in pairs)
            self._bound[key] = replace(found, views=views)
        return self._bound[key]

    def _kind(self, *key: Hashable) -> int:
        return self._kinds.setdefault(key, len(self._kinds))


def _shapes(form: Form) -> tuple[Hashable, ...]:
    """The views of a form, independent of their storages."""
    return tuple(None if view is None else (view.axes, view.sizes) for view in form.views)


def own_form(op: NpuOp, storage: ModuleStorage) -> Form:
    values = (*op.operands, *op.results)
    return Form(op, tuple(None if encoding(value.type) is None else storage.view(value) for value in values), True)


def refined(form: Form, place: int, byte_order: ByteOrder, most_axes: int) -> list[Form]:
    """The form for which a byte order of one operand or result is an order of its axes.

    First with all pieces separate, then with as few axes as this byte order allows.
    """
    parts = _parts(form, place, byte_order)
    roles = form.op.roles()
    if parts is None or roles is None:
        return []
    at = {position: role for role, each in enumerate(roles.roles) for position in positions_of(form.op, each, place)}
    split = {at[position]: each for position, each in parts.items() if position in at}
    if not split or len(split) != len(parts) or not all(_may_be_cut(form.op, roles.roles[role]) for role in split):
        return []
    known, several = dict[int, Cutting](), list[int]()
    for role, (_, runs) in split.items():
        if _takes(form.op, len(roles.roles), role, 2):
            several.append(role)
        elif len(runs) > 1:
            return []
        known[role] = Cutting(*split[role])
    apart = {role: Cutting(sizes, tuple((part,) for part in range(len(sizes)))) for role, (sizes, _) in split.items()}
    # Pieces that are adjacent in this byte order could be separate in another one.
    wide = {**known, **{role: apart[role] for role in several}}
    made = [over(form, cuttings, most_axes) for cuttings in ([wide, known] if wide != known else [known])]
    return [each for each in made if each is not None]


def over(form: Form, cuttings: Mapping[int, Cutting], most_axes: int) -> Form | None:
    """The op with the axes of some roles cut, if it has such a form."""
    op, roles = form.op, form.op.roles()
    assert roles is not None
    parts = [len(cuttings[role].groups) if role in cuttings else 1 for role in range(len(roles.roles))]
    properties = op.split_axes(parts)
    if properties is None:
        return None
    views, types = list(form.views), [value.type for value in form.values]
    is_own = all(count == 1 for count in parts)
    for place, value in enumerate(form.values):
        at = {position: role for role, each in enumerate(roles.roles) for position in positions_of(op, each, place)}
        view = form.views[place]
        if not at and has_one_element(value):
            continue
        if view is None or len(at) != len(order_of_value(value)):
            return None
        axes = [_cut_axis(view, axis, cuttings.get(at[p])) for p, axis in enumerate(order_of_value(value))]
        known = [each for each in axes if each is not None]
        if len(known) != len(axes) or (not is_own and sum(map(len, known)) > most_axes):
            return None
        views[place] = _seen(view, known, order_of_value(value), is_own)
        if not is_own:
            types[place] = _type(value, known)
    if is_own:
        return Form(op, tuple(views), form.is_own)
    made = like(op, types, {**op.properties, **properties})
    return Form(made, tuple(views), False) if verifies(made) else None


def _parts(
    form: Form, place: int, byte_order: ByteOrder
) -> dict[int, tuple[tuple[Extent, ...], tuple[Group, ...]]] | None:
    """For each stored axis that a byte order splits, the sizes of its parts, and the runs of adjacent parts."""
    view = form.views[place]
    if view is None:
        return None
    stored = [view.axes.axes[axis] for axis in order_of_value(form.value(place))]
    cuts = cuts_of(*stored, byte_order)
    own = [pieces_of(pieces, cuts) for pieces in stored]
    wanted = pieces_of(byte_order, cuts)
    where = {piece: (position, part) for position, pieces in enumerate(own) for part, piece in enumerate(pieces)}
    if sorted(wanted) != sorted(chain.from_iterable(own)):
        return None
    runs = _joined([where[piece] for piece in wanted])
    split: dict[int, tuple[tuple[Extent, ...], tuple[Group, ...]]] = {}
    for position, pieces in enumerate(own):
        mine = [run for axis, run in runs if axis == position]
        if len(mine) < 2:
            continue
        if any(piece.size.symbols for piece in pieces):
            return None
        byte_order_of = sorted(mine)
        sizes = tuple(_size(pieces[part] for part in run) for run in byte_order_of)
        groups = [
            tuple(byte_order_of.index(run) for _, run in together)
            for axis, together in groupby(runs, key=lambda each: each[0])
            if axis == position
        ]
        split[position] = sizes, tuple(groups)
    return split


def _joined(pieces: Sequence[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """Pieces of axes, grouped into runs that continue each other."""
    runs: list[tuple[int, list[int]]] = []
    for axis, part in pieces:
        if runs and runs[-1][0] == axis and runs[-1][1][-1] == part - 1:
            runs[-1][1].append(part)
        else:
            runs.append((axis, [part]))
    return runs


def _size(pieces: Iterator[Piece]) -> Extent:
    size = UNIT
    for piece in pieces:
        size = size.times(piece.size)
    return size


def positions_of(op: NpuOp, role: Role, place: int) -> list[int]:
    """The stored axes of an operand or result that have a role."""
    border = len(op.operands)
    if place < border:
        return [position for operand, position in role.operands if operand == place]
    return [position for result, position in role.results if result == place - border]


def _may_be_cut(op: NpuOp, role: Role) -> bool:
    """True if the axis of a role may be cut, and no operand or result has it twice."""
    return role.splits and all(
        len(set(index for index, _ in each)) == len(each) for each in (role.operands, role.results)
    )


def _takes(op: NpuOp, count: int, role: int, parts: int) -> bool:
    """True if an op can have several axes instead of one."""
    return op.split_axes([parts if each == role else 1 for each in range(count)]) is not None


class _Axis(NamedTuple):
    """A new axis: the pieces of the storage along it."""

    pieces: tuple[Piece, ...]
    size: Extent
    is_old: bool


def _cut_axis(view: View, axis: int, cutting: Cutting | None) -> list[_Axis] | None:
    """The axes that a logical axis becomes; None if its pieces cannot be cut like that."""
    if cutting is None:
        return [_Axis(view.axes.axes[axis], view.sizes[axis], True)]
    if view.sizes[axis].is_unit:
        return [_Axis((), UNIT, False) for _ in cutting.groups]
    parts: list[Piece] = []
    inner = UNIT
    for size in reversed(cutting.sizes):
        parts.append(Piece(axis, inner, size))
        inner = inner.times(size)
    parts.reverse()
    if inner != view.sizes[axis]:
        return None
    wanted = Arrangement(
        tuple(tuple(parts[part] for part in group if not parts[part].size.is_unit) for group in cutting.groups)
    )
    found = wanted.applied_to(view.axes)
    return (
        None
        if found is None
        else [_Axis(pieces, size, False) for pieces, size in zip(found.axes, found.shape, strict=True)]
    )


def _seen(view: View, axes: Sequence[Sequence[_Axis]], order: Order, is_own: bool) -> View:
    """The view with new axes: in the old logical order for an op that keeps its types, else as stored."""
    if is_own:
        by_axis = dict(zip(order, (each for (each,) in axes), strict=True))
        axes = [[by_axis[axis]] for axis in range(len(order))]
    flat = list(chain.from_iterable(axes))
    return View(view.root, Arrangement(tuple(axis.pieces for axis in flat)), tuple(axis.size for axis in flat))


def _type(value: SSAValue, axes: Sequence[Sequence[_Axis]]) -> TensorType:
    """The type with new axes, without letters."""
    shape = [
        old if axis.is_old else axis.size.factor
        for old, each in zip(shape_of(value), axes, strict=True)
        for axis in each
    ]
    return TensorType(element_type_of(value), shape, TENSOR)
