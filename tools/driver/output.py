"""Writing results: all or nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import EBADF
from io import TextIOBase
from pathlib import Path
from typing import BinaryIO

from ...bridges.files import replaced

CLOSED_PIPE_EXIT_CODE = 141
"""What a shell reports for a tool that wrote to a closed pipe (128 + SIGPIPE)."""


class _Closed(TextIOBase):
    """Standard output that was closed before the tool began."""

    def write(self, text: str, /) -> int:
        raise OSError(EBADF, os.strerror(EBADF))


def open_streams() -> None:
    """Python has None for standard streams that are closed; here nothing is read, and output is an error."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  # As said above.
        sys.stdin = open(os.devnull)
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # As said above.
        sys.stdout = _Closed()
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]  # As said above.
        sys.stderr = open(os.devnull, "w")


def say(message: object) -> None:
    """Print to standard error; if that cannot be written to, the exit code has to do."""
    with suppress(OSError):
        print(message, file=sys.stderr, flush=True)


def flush_stdout() -> None:
    """Write what was printed, while an error can still be told."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError:
        discard_stdout()
        raise


def write_stdout(text: str) -> int:
    """Write to standard output; a reader that has gone away (`| head`) is not an error to talk about."""
    try:
        _write_all(text)
    except BrokenPipeError:
        discard_stdout()
        return CLOSED_PIPE_EXIT_CODE
    except OSError:
        discard_stdout()
        raise
    return 0


def discard_stdout() -> None:
    """Python flushes once more at exit: give it something that can be written to."""
    if isinstance(sys.stdout, _Closed):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_all(text: str) -> None:
    sys.stdout.flush()
    try:
        descriptor = sys.stdout.fileno()
    except OSError:
        # Not a file: a program that runs the driver inside itself collects the output.
        sys.stdout.write(text)
        return
    # A stream of our own: unbuffered (PYTHONUNBUFFERED), sys.stdout loses the rest of a write that was cut short.
    with open(descriptor, "w", encoding="utf-8", closefd=False) as stream:
        stream.write(text)


def write_file(path: str, text: str) -> None:
    """Write a file so that any failure leaves the old one as it was."""
    write_binary_file(path, lambda stream: stream.write(text.encode()))


def write_binary_file(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Let a function write a file so that any failure leaves the old one as it was."""
    with replaced(Path(path)) as stream:
        write(stream)
