"""The rewrites of a choice with which a program needs the fewest new views.

A mode says in which byte orders an op reads and produces its storages, but not in which shapes: axes of one element may
be anywhere, and an op over pieces of its axes may have neighbours among them joined. Where the shapes of neighbours
differ there is a view between them. The fewest of these are another choice, in which the shapes are the byte orders.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.copies import like
from ....dialects.npu.relayout import stored_in
from ....dialects.npu.shape import AnyTransposeOp, ViewOp
from ....dialects.npu.views import Sizes
from ....layout import Order
from ...common.graph.producers import node_of
from ...common.plans.plan import Conversion, Reshaped
from ...common.storages.storage import ByteOrder
from ..modes.modes import Decider
from ..modes.reshaped_ops import PlacedAxes, axes_of, reshaped_ops, reshaped_ops_in
from ..modes.rewrites import Mode
from ..solve.linear_program import solve
from ..solve.problem import Access, Objective, Problem, StorageTerm, cost_of_conversions
from .mode_choice import ModeChoice, ModeUse
from .plan import RELABEL, VIEW, PlanDraft, distance, kept_form, values_above

MOST_REWRITES = 24
"""The maximum number of rewrites tried for one op."""
MOST_ROUNDS = 8
"""The maximum number of ops through which the axes of one are tried with others."""
TIME_LIMIT = 2.0
"""The time limit of branch and bound, in seconds: the rewrites of the choice do as well."""
Place: TypeAlias = tuple[SSAValue, ByteOrder]
"""A storage in a byte order."""


class Rewrite(NamedTuple):
    """One of the ops that a plan could have for an op in its mode, with the types of its operands and results."""

    mode: Mode
    reshaped: Reshaped | None
    types: tuple[Attribute, ...]
    """Operands in program order, then results."""
    orders: tuple[Order, ...] = ()
    """The orders of the results over the op's own axes."""


def with_fewest_views(choice: ModeChoice) -> PlanDraft:
    """The choice with rewrites that need the fewest views, and of these the nearest to those that it has."""
    draft = PlanDraft(choice)
    if choice.traffic is not None or choice.table.modes.have_blocks:
        return draft
    rewrites = rewrites_of(draft)
    if not rewrites:
        return draft
    best = _Shapes(draft, rewrites).best()
    found = draft if best is choice else PlanDraft(best)
    return found if weight_of(found) < weight_of(draft) else draft


def rewrites_of(draft: PlanDraft) -> Mapping[Operation, Sequence[Rewrite]]:
    """The rewrites of the ops around new views that change the shape, the present one first.

    Ops with one rewrite only are left out.
    """
    storage = draft.choice.table.storage
    around = {storage.root(each.source) for each in draft.new_views if _weight(each) == VIEW}
    roots = {root for root in around if not storage.is_constant(root)}
    found = _Rewrites(draft.choice, roots).of if roots else {}
    return {op: rewrites for op, rewrites in found.items() if len(rewrites) > 1}


def weight_of(draft: PlanDraft) -> int:
    """The weight of the views that a plan inserts; those of constants cost nothing."""
    storage = draft.choice.table.storage
    return sum(_weight(each) for each in draft.new_views if not storage.is_constant(storage.root(each.source)))


def _weight(view: Conversion) -> int:
    return RELABEL if view.source_sizes == view.sizes else VIEW


