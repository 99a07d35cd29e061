"""Commands in the notes of passes, which only the driver knows."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

_COMMANDS: ContextVar[Callable[[str, str], str] | None] = ContextVar("commands", default=None)


@contextmanager
def hinting(command: Callable[[str, str], str]) -> Generator[None]:
    """A context in which this gives the command of the run with an option more for a pass."""
    token = _COMMANDS.set(command)
    try:
        yield
    finally:
        _COMMANDS.reset(token)


def command_with(pass_name: str, option: str) -> str | None:
    """The command of the run with this option more for a pass; None outside of a command."""
    command = _COMMANDS.get()
    return None if command is None else command(pass_name, option)
