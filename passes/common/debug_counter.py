"""Debug counters: only the first changes of a pass are applied, to find the one after which a result is wrong.

Each change preserves the meaning of the program if those before it are applied, so that every number of them does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TypeVar

from ...compat.context import holding

T = TypeVar("T")

_LIMITS: ContextVar[Mapping[str, int] | None] = ContextVar("limits", default=None)


def limited_changes(limits: Mapping[str, int]) -> AbstractContextManager[Mapping[str, int]]:
    """A context in which passes of these names apply so many changes each."""
    return holding(_LIMITS, limits)


def limit_of(pass_name: str) -> int | None:
    """The number of changes that a pass applies; None for all."""
    limits = _LIMITS.get()
    return None if limits is None else limits.get(pass_name)


def first_changes(pass_name: str, changes: Sequence[T], name: Callable[[T], str]) -> Sequence[T]:
    """The changes that a pass applies; if they are counted, prints a note about the last of them."""
    limit = limit_of(pass_name)
    if limit is None:
        return changes
    kept = changes[:limit]
    print_count(pass_name, f"{len(kept)} of {len(changes)}", name(kept[-1]) if kept else "")
    return kept


def print_count(pass_name: str, count: str, last: str) -> None:
    """Print a note about the changes that were applied."""
    plural = "" if count == "1" else "s"
    print(
        f"note: {pass_name}: applied {count} change{plural}{f', the last one is {last}' if last else ''}",
        file=sys.stderr,
    )
