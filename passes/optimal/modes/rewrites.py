"""The rewrites of each op of a program that use a storage in a byte order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import Operation

from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....layout import MAX_RANK, LayoutClass, Order
from ...common.demands.target_layouts import TargetLayouts
from ...common.demands.target_rules import Kind, OpDemands, Sources
from ...common.graph.op_classes import order_of
from ...common.storages.storage import ByteOrder
from .block_forms import BlockForms, fits
from .forms import Form, Forms
from .module_storage import ModuleStorage

if TYPE_CHECKING:
    from .present_packs import PresentPacks


class Mode(NamedTuple):
    """A form of an op, and the byte orders of the storages that it reads and produces."""

    relayout: Relayout | None
    """None if the op stays unchanged."""
    form: Form | None
    """The op that the relayout applies to: over its own axes or pieces of them. None for a pinned op."""
    reads: tuple[ByteOrder | None, ...]
    produces: tuple[ByteOrder | None, ...]
    price: int = 0
    """The cost of running the op in this form, if that is minimised."""


class FreeOp(NamedTuple):
    """An op that may have other forms than the one in which it came."""

    own: Form
    """The op over its own axes."""
    demands: Sequence[OpDemands]
    """The demands on it, any of which may be met."""
    kind: Kind


class Rewrites:
    """The rewrites of the ops of a program, which all tables of its modes share."""

    def __init__(
        self,
        target_layouts: TargetLayouts,
        storage: ModuleStorage,
        blocks: BlockForms | None,
        packs: PresentPacks | None,
        has_prices: bool,
    ) -> None:
        """`blocks` are those that the target demands, if it does, and `packs` those of the program, if any count.

        Prices of ops count if the costs of the target are minimised.
        """
        self.target_layouts = target_layouts
        self.storage = storage
        self.blocks = blocks
        self.packs = packs
        self.are_priced = has_prices and target_layouts.prices.matter
        """True if the price of an op may depend on its mode."""
        self.ops: dict[Operation, FreeOp] = {}
        """The ops that may have other forms."""
        self._forms = Forms(storage, target_layouts.target.max_rank(LayoutClass.TENSOR))
        """The forms of the ops, which do not depend on demands."""
        self._known: dict[tuple[object, ...], Sequence[Mode]] = {}
        """The modes of the ops of a kind, by the form and the orders asked for; the form is that of one of them."""
        self._in_blocks: dict[Operation, Sequence[Form]] = {}
        """The forms of ops on values in blocks."""
        self._may_be_cut: dict[int, bool] = {}
        """The kinds of forms that may work on pieces of their axes."""

    def for_target(self, target_layouts: TargetLayouts, has_prices: bool) -> Rewrites:
        """The rewrites of the same ops for another target."""
        blocks = BlockForms.of(self.storage, target_layouts.target)
        other = Rewrites(target_layouts, self.storage, blocks, self.packs, has_prices)
        other._forms = self._forms
        return other

    def enter(self, op: NpuOp) -> FreeOp:
        """An op of the program that may have other forms."""
        rules = self.target_layouts.rules
        demands = [each.demands for each in rules.alternatives(op)]
        self.ops[op] = FreeOp(self._forms.own(op), demands, rules.kind(op))
        return self.ops[op]

    def in_blocks(self, op: Operation) -> Sequence[Form]:
        if self.blocks is None:
            return ()
        if op not in self._in_blocks:
            self._in_blocks[op] = [*self.blocks.forms(self.ops[op].own, self.ops[op].demands)]
        return self._in_blocks[op]

    def form_for(self, form: Form, op: Operation, place: int, byte_order: ByteOrder) -> tuple[Form, Order] | None:
        """The form of an op that uses a storage in a byte order, and the value's order there, a given one if possible.

        What a target demands it demands of the op as it is.
        """
        order = form.order(place, byte_order)
        if order is not None:
            return form, order
        for each in self.in_blocks(op):
            if (order := each.order(place, byte_order)) is not None:
                return each, order
        if self.ops[op].demands or form.is_in_blocks:
            return None
        found: list[tuple[Form, Order]] = []
        for cut in self._forms.refined(form, place, byte_order):
            if cut.kind not in self._may_be_cut:
                self._may_be_cut[cut.kind] = self.target_layouts.may_be_cut(cut.op)
            order = cut.order(place, byte_order)
            if order is not None and self._may_be_cut[cut.kind]:
                found.append((cut, order))
        # With axes of one element elsewhere, the op may have modes that it lacks here.
        can_be_written = (each for each in found if self.of(op, each[0], {place: each[1]}))
        return next(can_be_written, found[0] if found else None)

    def alike(self, op: Operation, mode: Mode) -> Sequence[Mode]:
        """A mode over the op's own axes, and those of its byte orders and price with axes of one element elsewhere."""
        form, relayout = mode.form, mode.relayout
        assert form is not None
        given: Sequence[Order | None] = [*map(order_of, (*op.operands, *op.results))]
        if relayout is not None:
            given = *relayout.reads, *relayout.results
        found = {None if relayout is None else (relayout.operands, relayout.results): mode}
        with_layouts = ((place, order) for place, order in enumerate(given) if form.views[place] and order is not None)
        for place, order in with_layouts:
            for same in with_unit_axes_elsewhere(form, place, order, everywhere=True):
                for other in self.of(op, form, {place: same}):
                    if other.relayout is not None and other._replace(relayout=relayout) == mode:
                        found.setdefault((other.relayout.operands, other.relayout.results), other)
        return [*found.values()]

    def of(self, op: Operation, form: Form, asked: Mapping[int, Order]) -> Sequence[Mode]:
        """All modes of a form for these orders, overridden by the demands on the op; many ops are alike."""
        key = self.ops[op].kind, form.kind, *sorted(asked.items())
        if key not in self._known:
            self._known[key] = [self._mode(op, form, relayout) for relayout in self._relayouts(op, form, asked)]
        return [each._replace(form=form) for each in self._known[key]]

    def _relayouts(self, op: Operation, form: Form, asked: Mapping[int, Order]) -> Iterator[Relayout]:
        border = len(op.operands)
        orders = [asked.get(place) for place in range(border + len(op.results))]
        every = self.ops[op].demands or [None]
        if self.blocks is not None:
            every = [each for each in every if each is None or fits(each, form)]
        for demands in every:
            yield from self.target_layouts.all_relayouts(
                form.op, orders[:border], orders[border:], demands, form.sources
            )

    def _mode(self, op: Operation, form: Form, relayout: Relayout) -> Mode:
        border = len(form.op.operands)
        stored = [form.byte_order(place, order) for place, order in enumerate((*relayout.reads, *relayout.results))]
        price = self._price_of_form(op, form, relayout)
        return Mode(relayout, form, tuple(stored[:border]), tuple(stored[border:]), price)

    def price_of(self, op: Operation, mode: Mode) -> int:
        """The price of an op in a mode, be it of another choice."""
        if mode.form is None or mode.relayout is None:
            return self.price(op, mode.relayout)
        return self._price_of_form(op, mode.form, mode.relayout)

    def _price_of_form(self, op: Operation, form: Form, relayout: Relayout) -> int:
        return self.price(op, relayout) if form.is_in_blocks else self.price(form.op, relayout, form.sources)

    def price(self, op: Operation, relayout: Relayout | None, sources: Sources | None = None) -> int:
        return self.target_layouts.prices.of(op, relayout, sources) if self.are_priced else 0


def with_unit_axes_elsewhere(form: Form, place: int, order: Order, everywhere: bool) -> Iterator[Order]:
    """The other orders of a value with the same byte order, if they make a difference to the op.

    That is where another value has more than one element along such an axis, or `everywhere` where the op does not
    take the order as it is.
    """
    if len(order) > MAX_RANK:
        return
    shapes = [view.sizes for view in form.views if view is not None and len(view.sizes) == len(order)]
    view = form.views[place]
    assert view is not None
    own = view.sizes
    units = [
        axis for axis in order if own[axis].is_unit and (everywhere or not all(sizes[axis].is_unit for sizes in shapes))
    ]
    yield from placements(order, units)


def placements(order: Order, units: Sequence[int]) -> Iterator[Order]:
    """The other orders with some axes anywhere, and the rest as they are."""
    for places in permutations(range(len(order)), len(units)) if units else ():
        at = dict(zip(places, units, strict=True))
        rest = (axis for axis in order if axis not in units)
        same = tuple(at[place] if place in at else next(rest) for place in range(len(order)))
        if same != order:
            yield same
