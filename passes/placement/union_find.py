"""Disjoint sets of nodes, by union-find."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from xdsl.utils.disjoint_set import DisjointSet

T = TypeVar("T", bound=Hashable)


class UnionFind(DisjointSet[T]):
    """Nodes that are united into groups. At first each node is a group, and its own root."""

    def union_nodes(self, one: T, other: T) -> None:
        """Unite the groups of two nodes: the root of the first goes under that of the second."""
        self.union_left(other, one)

    def groups(self) -> dict[T, list[T]]:
        """The groups by their roots, each with its members, in the order of the nodes."""
        groups: dict[T, list[T]] = {}
        for node in self._values:
            groups.setdefault(self.find(node), []).append(node)
        return groups
