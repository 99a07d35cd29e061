"""How large the constants may be that folding makes."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from xdsl.ir import Operation

FOLD_LIMIT = 64 << 20
"""Up to how many bytes a constant may have that is made anew, unless something else is said."""


@dataclass
class Folding:
    """What may be folded, and what was not."""

    limit: int = FOLD_LIMIT
    refused: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """The ops that would have made larger constants, and the bytes of these."""

    def allows(self, op: Operation, size: int) -> bool:
        """Whether the result of an op may become a constant of so many bytes. Asked before anything is made."""
        if size <= self.limit:
            return True
        self.refused[op] = size
        return False


_FOLDING: ContextVar[Folding | None] = ContextVar("folding", default=None)


def current_folding() -> Folding:
    """What holds now."""
    return _FOLDING.get() or Folding()


@contextmanager
def folding_up_to(limit: int) -> Generator[Folding]:
    """Inside this, constants of up to so many bytes are made."""
    token = _FOLDING.set(Folding(limit))
    try:
        yield current_folding()
    finally:
        _FOLDING.reset(token)
