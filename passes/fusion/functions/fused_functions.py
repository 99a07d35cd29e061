"""Groups of ops written into a program: as functions, or as numbers on the ops."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ....dialects.npu.attrs import i64_attr
from ...common.graph.call_graph import call_graph
from ..graph.graph import has_effects
from .outlining import COMPILER, PRIMITIVE, Outliner, sort_by_operands

GROUP = "npu.group"
"""Attribute with the number of an op's group."""


def is_fused(function: FuncOp) -> bool:
    """True for a fused group."""
    return PRIMITIVE in function.attributes


def can_be_fused(function: FuncOp) -> bool:
    """True if a function has a body of one block and neither is a fused group nor belongs to another compiler."""
    is_taken = is_fused(function) or COMPILER in function.attributes
    return not is_taken and len(function.body.blocks) == 1 and isinstance(function.parent_op(), ModuleOp)


@dataclass(frozen=True)
class FusedCalls:
    """The calls of functions that are fused groups already."""

    all: Collection[Operation]
    without_effects: Collection[Operation]
    """The calls of functions without side effects; they may be moved as freely as the ops of the group."""


def fused_calls(module: ModuleOp) -> FusedCalls:
    callees = {call: each for call, each in call_graph(module).callees.items() if is_fused(each)}
    computes = {
        each for each in set(callees.values()) if each.body.blocks and not any(map(has_effects, each.body.walk()))
    }
    return FusedCalls(callees.keys(), {call for call, callee in callees.items() if callee in computes})


def number_groups(function: FuncOp, groups: Sequence[tuple[int, Sequence[Operation]]]) -> None:
    """Set the group number on the ops of each group and remove it from all other ops."""
    for op in function.body.block.ops:
        op.attributes.pop(GROUP, None)
    for number, ops in groups:
        for op in ops:
            op.attributes[GROUP] = i64_attr(number)


def outline_groups(
    outliner: Outliner,
    function: FuncOp,
    groups: Sequence[Sequence[Operation]],
    without_effects: Collection[Operation] = (),
) -> None:
    """Move each group into a function of its own."""
    places = {op: place for place, op in enumerate(function.body.block.ops)}
    calls = {outliner.outline(sorted(ops, key=places.__getitem__)) for ops in groups}
    if calls:
        sort_by_operands(function.body.block, calls.union(without_effects))
