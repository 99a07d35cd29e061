"""Rewrites of ops in a mode over pieces of their axes: with the axes of a value of the program, if they fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby
from math import prod
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import TensorType
from xdsl.utils.exceptions import VerifyException

from ....dialects.npu.attrs import LayoutAttr
from ....dialects.npu.axes import Relayout, Role
from ....dialects.npu.base import NpuOp
from ....dialects.npu.relayout import stored_in, with_layout
from ....dialects.npu.values import element_type_of, layout_of, order_of_value, shape_of
from ....layout import Extent, Layout, LayoutClass, Order, permute, product
from ....layout.common_pieces import cuts_of, pieces_of
from ...common.demands.target_layouts import TargetLayouts
from ...common.plans.plan import Reshaped
from ...common.storages.storage import ByteOrder
from .forms import Cutting, Form, like, over, own_form, positions_of
from .module_storage import ModuleStorage
from .rewrites import Mode

TENSOR = Layout(LayoutClass.TENSOR)

PlacedAxes: TypeAlias = tuple[int, Sequence[ByteOrder]]
"""The number of an operand or result, and the pieces along each of its dimensions."""


class _Look(NamedTuple):
    """A candidate form, with the order of one of its values, and the layout for values of that rank."""

    form: Form
    place: int
    order: Order
    layout: Layout
    counts: tuple[int, ...]
    """The numbers of neighbouring axes of that value to merge into one axis each."""


def reshaped_op(op: NpuOp, mode: Mode, storage: ModuleStorage, target_layouts: TargetLayouts) -> Reshaped:
    """The nearest rewrite of an op in a mode over pieces of its axes."""
    return next(reshaped_ops(op, mode, storage, target_layouts))


def reshaped_ops(op: NpuOp, mode: Mode, storage: ModuleStorage, target_layouts: TargetLayouts) -> Iterator[Reshaped]:
    """The rewrites of an op in a mode over pieces of its axes that follow from its values, the nearest one first."""
    assert mode.form is not None
    assert mode.relayout is not None
    if not mode.form.is_in_blocks:
        own, most_axes = own_form(op, storage), target_layouts.target.max_rank(LayoutClass.TENSOR)
        yield from _viewed_in(op, mode, _looks(own, mode, storage, most_axes), target_layouts)
    plain = _unchanged(mode.form, mode.relayout)
    viewed = None if mode.form.is_in_blocks else _viewed(op, plain, TENSOR, 0, target_layouts)
    yield viewed or plain


def reshaped_ops_in(
    op: NpuOp, mode: Mode, storage: ModuleStorage, target_layouts: TargetLayouts, axes: Iterable[PlacedAxes]
) -> Iterator[Reshaped]:
    """The rewrites of an op in a mode with one of its values in these axes."""
    own, most_axes = own_form(op, storage), target_layouts.target.max_rank(LayoutClass.TENSOR)
    return _viewed_in(op, mode, _looks_in(own, axes, most_axes), target_layouts)


def _viewed_in(op: NpuOp, mode: Mode, looks: Iterable[_Look], target_layouts: TargetLayouts) -> Iterator[Reshaped]:
    for look in looks:
        for relayout in _relayouts(look, mode, target_layouts):
            plain = _unchanged(look.form, relayout)
            if (joined := _joined(look.form.op, plain, look.place, look.counts)) is None:
                continue
            for layout in dict.fromkeys((look.layout, TENSOR)):
                if (found := _viewed(op, joined, layout, len(look.counts), target_layouts)) is not None:
                    yield found


def axes_of(byte_order: ByteOrder, sizes: Sequence[Extent]) -> Sequence[ByteOrder] | None:
    """The pieces of a byte order along dimensions of these sizes; None if they would have to be cut."""
    found: list[ByteOrder] = []
    left = list(byte_order)
    for size in sizes:
        count = 0
        while product(piece.size for piece in left[:count]) != size:
            if count == len(left):
                return None
            count += 1
        found.append(tuple(left[:count]))
        del left[:count]
    return None if left else found


def _looks(own: Form, mode: Mode, storage: ModuleStorage, most_axes: int) -> Iterator[_Look]:
    """Candidates: the axes of other views of the op's values, then as few pieces as possible."""
    byte_orders = *mode.reads, *mode.produces
    for place, byte_order in enumerate(byte_orders):
        view = own.views[place]
        if byte_order is None or view is None or storage.is_constant(view.root):
            continue
        for value in storage.views(view.root):
            order = storage.order(value, byte_order)
            layout = layout_of(value)
            if order is None or layout is None:
                continue
            axes = [storage.view(value).axes.axes[axis] for axis in order]
            found = _over_axes(own, place, axes, most_axes)
            if found is not None:
                form, first, counts = found
                yield _Look(form, place, first, layout.with_order(order), counts)
    pieces = [
        (place, [(piece,) for piece in byte_order])
        for place, byte_order in enumerate(byte_orders)
        if byte_order is not None
    ]
    yield from _looks_in(own, pieces, most_axes)


