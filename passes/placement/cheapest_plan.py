"""One plan out of several, with each function as in the plan that is cheapest there."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.transforms.canonicalize import CanonicalizePass

from ..common.origins import Origins
from ..common.reasons import Names
from ..common.transpose_cost import Cost, cost_of, transposes
from .apply import apply_plan
from .plan import LayoutPlan

Costs: TypeAlias = dict[FuncOp | None, Cost]
Planner: TypeAlias = Callable[[ModuleOp], LayoutPlan]


class _Tried(NamedTuple):
    """A plan, and what comes of it: for each function, None being what is outside all of them."""

    plan: LayoutPlan
    changed: set[FuncOp | None]
    canonical: Costs
    placed: Costs
    """The costs before anything meets."""

    def amount(self, function: FuncOp | None) -> tuple[int, ...]:
        costs = [costs.get(function, Cost()) for costs in (self.canonical, self.placed)]
        return *(number for cost in costs for number in (cost.bytes, cost.transposes)), function in self.changed


def cheapest_in_each_function(module: ModuleOp, planners: Sequence[Planner]) -> LayoutPlan:
    """The plan that takes each function from the plan that moves the fewest bytes in it, the first one of equals.

    Of plans that move as many bytes the one with fewer transposes is cheaper, and then the one that changes nothing.
    What a plan costs is seen in a copy of the program, first of all in its canonical form: there transposes meet that
    were placed for different ops, or that the program has.
    """
    plans = [planner(module) for planner in planners]
    first = plans[0]
    different = [
        place for place, plan in enumerate(plans) if plan.relayouts not in [p.relayouts for p in plans[:place]]
    ]
    if len(different) == 1:
        return first
    tried = [_Tried(plans[place], _changed(plans[place]), *_costs(module, planners[place])) for place in different]
    chosen: dict[FuncOp | None, LayoutPlan] = {}

    def chosen_for(op: Operation) -> LayoutPlan:
        function = _function_of(op)
        if function not in chosen:
            chosen[function] = min(tried, key=lambda each: each.amount(function)).plan
        return chosen[function]

    result = LayoutPlan(first.module, first.target_layouts, first.rule, first.strategy)
    for plan in plans:
        result.relayouts |= {op: each for op, each in plan.relayouts.items() if chosen_for(op) is plan}
        result.reasons |= {op: each for op, each in plan.reasons.items() if chosen_for(op) is plan}
    return result


def _changed(plan: LayoutPlan) -> set[FuncOp | None]:
    return {_function_of(op) for op in plan.relayouts}


def _costs(module: ModuleOp, planner: Planner) -> tuple[Costs, Costs]:
    """What the functions of a program cost when they are written as planned, in canonical form and before."""
    copy = module.clone()
    functions: dict[FuncOp | None, FuncOp | None] = dict(zip(_functions(copy), _functions(module), strict=True))
    apply_plan(planner(copy), Names(copy))
    placed = _costs_now(copy, functions)
    CanonicalizePass().apply(Context(), copy)
    return _costs_now(copy, functions), placed


def _costs_now(copy: ModuleOp, functions: dict[FuncOp | None, FuncOp | None]) -> Costs:
    costs: Costs = {}
    origins = Origins()
    for op, not_counted in transposes(copy, origins):
        if not_counted is None:
            function = functions.get(_function_of(op))
            costs[function] = costs.get(function, Cost()) + cost_of(op.input, origins)
    return costs


def _functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.walk() if isinstance(op, FuncOp)]


def _function_of(op: Operation) -> FuncOp | None:
    """The function in which an op stands, if it stands in one."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    return parent
