"""Changes of single entries of a target's file, in words and as a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from xdsl.ir import Operation

from ....dialects.npu.axes import MatmulFreedom
from ....layout import Layout, LayoutClass, letters
from ....targets import DemandRule, MatmulRule, Target, name_of
from ...common.demands.target_layouts import TargetLayouts


class TargetChange(NamedTuple):
    """A change of one entry."""

    text: str
    """The change in words, such as `without the demand of conv2d on data (opu.toml:21)`."""
    changed: Callable[[Target], Target]


def with_matmul(target: Target, freedom: MatmulFreedom) -> TargetChange:
    text = f"with matmul = {freedom.text} ({target.matmul_place})"
    return TargetChange(text, partial(replace, matmul=(MatmulRule(freedom),)))


def without_demand(target_layouts: TargetLayouts, op: Operation, name: str) -> TargetChange:
    """The target without the demand on one operand, result or attribute of an op."""
    text = f"without the {_demand(op, name)} ({target_layouts.rules.place(op, name)})"
    return _with_rule(target_layouts, op, text, lambda rule: rule.without(name))


def with_opposite_demand(
    target_layouts: TargetLayouts, op: Operation, name: str, layout: Layout
) -> TargetChange | None:
    """The target with a demand for features with the channels first instead of last, or the reverse.

    A demand of a rank that the target does not let be re-ordered is met in no order.
    """
    if layout.cls is not LayoutClass.FEATURE or layout.order is None or layout.tiles:
        return None
    ranks = range(3, target_layouts.target.max_rank(layout.cls) + 1)
    if len(layout.order) not in ranks:
        return None
    others = [_with_channels(rank, are_last=layout.order[-1] != 1) for rank in ranks]
    wanted = next(each for each in others if each.rank == layout.rank)
    text = f"with {wanted} instead of {layout} in the {_demand(op, name)} ({target_layouts.rules.place(op, name)})"
    return _with_rule(target_layouts, op, text, lambda rule: rule.instead(name, others))


def _demand(op: Operation, name: str) -> str:
    return f"demand of {name_of(op).removeprefix('npu.')} on {name}"


def _with_rule(
    target_layouts: TargetLayouts, op: Operation, text: str, change: Callable[[DemandRule], DemandRule]
) -> TargetChange:
    """A change of the rule for an op."""
    rule, op_name = target_layouts.rules.rule(op), name_of(op)
    assert rule is not None
    place = target_layouts.target.demands[op_name].index(rule)
    return TargetChange(text, partial(Target.with_rule, op_name=op_name, place=place, change=change))


def _with_channels(rank: int, are_last: bool) -> Layout:
    names: Sequence[str] = letters(LayoutClass.FEATURE, rank)
    return Layout.parse("".join([names[0], *names[2:], "C"])) if are_last else Layout.parse("".join(names))
