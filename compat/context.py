"""Variables of a context, each thread's own, that have a value for a while."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar, cast

T = TypeVar("T")


@contextmanager
def holding(variable: ContextVar[T] | ContextVar[T | None], value: T) -> Generator[T]:
    """A variable has a value inside this context, and what it had before behind it."""
    held = cast("ContextVar[T | None]", variable)
    token = held.set(value)
    try:
        yield value
    finally:
        held.reset(token)
