"""What `layout-optimal` decides: a mode for each op, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.relayout import stored_in
from ...dialects.npu.values import encoding, order_of_value, shape_of
from ...dialects.npu.views import Sizes
from ...layout import Order, permute
from ..common.dead_ops import live_ops
from ..common.op_kinds import order_of
from ..common.origins import Origins
from ..common.storage import ByteOrder
from ..common.target_layouts import TargetLayouts
from ..common.transpose_cost import cost_of, counted_transposes
from .linear_program import solve
from .modes import Mode, Modes
from .module_storage import ModuleStorage
from .problem import Family, Objective, Problem, Solution, Touch
from .written_forms import Written, written_form


class Reading(NamedTuple):
    """An op that reads a value, in the order that its mode asks for."""

    op: Operation
    operand: int
    value: SSAValue
    root: SSAValue
    """The first value of the family of what is read."""
    byte_order: ByteOrder
    """The sequence in which the family is stored then."""
    order: Order | None
    """The order that this is of the value; None if it is none."""
    type: TensorType
    """The type under which the op reads it."""
    sizes: Sizes
    """The sizes of the dimensions of that type, in the symbols of the family."""
    is_stored_again: bool
    """Whether the family comes into being in another sequence."""


@dataclass
class StoragePlan:
    """How every op is written, and in which sequences every family is stored."""

    module: ModuleOp
    target_layouts: TargetLayouts
    storage: ModuleStorage
    live: set[Operation]
    modes: dict[Operation, Mode]
    """The mode of each op that matters and is no view."""
    pinned: set[Operation]
    """The ops that have one mode only."""
    problem: Problem
    """What was solved: its ops are those of `modes` and its families those of `weights`, in the same sequence."""
    solution: Solution
    is_complete: bool
    """Whether all modes of all ops were tried."""
    weights: dict[SSAValue, int]
    """What it costs to store a family again, by its first value."""
    written: dict[Operation, Written] = field(default_factory=dict[Operation, Written])
    """How the ops are written that do not have their own axes."""
    readings: list[Reading] = field(default_factory=list["Reading"])
    """Who reads what, in the sequence of the text."""

    @property
    def is_proved(self) -> bool:
        return self.is_complete and self.solution.is_proved

    def changes_nothing(self) -> bool:
        """Whether all ops stay as they are, and the program costs no more than it has to."""
        if any(mode.relayout is not None for mode in self.modes.values()):
            return False
        counted = (op for op in counted_transposes(self.module) if op in self.live)
        return self.solution.cost == sum(self.weights[self.storage.root(op.input)] for op in counted)

    def is_written_anew(self, op: Operation) -> bool:
        return op in self.modes and self.modes[op].relayout is not None

    def given(self, root: SSAValue) -> tuple[Order | None, ByteOrder]:
        """The order in which the first value of a family comes into being, if it is one, and the sequence."""
        mode = self.modes.get(root.op) if isinstance(root, OpResult) else None
        if mode is None or mode.relayout is None or not isinstance(root, OpResult):
            order = order_of(root)
            assert order is not None
            return order, self.storage.byte_order(root, order)
        byte_order = mode.gives[root.index]
        assert byte_order is not None
        order = mode.relayout.results[root.index] if root.op not in self.written else None
        if order is not None and self.storage.byte_order(root, order) == byte_order:
            return order, byte_order
        return None, byte_order

    def given_sizes(self, root: SSAValue) -> Sizes:
        """The sizes of the dimensions in which the first value of a family comes into being."""
        if isinstance(root, OpResult) and (mode := self.modes.get(root.op)) is not None and mode.relayout is not None:
            if root.op in self.written:
                sizes = self.written[root.op].sizes[len(root.op.operands) + root.index]
                assert sizes is not None
                return sizes
            return permute(self.storage.view(root).sizes, mode.relayout.results[root.index])
        return permute(self.storage.view(root).sizes, order_of_value(root))

    def read(self) -> Iterator[Reading]:
        """Who reads what, in the sequence of the text."""
        for op, mode in self.modes.items():
            for index, (value, byte_order) in enumerate(zip(op.operands, mode.reads, strict=True)):
                if byte_order is None:
                    continue
                root = self.storage.root(value)
                again = byte_order != self.given(root)[1]
                if op in self.written:
                    type_, sizes = self.written[op].operands[index], self.written[op].sizes[index]
                    assert isinstance(type_, TensorType)
                    assert sizes is not None
                    order = self.storage.order(value, byte_order)
                else:
                    order = _read_order(mode.relayout, index, value)
                    type_, sizes = stored_in(value, order), permute(self.storage.view(value).sizes, order)
                    order = order if self.storage.byte_order(value, order) == byte_order else None
                yield Reading(op, index, value, root, byte_order, order, type_, sizes, again)


def _read_order(relayout: Relayout | None, index: int, value: SSAValue) -> Order:
    """The order in which an op reads a value when it is written like this."""
    if relayout is not None:
        return relayout.operands[
            index if relayout.operand_permutation is None else relayout.operand_permutation.index(index)
        ]
    order = order_of(value)
    assert order is not None
    return order


def plan_storage(
    module: ModuleOp,
    target_layouts: TargetLayouts,
    cost: Literal["bytes", "count"],
    assumed_size: int,
    time_limit: float,
) -> StoragePlan:
    """The cheapest way to write a program in which every value has a layout."""
    live = live_ops(module)
    storage = ModuleStorage(module, live)
    modes = Modes(module, target_layouts, storage, live)
    ops = list(modes.of)
    numbers = {op: number for number, op in enumerate(ops)}
    readers: dict[SSAValue, list[tuple[Operation, int]]] = {}
    for op in ops:
        for index, value in enumerate(op.operands):
            if encoding(value.type) is not None:
                readers.setdefault(storage.root(value), []).append((op, index))
    roots = [root for root in readers if not storage.is_constant(root)]
    weights = {root: _weight(root, cost, storage.origins, assumed_size) for root in roots}
    families: list[Family] = []
    for root, weight in weights.items():
        touches = [Touch(numbers[op], [mode.reads[operand] for mode in modes.of[op]]) for op, operand in readers[root]]
        families.append(Family(weight, _giver(root, modes, numbers, storage), touches))
    problem = Problem([len(modes.of[op]) for op in ops], families)
    solution = solve(problem, list(_tie_breakers(problem, ops, modes)), time_limit)
    chosen = {op: modes.of[op][mode] for op, mode in zip(ops, solution.choice, strict=True)}
    pinned = {op for op in ops if len(modes.of[op]) == 1}
    plan = StoragePlan(
        module, target_layouts, storage, live, chosen, pinned, problem, solution, modes.is_complete, weights
    )
    for op, mode in chosen.items():
        if isinstance(op, NpuOp) and mode.relayout is not None and mode.form is not None and not mode.form.is_own:
            plan.written[op] = written_form(op, mode, storage, target_layouts)
    plan.readings += plan.read()
    return plan


def _weight(root: SSAValue, cost: Literal["bytes", "count"], origins: Origins, assumed_size: int) -> int:
    if cost == "count":
        return int(0 not in shape_of(root))
    return cost_of(root, origins, assumed_size).bytes


def _giver(root: SSAValue, modes: Modes, numbers: dict[Operation, int], storage: ModuleStorage) -> Touch | ByteOrder:
    if isinstance(root, OpResult) and root.op in numbers:
        return Touch(numbers[root.op], [mode.gives[root.index] for mode in modes.of[root.op]])
    order = order_of(root)
    assert order is not None
    return storage.byte_order(root, order)


def _tie_breakers(problem: Problem, ops: list[Operation], modes: Modes) -> Iterator[Objective]:
    """Fewer transposes, then fewer ops that are written in another way, then the later ones rather than the first."""
    stored_again = [float(family.weight > 0) for family in problem.families]
    nothing = [[0.0] * count for count in problem.modes]
    yield Objective(stored_again, nothing)
    changed = [[_change(mode) for mode in modes.of[op]] for op in ops]
    no_family = [0.0] * len(problem.families)
    yield Objective(no_family, changed)
    yield Objective(no_family, [[change * (len(ops) - place) for change in row] for place, row in enumerate(changed)])


def _change(mode: Mode) -> float:
    """How much a mode changes an op: less if the op keeps its axes."""
    if mode.relayout is None:
        return 0.0
    return 1.0 if mode.form is None or mode.form.is_own else 1.5