class _Rewrites:
    """The rewrites of the ops around some storages."""

    def __init__(self, choice: ModeChoice, roots: set[SSAValue]) -> None:
        self._choice = choice
        self._touching: dict[Place, list[tuple[NpuOp, int]]] = {}
        """The ops that use a storage in a byte order, with the index among their operands and results."""
        self._tried: set[tuple[SSAValue, ByteOrder, Sizes]] = set()
        """The sizes that are tried with all ops that use a storage in a byte order."""
        self.of: dict[Operation, list[Rewrite]] = {}
        for decider, mode in choice.modes.items():
            if isinstance(decider, NpuOp) and mode.relayout is not None and self._touches(decider, roots):
                self._note(decider, mode)
                self.of[decider] = [*self._first(decider, mode)]
        self._spread()

    def _touches(self, op: Operation, roots: set[SSAValue]) -> bool:
        return any(value in roots for value in self._roots(op))

    def _roots(self, op: Operation) -> Sequence[SSAValue | None]:
        byte_orders = _byte_orders(self._choice.modes[op])
        values = zip((*op.operands, *op.results), byte_orders, strict=True)
        return [None if byte_order is None else self._choice.table.storage.root(value) for value, byte_order in values]

    def _note(self, op: NpuOp, mode: Mode) -> None:
        for place, (root, byte_order) in enumerate(zip(self._roots(op), _byte_orders(mode), strict=True)):
            if root is not None and byte_order is not None:
                self._touching.setdefault((root, byte_order), []).append((op, place))

    def _first(self, op: NpuOp, mode: Mode) -> Iterable[Rewrite]:
        """The rewrite that the choice has, and those that follow from the op alone."""
        if op not in self._choice.reshaped:
            alike = self._choice.table.modes.rewrites.alike(op, mode)
            return (_own_rewrite(op, each) for each in islice(alike, MOST_REWRITES))
        first = _reshaped_rewrite(mode, self._choice.reshaped[op])
        found = reshaped_ops(op, mode, self._choice.table.storage, self._choice.table.target_layouts)
        return [first, *self._new(op, [first], found)]

    def _new(self, op: NpuOp, known: Sequence[Rewrite], tried: Iterable[Reshaped]) -> list[Rewrite]:
        """The rewrites over pieces of axes that cost as much as those that are known."""
        assert known[0].reshaped is not None
        price, mode = self._price(op, known[0].reshaped), known[0].mode
        found = {each.types: each for each in known}
        for each in islice(tried, MOST_REWRITES):
            rewrite = _reshaped_rewrite(mode, each)
            if rewrite.types not in found and self._price(op, each) == price:
                found[rewrite.types] = rewrite
        return [*found.values()][len(known) :]

    def _price(self, op: NpuOp, form: Reshaped) -> int:
        if not self._choice.table.modes.rewrites.are_priced:
            return 0
        roots = [None if root is None else root for root in self._roots(op)[: len(op.operands)]]
        return self._choice.table.target_layouts.prices.of(
            like(op, (*form.operands, *form.results), form.properties), None, roots
        )

    def _spread(self) -> None:
        """Try the axes in which one op has a value with the other ops that use it."""
        new = {op: rewrites for op, rewrites in self.of.items() if op in self._choice.reshaped}
        for _ in range(MOST_ROUNDS):
            axes: dict[NpuOp, list[PlacedAxes]] = {}
            for op, rewrites in new.items():
                for rewrite in rewrites:
                    self._collect(op, rewrite, axes)
            new = {op: found for op, wanted in axes.items() if (found := self._further(op, wanted))}
            if not new:
                return

    def _collect(self, op: Operation, rewrite: Rewrite, axes: dict[NpuOp, list[PlacedAxes]]) -> None:
        """Note axes that no op has tried for a value."""
        assert rewrite.reshaped is not None
        places = zip(self._roots(op), _byte_orders(rewrite.mode), rewrite.reshaped.sizes, strict=True)
        for root, byte_order, sizes in places:
            if root is None or byte_order is None or sizes is None or (root, byte_order, sizes) in self._tried:
                continue
            self._tried.add((root, byte_order, sizes))
            if (found := axes_of(byte_order, sizes)) is None:
                continue
            for other, place in self._touching[root, byte_order]:
                if other is not op and other in self._choice.reshaped:
                    axes.setdefault(other, []).append((place, found))

    def _further(self, op: NpuOp, axes: Sequence[PlacedAxes]) -> list[Rewrite]:
        known = self.of[op]
        found = reshaped_ops_in(op, known[0].mode, self._choice.table.storage, self._choice.table.target_layouts, axes)
        new = self._new(op, known, found)
        known += new
        return new


