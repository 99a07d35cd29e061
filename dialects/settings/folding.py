"""Size limit of constants made by folding."""

from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ...compat.context import holding

FOLD_LIMIT = 64 << 20
"""Default limit in bytes for a new constant."""


@dataclass
class Folding:
    """The limit for folding, and the ops that exceeded it."""

    limit: int = FOLD_LIMIT
    too_large: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """The ops whose constants would exceed the limit, with their sizes in bytes."""

    def allows(self, op: Operation, size: int) -> bool:
        """True if the result of an op may become a constant of `size` bytes; call before making it."""
        if size <= self.limit:
            return True
        self.too_large[op] = size
        return False


_FOLDING: ContextVar[Folding | None] = ContextVar("folding", default=None)


def current_folding() -> Folding:
    """The folding limit of the current context."""
    return _FOLDING.get() or Folding()


def folding_up_to(limit: int | None) -> AbstractContextManager[Folding]:
    """Set the folding limit to this number of bytes inside this context, or to the default."""
    return holding(_FOLDING, Folding(FOLD_LIMIT if limit is None else limit))
