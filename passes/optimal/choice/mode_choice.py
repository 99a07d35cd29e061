"""The choice of `layout-optimal`: a mode for each op, and its cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.carrying.callers import calls_around, entry_around, runs_as_often
from ....dialects.notes.calls import calls_of
from ....dialects.notes.ties import ties_of
from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.relayout import stored_in
from ....dialects.npu.shape import AnyTransposeOp
from ....dialects.npu.values import order_of_value
from ....dialects.npu.views import Sizes
from ....layout import Order, permute
from ....targets import CostUnit, Target
from ...common.demands.target_layouts import TargetLayouts
from ...common.graph.carried import carried_ends, functions_of
from ...common.graph.dead_ops import live_ops
from ...common.graph.op_classes import order_of
from ...common.graph.producers import Use
from ...common.moves.kept_constants import Kept
from ...common.moves.transpose_cost import CONVERSION, Cost, cost_of, counted_transposes, in_all_calls, units_text
from ...common.plans.interface_choice import FIXED_INTERFACE, Freedom, Interface
from ...common.plans.plan import Reshaped
from ...common.storages.storage import ByteOrder
from ..modes.block_forms import BlockForms
from ..modes.closure import modes_of
from ..modes.free_interface import FreeEnd, FreeInterface, TiedEnd
from ..modes.modes import Decider, Modes, place_of, producer_of, uses_of
from ..modes.module_storage import ModuleStorage
from ..modes.pinned_modes import PinnedStorages
from ..modes.reshaped_ops import reshaped_op
from ..modes.rewrites import Mode, Rewrites
from ..prices.constant_prices import ConstantPrices, weighs_constants
from ..prices.conversion_prices import ConversionPrices
from ..prices.module_problem import ModuleProblem, Precision, Solved
from ..solve.problem import (
    Problem,
    Solution,
    conversions_of,
    cost_of_choice,
    cost_of_conversions,
    given_byte_order,
)
from ..solve.proof_nodes import GroupCosts

if TYPE_CHECKING:
    from ...cover.traffic_value import TrafficValue
    from ..modes.present_packs import PresentPacks
    from ..prices.further_orders import FurtherOrders
    from ..prices.least_prices import LeastPrices


class ModeUse(NamedTuple):
    """A use in the mode of its op."""

    op: Operation
    operand: int
    value: SSAValue
    root: SSAValue
    """The root of the value's storage."""
    byte_order: ByteOrder
    """The byte order of the storage that the mode reads."""
    order: Order | None
    """The order of the value in that byte order; None if no order expresses it."""
    type: TensorType
    """The type under which the op reads the value."""
    sizes: Sizes
    """The sizes of the dimensions of that type, in the symbols of the storage."""
    is_converted: bool
    """True if the root is produced in another byte order."""

    @property
    def use(self) -> Use:
        return Use(self.op, self.operand)


class RunTwice(NamedTuple):
    """The second runs of ops, which cost less than to convert the results of the first ones."""

    ops: int = 0
    ticks: int = 0
    """The price of all of them."""
    are_all_tried: bool = True
    """True if no limit has kept two modes of an op out."""

    def with_more(self, ops: int, ticks: int, are_all_tried: bool) -> RunTwice:
        return RunTwice(self.ops + ops, self.ticks + ticks, self.are_all_tried and are_all_tried)


class WiderProblem(NamedTuple):
    """A problem with all modes of a choice's own and further ones."""

    table: ModeTable
    problem: Problem
    """For each op of the table its modes, and maybe pairs of them behind these."""


class GroupedProblem(NamedTuple):
    """A problem whose conversions cost what they move at least, and the costs of groups beside them."""

    problem: Problem
    impossible: int
    """The least price of a conversion that does not exist."""
    groups: GroupCosts


