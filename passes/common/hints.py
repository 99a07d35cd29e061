"""Commands in the notes of passes, which only the driver knows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TypeAlias

from ...compat.context import holding

Command: TypeAlias = Callable[[str, str], str]
_COMMANDS: ContextVar[Command | None] = ContextVar("commands", default=None)


def hinting(command: Command) -> AbstractContextManager[Command]:
    """A context in which this gives the command of the run with an option more for a pass."""
    return holding(_COMMANDS, command)


def command_with(pass_name: str, option: str) -> str | None:
    """The command of the run with this option more for a pass; None outside of a command."""
    command = _COMMANDS.get()
    return None if command is None else command(pass_name, option)
