"""Post-dominators: for each node the nearest one that all of its uses lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..dialects.npu.fusion import FusionKind
from .forward_graph import Node


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
    tree: list[Dominator | None] = [None] * len(nodes)
    for node in reversed(nodes):
        tree[node.index] = _dominator(node, tree)
    return [dominator for dominator in tree if dominator is not None]


def _dominator(node: Node, tree: Sequence[Dominator | None]) -> Dominator:
    if node.is_seen_outside:
        return Dominator(None, 1, FusionKind.OPAQUE)
    if not node.edges:
        return Dominator(None, 1, FusionKind.ELEMENTWISE)
    parent: int | None = node.edges[0].reader
    kind = node.edges[0].kind
    for edge in node.edges[1:]:
        parent, climbed = _common(parent, edge.reader, tree)
        kind = max(kind, climbed, edge.kind)
    above = None if parent is None else tree[parent]
    return Dominator(parent, 1 if above is None else above.depth + 1, kind)


def _common(one: int | None, other: int | None, tree: Sequence[Dominator | None]) -> tuple[int | None, FusionKind]:
    """The nearest common ancestor of two nodes, and the strongest kind of the nodes that are left on the way there."""
    kind = FusionKind.ELEMENTWISE
    while one != other:
        if one is None or other is None:
            return None, kind
        left, right = tree[one], tree[other]
        assert left is not None
        assert right is not None
        if left.depth >= right.depth:
            kind = max(kind, left.kind)
            one = left.parent
        if right.depth >= left.depth:
            kind = max(kind, right.kind)
            other = right.parent
    return one, kind
