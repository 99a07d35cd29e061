"""Things that are grouped by saying of two at a time that they belong together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class UnionFind(Generic[T]):
    """Groups of items, each known by one of its members, its root.

    Every item points to a parent, a root to itself. Uniting puts the root of the first item under the root of the
    second, so that the caller says which root remains; choosing it by size would take that away. Shortening the paths
    in `find` is enough: any sequence of m calls on n items takes at most O(m log n) steps. Which groups there are,
    and in which sequence, depends only on the sequence of `add` and on which items were united, never on roots.
    """

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._parent: dict[T, T] = {}
        for item in items:
            self.add(item)

    def add(self, item: T) -> None:
        """Make a group of this item alone, if it is new."""
        self._parent.setdefault(item, item)

    def find(self, item: T) -> T:
        """The root of the group of this item. On the way every second item moves up to its grandparent."""
        parent = self._parent
        while (above := parent[item]) is not item:
            parent[item] = parent[above]
            item = parent[item]
        return item

    def union(self, first: T, second: T) -> None:
        """Make one group of the groups of both items; its root is that of the second."""
        self._parent[self.find(first)] = self.find(second)

    def groups(self) -> list[list[T]]:
        """All groups, and in each its members, in the sequence in which they were added."""
        groups: dict[T, list[T]] = {}
        for item in self._parent:
            groups.setdefault(self.find(item), []).append(item)
        return list(groups.values())