def _reshaped_rewrite(mode: Mode, made: Reshaped) -> Rewrite:
    return Rewrite(mode, made, (*made.operands, *made.results))


def _byte_orders(mode: Mode) -> Sequence[ByteOrder | None]:
    return *mode.reads, *mode.produces


def _own_rewrite(op: NpuOp, mode: Mode) -> Rewrite:
    relayout = mode.relayout
    assert relayout is not None
    read = [relayout.operands[relayout.place_of(index)] for index in range(len(op.operands))]
    pairs = zip((*op.operands, *op.results), (*read, *relayout.results), _byte_orders(mode), strict=True)
    types = [value.type if byte_order is None else stored_in(value, order) for value, order, byte_order in pairs]
    return Rewrite(mode, None, tuple(types), relayout.results)


class _Shapes:
    """The choice among rewrites of ops, in numbers."""

    def __init__(self, draft: PlanDraft, rewrites: Mapping[Operation, Sequence[Rewrite]]) -> None:
        self._choice = choice = draft.choice
        self._rewrites = rewrites
        self._converted_types = draft.converted_types
        self._numbers = {op: number for number, op in enumerate(rewrites)}
        self._fixed = len(rewrites)
        """The number that stands for all ops with one rewrite only."""
        self._uses: dict[Place, list[ModeUse]] = {}
        for use in choice.uses:
            self._uses.setdefault((use.root, use.byte_order), []).append(use)

    def best(self) -> ModeChoice:
        """The choice with the rewrites that need the fewest views."""
        counts = [*map(len, self._rewrites.values()), 1]
        places = (place for place in self._uses if not self._choice.table.storage.is_constant(place[0]))
        storages = [term for place in places if (term := self._term(place)) is not None]
        present = sum(cost_of_conversions(each, [0] * len(counts)) for each in storages)
        if sum(map(_least, storages)) == present:
            return self._choice
        nearest = Objective([0.0] * len(storages), [[float(number) for number in range(count)] for count in counts])
        problem = Problem(counts, storages, has_prices=True)
        solution = solve(problem, [nearest], TIME_LIMIT)
        modes: dict[Decider, Mode] = {**self._choice.modes}
        reshaped = {**self._choice.reshaped}
        for (op, rewrites), number in zip(self._rewrites.items(), solution.choice, strict=False):
            modes[op] = rewrites[number].mode
            if (made := rewrites[number].reshaped) is not None:
                reshaped[op] = made
        return replace(self._choice, modes=modes, reshaped=reshaped)

    def _term(self, place: Place) -> StorageTerm | None:
        """The views of a storage in a byte order; None if no op around it has several rewrites."""
        root, byte_order = place
        uses = self._uses[place]
        if node_of(root) not in self._rewrites and not any(use.op in self._rewrites for use in uses):
            return None
        is_given = self._choice.given(root)[1] == byte_order
        source = self._given(root, byte_order) if is_given else self._converted(place)
        readers = [self._reader(use, source.names(use.value)) for use in uses]
        if is_given:
            readers += [
                Access(self._fixed, [(root, type_)])
                for (other, _), type_ in self._converted_types.items()
                if other is root and type_ is not None
            ]
        accesses = [source.access, *readers]
        if not any(isinstance(each, Access) and len(set(each.byte_orders)) > 1 for each in accesses):
            return None
        return StorageTerm(source.price, source.access, readers)

    def _reader(self, use: ModeUse, value: SSAValue) -> Access:
        """The types in which a use reads a value."""
        if use.op in self._numbers:
            types = [rewrite.types[use.operand] for rewrite in self._rewrites[use.op]]
            return Access(self._numbers[use.op], [(value, type_) for type_ in types])
        return Access(self._fixed, [(value, use.type)])

    def _given(self, root: SSAValue, byte_order: ByteOrder) -> _Source:
        """A storage as its producer stores it."""
        if isinstance(root, OpResult) and root.op in self._numbers:
            op, place = root.op, len(root.op.operands) + root.index
            rewrites = self._rewrites[op]
            viewed = [
                self._viewed(root, byte_order, each.orders[root.index] if each.orders else None, each.types[place])
                for each in rewrites
            ]
            return _Source(Access(self._numbers[op], range(len(rewrites))), root, viewed)
        order, type_ = self._choice.given(root)[0], self._choice.given_type(root)
        return _Source(0, root, [self._viewed(root, byte_order, order, type_)])

    def _viewed(
        self, root: SSAValue, byte_order: ByteOrder, order: Order | None, type_: Attribute
    ) -> Mapping[SSAValue, Attribute]:
        """The types of a root and of the views that are kept behind it."""
        storage, found = self._choice.table.storage, {root: type_}
        if order is None or storage.byte_order(root, order) != byte_order:
            return found
        orders = {root: order}
        for value in storage.views(root):
            view = value.owner
            if not isinstance(view, ViewOp) or isinstance(view, AnyTransposeOp) or view not in self._choice.table.live:
                continue
            if view.input in orders:
                relayout = kept_form(storage, view, orders[view.input], byte_order)
                if relayout is not None:
                    orders[value] = relayout.results[0]
                    found[value] = stored_in(value, orders[value])
        return found

    def _converted(self, place: Place) -> _Source:
        """A storage in another byte order: as its first user reads it, as the choice has it, or as it came."""
        root, _ = place
        uses, type_ = self._uses[place], self._converted_types[place]
        if type_ is None:
            return _Source(0, root, [{use.value: use.value.type for use in uses}])
        first = uses[0]
        if first.type == type_ and first.op in self._numbers:
            viewed = [{root: rewrite.types[first.operand]} for rewrite in self._rewrites[first.op]]
            return _Source(Access(self._numbers[first.op], range(len(viewed))), root, viewed)
        return _Source(0, root, [{root: type_}])


