"""Changes of one thing at the ends of conflicts, and the best program with each, found by solving again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects.interfaces import End
from ...dialects.npu.axes import MatmulFreedom
from ...dialects.npu.values import encoding
from ...layout import Layout
from ...targets import Target, name_of
from ..common.call_graph import call_graph
from ..common.interface_choice import EVERYTHING_FREE, chosen_ends
from ..common.origins import Origins
from ..common.pins import output_name
from ..common.reasons import Names
from ..common.storage import ByteOrder
from ..common.target_layouts import named_demand
from ..common.transpose_cost import Cost
from .conflicts import Chain
from .linear_program import solve
from .mode_choice import ModeChoice
from .modes import uses_of
from .module_problem import fewest_transposes
from .problem import Access, Problem, byte_orders_of

Choose: TypeAlias = Callable[[Target], ModeChoice]


class Change(NamedTuple):
    """A change of one thing."""

    text: str
    """The change in words, such as `without the demand of conv2d on data (opu.toml:21)`."""
    solved: Callable[[], SolvedChange]


class SolvedChange(NamedTuple):
    """The best program with a change."""

    text: str
    """The change in words, with the layout that is best for an argument or output."""
    cost: Cost


class Changes:
    """The changes that could spare a program conversions.

    Each is a change of the target's file or of one signature that nothing else depends on.
    """

    def __init__(self, choice: ModeChoice, names: Names, choose: Choose) -> None:
        self._choice = choice
        self._names = names
        self._choose = choose
        self._origins = Origins()
        self._called = set(call_graph(choice.module).callees.values())
        self._may_change = chosen_ends(choice.module, EVERYTHING_FREE, Names(choice.module))
        """The arguments and results that `--interface` can change."""

    def lines(self, ends: Iterable[Chain], is_converted: bool) -> list[str]:
        """The changes at these ends that save something, the best one first; a remark if a conversion has none."""
        changes = {change.text: change for end in ends for change in self.at(end)}
        before, unit = self._choice.cost, self._choice.cost_unit
        found = [change.solved() for change in changes.values()]
        saving = [each for each in found if each.cost.counted(unit) < before.counted(unit)]
        saving.sort(key=lambda each: each.cost.counted(unit))
        if saving or not is_converted:
            return [f"  {each.text}: {before.reduced_to(each.cost)}" for each in saving]
        if not changes:
            return ["  no single change saves anything: both ends of the conflict are fixed"]
        return [f"  nothing is saved {', nor '.join(changes)}"]

    def everywhere(self) -> list[Change]:
        """The changes of all arguments and results, of the demands on data, and of the capability for products."""
        found: dict[str, Change] = {}
        for op in self._choice.module.walk():
            for change in self._of_function(op) if isinstance(op, FuncOp) else self._of_each_operand(op):
                found.setdefault(change.text, change)
        return list(found.values())

    def _of_function(self, function: FuncOp) -> Iterator[Change]:
        arguments = function.body.block.args if len(function.body.blocks) == 1 else ()
        for argument in arguments:
            if encoding(argument.type) is not None and argument not in self._choice.modes:
                yield from self._of_argument(argument)

    def _of_each_operand(self, op: Operation) -> Iterator[Change]:
        """The changes at the operands that are computed: constants are stored as demanded."""
        for index, value in enumerate(op.operands):
            if encoding(value.type) is not None and not self._origins.is_constant(value):
                yield from self._of_op(op, index)

    def at(self, chain: Chain) -> Iterator[Change]:
        """The changes at the end of a conflict."""
        node = chain.end
        if isinstance(node, BlockArgument) and node not in self._choice.modes:
            yield from self._of_argument(node)
        # A free argument or result has any order of its type already.
        if isinstance(node, Operation):
            yield from self._of_op(node, chain.operand)

    def _of_op(self, op: Operation, operand: int | None) -> Iterator[Change]:
        if isinstance(op, ReturnOp):
            yield from self._of_output(op, operand)
            return
        target_layouts = self._choice.target_layouts
        target = target_layouts.target
        if (demands := target_layouts.demands(op)) is not None:
            yield self._without_demand(op, named_demand(op, demands, operand)[0])
        elif (rule := target_layouts.rule(op)) is not None and rule.axes:
            yield from (self._without_demand(op, name) for name in rule.axes)
        elif target_layouts.matmul_reason(op) is not None:
            yield Change(_matmul_text(target, MatmulFreedom.FREE), self._with_free_matmul)

    def _without_demand(self, op: Operation, name: str) -> Change:
        target_layouts = self._choice.target_layouts
        rule, target = target_layouts.rule(op), target_layouts.target
        assert rule is not None
        text = f"without the demand of {name_of(op).removeprefix('npu.')} on {name} ({target_layouts.place(op, name)})"
        return Change(
            text, lambda: SolvedChange(text, self._choose(target.without_demand(name_of(op), rule, name)).cost)
        )

    def _with_free_matmul(self) -> SolvedChange:
        """The smallest freedom of products of matrices that saves as much as any."""
        target = self._choice.target_layouts.target
        free, batch = (
            SolvedChange(_matmul_text(target, freedom), self._choose(replace(target, matmul=freedom)).cost)
            for freedom in (MatmulFreedom.FREE, MatmulFreedom.BATCH)
        )
        unit = self._choice.cost_unit
        return batch if batch.cost.counted(unit) <= free.cost.counted(unit) else free

    def _of_argument(self, argument: BlockArgument) -> Iterator[Change]:
        function = argument.owner.parent_op()
        if not isinstance(function, FuncOp) or function in self._called or argument not in self._choice.weights:
            return
        end = End(function, argument.index, is_argument=True)
        yield from self._of_interface(f"argument {self._names.of(argument)}", end, argument, None)

    def _of_output(self, op: ReturnOp, operand: int | None) -> Iterator[Change]:
        function = op.parent_op()
        if operand is None or not isinstance(function, FuncOp) or function in self._called:
            return
        value = op.operands[operand]
        root = self._choice.storage.root(value)
        if root not in self._choice.weights:
            return
        uses = [use for use in uses_of(op) if use not in self._choice.modes]
        reads = [use.operand for use in uses if self._is_of(use.value, root)]
        if operand not in reads:
            # It is free already.
            return
        accesses = self._choice.problem.storages[self._number(root)].readers
        number = list(self._choice.modes).index(op)
        reader = [place for place, access in enumerate(accesses) if access.op == number][reads.index(operand)]
        end = End(function, operand, is_argument=False)
        yield from self._of_interface(output_name(op, operand), end, value, reader)

    def _is_of(self, value: SSAValue, root: SSAValue) -> bool:
        return encoding(value.type) is not None and self._choice.storage.root(value) is root

    def _number(self, root: SSAValue) -> int:
        return list(self._choice.weights).index(root)

    def _of_interface(self, subject: str, end: End, value: SSAValue, reader: int | None) -> Iterator[Change]:
        """The change of the order of an argument, or of that in which a return reads a result.

        None where bytes travel: these are not solved again without the program.
        """
        if self._choice.traffic is not None:
            return
        number = self._number(self._choice.storage.root(value))
        orders = [*self._orders(value, number)]
        if len(orders) < 2:
            return

        def solved() -> SolvedChange:
            problem = _with_choice(self._choice.problem, number, reader, orders)
            solution = solve(problem, [fewest_transposes(problem)])
            order = self._choice.storage.order(value, orders[solution.choice[-1]])
            layout = encoding(value.type)
            assert layout is not None
            assert order is not None
            cost = self._choice.cost_of(problem, solution)
            wanted = layout.with_order(order)
            return SolvedChange(f"with {subject} stored as {wanted}{self._flag(end, wanted)}", cost)

        yield Change(f"with {subject} stored in another order", solved)

    def _flag(self, end: End, layout: Layout) -> str:
        """The flag for the layout of an argument or result, if there is one."""
        return f" (--interface={end.name}:{layout})" if layout.cls.is_cnn and end in self._may_change else ""

    def _orders(self, value: SSAValue, number: int) -> Iterator[ByteOrder]:
        """The byte orders of a storage that are orders of a value."""
        for byte_order in byte_orders_of(self._choice.problem.storages[number]):
            order = self._choice.storage.order(value, cast("ByteOrder", byte_order))
            if order is not None and self._choice.target_layouts.may_have(value, order):
                yield cast("ByteOrder", byte_order)


def _matmul_text(target: Target, freedom: MatmulFreedom) -> str:
    return f"with matmul = {freedom.text} ({target.matmul_place})"


def _with_choice(problem: Problem, storage: int, reader: int | None, byte_orders: Sequence[Hashable]) -> Problem:
    """A problem in which one more op chooses the byte order of one access: that of a reader, or of the producer."""
    access = Access(len(problem.modes), byte_orders)
    storages = [*problem.storages]
    if reader is None:
        storages[storage] = replace(storages[storage], producer=access)
    else:
        readers = [*storages[storage].readers]
        readers[reader] = access
        storages[storage] = replace(storages[storage], readers=readers)
    return Problem([*problem.modes, len(byte_orders)], storages, problem.prices)
