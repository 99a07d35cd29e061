"""Fusion for the hardware: ops that one pass through its data-flow executes become a function."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from xdsl.ir import Operation

from ..targets import load
from .common.words.reasons import Names
from .fusion.fusion_pass import Fusion, FusionPass, Subject
from .fusion.graph.graph import FusionNode
from .fusion.groups.hardware_groups import Grouping, hardware_groups
from .fusion.groups.traffic import traffic_of
from .fusion.hardware_facts import HardwareFacts, hardware_facts
from .fusion.report import report_lines, stage_lines
from .fusion.stages.stage_match import Matching
from .fusion.stages.stage_reasons import reason_for_no_group, reason_for_two_groups


@dataclass(frozen=True)
class FuseOpsHw(FusionPass):
    """Outline ops that one pass through the hardware executes into functions.

    The ops are visited in a depth-first walk from the returned values, producers before users. Each is matched with the
    stages of the target's data-flow after the stage of the op before; stages may be skipped. If a stage runs it, it
    joins the group; otherwise it begins a new one at the root of the data-flow. Constants, relabels, ops on values of
    one element and free ops are collected into the group of their users. Ops that no stage runs are in no group.

    With `strategy=cover` the groups are those with the fewest bytes between them of all legal ones. Where too many ways
    are left, some are dropped, and a bound says how much that may have cost. The result is never worse than that of the
    default.

    Groups never form a cycle, and a target may demand that only the last value of a group is used outside of it. A
    group of at least two ops becomes a private function with the attribute `npu.primitive`, and a call of it; with
    `single` or `annotate` also a group of one op. Functions that have `npu.primitive` or `npu.compiler` are skipped.
    `inline-fused` is the inverse.

    A stage may depend on layouts, for instance for a constant per channel. If the types have none, those count that
    `layout-transmit` would infer; the types do not change.
    """

    name = "fuse-ops-hw"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""
    strategy: Literal["greedy", "cover"] = "greedy"
    """The way to find groups: `greedy` lets the newest group grow op by op; `cover` minimises the bytes
    that travel between groups."""
    single: bool = False
    """Outline groups of one op as well."""

    def fusion(self, subject: Subject) -> Fusion:
        matching = Matching(load(self.target), subject.layouts)
        grouping = self._grouping(subject, matching)

        def reason_apart(producer: FusionNode, reader: FusionNode) -> str:
            return _reason_apart(matching, grouping, producer, reader, subject.names)

        def lines() -> Iterator[str]:
            yield from stage_lines(subject.nodes, grouping, matching)
            yield from report_lines(subject.nodes, grouping, matching)

        def hardware() -> HardwareFacts:
            return hardware_facts(subject.nodes, grouping, matching)

        fewest_ops = 1 if self.single or self.annotate else 2
        groups = [group.ops for group in grouping.groups]
        return Fusion(subject, groups, lines(), reason_apart, fewest_ops, hardware)

    def _grouping(self, subject: Subject, matching: Matching) -> Grouping:
        greedy = partial(hardware_groups, subject.nodes, matching, subject.fused.all)
        if self.strategy == "greedy":
            return greedy()
        from .cover.best import best_cover

        return best_cover(traffic_of(subject.nodes, matching), matching, greedy)


def _reason_apart(
    matching: Matching, grouping: Grouping, producer: FusionNode, reader: FusionNode, names: Names
) -> str:
    """The reason why an op is not in the group of one of its producers."""
    first, second = producer.source, reader.source
    assert isinstance(first, Operation)
    assert isinstance(second, Operation)
    for op in (first, second):
        if op not in grouping.group_of:
            return f"{names.of(op)}: {reason_for_no_group(op, matching)}"
    not_joined = grouping.reasons.get(second)
    if not_joined is not None and not_joined.group is grouping.group_of[first]:
        return f"{names.of(second)} {not_joined.reason}"
    if grouping.bound is not None:
        reason = reason_for_two_groups(first, second, matching)
        best = "no groups with both in one" if grouping.bound.is_best else "no groups with both in one that were tried"
        return f"{best} let fewer bytes travel" if reason is None else f"{names.of(second)} {reason}"
    return (
        f"the group of {names.of(first)} was already closed when {names.of(second)} was visited "
        "(only the newest group can grow)"
    )
