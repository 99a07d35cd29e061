"""The sizes that count for unknown ones: the same in all figures of a run."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar

from ...compat.context import holding
from ...layout import DYNAMIC

ASSUMED_LEADING_SIZE = 1
"""The assumed size of an unknown first logical dimension of an argument, which is the batch in most networks."""
ASSUMED_SIZE = 64
"""The assumed size of all other unknown dimensions, unless a run says another one."""

_OF_RUN: ContextVar[int] = ContextVar("assumed size", default=ASSUMED_SIZE)


def assuming(size: int) -> AbstractContextManager[int]:
    """Inside this, other unknown dimensions have this size where none is given."""
    return holding(_OF_RUN, size)


def size_of_run() -> int:
    """The size that other unknown dimensions have in this run."""
    return _OF_RUN.get()


def assumed(shape: Sequence[int], assumed_size: int = ASSUMED_SIZE) -> list[int]:
    """The logical sizes of a value; unknown ones are assumed."""
    size_of_others = size_of_run() if assumed_size == ASSUMED_SIZE else assumed_size
    others = (size_of_others if axis else ASSUMED_LEADING_SIZE for axis in range(len(shape)))
    return [other if size == DYNAMIC else size for size, other in zip(shape, others, strict=True)]


def assumption(is_made: bool, assumed_size: int | None = None) -> str:
    """The words behind figures for which sizes were assumed, by default those of the run."""
    size = size_of_run() if assumed_size is None else assumed_size
    return f" (unknown sizes count as {size}, first ones as {ASSUMED_LEADING_SIZE})" if is_made else ""
