"""Differences between two programs, whose ops are matched by the names of the nodes they come from."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .records import OpRecord


@dataclass(frozen=True)
class OpDifference:
    """An op of one program that the other does not have, or that has another type there."""

    change: Literal["added", "removed", "changed"]
    before: int | None
    """The index of the op in the first program."""
    after: int | None
    text: str


def differences(before: Sequence[OpRecord], after: Sequence[OpRecord]) -> list[OpDifference]:
    """The differences, in the order of the second program, and then those ops that only the first one has."""
    waiting: dict[tuple[str, str], deque[int]] = {}
    for index, op in enumerate(before):
        waiting.setdefault(_key(op), deque()).append(index)
    found: list[OpDifference] = []
    for index, op in enumerate(after):
        queue = waiting.get(_key(op))
        if not queue:
            found.append(OpDifference("added", None, index, op.type))
            continue
        old = before[first := queue.popleft()]
        if old.type != op.type and not _got_its_class(old.type, op.type):
            found.append(OpDifference("changed", first, index, f"{old.type} to {op.type}"))
    left = sorted(index for queue in waiting.values() for index in queue)
    return [*found, *(OpDifference("removed", index, None, before[index].type) for index in left)]


def _got_its_class(before: str, after: str) -> bool:
    """True if a type has got the class of a tensor in the order it had, which changes nothing."""
    return after in (f"{before} Tensor", f"{before} NTensor")


def _key(op: OpRecord) -> tuple[str, str]:
    return op.kind, op.model_name or op.name
