"""Atomic output, and handling of closed streams."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import EBADF
from io import TextIOBase
from pathlib import Path
from typing import BinaryIO, TypeAlias

from ....bridges.files import replaced
from ....compat.terminal import printable
from .exit_codes import CLOSED_PIPE


class _Closed(TextIOBase):
    """A replacement for a standard output that is closed; writing fails."""

    def write(self, text: str, /) -> int:
        raise OSError(EBADF, os.strerror(EBADF))


def open_streams() -> None:
    """Replace closed standard streams, which are None in Python."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  # See the docstring.
        sys.stdin = open(os.devnull)
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # See the docstring.
        sys.stdout = _Closed()
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]  # See the docstring.
        sys.stderr = open(os.devnull, "w")


Say: TypeAlias = Callable[[object], None]
"""Takes a message to the user, to print it or to keep it."""


def say(message: object) -> None:
    """Print to standard error, and ignore errors of that."""
    with suppress(OSError):
        print(printable(str(message)), file=sys.stderr, flush=True)


def flush_stdout() -> None:
    """Flush stdout while errors can still be reported."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError:
        discard_stdout()
        raise


def write_stdout(text: str) -> int:
    """Write to standard output and return the exit code; a closed pipe (`| head`) is not reported."""
    try:
        _write_all(text)
    except BrokenPipeError:
        discard_stdout()
        return CLOSED_PIPE
    except OSError:
        discard_stdout()
        raise
    return 0


def discard_stdout() -> None:
    """Redirect stdout to /dev/null, because Python flushes it once more at exit."""
    if isinstance(sys.stdout, _Closed):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_all(text: str) -> None:
    sys.stdout.flush()
    try:
        descriptor = sys.stdout.fileno()
    except OSError:
        # Not a file: the output is captured in-process.
        sys.stdout.write(text)
        return
    # A new stream: if unbuffered (PYTHONUNBUFFERED), sys.stdout loses the rest of a partial write.
    with open(descriptor, "w", encoding="utf-8", closefd=False) as stream:
        stream.write(text)


def write_file(path: str, text: str) -> None:
    """Write a file atomically."""
    write_binary_file(path, lambda stream: stream.write(text.encode()))


def write_binary_file(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Write a file atomically by a function of a stream."""
    with replaced(Path(path)) as stream:
        write(stream)
