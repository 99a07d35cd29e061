"""Changes of single things, and the best program with each, found by solving again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation

from ....dialects.notes.interfaces import InterfaceValue
from ....dialects.npu.axes import MatmulFreedom
from ....dialects.npu.values import encoding
from ....layout import Layout
from ....targets import Target
from ...common.demands.demand_reasons import matmul_reason, named_demand
from ...common.graph.call_graph import call_graph
from ...common.moves.transpose_cost import Cost, cost_of
from ...common.plans.interface_choice import Freedom, Interface
from ...common.storages.origins import Origins
from ...common.words.reasons import Names
from ..choice.mode_choice import ModeChoice
from ..modes.free_interface import TiedEnd, end_of
from ..modes.modes import Decider
from ..modes.rewrites import Mode
from .changed_interface import ChangedInterface
from .conflicts import Chain, Conflict, Conflicts
from .target_changes import TargetChange, with_matmul, with_opposite_demand, without_demand

Choose: TypeAlias = Callable[[Target, Interface], ModeChoice]

MOST_PAIRS = 2
"""The maximum number of pairs that are solved for another target, which takes as long as the pass."""


class Change(NamedTuple):
    """Changes of the target's file, of signatures, or of both."""

    of_target: tuple[TargetChange, ...] = ()
    interface: tuple[InterfaceValue, ...] = ()
    """The arguments and results that are stored in the layouts that cost least."""
    less: Change | None = None
    """A smaller change, which is enough if it saves as much."""
    otherwise: Change | None = None
    """A smaller change that is of interest as well, if this one saves anything."""

    def with_other(self, other: Change) -> Change:
        return Change((*self.of_target, *other.of_target), (*self.interface, *other.interface))


class SolvedChange(NamedTuple):
    """The best program with a change."""

    text: str
    """The change in words, with the layouts that are best for arguments and results."""
    cost: Cost
    asked: str
    """The change in words, before the best layouts were known."""


