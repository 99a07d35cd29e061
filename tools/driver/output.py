"""Writing results: all or nothing."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

CLOSED_PIPE_EXIT_CODE = 141
"""What a shell reports for a tool that wrote to a closed pipe (128 + SIGPIPE)."""


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
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        # A device or a pipe cannot be replaced, only written to.
        with target.open("wb") as stream:
            write(stream)
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            write(stream)
        os.chmod(temporary, _mode_for(target))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _mode_for(target: Path) -> int:
    """The mode of the file that is replaced, or that of any new file (mkstemp's own is private)."""
    with suppress(FileNotFoundError):
        return target.stat().st_mode & 0o7777
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
