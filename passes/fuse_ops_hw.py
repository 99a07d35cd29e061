"""Fusion for the hardware: ops that one pass through its data-flow executes become a function."""

import sys
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..targets import load
from .forward_graph import forward_graph
from .fusion_dump import graph_lines, stage_lines
from .group_functions import can_be_fused, write_groups
from .hardware_groups import hardware_groups
from .moves_layouts import MovesLayouts
from .reasons import Names


@dataclass(frozen=True)
class FuseOpsHw(MovesLayouts, ModulePass):
    """Put ops that one pass through the hardware executes into functions.

    The ops are visited from the returned values upwards, operands before those that read them. Each is looked for in
    the target's data-flow behind the stage that ran the op before; stages may be skipped. If a stage runs it, it joins
    the group; otherwise it begins a new one at the root of the data-flow. Constants, relabels, ops on values of one
    element and those that cost nothing are collected into the group that reads them. What no stage runs stays outside.

    Groups never wait for each other, and where the target says so nothing of a group is seen but its last value. A
    group of at least two ops becomes a private function with the attribute `npu.primitive`, and a call of it.
    Functions that have this attribute or `npu.compiler` are left alone. `inline-fused` undoes it.
    """

    name = "fuse-ops-hw"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""
    annotate: bool = False
    """Tag the ops with the number of their group (`npu.group`) and move none."""
    dump: Literal["", "graph", "groups"] = ""
    """Print to stderr the graph, or what joined which group and why the others did not."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names, target = Names(op), load(self.target)
        for function in [each for each in op.walk() if isinstance(each, FuncOp) and can_be_fused(each)]:
            nodes = forward_graph(function.body.block)
            groups, refusals = hardware_groups(nodes, target)
            if self.dump == "graph":
                print("\n".join(graph_lines(function, nodes, names)), file=sys.stderr)
            elif self.dump == "groups":
                print("\n".join(stage_lines(function, nodes, groups, refusals, names)), file=sys.stderr)
            write_groups(op, function, [group.ops for group in groups], self.annotate)
