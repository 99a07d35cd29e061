"""The cheapest of several choices for each function."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.transforms.canonicalize import CanonicalizePass

from ..common.graph.call_graph import function_around
from ..common.moves.transpose_cost import Cost, cost_of, counted_transposes
from ..common.plans.apply import apply_plan
from ..common.plans.copied_plan import CopiedPlan
from ..common.storages.origins import Origins
from ..common.words.reasons import Names
from .conversions import plan_of
from .order_choice import OrderChoice

Costs: TypeAlias = dict[FuncOp | None, Cost]


class _Tried(NamedTuple):
    """A choice with its costs per function; None stands for ops outside of functions."""

    choice: OrderChoice
    changed: set[FuncOp | None]
    canonical: Costs
    placed: Costs
    """The costs before canonicalization."""

    def amount(self, function: FuncOp | None) -> tuple[int, ...]:
        costs = [costs.get(function, Cost()) for costs in (self.canonical, self.placed)]
        return *(number for cost in costs for number in (cost.bytes, cost.transposes)), function in self.changed


def cheapest_in_each_function(choices: Sequence[OrderChoice]) -> OrderChoice:
    """For each function, the choice that moves the fewest bytes; ties go to fewer transposes, then to the choice that
    changes nothing, then to the first.

    Costs are counted in a canonicalized copy of the program first, where adjacent transposes compose, and then in the
    copy as placed.
    """
    first = choices[0]
    different = [
        choice for place, choice in enumerate(choices) if choice.relayouts not in [p.relayouts for p in choices[:place]]
    ]
    if len(different) == 1:
        return first
    tried = [_Tried(choice, _changed(choice), *_costs(choice)) for choice in different]
    chosen: dict[FuncOp | None, OrderChoice] = {}

    def chosen_for(op: Operation) -> OrderChoice:
        function = function_around(op)
        if function not in chosen:
            chosen[function] = min(tried, key=lambda each: each.amount(function)).choice
        return chosen[function]

    result = OrderChoice(first.module, first.target_layouts, first.rule, first.strategy)
    for choice in choices:
        result.relayouts |= {op: each for op, each in choice.relayouts.items() if chosen_for(op) is choice}
        result.reasons |= {op: each for op, each in choice.reasons.items() if chosen_for(op) is choice}
    return result


def _changed(choice: OrderChoice) -> set[FuncOp | None]:
    return {function_around(op) for op in choice.relayouts}


def _costs(choice: OrderChoice) -> tuple[Costs, Costs]:
    """The costs of the functions under a choice, after and before canonicalization."""
    copied = CopiedPlan(plan_of(choice))
    copy = copied.plan.module
    functions = {other: op for op, other in copied.ops.items() if isinstance(op, FuncOp)}
    apply_plan(copied.plan, Names(copy))
    placed = _costs_now(copy, functions)
    CanonicalizePass().apply(Context(), copy)
    return _costs_now(copy, functions), placed


def _costs_now(copy: ModuleOp, functions: Mapping[Operation, FuncOp]) -> Costs:
    costs: Costs = {}
    origins = Origins()
    for op in counted_transposes(copy, origins):
        around = function_around(op)
        function = None if around is None else functions[around]
        costs[function] = costs.get(function, Cost()) + cost_of(op.input, origins)
    return costs
