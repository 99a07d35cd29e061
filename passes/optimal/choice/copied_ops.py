"""The ops that cost less if they run twice than the conversions that this saves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from xdsl.ir import Operation, OpResult
from xdsl.traits import is_side_effect_free

from ....dialects.carrying.callers import calls_around
from ....dialects.npu.base import NpuOp
from ....dialects.npu.shape import ViewOp
from ....dialects.npu.values import encoding
from ...common.graph.producers import Use
from ...common.plans.copies import CopyPlan
from ...common.storages.storage import ByteOrder
from ..modes.modes import Decider, uses_of
from ..modes.rewrites import Mode
from ..prices.every_order import SMALL
from ..prices.module_problem import Solved
from ..solve.problem import Problem, Solution, StorageTerm
from ..solve.second_runs import SecondRuns, solve_with_pairs
from .mode_choice import ModeTable, WiderProblem

SECONDS = 2
"""The time limit of branch and bound where the program without second runs is not proved to be the cheapest."""


@dataclass(frozen=True)
class CopiedOps:
    """The cheapest program in which ops may run twice."""

    modes: Mapping[Operation, tuple[Mode, Mode]]
    """The two modes of each op that runs twice, in program order."""
    prices: Mapping[Operation, int]
    """The price of each second run, in ticks."""
    plan: CopyPlan
    cost: int
    """In ticks, with the second runs."""
    bound: int
    """A proved lower bound for all programs in which these ops may run twice."""
    are_all: bool
    """True if no limit has kept two modes of an op out."""
    wider: WiderProblem
    """The problem in which these ops may run twice."""

    @property
    def count(self) -> int:
        """The number of ops that run twice; views run never."""
        return sum(not isinstance(op, ViewOp) for op in self.modes)

    @property
    def price(self) -> int:
        """The price of all second runs, in ticks."""
        return sum(self.prices.values())


def second_prices(table: ModeTable) -> Mapping[Operation, int]:
    """For each op that may run twice the price of the second run in all calls.

    What depends on constants alone is computed once for all, and then kept in two layouts at the price of constants.
    """
    prices = table.target_layouts.prices
    if not prices.has_second_runs or table.modes.have_blocks:
        return {}
    ops = (op for op in table.modes.of if isinstance(op, NpuOp))
    return {op: price for op in ops if (price := _price(op, table)) is not None}


def _price(op: NpuOp, table: ModeTable) -> int | None:
    if op.regions or len(table.modes.of[op]) < 2 or not is_side_effect_free(op):
        return None
    if isinstance(op, ViewOp):
        # A reshape that tears axes is no view of its operand's storage, but it moves nothing either.
        return 0
    price = table.target_layouts.prices.of_second_run(op)
    if price is None:
        return None
    if not all(table.storage.is_constant(table.storage.root(value)) for value in op.operands):
        return price * calls_around(op)
    return sum(table.constants.of_further_order(table.problem.bytes_of(result)) for result in op.results)


def copied_ops(
    table: ModeTable, solved: Solved, prices: Mapping[Operation, int], time_limit: float
) -> CopiedOps | None:
    """The cheapest program in which ops may run twice, beside the cheapest one in which none does.

    None if no op could save anything. If nothing is saved, no op runs twice in the answer, which has the bound.
    """
    if not prices or solved.avoided:
        return None
    found = _copied(table, solved, prices, time_limit)
    if found is None or not solved.solution.is_proved or len(table.modes.of) > SMALL:
        return found
    # Imported late: few programs need more orders.
    from ..prices.further_orders import with_every_order

    assert table.prices is not None
    modes = with_every_order(table.modes, table.storage, table.prices, solved)
    if modes is None:
        return replace(found, are_all=False)
    other = table.with_modes(modes, table.precision)
    further = _copied(other, other.problem.solved(time_limit), prices, time_limit)
    if further is None or further.cost > found.cost:
        return replace(found, are_all=further is None or further.are_all)
    return further


def _by_number(table: ModeTable, prices: Mapping[Operation, int]) -> Mapping[int, int]:
    ops = enumerate(table.modes.of)
    return {number: prices[op] for number, op in ops if isinstance(op, Operation) and op in prices}


def _copied(table: ModeTable, solved: Solved, prices: Mapping[Operation, int], time_limit: float) -> CopiedOps | None:
    """The cheapest program in which ops may run twice, in the byte orders of a table."""
    deciders = [*table.modes.of]
    numbers = _by_number(table, prices)
    limit = time_limit if solved.solution.is_proved else min(time_limit, SECONDS)
    tried: list[SecondRuns] = []

    def with_second_runs(problem: Problem) -> tuple[Problem, Solution]:
        tried.append(solve_with_pairs(problem, numbers, solved.solution, limit))
        return tried[-1].paired.problem, tried[-1].solution

    found = table.problem.of_one_transpose_each(solved.weights, with_second_runs)
    last = tried[-1]
    if not last.paired.pairs:
        return None
    modes: dict[Operation, tuple[Mode, Mode]] = {}
    for number, (first, second) in last.modes.items():
        op = cast("Operation", deciders[number])
        modes[op] = table.modes.of[op][first], table.modes.of[op][second]
    in_order = [op for op in table.module.walk() if op in modes] if modes else []
    modes = {op: modes[op] for op in in_order}
    chosen = {
        decider: table.modes.of[decider][last.paired.modes(number, mode)[0]]
        for number, (decider, mode) in enumerate(zip(deciders, found.solution.choice, strict=True))
    }
    uses = [*_moved(table, found, modes, chosen)]
    plan = CopyPlan(in_order, [use for use, of_copy in uses if not of_copy], [use for use, of_copy in uses if of_copy])
    return CopiedOps(
        modes,
        {op: prices[op] for op in in_order},
        plan,
        found.solution.cost,
        found.solution.bound,
        last.paired.is_complete,
        WiderProblem(table, found.problem),
    )


def _moved(
    table: ModeTable,
    found: Solved,
    copied: Mapping[Operation, tuple[Mode, Mode]],
    chosen: Mapping[Decider, Mode],
) -> Iterator[tuple[Use, bool]]:
    """The uses that read a copy, and true for those of the copy of their op."""
    terms = dict(zip(table.problem.roots, found.problem.storages, strict=True))
    for decider in table.modes.of:
        modes = copied[decider] if isinstance(decider, Operation) and decider in copied else (chosen[decider],)
        for place, use in enumerate(uses_of(decider)):
            if encoding(use.value.type) is None or (decider != use and use in table.modes.of):
                continue
            root = table.storage.root(use.value)
            if not isinstance(root, OpResult) or root.op not in copied:
                continue
            given = [mode.produces[root.index] for mode in copied[root.op]]
            for of_copy, mode in enumerate(modes):
                if _is_cheaper(terms[root], given, mode.reads[place]):
                    yield use, bool(of_copy)


def _is_cheaper(term: StorageTerm, given: list[ByteOrder | None], wanted: ByteOrder | None) -> bool:
    """True if the second of two byte orders is the cheaper one to read a storage from."""
    return wanted is not None and term.price(given[1], wanted) < term.price(given[0], wanted)