def _looks_in(own: Form, placed: Iterable[PlacedAxes], most_axes: int) -> Iterator[_Look]:
    for place, axes in placed:
        if (found := _over_axes(own, place, axes, most_axes)) is not None:
            form, first, counts = found
            yield _Look(form, place, first, TENSOR, counts)


def _over_axes(
    own: Form, place: int, axes: Sequence[ByteOrder], most_axes: int
) -> tuple[Form, Order, tuple[int, ...]] | None:
    """The form in which one value has these axes or pieces of them, the value's order, and the numbers of pieces."""
    roles, view = own.op.roles(), own.views[place]
    if roles is None or view is None:
        return None
    stored = [view.axes.axes[axis] for axis in order_of_value(own.value(place))]
    cuts = cuts_of(*stored, *axes)
    parts = [pieces_of(pieces, cuts) for pieces in stored]
    where = {piece: (position, part) for position, pieces in enumerate(parts) for part, piece in enumerate(pieces)}
    wanted = [[where.get(piece) for piece in pieces_of(pieces, cuts)] for pieces in axes]
    units = [position for position, pieces in enumerate(parts) if not pieces]
    labelled: list[list[tuple[tuple[int, int], tuple[int, ...]]]] = [[] for _ in stored]
    counts: list[int] = []
    last = 0
    for label, pieces in enumerate(wanted):
        known = [piece for piece in pieces if piece is not None]
        if len(known) != len(pieces):
            return None
        runs = [
            (position, tuple(part for _, part in run)) for position, run in groupby(known, key=lambda each: each[0])
        ]
        if not runs:
            runs = [(units.pop(0) if units else last, ())]
        for number, (last, parts_of_run) in enumerate(runs):
            labelled[last].append(((label, number), parts_of_run))
        counts.append(len(runs))
    cuttings: dict[int, Cutting] = {}
    for number, role in enumerate(roles.roles):
        for position in positions_of(own.op, role, place):
            groups = tuple(group for _, group in labelled[position])
            if len(groups) == 1 and groups[0] == tuple(range(len(parts[position]))):
                continue
            if not role.splits or any(piece.size.symbols for piece in parts[position]):
                return None
            cuttings[number] = Cutting(tuple(piece.size for piece in parts[position]), groups)
    if len([role for role in roles.roles if positions_of(own.op, role, place)]) != len(stored):
        return None
    form = over(own, cuttings, most_axes)
    labels = [label for each in labelled for label, _ in each]
    order = tuple(sorted(range(len(labels)), key=labels.__getitem__))
    return None if form is None else (form, order, tuple(counts))


def _relayouts(look: _Look, mode: Mode, target_layouts: TargetLayouts) -> Iterator[Relayout]:
    """The relayouts whose byte orders are those of the mode."""
    op = look.form.op
    border = len(op.operands)
    asked = [look.order if place == look.place else None for place in range(border + len(op.results))]
    for relayout in target_layouts.all_relayouts(op, asked[:border], asked[border:], None, look.form.sources):
        orders = _by_place(op, relayout)
        found = [look.form.byte_order(place, order) for place, order in enumerate(orders)]
        if (*mode.reads, *mode.produces) == tuple(found):
            yield relayout


def _by_place(op: NpuOp, relayout: Relayout) -> tuple[Order, ...]:
    """The orders of operands and results, operands as in the input program."""
    permutation = relayout.operand_permutation or tuple(range(len(op.operands)))
    read = [relayout.operands[permutation.index(index)] for index in range(len(op.operands))]
    return (*read, *relayout.results)


