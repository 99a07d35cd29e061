"""The demands of a target on an op, worked out without the code of the passes."""

from collections.abc import Iterator, Sequence

from npu_opt.dialects.npu.values import layout_of
from npu_opt.layout import Layout, Order
from npu_opt.targets import DemandRule, Target, operand_names, result_names
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

Wanted = tuple[Layout | None, ...]
"""The demanded layouts of all operands, then of all results."""


def rule_of(op: Operation, target: Target) -> DemandRule | None:
    """The first rule that holds."""
    return next((rule for rule in target.demands.get(op.name, ()) if rule.when is None), None)


def named_values(op: Operation) -> Iterator[tuple[str, SSAValue]]:
    yield from zip(operand_names(op), op.operands, strict=True)
    yield from zip(result_names(op), op.results, strict=True)


def wanted_of(op: Operation, target: Target) -> list[Wanted]:
    """The demands on an op, one of which has to be met; one without any layout if there is no demand."""
    rule = rule_of(op, target)
    found: dict[Wanted, None] = {}
    for choice in () if rule is None else rule.choices:
        wanted: list[Layout | None] = []
        for name, value in named_values(op):
            layout = layout_of(value) if isa(value.type, TensorType) else None
            wanted.append(None if layout is None else target.demand(choice.demands.get(name), layout))
        found[tuple(wanted)] = None
    return list(found) or [(None,) * (len(op.operands) + len(op.results))]


def are_met(wanted: Wanted, orders: Sequence[Order]) -> bool:
    return all(layout is None or layout.order == order for layout, order in zip(wanted, orders, strict=True))
