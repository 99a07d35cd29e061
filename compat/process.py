"""The process: its descriptors, its signals, and its temporary files.

They belong to whoever owns the process. So only a command changes descriptors and signals; a call of the Python API
leaves them alone, whatever a library prints, and deletes its temporary files as it ends.
"""

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import FrameType

from .context import holding

STDOUT, STDERR = 1, 2
BY_SIGNAL = 128
"""The exit code of a command that a signal has ended, less the number of the signal."""
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""The signals that end a process at once if nobody handles them."""

_handles_signals = False
_IN_COMMAND: ContextVar[bool] = ContextVar("in_command", default=False)
_temporary: dict[Path, None] = {}
"""The files and folders that a signal deletes."""


class Stopped(KeyboardInterrupt):
    """A signal that ends a command; its files are deleted."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = BY_SIGNAL + number


def exit_code_of(stop: KeyboardInterrupt) -> int:
    """The exit code of a command that a signal ends."""
    return stop.exit_code if isinstance(stop, Stopped) else BY_SIGNAL + signal.SIGINT


_stopped: Stopped | None = None


def handle_signals() -> None:
    """Let signals end this process, which runs a command and nothing else, without files and tracebacks."""
    global _handles_signals
    _handles_signals = True
    sys.unraisablehook = _end_if_stopped
    # Interrupts may be ignored, as in the background of a shell.
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, _end)


def _end(number: int, _: FrameType | None) -> None:
    """End a process that has done nothing yet, or everything. An exception would show where it was at work."""
    os._exit(BY_SIGNAL + number)


def _stop(number: int, _: FrameType | None) -> None:
    """End what a command does by an exception."""
    global _stopped
    for path in list(_temporary):
        delete(path)
    _stopped = Stopped(number)
    raise _stopped


def _end_if_stopped(found: "sys.UnraisableHookArgs") -> None:
    """Take an exception that Python ignores, such as one in a destructor."""
    if isinstance(found.exc_value, Stopped):
        os._exit(found.exc_value.exit_code)
    sys.__unraisablehook__(found)


@contextmanager
def running_command() -> Generator[None]:
    """The run of a command: libraries print nothing, and an interrupt is raised as `Stopped`."""
    with holding(_IN_COMMAND, True), _stoppable():
        yield


@contextmanager
def _stoppable() -> Generator[None]:
    if signal.getsignal(signal.SIGINT) is not _end:
        yield
        return
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    except Exception:
        # Packages that are being imported make other exceptions of it.
        if _stopped is not None:
            raise _stopped from None
        raise
    finally:
        signal.signal(signal.SIGINT, _end)


def remember(path: Path) -> None:
    """Let signals delete a temporary file, which may not exist yet, or a folder."""
    if _handles_signals and not _temporary:
        for number in ENDING:
            # It may be ignored, as by nohup. Without files it ends the process at once, in the midst of C as well.
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _stop)
    _temporary[path] = None


def forget(path: Path) -> None:
    """Take back `remember`."""
    _temporary.pop(path, None)
    if _handles_signals and not _temporary:
        for number in ENDING:
            if signal.getsignal(number) is _stop:
                signal.signal(number, signal.SIG_DFL)


def delete(path: Path) -> None:
    """Delete a temporary file or folder, if it exists."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    with suppress(OSError):
        path.unlink()


@contextmanager
def temporary_folder(beside: Path | None = None) -> Generator[Path]:
    """A folder that does not outlive this context, beside a file or where the system has such folders."""
    path = Path(
        tempfile.mkdtemp() if beside is None else tempfile.mkdtemp(dir=beside.parent, prefix=f".{beside.name}.")
    )
    with deleted_at_last(path):
        yield path


@contextmanager
def deleted_at_last(path: Path) -> Generator[None]:
    """A context that a temporary file or folder does not outlive, even if a signal ends it."""
    remember(path)
    try:
        yield
    finally:
        delete(path)
        forget(path)


@contextmanager
def kept_from_libraries(descriptor: int) -> Generator[None]:
    """A context in which nothing reaches a standard stream of a command, not even from C."""
    if not _IN_COMMAND.get():
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