def _least(storage: StorageTerm) -> int:
    """A weight that the views of a storage have in any case."""
    producer = storage.producer
    given = set(producer.byte_orders) if isinstance(producer, Access) else {producer}
    read = [{*reader.byte_orders} for reader in storage.readers]
    always = {wanted for each in read if len(each) == 1 for wanted in each}
    least = (min(storage.price(one, wanted) for one in given for wanted in each) for each in read)
    return max(sum(min(storage.price(one, wanted) for one in given) for wanted in always), *least, 0)


class _Source:
    """The types in which a storage is there without a new view, for each rewrite of the op that decides for it."""

    def __init__(self, access: Access | int, root: SSAValue, viewed: Sequence[Mapping[SSAValue, Attribute]]) -> None:
        self.access = access
        self._root = root
        self._viewed = viewed
        self.price: Callable[[Hashable, Hashable], int] = lru_cache(maxsize=None)(self._price)

    def names(self, value: SSAValue) -> SSAValue:
        """The value that stands for one that a use reads: the root if nothing else is ever there."""
        above = [each for each in values_above(value, self._root) if each is not self._root]
        return value if any(each in viewed for viewed in self._viewed for each in above) else self._root

    def _price(self, given: Hashable, wanted: Hashable) -> int:
        value, type_ = cast("tuple[SSAValue, TensorType]", wanted)
        viewed = self._viewed[cast("int", given)]
        there = [viewed[each] for each in values_above(value, self._root) if each in viewed]
        distances = [distance(cast("TensorType", each), type_) for each in there]
        # The planner takes the nearest one if it has this shape, else the value that is read or the root.
        return min((each for each in distances if each <= RELABEL), default=VIEW if distances else 0)
