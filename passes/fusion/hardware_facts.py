"""The groups on the stages of a target, for the listeners of the pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from .graph.graph import FusionNode, is_constant
from .groups.hardware_groups import Grouping
from .report import kept_bytes, report_lines
from .stages.stage_match import Matching
from .stages.stage_reasons import reason_for_no_group


@dataclass(frozen=True)
class HardwareFacts:
    """The groups of a function on the stages of a target."""

    stages: Sequence[str]
    """The stages of the target that run an op, in the order of its file."""
    stage_of: Mapping[Operation, str]
    """The stage of each op that one runs; the others in groups were collected."""
    kept: Sequence[int]
    """For each group the bytes of values that are used only inside of it."""
    began: Sequence[str]
    """For each group the reason why its first op did not join the one before; empty if there is none."""
    outside: Mapping[Operation, str]
    """The ops in no group, with the reason."""
    lines: Sequence[str]
    """The figures of all groups."""


def hardware_facts(nodes: Sequence[FusionNode], grouping: Grouping, matching: Matching) -> HardwareFacts:
    """The facts about the groups of a graph."""
    stage_of = {member.op: member.stage.name for group in grouping.groups for member in group.members}
    used = set(stage_of.values())
    first = [grouping.reasons.get(group.members[0].op) for group in grouping.groups]
    ops = [node.source for node in nodes if isinstance(node.source, Operation)]
    outside = [op for op in ops if op not in grouping.group_of and not is_constant(op)]
    return HardwareFacts(
        [name for name in matching.target.stages if name in used],
        stage_of,
        [kept_bytes(group) for group in grouping.groups],
        ["" if not_joined is None else not_joined.reason for not_joined in first],
        {op: reason_for_no_group(op, matching) for op in outside},
        list(report_lines(nodes, grouping, matching)),
    )