def _unchanged(form: Form, relayout: Relayout) -> Reshaped:
    """The form that a relayout describes."""
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
    return Reshaped(
        types[:border], types[border:], sizes, {**properties, **relayout.properties}, relayout.operand_permutation
    )


def _joined(op: NpuOp, plain: Reshaped, place: int, counts: Sequence[int]) -> Reshaped | None:
    """The rewrite with neighbouring axes merged, if their roles allow it."""
    if all(count == 1 for count in counts):
        return plain
    made = like(op, (*plain.operands, *plain.results), plain.properties)
    roles = made.roles()
    if roles is None or plain.operand_permutation is not None:
        return None
    at = {position: role for role, each in enumerate(roles.roles) for position in positions_of(made, each, place)}
    ends = [*accumulate(counts)]
    runs = [[at[position] for position in range(end - count, end)] for end, count in zip(ends, counts, strict=True)]
    left = [role for role in range(len(roles.roles)) if role not in at.values()]
    if left or [role for run in runs for role in run] != sorted(at.values()):
        return None
    if not all(_are_alike(roles.roles, run) for run in runs):
        return None
    properties = made.merge_axes(counts)
    values = (*made.operands, *made.results)
    positions = [[_run_in(made, roles.roles, run, each) for run in runs] for each in range(len(values))]
    if properties is None or None in chain(*positions):
        return None
    types, sizes = [*plain.operands, *plain.results], [*plain.sizes]
    for each, (value, known) in enumerate(zip(values, plain.sizes, strict=True)):
        occupied = [run for run in positions[each] if run]
        if known is None or not occupied:
            continue
        sizes[each] = tuple(product(known[position] for position in run) for run in occupied)
        shape = [prod(shape_of(value)[position] for position in run) for run in occupied]
        types[each] = TensorType(element_type_of(value), shape, LayoutAttr(TENSOR))
    border = len(made.operands)
    return Reshaped(
        tuple(types[:border]), tuple(types[border:]), tuple(sizes), {**plain.properties, **properties}, None
    )


def _are_alike(roles: Sequence[Role], run: Sequence[int]) -> bool:
    """True if all of these axes have the same role."""
    first = roles[run[0]]
    return len(run) == 1 or all(roles[role].splits and roles[role].marks == first.marks for role in run)


def _run_in(op: NpuOp, roles: Sequence[Role], run: Sequence[int], place: int) -> list[int] | None:
    """The positions of some axes in an operand or result: none, or adjacent, and broadcast along all or none.

    None if it has them otherwise, or may have: an unknown size could be one that is repeated.
    """
    found = [positions_of(op, roles[role], place) for role in run]
    positions = list(chain(*found))
    if not positions or len(run) == 1:
        return positions
    sizes = [shape_of((*op.operands, *op.results)[place])[position] for position in positions]
    are_neighbours = positions == list(range(positions[0], positions[0] + len(run)))
    are_alike = set(sizes) == {1} or min(sizes) > 1
    return positions if are_neighbours and are_alike else None


def _viewed(op: NpuOp, plain: Reshaped, layout: Layout, rank: int, target_layouts: TargetLayouts) -> Reshaped | None:
    """The rewrite with a layout for all values of a rank, and without letters for the others."""
    have_roles = Form(like(op, (*plain.operands, *plain.results), plain.properties), (), False).have_roles()
    operands = tuple(
        _viewed_as(cast("TensorType", type_), layout, rank) if has_role else type_
        for type_, has_role in zip(plain.operands, have_roles, strict=False)
    )
    read = operands if plain.operand_permutation is None else permute(operands, plain.operand_permutation)
    inferred = like(op, (*read, *plain.results), plain.properties)
    layouts = inferred.infer_results([layout_of(operand) for operand in inferred.operands])
    results = tuple(
        with_layout(cast("TensorType", type_), each or TENSOR)
        for type_, each in zip(plain.results, layouts, strict=True)
    )
    made = like(op, (*read, *results), plain.properties)
    try:
        made.verify_()
    except VerifyException:
        return None
    return plain._replace(operands=operands, results=results) if target_layouts.demands(made) is None else None


def _viewed_as(type_: TensorType, layout: Layout, rank: int) -> TensorType:
    return with_layout(type_, layout if len(type_.get_shape()) == rank else TENSOR)
