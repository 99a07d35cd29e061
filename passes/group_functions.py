"""Writing groups of ops into a program: as functions, or as numbers on the ops."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..dialects.npu.attrs import i64_attr
from .forward_graph import is_constant
from .outlining import COMPILER, PRIMITIVE, Outliner, in_sequence

GROUP = "npu.group"
"""The attribute that says to which group an op belongs."""


def can_be_fused(function: FuncOp) -> bool:
    """Whether the ops of a function are ours to fuse: a body of one block, and nobody else's."""
    is_taken = PRIMITIVE in function.attributes or COMPILER in function.attributes
    return not is_taken and len(function.body.blocks) == 1


def write_groups(module: ModuleOp, function: FuncOp, groups: Sequence[Sequence[Operation]], annotate: bool) -> None:
    """Move each group of at least two ops into a function of its own, or only number the ops."""
    several = [ops for ops in groups if sum(not is_constant(op) for op in ops) > 1]
    if annotate:
        for number, ops in enumerate(several):
            for op in ops:
                op.attributes[GROUP] = i64_attr(number)
        return
    places = {op: place for place, op in enumerate(function.body.block.ops)}
    outliner = Outliner(module)
    for ops in several:
        outliner.outline(sorted(ops, key=places.__getitem__))
    if several:
        in_sequence(function.body.block)
