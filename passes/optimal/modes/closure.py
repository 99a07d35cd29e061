"""The search for the modes of all ops, from the demanded and the present orders to closure."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.values import encoding
from ....layout import Order, is_dirty
from ....layout.byte_order import is_padded
from ...common.graph.op_classes import is_fixed, order_of
from ...common.storages.storage import ByteOrder
from .block_forms import BlockForms
from .forms import Form
from .free_interface import FreeInterface, TiedEnd, shared_orders
from .modes import Decider, KnownOrders, Modes, Place, present_byte_order, present_mode, uses_of
from .module_storage import ModuleStorage
from .rewrites import Mode, Rewrites, with_unit_axes_elsewhere

MOST_BYTE_ORDERS = 128
"""The maximum number of byte orders tried for one storage."""
MOST_MODES = 128
"""The maximum number of modes tried for one op."""
MOST_DIRTY = 4
"""The maximum number of operands of one op of which each may have padding that is zeros, or anything."""


def modes_of(
    module: ModuleOp, live: Collection[Operation], rewrites: Rewrites, free: FreeInterface, pinned: Iterable[Place]
) -> Modes:
    """All modes of a coloured program. The byte orders of `pinned` storages are tried as well."""
    closure = Closure(Modes(rewrites, free, {}, {}, {}))
    closure.begin(module, live, pinned)
    return closure.modes(closure.is_complete, has_all_orders=True)


def with_orders(
    modes: Modes, further: Callable[[KnownOrders], KnownOrders | None], roots: Collection[SSAValue]
) -> Modes | None:
    """The modes of the ops that use some storages, and those of further byte orders of these behind them.

    None if these are too many. Other storages do not count.
    """
    closure = Closure(modes.around(roots))
    if not closure.note_all(further):
        return None
    # A limit that only these have reached takes nothing away.
    return closure.modes(modes.is_complete, has_all_orders=closure.is_complete)


class Closure:
    """The modes that are known so far, and the byte orders that are still to be tried with all users of a storage.

    A byte order in which one op can read or produce a storage is tried with all other ops that use the storage, over
    pieces of their axes if it is no order of those; the byte orders of their other values follow, and so on until
    nothing new is found. If a byte order leaves several modes, because axes of one element or reduced axes may be
    anywhere, all are tried; if the orders of two values are independent, every pair of known byte orders is tried.
    """

    def __init__(self, modes: Modes) -> None:
        self._begun = modes
        self._rewrites = modes.rewrites
        self._storage = modes.rewrites.storage
        self._of: dict[Decider, list[Mode]] = {decider: [*known] for decider, known in modes.of.items()}
        self._byte_orders: dict[SSAValue, dict[ByteOrder, None]] = {
            root: dict.fromkeys(known) for root, known in modes.byte_orders.items()
        }
        self._touching = {root: [*known] for root, known in modes.touching.items()}
        self._tied: dict[SSAValue, list[tuple[TiedEnd, Sequence[TiedEnd]]]] = {}
        """For each storage the tied ends that are views of it, each with all of its tie."""
        for tie in modes.free.ties:
            for tied in tie:
                self._tied.setdefault(self._storage.root(tied.value), []).append((tied, tie))
        self._new: deque[Place] = deque()
        self.is_complete = modes.is_complete
        """True if no limit has kept a mode out."""

    def modes(self, is_complete: bool, has_all_orders: bool) -> Modes:
        """The modes found."""
        touching, of, known = self._touching, self._of, self._byte_orders
        begun = self._begun
        found = Modes(begun.rewrites, begun.free, touching, of, known, is_complete, has_all_orders, begun.counted)
        return found.with_free(())

    def begin(self, module: ModuleOp, live: Collection[Operation], pinned: Iterable[Place]) -> None:
        """Try the present and the demanded orders of all ops, and those of pinned storages."""
        for op in module.walk():
            if op in live and not _is_view(op, self._storage):
                self._begin(op)
                self._begin_ends(op)
        for root, byte_order in pinned:
            self._note(root, byte_order)
        self._spread_all()

    def _begin(self, op: Operation) -> None:
        for place, value in enumerate((*op.operands, *op.results)):
            if encoding(value.type) is not None:
                root = self._storage.root(value)
                self._touching.setdefault(root, []).append((op, place))
                if not isinstance(root, OpResult):
                    self._note_present(root)
        self._of[op] = []
        present = [order_of(value) for value in op.operands], [order_of(value) for value in op.results]
        if not isinstance(op, NpuOp) or is_fixed(op):
            self._add_present(op)
            return
        form, demands, _ = self._rewrites.enter(op)
        is_met = not demands or any(each.are_met(*present) for each in demands)
        if is_met and self._rewrites.target_layouts.has_axes_in_place(op):
            self._add_present(op)
        self._try(op, form, {})
        for each in self._rewrites.in_blocks(op) if demands else ():
            self._try(op, each, {})
            self._note_unpacked(op)
        if (order := self._rewrites.target_layouts.order_with_axes_in_place(op)) is not None:
            self._try(op, form, {0: order})
        for order in self._rewrites.target_layouts.prices.favoured_orders(op) if self._rewrites.are_priced else ():
            self._try(op, form, {0: order})
        if not self._of[op]:
            # A demand that no relayout meets does not keep the rest of the program from its minimum.
            self._add_present(op)

    def _begin_ends(self, op: Operation) -> None:
        """Record the free arguments and results of a function, whose modes are known when all byte orders are."""
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        free = [value for value in (*op.results, *arguments) if value in self._begun.free.arguments]
        self._of |= {value: [] for value in free}
        for value in free:
            self._note_present(value)
        for use in uses_of(op):
            if use in self._begun.free.results:
                self._of[use] = []
                self._note_present(use.value)

    def _spread_all(self) -> None:
        while self._new:
            self._spread(*self._new.popleft())

    def note_all(self, further: Callable[[KnownOrders], KnownOrders | None]) -> bool:
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
        self._spread_along_ties(root, byte_order)
        for op, place in self._touching.get(root, ()):
            if (free := self._rewrites.ops.get(op)) is None:
                continue
            found = self._rewrites.form_for(free.own, op, place, byte_order)
            if found is not None:
                self._try_at(op, *found, place, byte_order)
            if self._rewrites.blocks is not None and is_dirty(byte_order) and place < len(op.operands):
                self._spread_dirty(self._rewrites.blocks, op, place, byte_order)

    def _spread_along_ties(self, root: SSAValue, byte_order: ByteOrder) -> None:
        """Try the order of a tied end at all others of the tie."""
        for tied, tie in self._tied.get(root, ()):
            for order in shared_orders(tied, tie, byte_order, self._storage):
                for other in tie:
                    value = other.value
                    self._note(self._storage.root(value), self._storage.byte_order(value, other.own(order)))

    def _spread_dirty(self, blocks: BlockForms, op: Operation, place: int, byte_order: ByteOrder) -> None:
        """Try an operand whose padding may be anything, with others whose padding could be dirty as well."""
        others = [each for each in range(len(op.operands)) if each != place and self._may_be_dirty(op.operands[each])]
        if len(others) > MOST_DIRTY:
            self.is_complete = False
            others = others[:MOST_DIRTY]
        own, demands, _ = self._rewrites.ops[op]
        for count in range(len(others) + 1):
            for dirty in combinations(others, count):
                forms = blocks.forms(own, demands, (place, *dirty))
                for form in forms:
                    if (order := form.order(place, byte_order)) is not None:
                        self._try_at(op, form, order, place, byte_order)

    def _may_be_dirty(self, value: SSAValue) -> bool:
        """True if a value could have padding that may be anything."""
        if encoding(value.type) is None:
            return False
        known = self._byte_orders.get(self._storage.root(value), ())
        return any(map(is_dirty, known))

    def _try_at(self, op: Operation, form: Form, order: Order, place: int, byte_order: ByteOrder) -> None:
        """Try one value in an order; independent values are tried in all of their byte orders."""
        is_present = form is self._rewrites.ops[op].own and order == order_of(form.value(place))
        if is_present and self._rewrites.target_layouts.has_axes_in_place(op):
            # Modes that others have beside this one they have alone.
            return
        found = self._try(op, form, {place: order})
        for same in with_unit_axes_elsewhere(form, place, order, everywhere=not found):
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
            found = self._rewrites.form_for(form, op, other, free)
            if found is None or found == (form, asked[other]):
                continue
            cut, order = found
            same = asked[place] if cut is form else cut.order(place, byte_order)
            if same is not None:
                self._try(op, cut, {place: same, other: order})

    def _try(self, op: Operation, form: Form, asked: Mapping[int, Order]) -> list[Relayout]:
        """Record the modes of a form for these orders."""
        found = self._rewrites.of(op, form, asked)
        for mode in found:
            self._add(op, mode)
        return [mode.relayout for mode in found if mode.relayout is not None]

    def _add_present(self, op: Operation) -> None:
        """Record the present mode of an op."""
        _, _, present, produces, _ = present_mode(op, self._storage)
        free, pairs = self._begun.free, zip(uses_of(op), present, strict=True)
        reads = tuple(None if use in free.results else byte_order for use, byte_order in pairs)
        made = zip(op.results, produces, strict=True)
        produces = tuple(None if value in free.arguments else byte_order for value, byte_order in made)
        form = self._rewrites.ops[op].own if op in self._rewrites.ops else None
        self._add(op, Mode(None, form, reads, produces, self._rewrites.price(op, None)))

    def _add(self, op: Operation, mode: Mode) -> None:
        """Record a mode and its byte orders; of modes with the same byte orders only the cheapest one."""
        packs = self._rewrites.packs
        if packs is not None and op in packs.ops:
            mode = mode._replace(price=packs.price(op, mode.relayout))
        modes = self._of[op]
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

    def _note_present(self, value: SSAValue) -> None:
        """Record the byte order of an argument or result."""
        if (byte_order := present_byte_order(value, self._storage)) is not None:
            self._note(self._storage.root(value), byte_order)

    def _note_unpacked(self, op: Operation) -> None:
        """Record the present byte order of results with padding, of which only an unpack leads to other ones."""
        for value in op.results:
            known = self._byte_orders.get(value, ())
            if any(is_padded(each, self._storage.view(value).sizes) for each in known):
                self._note_present(value)

    def _note(self, root: SSAValue, byte_order: ByteOrder) -> None:
        if self._storage.has_any_order(root):
            # A constant is stored for each use as that one needs it.
            return
        for place in self._storage.on_each(root, byte_order):
            self._note_one(*place)

    def _note_one(self, root: SSAValue, byte_order: ByteOrder) -> None:
        if not self._begun.counts(root):
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