class Changes:
    """The changes that could save a program conversions.

    Each is a change of the target's file or of a signature that nothing else depends on.
    """

    def __init__(self, choice: ModeChoice, names: Names, choose: Choose, time_limit: float) -> None:
        """`choose` solves the program for a target, with some more arguments and results free."""
        self._choice = choice
        self._names = names
        self._choose = choose
        self._time_limit = time_limit
        self._origins = Origins()
        self._called = set(call_graph(choice.table.module).callees.values())
        self._interface = ChangedInterface(choice, names)

    def lines(self, ends: Iterable[Chain], is_converted: bool) -> list[str]:
        """The changes at the ends of a conflict that save something, the best one first; a remark if none does."""
        changes = {self._text(change): change for end in ends for change in self._at(end)}
        found = [self._solved(change) for change in changes.values()]
        before, unit = self._choice.cost, self._choice.table.cost_unit
        saving = [each for each in found if self._is_less(each.cost, before)]
        saving.sort(key=lambda each: each.cost.counted(unit))
        if saving or not is_converted:
            return [f"  {each.text}: {before.reduced_to(each.cost)}" for each in saving]
        if not changes:
            return ["  no single change saves anything: both ends of the conflict are fixed"]
        return [f"  nothing is saved {', nor '.join(changes)}"]

    def everywhere(self) -> Iterator[SolvedChange]:
        """The changes of all arguments and results, of the demands on data, and of the capability for products.

        A demand without which something is saved is tried in the opposite order as well. Then follow the changes of
        both ends of a conflict that save more than that of either.
        """
        changes, before = self._everywhere(), self._choice.cost
        found = {text: self._solved(change) for text, change in changes.items()}
        yield from found.values()
        for text, change in changes.items():
            if change.otherwise is not None and self._is_less(found[text].cost, before):
                solved = self._solved(change.otherwise)._replace(asked=text)
                yield from [solved] * self._is_less(solved.cost, before)
        for one, other in self._pairs(changes):
            solved = self._solved(changes[one].with_other(changes[other]))
            if all(self._is_less(solved.cost, found[each].cost) for each in (one, other)):
                yield solved

    def with_free_interface(self) -> Cost:
        """The cost with all arguments and results in the layouts that cost least, where state has one order."""
        return self._cost(Change(interface=tuple(self._interface.with_flag)), self._interface.states())[0]

    def asked_at(self, chain: Chain) -> list[str]:
        """The changes at the end of a conflict, in words."""
        return [self._text(change) for change in self._at(chain)]

    def _is_less(self, cost: Cost, before: Cost) -> bool:
        return cost.counted(self._choice.table.cost_unit) < before.counted(self._choice.table.cost_unit)

    def _text(self, change: Change, layouts: Mapping[InterfaceValue, Layout] | None = None) -> str:
        interface = (self._interface.text(value, (layouts or {}).get(value)) for value in change.interface)
        return " and ".join([*(each.text for each in change.of_target), *interface])

    def _solved(self, change: Change) -> SolvedChange:
        cost, modes = self._cost(change)
        asked = self._text(change)
        if change.less is not None and self._is_less(cost, self._choice.cost):
            less = self._solved(change.less)
            if not self._is_less(cost, less.cost):
                return less._replace(asked=asked)
        if cost == self._choice.cost:
            return SolvedChange(asked, cost, asked)
        return SolvedChange(self._text(change, _new_layouts(change.interface, modes)), cost, asked)

    def _cost(self, change: Change, ties: Sequence[Sequence[TiedEnd]] = ()) -> tuple[Cost, Mapping[Decider, Mode]]:
        """The least cost with a change, and the modes of the arguments and results that are free then."""
        deciders, table = self._interface.freed(change.interface), self._choice.table
        target = table.target_layouts.target
        for each in change.of_target:
            target = each.changed(target)
        if self._choice.traffic is None:
            table = table.for_target(target) if change.of_target else table
            return table.freed(deciders, self._time_limit, ties)
        choice = self._choose(target, dict.fromkeys(change.interface, Freedom.FREE))
        return choice.cost, {each: choice.modes[each] for each in deciders if each in choice.modes}

    def _pairs(self, changes: Mapping[str, Change]) -> list[tuple[str, str]]:
        """The changes at both ends of conflicts, those behind the most bytes first."""
        conflicts, choice = Conflicts(self._choice, self._names), self._choice
        weighed = Counter[tuple[str, str]]()
        for use in choice.uses:
            if use.is_converted and (conflict := conflicts.of(use)).given is not None:
                moved = cost_of(use.root, choice.table.storage.origins, choice.table.assumed_size).bytes
                weighed.update(dict.fromkeys(self._pairs_of(conflict), moved))
        pairs = [pair for pair, _ in weighed.most_common() if {*pair} <= changes.keys()]
        left_out = [pair for pair in pairs if any(changes[each].of_target for each in pair)][MOST_PAIRS:]
        return [pair for pair in pairs if pair not in left_out]

    def _pairs_of(self, conflict: Conflict) -> Iterator[tuple[str, str]]:
        ends = [] if conflict.given is None else [conflict.wanted, conflict.given]
        for pair in product(*map(self.asked_at, ends)):
            if len(set(pair)) == 2:
                yield min(pair), max(pair)

    def _everywhere(self) -> Mapping[str, Change]:
        found: dict[str, Change] = {}
        for op in self._choice.table.module.walk():
            for change in self._of_function(op) if isinstance(op, FuncOp) else self._of_each_operand(op):
                found.setdefault(self._text(change), change)
        return found

    def _of_function(self, function: FuncOp) -> Iterator[Change]:
        for argument in function.body.block.args if len(function.body.blocks) == 1 else ():
            yield from self._of_argument(argument)

    def _of_each_operand(self, op: Operation) -> Iterator[Change]:
        """The changes at the operands that are computed: constants are stored as demanded."""
        for index, value in enumerate(op.operands):
            if encoding(value.type) is not None and not self._origins.is_constant(value):
                yield from self._of_op(op, index)

    def _at(self, chain: Chain) -> Iterator[Change]:
        """The changes at the end of a conflict."""
        node = chain.end
        if isinstance(node, BlockArgument):
            yield from self._of_argument(node)
        # A free result has any order of its type already.
        if isinstance(node, Operation):
            yield from self._of_op(node, chain.operand)

    def _of_op(self, op: Operation, operand: int | None) -> Iterator[Change]:
        if isinstance(op, ReturnOp):
            yield from self._of_output(op, operand)
            return
        target_layouts = self._choice.table.target_layouts
        if (demands := target_layouts.demands(op)) is not None:
            yield self._without_demand(op, *named_demand(op, demands, operand))
        elif (rule := target_layouts.rules.rule(op)) is not None and rule.axes:
            yield from (self._without_demand(op, name) for name in rule.axes)
        elif matmul_reason(target_layouts, op) is not None:
            free, batch = (
                with_matmul(target_layouts.target, each) for each in (MatmulFreedom.FREE, MatmulFreedom.BATCH)
            )
            yield Change((free,), less=Change((batch,)))

    def _without_demand(self, op: Operation, name: str, layout: Layout | None = None) -> Change:
        target_layouts = self._choice.table.target_layouts
        opposite = None if layout is None else with_opposite_demand(target_layouts, op, name, layout)
        change = Change((without_demand(target_layouts, op, name),))
        return change if opposite is None else change._replace(otherwise=Change((opposite,)))

    def _of_argument(self, argument: BlockArgument) -> Iterator[Change]:
        function = argument.owner.parent_op()
        if isinstance(function, FuncOp):
            yield from self._of_interface(InterfaceValue(function, argument.index, is_argument=True))

    def _of_output(self, op: ReturnOp, operand: int | None) -> Iterator[Change]:
        function = op.parent_op()
        if operand is not None and isinstance(function, FuncOp):
            yield from self._of_interface(InterfaceValue(function, operand, is_argument=False))

    def _of_interface(self, value: InterfaceValue) -> Iterator[Change]:
        if value.function not in self._called and self._interface.may_change(value):
            yield Change(interface=(value,))


def _new_layouts(interface: Iterable[InterfaceValue], modes: Mapping[Decider, Mode]) -> Mapping[InterfaceValue, Layout]:
    """The layouts of free arguments and results that are not the present ones."""
    found: dict[InterfaceValue, Layout] = {}
    for value in interface:
        decider = end_of(value)
        mode = None if decider is None else modes.get(decider)
        layout = encoding(value.type)
        if mode is not None and mode.relayout is not None and layout is not None:
            (order,) = (*mode.relayout.operands, *mode.relayout.results)
            assert order is not None
            found[value] = layout.with_order(order)
    return found
