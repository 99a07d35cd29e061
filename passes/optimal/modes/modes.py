"""The modes of all ops, enough of them to contain the best program."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.values import encoding
from ....layout import MAX_RANK, LayoutClass, Order, Tile
from ...common.demands.target_layouts import TargetLayouts
from ...common.demands.target_rules import Kind, OpDemands, Sources
from ...common.graph.op_classes import is_fixed, order_of
from ...common.graph.producers import Use
from ...common.plans.interface_choice import Ends, Freedom
from ...common.storages.storage import ByteOrder
from .block_forms import BlockForms, Spoilt, fits, is_padded
from .forms import Form, Forms
from .module_storage import ModuleStorage

if TYPE_CHECKING:
    from .present_packs import PresentPacks

MOST_BYTE_ORDERS = 128
"""The maximum number of byte orders tried for one storage."""
MOST_MODES = 128
"""The maximum number of modes tried for one op."""
MOST_SPOILT = 4
"""The maximum number of operands of one op of which each may have padding that is zeros, or anything."""


class Mode(NamedTuple):
    """A form of an op, and the byte orders of the storages that it reads and produces."""

    relayout: Relayout | None
    """None if the op stays as it is."""
    form: Form | None
    """The op that the relayout applies to: over its own axes or pieces of them. None for a pinned op."""
    reads: tuple[ByteOrder | None, ...]
    produces: tuple[ByteOrder | None, ...]
    price: int = 0
    """The cost of running the op in this form, if that is minimised."""


class Way(NamedTuple):
    """A form of an op, with which any op of its kind has a mode."""

    relayout: Relayout
    reads: tuple[ByteOrder | None, ...]
    produces: tuple[ByteOrder | None, ...]
    price: int


KnownOrders: TypeAlias = Mapping[SSAValue, Collection[ByteOrder]]
"""For each storage byte orders that it could have."""
Chooser: TypeAlias = Operation | BlockArgument | Use
"""An op that uses storages, a free argument, or a free result as an operand of its return."""


class FreeEnds(NamedTuple):
    """The arguments and results that may take any order of their types."""

    arguments: frozenset[SSAValue]
    results: frozenset[Use]

    @staticmethod
    def of(ends: Ends) -> FreeEnds:
        free = [end for end, wanted in ends.items() if wanted is Freedom.FREE]
        arguments = (end.value for end in free if end.is_argument and end.value is not None)
        returns = ((end.function.get_return_op(), end.index) for end in free if not end.is_argument)
        return FreeEnds(frozenset(arguments), frozenset(Use(op, index) for op, index in returns if op is not None))


def uses_of(chooser: Chooser) -> Sequence[Use]:
    """The uses that the modes of an op, argument or result decide for."""
    match chooser:
        case Operation():
            return [Use(chooser, index) for index in range(len(chooser.operands))]
        case BlockArgument():
            return ()
        case _:
            return (chooser,)


class Modes:
    """All modes that follow from the demanded and the present orders, to closure.

    A byte order in which one op can read or produce a storage is tried with all other ops that use the storage, over
    pieces of their axes if it is no order of those; the byte orders of their other values follow, and so on until
    nothing new is found. If a byte order leaves several modes, because axes of one element or reduced axes may be
    anywhere, all are tried; if the orders of two values are independent, every pair of known byte orders is tried.

    A free argument or result can have each of these byte orders that is an order of its type.

    The minimum is proved for these modes. A byte order that no demand and no value leads to could only help if two
    values can be reached through it alone; trying all orders on thousands of small programs found none.
    """

    def __init__(
        self,
        module: ModuleOp,
        target_layouts: TargetLayouts,
        storage: ModuleStorage,
        live: set[Operation],
        free: FreeEnds,
        has_prices: bool = False,
        pinned: Iterable[tuple[SSAValue, ByteOrder]] = (),
        forms: Forms | None = None,
        blocks: BlockForms | None = None,
        packs: PresentPacks | None = None,
    ) -> None:
        """Prices of ops count if the costs of the target are minimised. The byte orders of `pinned` storages are tried
        as well. The forms may be those of another target, if they are known. `blocks` are those that a target demands,
        if it does, and `packs` the packs of the program, if it has any that count."""
        self.of: dict[Chooser, list[Mode]] = {}
        """The modes of all ops that use storages and are no views, and of what is free, the present one first."""
        self.is_complete = True
        """True if all modes were tried."""
        self.has_all_orders = True
        """True if the modes of all further byte orders were tried."""
        self._target_layouts = target_layouts
        self._storage = storage
        self._touching: dict[SSAValue, list[tuple[Operation, int]]] = {}
        """For each storage the ops that use it, with the index among their operands and results."""
        self._byte_orders: dict[SSAValue, dict[ByteOrder, None]] = {}
        self._new: deque[tuple[SSAValue, ByteOrder]] = deque()
        self.are_priced = has_prices and target_layouts.prices.matter
        """True if the price of an op may depend on its mode."""
        self._demands: dict[Operation, Sequence[OpDemands]] = {}
        """The demands on ops with more than one mode, any of which may be met."""
        self._kinds: dict[Operation, Kind] = {}
        """The kinds of these ops, for the target."""
        self._ways: dict[tuple[object, ...], Sequence[Way]] = {}
        """The ways to write the ops of a kind, by the form and the orders asked for."""
        self._own: dict[Operation, Form] = {}
        """The ops with more than one mode, over their own axes."""
        self.forms = forms or Forms(storage, target_layouts.target.max_rank(LayoutClass.TENSOR))
        """The forms of the ops, which do not depend on demands."""
        self._blocks = blocks
        self.packs = packs
        self._in_blocks: dict[Operation, Sequence[Form]] = {}
        """The forms of ops on values in blocks."""
        self._may_be_cut: dict[int, bool] = {}
        """The kinds of ops that may work on pieces of their axes."""
        self.free = free
        self._counted: Collection[SSAValue] | None = None
        """The storages whose byte orders count; None if all of them do."""
        for op in module.walk():
            if op in live and not _is_view(op, storage):
                self._begin(op)
                self._begin_ends(op)
        for root, byte_order in pinned:
            self._note(root, byte_order)
        self._spread_all()
        self._add_ends()

    @property
    def tiles(self) -> frozenset[tuple[Tile, ...]]:
        """The blocks that the target demands of values, by axis."""
        return frozenset() if self._blocks is None else frozenset(tiles for _, tiles in self._blocks.tiles)

    @property
    def have_blocks(self) -> bool:
        """True if values may be stored in blocks."""
        return self._blocks is not None

    @property
    def byte_orders(self) -> KnownOrders:
        """The byte orders that each storage could have."""
        return self._byte_orders

    def with_free(self, ends: Iterable[BlockArgument | Use]) -> Modes:
        """All modes, with some more arguments and results free."""
        made = copy(self)
        made.of = {**self.of, **{end: [] for end in ends}}
        made._add_ends()
        return made

    def with_orders(
        self, further: Callable[[KnownOrders], KnownOrders | None], roots: Collection[SSAValue]
    ) -> Modes | None:
        """The modes of the ops that use some storages, and those of further byte orders of these behind them.

        None if these are too many. Other storages do not count.
        """
        made = copy(self)
        made._counted = roots
        touching = {op for root in roots for op, _ in self.touching(root)}
        made.of = {each: [*modes] for each, modes in self.of.items() if each in touching or self._is_end(each, roots)}
        made._byte_orders = {root: dict(known) for root, known in self._byte_orders.items() if root in roots}
        found = made._note_all(further)
        # A limit that only these have reached takes nothing away.
        made.is_complete, made.has_all_orders = self.is_complete, made.is_complete
        made._add_ends()
        return made if found else None

    def with_part(self, part: Modes) -> Modes:
        """All modes, with those of some ops replaced."""
        made = copy(self)
        made.of = {**self.of, **part.of}
        made._byte_orders = {**self._byte_orders, **part._byte_orders}
        return made

    def counts(self, root: SSAValue) -> bool:
        """True if the conversions of a storage count."""
        return self._counted is None or root in self._counted

    def _is_end(self, chooser: Chooser, roots: Collection[SSAValue]) -> bool:
        """True for a free argument or result that is one of some storages."""
        match chooser:
            case Operation():
                return False
            case BlockArgument():
                return chooser in roots
            case _:
                return self._storage.root(chooser.value) in roots

    def of_end(self, end: BlockArgument | Use) -> Sequence[Mode]:
        """The modes that an argument or result would have if it was free."""
        return [*self._modes_of_end(end)]

    def touching(self, root: SSAValue) -> Sequence[tuple[Operation, int]]:
        """The ops that use a storage, with the index among their operands and results."""
        return self._touching.get(root, ())

    def demands_on(self, op: Operation) -> Sequence[OpDemands] | None:
        """The demands on an op, any of which may be met; None if it only has its present mode."""
        return self._demands.get(op)

    def _begin(self, op: Operation) -> None:
        for place, value in enumerate((*op.operands, *op.results)):
            if encoding(value.type) is not None:
                root = self._storage.root(value)
                self._touching.setdefault(root, []).append((op, place))
                if not isinstance(root, OpResult):
                    self._note_present(root)
        self.of[op] = []
        present = [order_of(value) for value in op.operands], [order_of(value) for value in op.results]
        if not isinstance(op, NpuOp) or is_fixed(op):
            self._add_present(op)
            return
        demands = self._demands[op] = [each.demands for each in self._target_layouts.rules.alternatives(op)]
        form, self._kinds[op] = self.forms.own(op), self._target_layouts.rules.kind(op)
        self._own[op] = form
        is_met = not demands or any(each.are_met(*present) for each in demands)
        if is_met and self._target_layouts.has_axes_in_place(op):
            self._add_present(op)
        self._try(op, form, {})
        for each in self._block_forms(op) if demands else ():
            self._try(op, each, {})
            self._note_unpacked(op)
        if (order := self._target_layouts.order_with_axes_in_place(op)) is not None:
            self._try(op, form, {0: order})
        for order in self._target_layouts.prices.favoured_orders(op) if self.are_priced else ():
            self._try(op, form, {0: order})
        if not self.of[op]:
            # A demand that no relayout meets does not keep the rest of the program from its minimum.
            self._add_present(op)

    def _begin_ends(self, op: Operation) -> None:
        """Record the free arguments and results of a function, whose modes are known when all byte orders are."""
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        self.of |= {argument: [] for argument in arguments if argument in self.free.arguments}
        for use in uses_of(op):
            if use in self.free.results:
                self.of[use] = []
                self._note_present(use.value)

    def _add_ends(self) -> None:
        """Record the modes of free arguments and results."""
        for chooser in self.of:
            if not isinstance(chooser, Operation):
                self.of[chooser] = [*self._modes_of_end(chooser)]

    def _modes_of_end(self, chooser: BlockArgument | Use) -> Iterator[Mode]:
        """The byte orders that are orders of the type of a free argument or result, the present one first."""
        value = chooser if isinstance(chooser, BlockArgument) else chooser.value
        present = order_of(value)
        assert present is not None
        of_root = self._byte_orders.get(self._storage.root(value), ())
        known = dict.fromkeys([self._storage.byte_order(value, present), *of_root])
        for place, byte_order in enumerate(known):
            order = self._storage.order(value, byte_order) if place else present
            if order is None or self._storage.byte_order(value, order) != byte_order:
                continue
            if not self._target_layouts.may_have(value, order):
                continue
            if isinstance(chooser, BlockArgument):
                yield Mode(Relayout((), (order,)) if place else None, None, (), (byte_order,))
            else:
                yield Mode(Relayout((order,), ()) if place else None, None, (byte_order,), ())

    def _spread_all(self) -> None:
        while self._new:
            self._spread(*self._new.popleft())

    def _note_all(self, further: Callable[[KnownOrders], KnownOrders | None]) -> bool:
        """Try further byte orders until there are no new ones; false if there are too many."""
        count = -1
        while count != (count := sum(map(len, self._byte_orders.values()))):
            found = further(self._byte_orders)
            if found is None:
                return False
            for root, byte_order in ((root, each) for root, orders in found.items() for each in orders):
                self._note(root, byte_order)
            self._spread_all()
        return True

    def _spread(self, root: SSAValue, byte_order: ByteOrder) -> None:
        """Try a byte order with all ops that use a storage."""
        for op, place in self.touching(root):
            if op not in self._demands:
                continue
            found = self._form_for(self._own[op], op, place, byte_order)
            if found is not None:
                self._try_at(op, *found, place, byte_order)
            if self._blocks is not None and isinstance(byte_order, Spoilt) and place < len(op.operands):
                self._spread_spoilt(op, place, byte_order)

    def _spread_spoilt(self, op: Operation, place: int, byte_order: ByteOrder) -> None:
        """Try an operand whose padding may be anything, with others of which some could be spoilt as well."""
        assert self._blocks is not None
        others = [each for each in range(len(op.operands)) if each != place and self._may_be_spoilt(op.operands[each])]
        if len(others) > MOST_SPOILT:
            self.is_complete = False
            others = others[:MOST_SPOILT]
        for count in range(len(others) + 1):
            for spoilt in combinations(others, count):
                forms = self._blocks.forms(self._own[op], self._demands[op], (place, *spoilt))
                for form in forms:
                    if (order := form.order(place, byte_order, self._storage)) is not None:
                        self._try_at(op, form, order, place, byte_order)

    def _may_be_spoilt(self, value: SSAValue) -> bool:
        """True if a value could have padding that may be anything."""
        if encoding(value.type) is None:
            return False
        known = self._byte_orders.get(self._storage.root(value), ())
        return any(isinstance(each, Spoilt) for each in known)

    def _block_forms(self, op: Operation) -> Sequence[Form]:
        if self._blocks is None:
            return ()
        if op not in self._in_blocks:
            self._in_blocks[op] = [*self._blocks.forms(self._own[op], self._demands[op])]
        return self._in_blocks[op]

    def _form_for(self, form: Form, op: Operation, place: int, byte_order: ByteOrder) -> tuple[Form, Order] | None:
        """The form of an op that uses a storage in a byte order, and the value's order there, a given one if possible.

        What a target demands it demands of the op as it is.
        """
        order = form.order(place, byte_order, self._storage)
        if order is not None:
            return form, order
        for each in self._block_forms(op):
            if (order := each.order(place, byte_order, self._storage)) is not None:
                return each, order
        if self._demands[op] or not form.may_be_refined:
            return None
        found: list[tuple[Form, Order]] = []
        for cut in self.forms.refined(form, place, byte_order):
            if cut.kind not in self._may_be_cut:
                self._may_be_cut[cut.kind] = self._target_layouts.may_be_cut(cut.op)
            order = cut.order(place, byte_order, self._storage)
            if order is not None and self._may_be_cut[cut.kind]:
                found.append((cut, order))
        # With axes of one element elsewhere, the op may have modes that it lacks here.
        can_be_written = (each for each in found if self._ways_to_write(op, each[0], {place: each[1]}))
        return next(can_be_written, found[0] if found else None)

    def _try_at(self, op: Operation, form: Form, order: Order, place: int, byte_order: ByteOrder) -> None:
        """Try one value in an order; independent values are tried in all of their byte orders."""
        is_present = form is self._own[op] and order == order_of(form.value(place))
        if is_present and self._target_layouts.has_axes_in_place(op):
            # Modes that others have beside this one they have alone.
            return
        found = self._try(op, form, {place: order})
        for same in self._with_unit_axes_elsewhere(form, place, order, everywhere=not found):
            found += self._try(op, form, {place: same})
        for relayout in found:
            if relayout.operand_permutation is not None:
                continue
            given = (*relayout.operands, *relayout.results)
            for other, value in enumerate(form.values):
                if other != place and form.views[other] is not None and given[other] == order_of(value):
                    self._try_both(op, form, {place: order, other: given[other]}, byte_order, other)

    def _try_both(
        self, op: Operation, form: Form, asked: Mapping[int, Order], byte_order: ByteOrder, other: int
    ) -> None:
        """Try one value in a byte order, with an independent one in all of its known byte orders."""
        place = next(each for each in asked if each != other)
        for free in tuple(self._byte_orders.get(self._storage.root(_values(op)[other]), ())):
            found = self._form_for(form, op, other, free)
            if found is None or found == (form, asked[other]):
                continue
            cut, order = found
            same = asked[place] if cut is form else cut.order(place, byte_order, self._storage)
            if same is not None:
                self._try(op, cut, {place: same, other: order})

    def _with_unit_axes_elsewhere(self, form: Form, place: int, order: Order, everywhere: bool) -> Iterator[Order]:
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
            axis
            for axis in order
            if own[axis].is_unit and (everywhere or not all(sizes[axis].is_unit for sizes in shapes))
        ]
        for places in permutations(range(len(order)), len(units)) if units else ():
            at = dict(zip(places, units, strict=True))
            rest = (axis for axis in order if axis not in units)
            same = tuple(at[place] if place in at else next(rest) for place in range(len(order)))
            if same != order:
                yield same

    def alike(self, op: Operation, mode: Mode) -> Sequence[Mode]:
        """A mode over the op's own axes, and those of its byte orders and price with axes of one element elsewhere."""
        form, relayout = mode.form, mode.relayout
        assert form is not None
        assert relayout is not None
        border = len(op.operands)
        given = *(relayout.operands[relayout.place_of(index)] for index in range(border)), *relayout.results
        found = {(relayout.operands, relayout.results): mode}
        for place, order in enumerate(given):
            for same in (
                self._with_unit_axes_elsewhere(form, place, order, everywhere=True) if form.views[place] else ()
            ):
                for way in self._ways_to_write(op, form, {place: same}):
                    if (way.reads, way.produces, way.price) == (mode.reads, mode.produces, mode.price):
                        other = mode._replace(relayout=way.relayout)
                        found.setdefault((way.relayout.operands, way.relayout.results), other)
        return [*found.values()]

    def _ways_to_write(self, op: Operation, form: Form, asked: Mapping[int, Order]) -> Sequence[Way]:
        """All ways to write a form for these orders, overridden by the demands on the op; many ops are alike."""
        key = self._kinds[op], form.kind, *sorted(asked.items())
        if key not in self._ways:
            self._ways[key] = [self._way(op, form, relayout) for relayout in self._relayouts(op, form, asked)]
        return self._ways[key]

    def _relayouts(self, op: Operation, form: Form, asked: Mapping[int, Order]) -> Iterator[Relayout]:
        border = len(op.operands)
        orders = [asked.get(place) for place in range(border + len(op.results))]
        every = self._demands[op] or [None]
        if self._blocks is not None:
            every = [each for each in every if each is None or fits(each, form)]
        for demands in every:
            yield from self._target_layouts.all_relayouts(
                form.op, orders[:border], orders[border:], demands, form.sources
            )

    def _way(self, op: Operation, form: Form, relayout: Relayout) -> Way:
        border = len(form.op.operands)
        read = [relayout.operands[relayout.place_of(index)] for index in range(border)]
        stored = [form.byte_order(place, order) for place, order in enumerate((*read, *relayout.results))]
        return Way(relayout, tuple(stored[:border]), tuple(stored[border:]), self._price_of_form(op, form, relayout))

    def _try(self, op: Operation, form: Form, asked: Mapping[int, Order]) -> list[Relayout]:
        """Record the modes of a form for these orders."""
        ways = self._ways_to_write(op, form, asked)
        for way in ways:
            self._add(op, Mode(way.relayout, form, way.reads, way.produces, way.price))
        return [way.relayout for way in ways]

    def price_of(self, op: Operation, mode: Mode) -> int:
        """The price of an op in a mode, be it of another choice."""
        if mode.form is None or mode.relayout is None:
            return self._price(op, mode.relayout)
        return self._price_of_form(op, mode.form, mode.relayout)

    def _price_of_form(self, op: Operation, form: Form, relayout: Relayout) -> int:
        return self._price(form.op, relayout, form.sources) if form.may_be_refined else self._price(op, relayout)

    def _price(self, op: Operation, relayout: Relayout | None, sources: Sources | None = None) -> int:
        return self._target_layouts.prices.of(op, relayout, sources) if self.are_priced else 0

    def _add_present(self, op: Operation) -> None:
        """Record the present mode of an op."""
        reads = tuple(
            None if use in self.free.results else self._byte_order(use.value, order_of(use.value))
            for use in uses_of(op)
        )
        produces = tuple(self._byte_order(value, order_of(value)) for value in op.results)
        self._add(op, Mode(None, self._own.get(op), reads, produces, self._price(op, None)))

    def _add(self, op: Operation, mode: Mode) -> None:
        """Record a mode and its byte orders; of modes with the same byte orders only the cheapest one."""
        if self.packs is not None and op in self.packs.ops:
            mode = mode._replace(price=self.packs.price(op, mode.relayout))
        modes = self.of[op]
        for place, each in enumerate(modes):
            if each.reads == mode.reads and each.produces == mode.produces:
                modes[place] = mode if mode.price < each.price else each
                return
        if len(modes) >= MOST_MODES:
            self.is_complete = False
            return
        modes.append(mode)
        for value, byte_order in zip(_values(op), (*mode.reads, *mode.produces), strict=True):
            if byte_order is not None:
                self._note(self._storage.root(value), byte_order)

    def _byte_order(self, value: SSAValue, order: Order | None) -> ByteOrder | None:
        return None if order is None else self._storage.byte_order(value, order)

    def _note_present(self, value: SSAValue) -> None:
        """Record the byte order of an argument or result."""
        if (byte_order := self._byte_order(value, order_of(value))) is not None:
            self._note(self._storage.root(value), byte_order)

    def _note_unpacked(self, op: Operation) -> None:
        """Record the present byte order of results with padding, of which only an unpack leads to other ones."""
        for value in op.results:
            known = self._byte_orders.get(value, ())
            if any(is_padded(each, self._storage.view(value).sizes) for each in known):
                self._note_present(value)

    def _note(self, root: SSAValue, byte_order: ByteOrder) -> None:
        if self._storage.is_constant(root):
            # A constant is stored for each use as that one needs it.
            return
        if not self.counts(root):
            return
        known = self._byte_orders.setdefault(root, {})
        if byte_order in known:
            return
        if len(known) >= MOST_BYTE_ORDERS:
            self.is_complete = False
            return
        known[byte_order] = None
        self._new.append((root, byte_order))


def _values(op: Operation) -> tuple[SSAValue, ...]:
    return (*op.operands, *op.results)


def _is_view(op: Operation, storage: ModuleStorage) -> bool:
    return any(encoding(result.type) is not None and storage.is_view(result) for result in op.results)
