"""The choice of `layout-optimal`: a mode for each op, and its cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.relayout import stored_in
from ...dialects.npu.values import encoding, order_of_value, shape_of
from ...dialects.npu.views import Sizes
from ...layout import Order, permute
from ...targets import CostUnit
from ..common.dead_ops import live_ops
from ..common.interface_choice import NO_ENDS, Ends, Freedom
from ..common.op_classes import order_of
from ..common.origins import Origins
from ..common.plan import Reshaped
from ..common.producers import Use, node_of
from ..common.storage import ByteOrder
from ..common.target_layouts import TargetLayouts
from ..common.transpose_cost import Cost, cost_of, counted_transposes
from .common_pieces import have_common_pieces
from .linear_program import solve
from .modes import Chooser, FreeEnds, Mode, Modes, uses_of
from .module_storage import ModuleStorage
from .problem import Access, Objective, Problem, Solution, StorageTerm, conversions_of
from .reshaped_form import reshaped_form

Readers: TypeAlias = dict[SSAValue, list[tuple[Chooser, int]]]
"""For each storage the operands that read it."""


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


@dataclass
class ModeChoice:
    """The form of each op and the byte orders of each storage."""

    module: ModuleOp
    target_layouts: TargetLayouts
    storage: ModuleStorage
    live: set[Operation]
    modes: dict[Chooser, Mode]
    """The mode of each live op that is no view, and of each free argument and result."""
    pinned: set[Chooser]
    """Those with one mode only."""
    problem: Problem
    """The problem that was solved: its ops are those of `modes`, its storages those of `weights`, numbered alike."""
    solution: Solution
    is_complete: bool
    """True if all modes of all ops were tried."""
    free_functions: Sequence[FuncOp]
    """The functions with free arguments or results."""
    weights: dict[SSAValue, int]
    """The cost of converting a storage once, by its root."""
    cost_unit: CostUnit
    assumed_size: int
    """The assumed size of an unknown dimension."""
    reshaped: dict[Operation, Reshaped] = field(default_factory=dict[Operation, Reshaped])
    """The forms of ops that work on other axes than their own."""
    uses: list[ModeUse] = field(default_factory=list["ModeUse"])
    """All uses of storages, in program order."""

    @property
    def is_proved(self) -> bool:
        return self.is_complete and self.solution.is_proved

    @property
    def cost(self) -> Cost:
        """The transposes of the chosen program, and the bytes that they move."""
        return self.cost_of(self.problem, self.solution)

    def cost_of(self, problem: Problem, solution: Solution) -> Cost:
        """The cost of a solution of a problem with the same storages."""
        total = Cost()
        for root, storage in zip(self.weights, problem.storages, strict=True):
            if not storage.is_free and (count := len(conversions_of(storage, solution.choice))):
                total += cost_of(root, self.storage.origins, self.assumed_size) * count
        return total

    def changes_nothing(self) -> bool:
        """True if no op is rewritten and the program already has the minimum cost."""
        if any(mode.relayout is not None for mode in self.modes.values()):
            return False
        counted = (op for op in counted_transposes(self.module) if op in self.live)
        return self.solution.cost == sum(self.weights[self.storage.root(op.input)] for op in counted)

    def given(self, root: SSAValue) -> tuple[Order | None, ByteOrder]:
        """The order in which a root is produced, if one expresses it, and the byte order."""
        mode, index = self._producing(root)
        if mode is None or mode.relayout is None:
            order = order_of(root)
            assert order is not None
            return order, self.storage.byte_order(root, order)
        byte_order = mode.produces[index]
        assert byte_order is not None
        order = mode.relayout.results[index] if root.owner not in self.reshaped else None
        if order is not None and self.storage.byte_order(root, order) == byte_order:
            return order, byte_order
        return None, byte_order

    def given_sizes(self, root: SSAValue) -> Sizes:
        """The sizes of the dimensions in which a root is produced."""
        if isinstance(root, OpResult) and root.op in self.reshaped:
            sizes = self.reshaped[root.op].sizes[len(root.op.operands) + root.index]
            assert sizes is not None
            return sizes
        return permute(self.storage.view(root).sizes, self._given_order(root))

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
        node = node_of(root)
        return self.modes.get(node), root.index if isinstance(root, OpResult) else 0

    def chooser(self, use: Use) -> Chooser:
        """The op whose mode decides for a use, or the use itself if it is a free result."""
        return use if use in self.modes else use.op

    def read(self) -> Iterator[ModeUse]:
        """All uses of storages, in program order."""
        for chooser, mode in self.modes.items():
            for place, ((op, index), byte_order) in enumerate(zip(uses_of(chooser), mode.reads, strict=True)):
                if byte_order is None:
                    continue
                value = op.operands[index]
                root = self.storage.root(value)
                is_converted = byte_order != self.given(root)[1]
                if op in self.reshaped:
                    type_, sizes = self.reshaped[op].operands[index], self.reshaped[op].sizes[index]
                    assert isinstance(type_, TensorType)
                    assert sizes is not None
                    order = self.storage.order(value, byte_order)
                else:
                    order = _read_order(mode.relayout, place, value)
                    type_, sizes = stored_in(value, order), permute(self.storage.view(value).sizes, order)
                    order = order if self.storage.byte_order(value, order) == byte_order else None
                yield ModeUse(op, index, value, root, byte_order, order, type_, sizes, is_converted)


def _read_order(relayout: Relayout | None, index: int, value: SSAValue) -> Order:
    """The order in which an op reads an operand."""
    if relayout is not None:
        return relayout.operands[relayout.place_of(index)]
    order = order_of(value)
    assert order is not None
    return order


def choose_modes(
    module: ModuleOp,
    target_layouts: TargetLayouts,
    cost: CostUnit,
    assumed_size: int,
    time_limit: float,
    ends: Ends = NO_ENDS,
) -> ModeChoice:
    """The cheapest choice of modes for a coloured program."""
    live = live_ops(module)
    storage = ModuleStorage(module, live)
    modes = Modes(module, target_layouts, storage, live, FreeEnds.of(ends))
    readers: Readers = {}
    for op in modes.of:
        for place, use in enumerate(uses_of(op)):
            if encoding(use.value.type) is not None and (op == use or use not in modes.of):
                readers.setdefault(storage.root(use.value), []).append((op, place))
    roots = [root for root in readers if not storage.is_constant(root)]
    weights = {root: _weight(root, cost, storage.origins, assumed_size) for root in roots}
    other = _other_unit(cost, weights, storage.origins, assumed_size)
    problem, solution = _solved(modes, readers, weights, other, storage, time_limit)
    chosen = {op: of_op[mode] for (op, of_op), mode in zip(modes.of.items(), solution.choice, strict=True)}
    pinned = {op for op, of_op in modes.of.items() if len(of_op) == 1}
    functions = list(dict.fromkeys(end.function for end, wanted in ends.items() if wanted is Freedom.FREE))
    plan = ModeChoice(
        module,
        target_layouts,
        storage,
        live,
        chosen,
        pinned,
        problem,
        solution,
        modes.is_complete,
        functions,
        weights,
        cost,
        assumed_size,
    )
    for op, mode in chosen.items():
        if isinstance(op, NpuOp) and mode.relayout is not None and mode.form is not None and not mode.form.is_own:
            plan.reshaped[op] = reshaped_form(op, mode, storage, target_layouts)
    plan.uses += plan.read()
    return plan


def _solved(
    modes: Modes,
    readers: Readers,
    weights: dict[SSAValue, int],
    other: Sequence[float],
    storage: ModuleStorage,
    time_limit: float,
) -> tuple[Problem, Solution]:
    """The cheapest choice whose conversions are one transpose each, with the bound for all choices.

    The linear program takes every conversion for possible. If no transpose leads from the pieces that an op produces to
    those that a user of its result reads, such modes of the op are dropped, and the rest is solved again. Modes over an
    op's own axes always remain.
    """
    problem = _problem(modes, readers, weights, storage)
    solution = solve(problem, list(_tie_breakers(problem, modes, other)), time_limit)
    bound = solution.bound
    while torn := list(_torn(problem, solution, modes, weights)):
        for result, byte_order in torn:
            modes.of[result.op] = [
                mode
                for mode in modes.of[result.op]
                if have_common_pieces(cast("ByteOrder", mode.produces[result.index]), byte_order)
            ]
        problem = _problem(modes, readers, weights, storage)
        solution = solve(problem, list(_tie_breakers(problem, modes, other)), time_limit)
    return problem, replace(solution, bound=bound)


def _problem(modes: Modes, readers: Readers, weights: dict[SSAValue, int], storage: ModuleStorage) -> Problem:
    numbers = {op: number for number, op in enumerate(modes.of)}
    storages: list[StorageTerm] = []
    for root, weight in weights.items():
        accesses = [
            Access(numbers[op], [mode.reads[operand] for mode in modes.of[op]]) for op, operand in readers[root]
        ]
        storages.append(StorageTerm(weight, _producer(root, modes, numbers, storage), accesses))
    return Problem([len(of_op) for of_op in modes.of.values()], storages)


def _torn(
    problem: Problem, solution: Solution, modes: Modes, roots: Iterable[SSAValue]
) -> Iterator[tuple[OpResult, ByteOrder]]:
    """The results that are produced in pieces of which no transpose makes those that a user reads."""
    for root, term in zip(roots, problem.storages, strict=True):
        if not isinstance(root, OpResult) or root.op not in modes.of:
            continue
        given = cast("Access", term.producer)
        produced = cast("ByteOrder", given.byte_orders[solution.choice[given.op]])
        for wanted in conversions_of(term, solution.choice):
            if not have_common_pieces(produced, cast("ByteOrder", wanted)):
                yield root, cast("ByteOrder", wanted)


def _weight(root: SSAValue, cost: CostUnit, origins: Origins, assumed_size: int) -> int:
    if cost == "count":
        return int(0 not in shape_of(root))
    return cost_of(root, origins, assumed_size).bytes


def _producer(
    root: SSAValue, modes: Modes, numbers: Mapping[Chooser, int], storage: ModuleStorage
) -> Access | ByteOrder:
    node = node_of(root)
    if node in numbers:
        place = root.index if isinstance(root, OpResult) else 0
        return Access(numbers[node], [mode.produces[place] for mode in modes.of[node]])
    order = order_of(root)
    assert order is not None
    return storage.byte_order(root, order)


def _other_unit(cost: CostUnit, weights: dict[SSAValue, int], origins: Origins, assumed_size: int) -> list[float]:
    """The cost of converting each storage once, in the unit that is not minimised."""
    if cost == "bytes":
        return [float(weight > 0) for weight in weights.values()]
    sizes = [cost_of(root, origins, assumed_size).bytes for root in weights]
    # In proportion, because the solver takes costs for equal up to a fixed difference.
    largest = max((*sizes, 1))
    return [size / largest for size in sizes]


def _tie_breakers(problem: Problem, modes: Modes, other: Sequence[float]) -> Iterator[Objective]:
    """The other unit, then fewer rewritten ops, then later ops rather than earlier ones."""
    yield Objective(other, _nothing(problem))
    changed = [[_change(mode) for mode in of_op] for of_op in modes.of.values()]
    no_storage = [0.0] * len(problem.storages)
    yield Objective(no_storage, changed)
    yield Objective(
        no_storage, [[change * (len(changed) - place) for change in row] for place, row in enumerate(changed)]
    )


def fewest_transposes(problem: Problem) -> Objective:
    converted = [float(not storage.is_free) for storage in problem.storages]
    return Objective(converted, _nothing(problem))


def _nothing(problem: Problem) -> list[list[float]]:
    """No weight for any mode."""
    return [[0.0] * count for count in problem.modes]


def _change(mode: Mode) -> float:
    """The amount of change of a mode: less if the op keeps its axes."""
    if mode.relayout is None:
        return 0.0
    return 1.0 if mode.form is None or mode.form.is_own else 1.5
