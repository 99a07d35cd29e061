"""Delta debugging: the items of a list without which a test does not hold."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def needed(items: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """A part of the items for which the test holds, and of which no single item can be left out.

    The test holds for all items. Large parts are left out first, so that there are few tests if few items are needed.
    """
    size = len(items)
    while size:
        fewer = _without_parts(items, size, holds)
        # Single items are tried until none can be left out, as one may depend on another.
        if size > 1 or len(fewer) == len(items):
            size = min(size // 2, len(fewer))
        items = fewer
    return items


def _without_parts(items: Sequence[T], size: int, holds: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """The items without each part of a size that can be left out, tried from the end."""
    for start in reversed(range(0, len(items), size)):
        others = [*items[:start], *items[start + size :]]
        if holds(others):
            items = others
    return items
