"""Post-dominators: for each node the nearest one that all of its uses lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from ...dialects.npu.fusion import FusionKind
from .graph import Node


@dataclass(frozen=True)
class Dominator:
    """A node in the tree of post-dominators."""

    parent: int | None
    """The nearest node that all uses lead to; None if there is none, as the node is seen outside."""
    depth: int
    kind: FusionKind
    """The strongest kind of an edge on a way to the parent."""


def post_dominators(nodes: Sequence[Node]) -> list[Dominator]:
    """The tree, built from the last node to the first, as all readers of a node come behind it."""
    tree: dict[int, Dominator] = {}
    for node in reversed(nodes):
        tree[node.index] = _dominator(node, tree)
    return [tree[node.index] for node in nodes]


def _dominator(node: Node, tree: Mapping[int, Dominator]) -> Dominator:
    if node.is_seen_outside:
        return Dominator(None, 1, FusionKind.OPAQUE)
    if not node.edges:
        return Dominator(None, 1, FusionKind.ELEMENTWISE)
    parent, climbed = _common({edge.reader for edge in node.edges}, tree)
    kind = max(climbed, *(edge.kind for edge in node.edges))
    return Dominator(parent, 1 if parent is None else tree[parent].depth + 1, kind)


def _common(readers: set[int], tree: Mapping[int, Dominator]) -> tuple[int | None, FusionKind]:
    """The nearest common ancestor of nodes, and the strongest kind of those that are left on the ways there.

    The deepest node is left first, so that none is left twice.
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
