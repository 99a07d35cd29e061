"""Which pieces of its axes an op shows that is written over pieces: those of a value that the program has, if it can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from ..dialects.npu.axes import Relayout
from ..dialects.npu.base import NpuOp, layout_of, order_of_value
from ..dialects.npu.relay import stored_in, with_layout
from ..dialects.npu.views import Sizes
from ..layout import Layout, LayoutClass, Order, permute
from .atoms import atoms_of, cuts_of
from .forms import Cutting, Form, like, own_form, over, positions_of
from .modes import Mode
from .storage import Sequence_, Storage
from .wishes import Wishes

TENSOR = Layout(LayoutClass.TENSOR)


class Written(NamedTuple):
    """How an op over pieces of its axes is written. Operands are in the sequence in which the program has them."""

    operands: tuple[Attribute, ...]
    results: tuple[Attribute, ...]
    sizes: tuple[Sizes | None, ...]
    """For each operand and result the sizes of its dimensions, in the symbols of its family."""
    properties: Mapping[str, Attribute]
    sequence: Order | None
    """Which operand of the program's op stands at each place, if they change places."""


class _Look(NamedTuple):
    """A way to look at the op, with the order of one of its values, and the layout that values of that rank get."""

    form: Form
    place: int
    order: Order
    layout: Layout


def written_form(op: NpuOp, mode: Mode, storage: Storage, wishes: Wishes) -> Written:
    """How an op is written in a mode in which it does not have its own axes."""
    assert mode.form is not None and mode.relayout is not None
    own = own_form(op, storage)
    for look in _looks(own, mode, storage):
        for relayout in _relayouts(look, mode, wishes):
            for layout in dict.fromkeys((look.layout, TENSOR)):
                if (found := _written(look.form, relayout, layout, len(look.order), wishes)) is not None:
                    return found
    found = _written(mode.form, mode.relayout, TENSOR, 0, wishes)
    return _as_it_is(mode.form, mode.relayout) if found is None else found


def _looks(own: Form, mode: Mode, storage: Storage) -> Iterator[_Look]:
    """The op over the axes of other views of its operands and results, then over as few pieces as there can be."""
    sequences = *mode.reads, *mode.gives
    for place, sequence in enumerate(sequences):
        view = own.views[place]
        if sequence is None or view is None or storage.is_constant(view.root):
            continue
        for value in storage.views(view.root):
            order = storage.order(value, sequence)
            layout = layout_of(value)
            if order is None or layout is None:
                continue
            axes = [storage.view(value).axes.axes[axis] for axis in order]
            found = _over_axes(own, place, axes)
            if found is not None:
                yield _Look(*found, layout.with_order(order))
    for place, sequence in enumerate(sequences):
        if sequence is not None and (found := _over_axes(own, place, [(piece,) for piece in sequence])) is not None:
            yield _Look(*found, TENSOR)


def _over_axes(own: Form, place: int, axes: Sequence[Sequence_]) -> tuple[Form, int, Order] | None:
    """The op in which one value has these axes, and the order of that value then."""
    roles, view = own.op.roles(), own.views[place]
    if roles is None or view is None:
        return None
    stored = [view.axes.axes[axis] for axis in order_of_value(own.values[place])]
    cuts = cuts_of(*stored, *axes)
    parts = [atoms_of(pieces, cuts) for pieces in stored]
    where = {atom: (position, part) for position, atoms in enumerate(parts) for part, atom in enumerate(atoms)}
    wanted = [[where.get(atom) for atom in atoms_of(pieces, cuts)] for pieces in axes]
    units = [position for position, atoms in enumerate(parts) if not atoms]
    labelled: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in stored]
    last = 0
    for label, atoms in enumerate(wanted):
        known = [atom for atom in atoms if atom is not None]
        if len(known) != len(atoms) or len({position for position, _ in known}) > 1:
            return None
        if not known:
            position = units.pop(0) if units else last
            labelled[position].append((label, ()))
            continue
        last = known[0][0]
        labelled[last].append((label, tuple(part for _, part in known)))
    cuttings: dict[int, Cutting] = {}
    for number, role in enumerate(roles.roles):
        for position in positions_of(own.op, role, place):
            groups = tuple(group for _, group in labelled[position])
            if len(groups) == 1 and groups[0] == tuple(range(len(parts[position]))):
                continue
            if not role.splits or any(atom.size.symbols for atom in parts[position]):
                return None
            cuttings[number] = Cutting(tuple(atom.size for atom in parts[position]), groups)
    if len([role for role in roles.roles if positions_of(own.op, role, place)]) != len(stored):
        return None
    form = over(own, cuttings)
    labels = [label for each in labelled for label, _ in each]
    order = tuple(sorted(range(len(labels)), key=labels.__getitem__))
    return None if form is None or form.is_own else (form, place, order)


def _relayouts(look: _Look, mode: Mode, wishes: Wishes) -> Iterator[Relayout]:
    """The ways to write the op that have its operands and results in the sequences of the mode."""
    op = look.form.op
    border = len(op.operands)
    asked = [look.order if place == look.place else None for place in range(border + len(op.results))]
    for relayout in wishes.all_written(op, asked[:border], asked[border:], None):
        orders = _by_place(op, relayout)
        found = [look.form.sequence(place, order) for place, order in enumerate(orders)]
        if (*mode.reads, *mode.gives) == tuple(found):
            yield relayout


def _by_place(op: NpuOp, relayout: Relayout) -> tuple[Order, ...]:
    """The orders of operands and results, the operands in the sequence of the op that is not written yet."""
    sequence = relayout.sequence or tuple(range(len(op.operands)))
    read = [relayout.operands[sequence.index(index)] for index in range(len(op.operands))]
    return (*read, *relayout.results)


def _as_it_is(form: Form, relayout: Relayout) -> Written:
    """The op as the relayout says."""
    orders = _by_place(form.op, relayout)
    types = tuple(
        stored_in(value, order) if has_role else value.type
        for value, order, has_role in zip(form.values, orders, form.have_roles(), strict=True)
    )
    border = len(form.op.operands)
    properties = {name: value for name, value in form.op.properties.items() if name not in relayout.removed}
    sizes = tuple(
        None if view is None else permute(view.sizes, order) for view, order in zip(form.views, orders, strict=True)
    )
    return Written(types[:border], types[border:], sizes, {**properties, **relayout.properties}, relayout.sequence)


def _written(form: Form, relayout: Relayout, layout: Layout, rank: int, wishes: Wishes) -> Written | None:
    """The op as the relayout says, with a layout for all values of a rank and without letters for the others."""
    plain = _as_it_is(form, relayout)
    have_roles = form.have_roles()
    operands = tuple(
        _shown_as(cast("TensorType", type_), layout, rank) if has_role else type_
        for type_, has_role in zip(plain.operands, have_roles, strict=False)
    )
    read = operands if plain.sequence is None else permute(operands, plain.sequence)
    inferred = like(form.op, (*read, *plain.results), plain.properties)
    layouts = inferred.infer_results([layout_of(operand) for operand in inferred.operands])
    results = tuple(
        with_layout(cast("TensorType", type_), each or TENSOR)
        for type_, each in zip(plain.results, layouts, strict=True)
    )
    made = like(form.op, (*read, *results), plain.properties)
    try:
        made.verify_()
    except VerifyException:
        return None
    return plain._replace(operands=operands, results=results) if wishes.demands(made) is None else None


def _shown_as(type_: TensorType, layout: Layout, rank: int) -> TensorType:
    return with_layout(type_, layout if len(type_.get_shape()) == rank else TENSOR)
