"""Fusion by post-dominators: ops that can be executed as one become a function."""

from dataclasses import dataclass

from xdsl.ir import Operation

from .common.words.reasons import Names
from .fusion.fusion_pass import Fusion, FusionPass, Subject
from .fusion.graph.graph import FusionNode
from .fusion.groups.tvm_groups import Partition, partition
from .fusion.report import group_lines


@dataclass(frozen=True)
class FuseOps(FusionPass):
    """Outline ops that can be executed as one into functions, as TVM's FuseOps does.

    Each op is a node of a graph, with a kind: elementwise, broadcast, injective, reduction, complex (such as a
    convolution) or opaque. A node is merged with all nodes between it and its post-dominator, the nearest op to which
    all of its uses lead, if the kinds on the paths allow it: a complex op with the elementwise ops that follow it,
    elementwise ops with their users, injective ops with one another. No group has two complex ops.

    A group of at least two ops becomes a private function with the attribute `npu.primitive`, named after its ops, and
    a call of it. Functions that have this attribute or `npu.compiler` are skipped. `inline-fused` is the inverse.
    """

    name = "fuse-ops"

    opt_level: int = 2
    """0 fuses nothing; 1 and 2 are the same."""
    max_depth: int = 256
    """The largest number of ops in a group."""

    def __post_init__(self) -> None:
        if not 0 <= self.opt_level <= 2:
            raise ValueError(f"option opt-level: expected 0, 1 or 2, found {self.opt_level}")
        if self.max_depth < 1:
            raise ValueError(f"option max-depth: expected at least 1, found {self.max_depth}")

    def fusion(self, subject: Subject) -> Fusion:
        nodes, names = subject.nodes, subject.names
        found = partition(nodes, self.opt_level, self.max_depth)
        groups = [
            [node.source for node in members if isinstance(node.source, Operation)] for members in found.members()
        ]

        def reason_apart(producer: FusionNode, reader: FusionNode) -> str:
            return _reason_apart(found, producer, names)

        return Fusion(subject, groups, group_lines(found, names), reason_apart)


def _reason_apart(found: Partition, producer: FusionNode, names: Names) -> str:
    """The reason why a node was not merged with its post-dominator."""
    if not found.dominators:
        return "opt-level=0 fuses nothing"
    if producer.is_used_outside:
        return f"{names.of(producer.source)} is returned or used inside a region"
    dominator = found.dominators[producer.index].parent
    if dominator is None:
        return f"{names.of(producer.source)} has no post-dominator: its uses lead to no common op"
    not_merged = found.reasons.get(producer.index)
    if not_merged is None:
        return f"{names.of(producer.source)} is opaque" if producer.kind.name == "OPAQUE" else "they are in two groups"
    reason = not_merged.reason
    if not_merged.node is not None:
        reason += f" {names.of(found.nodes[not_merged.node].source)}, whose group is of too strong a kind"
    return f"phase {not_merged.phase}, dominator {names.of(found.nodes[dominator].source)}: {reason}"
