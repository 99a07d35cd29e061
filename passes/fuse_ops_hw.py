"""Fusion for the hardware: ops that one pass through its data-flow executes become a function."""

from dataclasses import dataclass
from itertools import chain

from xdsl.ir import Operation

from ..targets import load
from .common.reasons import Names
from .fusion.fusion_pass import Fusion, FusionPass, Subject
from .fusion.graph import Node
from .fusion.hardware_groups import Grouping, hardware_groups
from .fusion.report import report_lines, stage_lines
from .fusion.stage_match import Matching


@dataclass(frozen=True)
class FuseOpsHw(FusionPass):
    """Put ops that one pass through the hardware executes into functions.

    The ops are visited from the returned values upwards, operands before those that read them. Each is looked for in
    the target's data-flow behind the stage that ran the op before; stages may be skipped. If a stage runs it, it joins
    the group; otherwise it begins a new one at the root of the data-flow. Constants, relabels, ops on values of one
    element and those that cost nothing are collected into the group that reads them. What no stage runs stays outside.

    Groups never wait for each other, and where the target says so nothing of a group is seen but its last value. A
    group of at least two ops becomes a private function with the attribute `npu.primitive`, and a call of it; with
    `single` so does a group of one op, so that what no stage runs is all that stays outside. `annotate` numbers the
    latter in any case. Functions that have `npu.primitive` or `npu.compiler` are left alone. `inline-fused` undoes it.

    What a stage runs may depend on layouts, as a constant for each channel does. Where types say none, those count that
    `layout-transmit` would give; the types stay as they are.
    """

    name = "fuse-ops-hw"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""
    single: bool = False
    """Make functions of groups of one op as well."""

    def fusion(self, subject: Subject) -> Fusion:
        matching = Matching(load(self.target), subject.layouts)
        grouping = hardware_groups(subject.nodes, matching, subject.fused.all)

        def why_apart(producer: Node, reader: Node) -> str:
            return _why_apart(matching, grouping, producer, reader, subject.names)

        lines = chain(stage_lines(subject.nodes, grouping, matching), report_lines(subject.nodes, grouping, matching))
        fewest_ops = 1 if self.single or self.annotate else 2
        return Fusion(subject, [group.ops for group in grouping.groups], lines, why_apart, fewest_ops)


def _why_apart(matching: Matching, grouping: Grouping, producer: Node, reader: Node, names: Names) -> str:
    """What keeps an op from the group of one that it reads."""
    first, second = producer.source, reader.source
    assert isinstance(first, Operation)
    assert isinstance(second, Operation)
    for op in (first, second):
        if op not in grouping.group_of:
            return f"{names.of(op)}: {matching.why_in_no_group(op)}"
    refusal = grouping.refusals.get(second)
    if refusal is not None and refusal.group is grouping.group_of[first]:
        return f"{names.of(second)} {refusal.reason}"
    return f"the group of {names.of(first)} was complete when {names.of(second)} came, and only the latest one grows"