@dataclass(frozen=True)
class ModeChoice:
    """A mode of a table for each op, and so the byte orders of each storage."""

    table: ModeTable
    solved: Solved
    """The problem of the table, and the solution that chose."""
    modes: Mapping[Decider, Mode]
    """The mode of each live op that is no view, and of each free argument and result."""
    reshaped: Mapping[Operation, Reshaped]
    """The forms of ops that work on other axes than their own."""
    has_every_order: bool
    """True if no byte order that was not tried could help."""
    traffic: TrafficValue | None = None
    """The data that the program moves, if that is minimised."""
    as_it_came: Cost | None = None
    """The transposes of the program if it stays as it came, although this choice would cost less."""
    least_price: int | None = None
    """The least price, in ticks, if this choice costs more and has fewer transposes."""
    priced: ModeTable | None = None
    """All modes of the program at the prices of the target, if this choice has another unit."""
    second_runs: RunTwice = field(default_factory=RunTwice)
    wider: Callable[[], WiderProblem] | None = None
    """Makes the problem with further modes whose bound this choice has, if there are any."""
    grouped: Callable[[], GroupedProblem] | None = None
    """Makes the problem that proves what travels at least, if that is minimised."""

    @property
    def solution(self) -> Solution:
        return self.solved.solution

    def with_solution(self, solution: Solution) -> ModeChoice:
        """The choice with other figures."""
        return replace(self, solved=self.solved._replace(solution=solution))

    @cached_property
    def kept(self) -> Kept:
        """The constants that are kept in several orders."""
        table = self.table if self.table.cost_unit == "target" else self.priced
        return Kept() if table is None else table.constants.kept(self.orders_of_constants(table))

    def orders_of_constants(self, table: ModeTable) -> Mapping[SSAValue, Sequence[ByteOrder]]:
        """For each constant that has a price in a table the byte orders in which it is kept."""
        read = ((use.root, use.byte_order) for use in self.uses)
        return table.constants.orders(read, lambda root: self.given(root)[1])

    @property
    def run_time(self) -> Solution:
        """The figures of the solution without the price of constants in several orders."""
        kept = self.kept.ticks if self.table.cost_unit == "target" else 0
        found = self.solution
        return replace(found, cost=found.cost - kept, bound=max(found.bound - kept, 0)) if kept else found

    @property
    def is_proved(self) -> bool:
        is_known = self.traffic is None or self.traffic.is_bound_known
        return self.table.modes.is_complete and is_known and self.solution.is_proved

    @property
    def cost(self) -> Cost:
        """The transposes of the chosen program, and the bytes that they move."""
        if self.traffic is not None:
            return self.traffic.transposes
        return self.table.cost_of(self.solved)

    @property
    def forms(self) -> dict[Operation, Relayout | Reshaped]:
        """The new forms of ops."""
        own = {op: mode.relayout for op, mode in self.modes.items() if isinstance(op, Operation)}
        return {**{op: form for op, form in own.items() if form is not None}, **self.reshaped}

    def changes_nothing(self) -> bool:
        """True if no op is rewritten, and the program has the minimum cost and no transposes that nobody needs."""
        if self.traffic is not None:
            return self.traffic.is_kept
        if any(mode.relayout is not None for mode in self.modes.values()):
            return False
        counted = counted_transposes(self.table.module)
        if any(op not in self.table.live for op in counted):
            return False
        prices = (mode.price * calls_around(op) for op, mode in self.modes.items() if isinstance(op, Operation))
        present = sum(map(self._weight_of, counted)) + sum(prices) + self.table.constants.as_it_is.ticks
        return present == cost_of_choice(self.solved.problem, self.solution.choice)

    def _weight_of(self, op: AnyTransposeOp) -> int:
        """The cost of a transpose of the program."""
        root = self.table.storage.root(op.input)
        weight = self.solved.weights[root]
        # One in a loop, of a value that is computed outside, is not to be kept.
        in_loop = int(not runs_as_often(op, root))
        if isinstance(weight, int):
            return weight + in_loop
        given, wanted = (self.table.storage.byte_order(value, order_of_value(value)) for value in (op.input, op.result))
        # One that moves nothing, as only a view states, is not to be kept either.
        if given == wanted:
            return 1
        price = weight(given, wanted) + in_loop
        if len(self.table.problem.steps(given, wanted)) > 1:
            # The target does not move so many axes at once.
            return price + 1
        # Nor is one in the place of a pack that may cost another price.
        return price + 1 if self.is_pack(self.table.storage.root(op.input), given, wanted) else price

    def is_pack(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> bool:
        """True if a conversion is priced as a pack or unpack."""
        prices = self.table.prices
        pairs = ((given, wanted), (wanted, given))
        return prices is not None and any(prices.pack(root, *pair) is not None for pair in pairs)

    def given(self, root: SSAValue) -> tuple[Order | None, ByteOrder]:
        """The order in which a root is produced, if one expresses it, and the byte order."""
        mode, index = self._producing(root)
        if mode is None or mode.relayout is None:
            order = order_of(root)
            assert order is not None
            return order, self.table.storage.byte_order(root, order)
        byte_order = mode.produces[index]
        assert byte_order is not None
        order = mode.relayout.results[index] if root.owner not in self.reshaped else None
        if order is not None and self.table.storage.byte_order(root, order) == byte_order:
            return order, byte_order
        return None, byte_order

    def order_in_blocks(self, root: SSAValue, byte_order: ByteOrder) -> Order | None:
        """The order of its pieces in which a root that is produced in blocks has this byte order; None if none is."""
        mode, index = self._producing(root)
        if mode is None or mode.form is None or not mode.form.is_in_blocks:
            return None
        return mode.form.order(len(mode.reads) + index, byte_order)

    def given_sizes(self, root: SSAValue) -> Sizes:
        """The sizes of the dimensions in which a root is produced."""
        if isinstance(root, OpResult) and root.op in self.reshaped:
            sizes = self.reshaped[root.op].sizes[len(root.op.operands) + root.index]
            assert sizes is not None
            return sizes
        return permute(self.table.storage.view(root).sizes, self._given_order(root))

    def given_type(self, root: SSAValue) -> TensorType:
        """The type in which a root is produced."""
        if isinstance(root, OpResult) and root.op in self.reshaped:
            return cast("TensorType", self.reshaped[root.op].results[root.index])
        return stored_in(root, self._given_order(root))

    def _given_order(self, root: SSAValue) -> Order:
        """The order in which an op with its own axes stores its result."""
        mode, index = self._producing(root)
        return order_of_value(root) if mode is None or mode.relayout is None else mode.relayout.results[index]

    def _producing(self, root: SSAValue) -> tuple[Mode | None, int]:
        """The mode that decides for a root, if it has one, and the place of the root among what that produces."""
        node = self.producer(root)
        return self.modes.get(node), root.index if isinstance(root, OpResult) and node is not root else 0

    def producer(self, root: SSAValue) -> Decider:
        """The op whose mode decides for a storage, or the value itself if it is free."""
        return producer_of(root, self.modes)

    def decider(self, use: Use) -> Decider:
        """The op whose mode decides for a use, or the use itself if it is a free result."""
        return use if use in self.modes else use.op

    @cached_property
    def uses(self) -> Sequence[ModeUse]:
        """All uses of storages, in program order."""
        return [*self._uses()]

    def _uses(self) -> Iterator[ModeUse]:
        storage = self.table.storage
        for decider, mode in self.modes.items():
            for place, ((op, index), byte_order) in enumerate(zip(uses_of(decider), mode.reads, strict=True)):
                if byte_order is None:
                    continue
                value = op.operands[index]
                root = storage.root(value)
                is_converted = byte_order != self.given(root)[1]
                if op in self.reshaped:
                    type_, sizes = self.reshaped[op].operands[index], self.reshaped[op].sizes[index]
                    assert isinstance(type_, TensorType)
                    assert sizes is not None
                    order = storage.order(value, byte_order)
                else:
                    order = _read_order(mode.relayout, place, value)
                    type_, sizes = stored_in(value, order), permute(storage.view(value).sizes, order)
                    order = order if storage.byte_order(value, order) == byte_order else None
                yield ModeUse(op, index, value, root, byte_order, order, type_, sizes, is_converted)


def _read_order(relayout: Relayout | None, index: int, value: SSAValue) -> Order:
    """The order in which an op reads an operand."""
    if relayout is not None:
        return relayout.operands[relayout.place_of(index)]
    order = order_of(value)
    assert order is not None
    return order


@dataclass(frozen=True)
class ModeTable:
    """All modes of a coloured program, of which choices are made."""

    module: ModuleOp
    target_layouts: TargetLayouts
    storage: ModuleStorage
    live: set[Operation]
    modes: Modes
    free_functions: Sequence[FuncOp]
    prices: ConversionPrices | None
    cost_unit: CostUnit
    assumed_size: int
    pinned: PinnedStorages
    precision: Precision = Precision.CHOICE

    @cached_property
    def problem(self) -> ModuleProblem:
        """The modes in numbers."""
        most_axes = self.target_layouts.target.most_transposed_axes
        return ModuleProblem(
            self.modes, self.storage, self.cost_unit, self.prices, self.assumed_size, self.precision, most_axes
        )

    @cached_property
    def constants(self) -> ConstantPrices:
        """The prices of constants that are kept in several orders."""
        return ConstantPrices(self.module, self.storage, self.target_layouts.target, self.cost_unit)

    @staticmethod
    def of(
        module: ModuleOp,
        target_layouts: TargetLayouts,
        cost: CostUnit,
        assumed_size: int,
        interface: Interface = FIXED_INTERFACE,
        may_carry: bool = True,
    ) -> ModeTable:
        """All modes of a program; with `may_carry` calls, branches and loops may hand over values in other orders."""
        live = live_ops(module)
        target = target_layouts.target
        storage = ModuleStorage(module, live, weighs_constants(target, cost))
        pins = PinnedStorages(module, storage, target_layouts)
        blocks = BlockForms.of(storage, target)
        prices = _prices(module, target, storage, assumed_size, blocks) if cost == "target" else None
        packs = _packs(module, live, storage, cost, target, assumed_size)
        rewrites = Rewrites(target_layouts, storage, blocks, packs, prices is not None)
        carried = carried_ends(module, live) if may_carry else []
        free = FreeInterface.of(interface, ties_of(module), carried)
        modes = pins.restricted(modes_of(module, live, rewrites, free, pins.byte_orders))
        found = (value.function for value, wanted in interface.items() if wanted is Freedom.FREE)
        functions = list(dict.fromkeys((*found, *functions_of(carried))))
        return ModeTable(module, target_layouts, storage, live, modes, functions, prices, cost, assumed_size, pins)

    @property
    def unit_text(self) -> str:
        """The unit that is minimised, in words."""
        costs = self.target_layouts.target.costs
        if self.cost_unit == "target" and costs is not None:
            return costs.unit
        return {"count": "transposes", "traffic": "bytes that travel"}.get(self.cost_unit, "bytes")

    def counted_text(self, cost: int) -> str:
        """A cost in the unit that is minimised, in words."""
        return units_text(cost) if self.cost_unit == "target" else str(cost)

    def for_target(self, target: Target) -> ModeTable:
        """The program for a target that differs in its demands, or in the products that it reads transposed."""
        target_layouts = self.target_layouts.for_target(target)
        pins = PinnedStorages(self.module, self.storage, target_layouts)
        rewrites = self.modes.rewrites.for_target(target_layouts, self.prices is not None)
        modes = modes_of(self.module, self.live, rewrites, self.modes.free, pins.byte_orders)
        return replace(self, target_layouts=target_layouts, pinned=pins).with_modes(modes, Precision.FIGURES)

    def freed(
        self, deciders: Sequence[FreeEnd], time_limit: float, ties: Sequence[Sequence[TiedEnd]] = ()
    ) -> tuple[Cost, Mapping[Decider, Mode]]:
        """The least cost with some more arguments and results free, some of them tied, and their modes then."""
        free = self.modes.free
        modes = replace(self.modes, free=free._replace(ties=[*free.ties, *ties])).with_free(deciders)
        table, solved, *_ = self.with_modes(modes, Precision.FIGURES).best(time_limit)
        chosen = dict(zip(table.modes.of, solved.solution.choice, strict=True))
        return table.cost_of(solved), {each: table.modes.of[each][chosen[each]] for each in deciders}

    def with_modes(self, modes: Modes, precision: Precision) -> ModeTable:
        """The program with other modes."""
        return replace(self, modes=self.pinned.restricted(modes), precision=precision)

    @cached_property
    def bound(self) -> int:
        """A cost that no choice is below, whatever byte orders are tried."""
        return 0 if self._least is None else self._least.bound(self.problem, self.modes)

    @cached_property
    def _least(self) -> LeastPrices | None:
        if self.prices is None:
            return None
        # Imported late: few targets have prices.
        from ..prices.least_prices import LeastPrices

        return LeastPrices(self.storage, self.prices)

    def best(self, time_limit: float) -> Optimum:
        """The cheapest choice.

        Byte orders that only prices may favour are used where they cost less only. The conflicts of a problem without
        them are easier to tell.
        """
        solved = self.problem.solved(time_limit)
        if self.prices is None or (not solved.avoided and self.bound >= solved.solution.cost):
            return Optimum(self, solved, lambda: True)
        # Imported late: few targets have prices.
        from ..prices.further_orders import further_orders

        further = further_orders(self.modes, self.storage, self.prices, solved)
        if further.modes is None:
            return Optimum(self, solved, lambda: further.are_all or self._are_least(further, further.cost))
        found = self.with_modes(further.modes, Precision.COST).problem.solved(time_limit)
        if (found.avoided, found.solution.cost) < (further.avoided, further.cost):
            other, least = self.with_modes(self.modes.with_part(further.modes), self.precision), found.solution.cost
            solved = other.problem.solved(time_limit)
            return Optimum(other, solved, lambda: further.are_all or self._are_least(further, least))
        cost = solved.solution.cost
        bound = min(cost - further.cost + found.solution.bound, cost)
        solved = solved._replace(solution=replace(solved.solution, bound=bound))
        further_modes = further.modes

        def wider() -> WiderProblem:
            table = self.with_modes(self.modes.with_part(further_modes), Precision.COST)
            return WiderProblem(table, table.problem.solved(time_limit).problem)

        return Optimum(self, solved, lambda: further.are_all or self._are_least(further, further.cost), wider)

    def _are_least(self, further: FurtherOrders, cost: int) -> bool:
        """True if the parts that further byte orders could make cheaper cost no more than the least prices allow."""
        if further.avoided or self._least is None:
            return False
        modes = self._least.every_order(self.modes, further.roots)
        if modes is None:
            return False
        return self._least.bound_of_all(self.with_modes(modes, Precision.COST).problem, modes) >= cost

    def ticks_of(self, choice: ModeChoice) -> int:
        """The cost of a choice for the program, at the prices that are minimised here."""
        assert self.prices is not None
        converted = {(use.root, choice.given(use.root)[1], use.byte_order) for use in choice.uses if use.is_converted}
        moved = sum(self.prices.ticks(*each) for each in converted if not self.storage.is_constant(each[0]))
        moved += self.constants.kept(choice.orders_of_constants(self)).ticks
        modes = ((op, mode) for op, mode in choice.modes.items() if isinstance(op, Operation))
        return moved + sum(calls_around(op) * self.modes.rewrites.price_of(op, mode) for op, mode in modes)

    def cost_of(self, solved: Solved) -> Cost:
        """The transposes of a solution, and the bytes that they move."""
        return sum((cost for _, cost in self._costs(solved)), self._no_cost)

    def costs_by_function(self, solved: Solved) -> Mapping[FuncOp, Cost]:
        """The cost of each call of the public functions that have one, with those that they call."""
        found: dict[FuncOp, Cost] = {}
        for place, cost in self._costs(solved):
            if (function := entry_around(place)) is not None:
                found[function] = found.get(function, self._no_cost) + cost
        return {function: cost // calls_of(function) for function, cost in found.items()}

    @property
    def _no_cost(self) -> Cost:
        unit = self.unit_text if self.cost_unit == "target" else ""
        return Cost(unit=unit, noun=CONVERSION) if self.modes.have_blocks else Cost(unit=unit)

    def _costs(self, solved: Solved) -> Iterator[tuple[Operation | SSAValue, Cost]]:
        """The cost of each op in its mode and of each conversion, in all calls, with its place."""
        choice = solved.solution.choice
        if self.cost_unit == "target":
            deciders = [*self.modes.of]
            for number, prices in solved.problem.prices.items():
                yield place_of(deciders[number]), Cost(ticks=prices[choice[number]])
        yield from self._present_packs(choice)
        for root, storage in zip(solved.weights, solved.problem.storages, strict=True):
            if self.storage.is_constant(root):
                yield root, Cost(kept=cost_of_conversions(storage, choice))
            elif not storage.is_free and (wanted := conversions_of(storage, choice)):
                given = cast("ByteOrder", given_byte_order(storage, choice))
                count = sum(len(self.problem.steps(given, cast("ByteOrder", each))) for each in wanted)
                calls, size = calls_around(root), self.problem.bytes_of(root)
                yield root, in_all_calls(cost_of(root, self.storage.origins, self.assumed_size) * count, root)
                moved = (self.problem.bytes_moved(root, given, cast("ByteOrder", each)) for each in wanted)
                yield root, Cost(bytes=calls * sum(each - size for each in moved))
                yield root, self._price_of_conversions(root, given, wanted)

    def _present_packs(self, choice: Sequence[int]) -> Iterator[tuple[Operation, Cost]]:
        """The packs and unpacks of the program, whose price is one of modes."""
        packs = self.modes.rewrites.packs
        if packs is None or not self.modes.have_blocks:
            return
        for (op, of_op), mode in zip(self.modes.of.items(), choice, strict=True):
            if isinstance(op, Operation) and op in packs.ops:
                yield op, replace(packs.cost(op, of_op[mode].relayout), ticks=0)

    def _price_of_conversions(self, root: SSAValue, given: Hashable, wanted: Iterable[Hashable]) -> Cost:
        if self.prices is None:
            return Cost()
        ticks = (self.prices.ticks(root, cast("ByteOrder", given), cast("ByteOrder", each)) for each in wanted)
        return Cost(ticks=sum(ticks))

    def choice(self, solved: Solved, has_every_order: bool = True) -> ModeChoice:
        """The choice that a solution of the problem is."""
        pairs = zip(self.modes.of.items(), solved.solution.choice, strict=True)
        modes = {op: of_op[mode] for (op, of_op), mode in pairs}
        reshaped: dict[Operation, Reshaped] = {
            op: reshaped_op(op, mode, self.storage, self.target_layouts)
            for op, mode in modes.items()
            if isinstance(op, NpuOp) and mode.relayout is not None and mode.form is not None and not mode.form.is_own
        }
        choice = ModeChoice(self, solved, modes, reshaped, has_every_order)
        if self.pinned.pins:
            converted = (use for use in choice.uses if use.is_converted)
            self.pinned.check_conversions((use.root, choice.given(use.root)[1], use.byte_order) for use in converted)
        return choice


class Optimum(NamedTuple):
    """The cheapest choice of a table."""

    table: ModeTable
    """The table, with the byte orders that only prices favour, if any do."""
    solved: Solved
    has_every_order: Callable[[], bool]
    """True if no byte order that was not tried could help: to find out may take longer than the choice did."""
    wider: Callable[[], WiderProblem] | None = None
    """Makes the problem with the byte orders that only prices favour, if these were tried in vain."""

    @property
    def cost(self) -> Cost:
        return self.table.cost_of(self.solved)

    def choice(self) -> ModeChoice:
        return replace(self.table.choice(self.solved, self.has_every_order()), wider=self.wider)

    def at_the_prices_of(self, other: Optimum) -> Optimum:
        """The modes of this choice at the prices that another one minimises, with the bound of the latter."""
        table = replace(self.table, target_layouts=other.table.target_layouts, prices=other.table.prices)
        table = table.with_modes(self.table.modes, Precision.FIGURES)
        solved = table.problem.chosen(self.solved.solution.choice)
        solution = replace(solved.solution, bound=other.solved.solution.bound)
        return Optimum(table, solved._replace(solution=solution), self.has_every_order)


def choose_modes(
    module: ModuleOp,
    target_layouts: TargetLayouts,
    cost: CostUnit,
    assumed_size: int,
    time_limit: float,
    interface: Interface = FIXED_INTERFACE,
) -> ModeChoice:
    """The cheapest choice of modes for a coloured program."""
    return ModeTable.of(module, target_layouts, cost, assumed_size, interface).best(time_limit).choice()


def _prices(
    module: ModuleOp, target: Target, storage: ModuleStorage, assumed_size: int, blocks: BlockForms | None
) -> ConversionPrices:
    assert target.costs is not None
    if blocks is None:
        return ConversionPrices(target.costs, storage.origins, assumed_size, target.most_transposed_axes)
    # Imported late: few targets have blocks.
    from ..modes.packed_views import PackedViews
    from ..prices.block_prices import BlockPrices

    return BlockPrices(target.costs, storage, assumed_size, PackedViews(module, storage, blocks))


def _packs(
    module: ModuleOp,
    live: set[Operation],
    storage: ModuleStorage,
    unit: CostUnit,
    target: Target,
    assumed_size: int,
) -> PresentPacks | None:
    """The packs that a program has already, if they count."""
    if unit != "target" and not target.blocks:
        return None
    # Imported late: few targets have blocks.
    from ..modes.present_packs import PresentPacks

    return PresentPacks.of(module, live, storage.origins, unit, target, assumed_size)
