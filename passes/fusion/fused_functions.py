"""Writing groups of ops into a program: as functions, or as numbers on the ops."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.npu.attrs import i64_attr
from ..common.call_graph import call_graph
from .graph import has_effects
from .outlining import COMPILER, PRIMITIVE, Outliner, in_sequence

GROUP = "npu.group"
"""The attribute that says to which group an op belongs."""


def can_be_fused(function: FuncOp) -> bool:
    """Whether the ops of a function are ours to fuse: a body of one block, and nobody else's."""
    is_taken = PRIMITIVE in function.attributes or COMPILER in function.attributes
    return not is_taken and len(function.body.blocks) == 1 and isinstance(function.parent_op(), ModuleOp)


@dataclass(frozen=True)
class FusedCalls:
    """The calls of functions that are groups already."""

    all: Collection[Operation]
    without_effects: Collection[Operation]
    """Those of functions in which nothing has effects: they may stand anywhere, as the ops of the group might."""


def fused_calls(module: ModuleOp) -> FusedCalls:
    callees = {call: each for call, each in call_graph(module).callees.items() if PRIMITIVE in each.attributes}
    computes = {
        each for each in set(callees.values()) if each.body.blocks and not any(map(has_effects, each.body.walk()))
    }
    return FusedCalls(callees.keys(), {call for call, callee in callees.items() if callee in computes})


def number_groups(function: FuncOp, groups: Sequence[Sequence[Operation]]) -> None:
    """Write on the ops to which group they belong, and nothing on others."""
    for op in function.body.block.ops:
        op.attributes.pop(GROUP, None)
    for number, ops in enumerate(groups):
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
        in_sequence(function.body.block, calls.union(without_effects))
