"""Standard output, closed to libraries that print what nobody asked for."""

import ctypes
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

STDOUT = 1


@contextmanager
def quiet_stdout() -> Generator[None]:
    """A context in which nothing reaches the standard output of the process, not even from C."""
    try:
        saved = os.dup(STDOUT)
    except OSError:
        # It is closed already.
        yield
        return
    _flush()
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), STDOUT)
    try:
        yield
    finally:
        _flush()
        os.dup2(saved, STDOUT)
        os.close(saved)


def _flush() -> None:
    """Write what Python and C have not written yet."""
    sys.stdout.flush()
    # Some systems have no library of C by that name.
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).fflush(None)
