"""Fusion by dominators: ops that can be executed as one become a function."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from .forward_graph import forward_graph
from .fusion_dump import graph_lines, group_lines
from .fusion_groups import Partition, partition
from .group_functions import can_be_fused, write_groups
from .moves_layouts import MovesLayouts
from .reasons import Names


@dataclass(frozen=True)
class FuseOps(MovesLayouts, ModulePass):
    """Put ops that can be executed as one into functions, as TVM's FuseOps does.

    Each op is a node of a graph, with a kind: elementwise, broadcast, injective, reduction, complex (such as a
    convolution) or opaque. A node may be merged with all that lies between it and its post-dominator, the nearest op
    to which all of its uses lead, if the kinds on the way allow it: a complex op takes up the elementwise ops behind
    it, elementwise ops go into what they lead to, injective ops into one another. No group has two complex ops.

    A group of at least two ops becomes a private function with the attribute `npu.primitive`, named after its ops, and
    a call of it. Functions that have this attribute or `npu.compiler` are left alone. `inline-fused` undoes it.
    """

    name = "fuse-ops"

    opt_level: int = 2
    """0 fuses nothing; 1 and 2 are the same."""
    max_depth: int = 256
    """How many ops a group may have."""
    annotate: bool = False
    """Tag the ops with the number of their group (`npu.group`) and move none."""
    dump: Literal["", "graph", "groups"] = ""
    """Print to stderr the graph, or the group of each of its nodes."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = Names(op)
        for function in [each for each in op.walk() if isinstance(each, FuncOp) and can_be_fused(each)]:
            found = partition(forward_graph(function.body.block), self.opt_level, self.max_depth)
            if self.dump == "graph":
                print("\n".join(graph_lines(function, found.nodes, names)), file=sys.stderr)
            elif self.dump == "groups":
                print("\n".join(group_lines(function, found, names)), file=sys.stderr)
            write_groups(op, function, list(_groups(found)), self.annotate)


def _groups(found: Partition) -> Iterator[list[Operation]]:
    """The ops of each group."""
    for members in found.members():
        yield [node.source for node in members if isinstance(node.source, Operation)]
