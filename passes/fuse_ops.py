"""Fusion by dominators: ops that can be executed as one become a function."""

from dataclasses import dataclass

from xdsl.ir import Operation

from .common.reasons import Names
from .fusion.fusion_pass import Fusion, FusionPass, Subject
from .fusion.graph import Node
from .fusion.report import group_lines
from .fusion.tvm_groups import Partition, partition


@dataclass(frozen=True)
class FuseOps(FusionPass):
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

    def fusion(self, subject: Subject) -> Fusion:
        nodes, names = subject.nodes, subject.names
        found = partition(nodes, self.opt_level, self.max_depth)
        groups = [
            [node.source for node in members if isinstance(node.source, Operation)] for members in found.members()
        ]

        def why_apart(producer: Node, reader: Node) -> str:
            return _why_apart(found, producer, names)

        return Fusion(subject, groups, group_lines(found, names), why_apart)


def _why_apart(found: Partition, producer: Node, names: Names) -> str:
    """The clause by which a node was not merged with its dominator."""
    if not found.dominators:
        return "opt-level=0 fuses nothing"
    if producer.is_seen_outside:
        return f"{names.of(producer.source)} is returned, or read by code in a region"
    dominator = found.dominators[producer.index].parent
    if dominator is None:
        return f"there is no op to which all uses of {names.of(producer.source)} lead"
    refusal = found.refusals.get(producer.index)
    if refusal is None:
        return f"{names.of(producer.source)} is opaque" if producer.kind.name == "OPAQUE" else "they are in two groups"
    clause = refusal.clause
    if refusal.node is not None:
        clause += f" {names.of(found.nodes[refusal.node].source)}, which is or has taken up too strong an op"
    return f"phase {refusal.phase}, dominator {names.of(found.nodes[dominator].source)}: {clause}"
