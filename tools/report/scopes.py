"""The scopes of a function: the ops of a part of the model, by the names of its nodes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .records import ENDS, OpRecord

MOST_ITEMS = 80
"""A drawing of more nodes is cut into parts."""
FEWEST_OPS = 5
"""The ops of a smaller scope are drawn in the scope around it."""


@dataclass(eq=False)
class Scope:
    """Ops and scopes inside of a scope, in program order."""

    name: str
    items: list[int | Scope] = field(default_factory=list["int | Scope"])
    """The indices of ops, and scopes."""

    def ops(self) -> Iterator[int]:
        """The ops here and in the scopes inside."""
        waiting: list[int | Scope] = [self]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Scope):
                waiting += reversed(item.items)
            else:
                yield item

    def scopes(self) -> list[Scope]:
        """The scopes directly inside."""
        return [item for item in self.items if isinstance(item, Scope)]


def scopes_of(name: str, ops: Sequence[OpRecord], hidden: Container[int] = ()) -> Scope:
    """The scope of a function, with those of its nodes inside, without hidden ops."""
    root = Scope(name)
    known: dict[tuple[str, ...], Scope] = {(): root}
    for index, path in enumerate(paths_of(ops)):
        if index not in hidden:
            _scope_at(path, known).items.append(index)
    _open_only_scope(root, ops)
    _simplify(root)
    return root


def paths_of(ops: Iterable[OpRecord]) -> Iterator[tuple[str, ...]]:
    """The names of the scopes around each op, outer ones first. An op without a name belongs to the one before it."""
    path: tuple[str, ...] = ()
    for op in ops:
        if op.model_name:
            scopes = op.scope or op.model_name.rpartition("/")[0]
            path = tuple(part for part in scopes.split("/") if part)
        yield () if op.kind in ENDS else path


def _scope_at(path: tuple[str, ...], known: dict[tuple[str, ...], Scope]) -> Scope:
    """The scope of a path, which is made where it is first needed."""
    depth = next(length for length in range(len(path), -1, -1) if path[:length] in known)
    scope = known[path[:depth]]
    for length in range(depth, len(path)):
        inner = Scope(path[length])
        scope.items.append(inner)
        known[path[: length + 1]] = scope = inner
    return scope


def _simplify(root: Scope) -> None:
    """Join scopes that contain nothing but a scope, take small ones apart, and cut long ones into parts."""
    found: list[Scope] = [root]
    for scope in found:
        found += scope.scopes()
    for scope in reversed(found):
        scope.items = [part for item in scope.items for part in _parts(item)]
        if len(scope.items) == 1 and isinstance(only := scope.items[0], Scope) and scope is not root:
            scope.name, scope.items = f"{scope.name}/{only.name}", only.items
        if len(scope.items) > MOST_ITEMS:
            scope.items = _cut(scope.items)


def _open_only_scope(root: Scope, ops: Sequence[OpRecord]) -> None:
    """Put the content of a scope that has all ops in its place, as it would always be opened first."""
    while len(inner := root.scopes()) == 1:
        if any(isinstance(item, int) and ops[item].kind not in ENDS for item in root.items):
            return
        place = root.items.index(inner[0])
        root.items[place : place + 1] = inner[0].items


def _parts(item: int | Scope) -> list[int | Scope]:
    if isinstance(item, Scope) and len(ops := list(item.ops())) < FEWEST_OPS:
        return list(ops)
    return [item]


def _cut(items: list[int | Scope]) -> list[int | Scope]:
    """Items in parts of about the same number, which are as many as may be drawn."""
    count = -(-len(items) // MOST_ITEMS)
    if count > MOST_ITEMS:
        items = _cut_into(items, -(-len(items) // MOST_ITEMS))
        return _cut(items)
    return _cut_into(items, count)


def _cut_into(items: list[int | Scope], count: int) -> list[int | Scope]:
    borders = [len(items) * part // count for part in range(count + 1)]
    return [
        Scope(f"part {number} of {count}", items[first:last])
        for number, (first, last) in enumerate(pairwise(borders), 1)
    ]
