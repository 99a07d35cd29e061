"""Post-dominators: for each node the nearest one to which all of its uses lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from ....dialects.npu.fusion import FusionKind
from .graph import FusionNode


@dataclass(frozen=True)
class Dominator:
    """A node in the tree of post-dominators."""

    parent: int | None
    """The nearest node to which all uses lead; None if there is none or the node is used outside of the graph."""
    depth: int
    kind: FusionKind
    """The strongest kind of an edge on a path to the parent."""


def post_dominators(nodes: Sequence[FusionNode]) -> list[Dominator]:
    """The tree of post-dominators, built from the last node to the first: users of a node have higher indices."""
    tree: dict[int, Dominator] = {}
    for node in reversed(nodes):
        tree[node.index] = _dominator(node, tree)
    return [tree[node.index] for node in nodes]


def _dominator(node: FusionNode, tree: Mapping[int, Dominator]) -> Dominator:
    if node.is_used_outside:
        return Dominator(None, 1, FusionKind.OPAQUE)
    if not node.edges:
        return Dominator(None, 1, FusionKind.ELEMENTWISE)
    parent, climbed = _common({edge.reader for edge in node.edges}, tree)
    kind = max(climbed, *(edge.kind for edge in node.edges))
    return Dominator(parent, 1 if parent is None else tree[parent].depth + 1, kind)


def _common(readers: set[int], tree: Mapping[int, Dominator]) -> tuple[int | None, FusionKind]:
    """The nearest common ancestor of nodes, and the strongest kind on the paths to it.

    The deepest node is replaced by its parent first, so that no node is visited twice.
    """
    kind = FusionKind.ELEMENTWISE
    seen = set(readers)
    waiting = [(-tree[index].depth, index) for index in readers]
    heapify(waiting)
    while len(waiting) > 1:
        left = tree[heappop(waiting)[1]]
        kind = max(kind, left.kind)
        if left.parent is None:
            return None, kind
        if left.parent not in seen:
            seen.add(left.parent)
            heappush(waiting, (1 - left.depth, left.parent))
    return waiting[0][1], kind
