"""Access to files that programs name: only those below the folder of the program, unless the user allows others."""

from contextlib import AbstractContextManager
from contextvars import ContextVar
from pathlib import Path

from ..compat.context import holding
from .errors import InterpreterError

_MAY_BE_OUTSIDE: ContextVar[bool] = ContextVar("may_be_outside", default=False)


def outside_allowed() -> AbstractContextManager[bool]:
    """References may name files outside the program's folder inside this context."""
    return holding(_MAY_BE_OUTSIDE, True)


def file_of(directory: Path, name: str) -> Path:
    """The file that a reference names; an error if the program must not read it."""
    path = directory / name
    if "\0" in name:
        raise InterpreterError(f"no file has the name {name!r}")
    if not _MAY_BE_OUTSIDE.get() and not is_below(directory, path):
        folder = f"folder '{directory}'" if directory.name else "current folder"
        raise InterpreterError(f"{path}: outside the {folder} of the program; use --allow-outside to read it")
    return path


def is_below(directory: Path, path: Path) -> bool:
    """True if a file is in a folder or below it, after resolving links."""
    try:
        return path.resolve().is_relative_to(directory.resolve())
    except (OSError, RuntimeError):
        # A cycle of links.
        return False
