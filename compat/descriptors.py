"""Standard streams, closed to libraries that print what nobody asked for, in the processes of commands only.

A descriptor belongs to the whole process. So a call of the Python API leaves it alone, whatever a library prints.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

STDOUT, STDERR = 1, 2

_of_a_command = False


def process_is_a_commands() -> None:
    """Say that this process runs a command and nothing else, so that its descriptors may be moved."""
    global _of_a_command
    _of_a_command = True


@contextmanager
def kept_from_libraries(descriptor: int) -> Generator[None]:
    """A context in which nothing reaches a standard stream of a command, not even from C."""
    if not _of_a_command:
        yield
        return
    _flush()
    try:
        kept = os.dup(descriptor)
    except OSError:
        # It is closed already.
        yield
        return
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), descriptor)
    try:
        yield
    finally:
        _flush()
        os.dup2(kept, descriptor)
        os.close(kept)


def _flush() -> None:
    """Write what Python and C have not written yet."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    # Imported late: most runs call no such library.
    import ctypes

    # Some systems have no library of C by that name.
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).fflush(None)
