"""Fusion for the hardware: ops that one pass through its data-flow executes become a function."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..targets import Target, load
from .forward_graph import Node
from .fusion_dump import report_lines, stage_lines
from .fusion_pass import Fusion, FusionPass
from .hardware_groups import hardware_groups
from .reasons import Names
from .stage_match import stages_for


@dataclass(frozen=True)
class FuseOpsHw(FusionPass):
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

    def fusion(self, function: FuncOp, nodes: Sequence[Node], names: Names) -> Fusion:
        target = load(self.target)
        groups, refusals = hardware_groups(nodes, target)

        def why_apart(producer: Node, reader: Node) -> str:
            return _why_apart(target, refusals, producer, reader, names)

        lines = [*stage_lines(nodes, groups, refusals), *report_lines(nodes, groups, target)]
        return Fusion(function, nodes, [group.ops for group in groups], lines, why_apart)


def _why_apart(target: Target, refusals: Mapping[Operation, str], producer: Node, reader: Node, names: Names) -> str:
    """What keeps an op from the group of one that it reads."""
    for node in (producer, reader):
        op = node.source
        assert isinstance(op, Operation)
        if op not in refusals and not stages_for(target, op):
            return f"no stage of target {target.name} runs {names.of(op)}"
    assert isinstance(reader.source, Operation)
    return refusals.get(reader.source, "the group of the first was complete")
