"""The demands of a target on an op, worked out without the code of the passes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from npu_opt.dialects.npu.attention import HeadsOp
from npu_opt.dialects.npu.axes import MatmulFreedom, numbers_of
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.values import layout_of, shape_of
from npu_opt.layout import Layout, Order
from npu_opt.targets import (
    INCREASING,
    LAST,
    AxisOrder,
    AxisPlace,
    DemandChoice,
    DemandRule,
    Target,
    name_of,
    operand_names,
    result_names,
)
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from support.oracles.condition_values import facts_of, holds

Wanted = tuple[Layout | None, ...]
"""The demanded layouts of all operands, then of all results."""


def rule_of(op: Operation, target: Target) -> DemandRule | None:
    """The first rule that holds."""
    for rule in target.demands.get(name_of(op), ()):
        if rule.when is None or holds(rule.when.text, facts_of(op)):
            return rule
    return None


def freedom_of(op: Operation, target: Target) -> MatmulFreedom:
    """The relayouts of a product that the target can run, by the first rule that holds: none without one.

    Values with heads may be in all orders that the target lists, if it does.
    """
    if isinstance(op, HeadsOp) and any(map(any, wanted_of(op, target))):
        return MatmulFreedom.FREE
    if not isinstance(op, LinearOp):
        return MatmulFreedom.RIGID
    ask = facts_of(op)
    held = (rule.freedom for rule in target.matmul if rule.when is None or holds(rule.when.text, ask))
    freedom = next(held, MatmulFreedom.RIGID)
    has_constant = any(ask("constant", name) for name in ("lhs", "rhs"))
    may_swap = freedom.result and (has_constant or not freedom.needs_constant)
    return replace(freedom, result=may_swap, needs_constant=False)


def named_values(op: Operation) -> Iterator[tuple[str, SSAValue]]:
    yield from zip(operand_names(op), op.operands, strict=True)
    yield from zip(result_names(op), op.results, strict=True)


def fitting_choices(op: Operation, target: Target) -> list[tuple[DemandChoice, Wanted]]:
    """The choices of demands on an op that count.

    One with a demand for another class or rank does not count where another choice has only demands that fit, nor does
    one without any demand that fits.
    """
    rule = rule_of(op, target)
    values = list(named_values(op))
    given = [layout_of(value) if isa(value.type, TensorType) else None for _, value in values]
    found: list[tuple[int, DemandChoice, Wanted]] = []
    for choice in () if rule is None else rule.choices:
        meant = [choice.demands.get(name) for name, _ in values]
        wanted = tuple(
            None
            if has is None
            else _of_letters(op, *named, has, each.letters)
            if isinstance(each, AxisOrder)
            else target.demand(each, has)
            for each, has, named in zip(meant, given, values, strict=True)
        )
        strange = sum(each is not None and demand is None for each, demand in zip(meant, wanted, strict=True))
        found.append((strange, choice, wanted))
    fewest = min((strange for strange, _, _ in found), default=0)
    return [(choice, wanted) for strange, choice, wanted in found if strange == fewest and any(wanted)]


def _of_letters(op: Operation, name: str, value: SSAValue, layout: Layout, letters: str) -> Layout:
    """The layout of a value whose axes have these letters, which the op has for the axes as they are stored now."""
    stated = op.properties.get(f"{name}_axes")
    axes = stated.data if isinstance(stated, StringAttr) else "BHNC"
    logical = dict(zip(axes, layout.order_for(len(shape_of(value))), strict=True))
    return layout.with_order(tuple(logical[letter] for letter in letters))


def wanted_of(op: Operation, target: Target) -> list[Wanted]:
    """The demands on an op, one of which has to be met; one without any layout if there is no demand."""
    found = dict.fromkeys(wanted for _, wanted in fitting_choices(op, target))
    return list(found) or [(None,) * (len(op.operands) + len(op.results))]


def demanded_places(op: Operation, target: Target) -> Mapping[str, AxisPlace]:
    """The places that a target demands of the axes that attributes name."""
    rule = rule_of(op, target)
    return {} if rule is None else rule.axes


def are_in_place(op: Operation, properties: Mapping[str, Attribute], target: Target) -> bool:
    """True if the axes that attributes name are where the target demands them."""
    for name, place in demanded_places(op, target).items():
        if name not in properties:
            continue
        rank, named = len(shape_of(op.operands[0])), numbers_of(properties[name])
        axes = sorted(named)
        if place == INCREASING and [*named] != axes:
            return False
        if place != INCREASING and axes != (list(range(rank))[-len(axes) :] if place == LAST else [place]):
            return False
    return True


def are_met(wanted: Wanted, orders: Sequence[Order]) -> bool:
    return all(
        layout is None or layout.order_for(len(order)) == order for layout, order in zip(wanted, orders, strict=True)
    )
