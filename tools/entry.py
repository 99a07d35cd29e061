"""Entry points of the installed commands: the process is set up, then the tool is imported and run."""

from __future__ import annotations

import gc
import signal
import sys

ALLOCATIONS = 200_000
"""New objects between two collections. A program lives until the end of the run, and so do most objects."""


def collect_seldom() -> None:
    """Let Python look for garbage less often than at its default of 700 new objects.

    Reference counts free most objects. What is left are cycles, as between an op and its results; a collection walks
    all objects that are alive in order to find them, and takes up to a third of the time of a pass.
    """
    gc.set_threshold(ALLOCATIONS, 10, 10)


def drop_what_stderr_refuses() -> None:
    """Keep errors of standard error from changing what a program does, and its exit code.

    Python's own stream raises them, keeps the text, and ends the process with 120 if it is refused again at the end.
    """
    # Imported late, as the tools below.
    from ..compat.terminal import Messages

    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]  # None if it is closed.
        sys.stderr = Messages(sys.stderr.fileno(), sys.stderr.encoding)


def set_up() -> None:
    """Set up the process of a command."""
    # An interrupt of an import would show a traceback.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    collect_seldom()
    drop_what_stderr_refuses()
    # Imported late, as the tools below.
    from ..compat.process import handle_signals

    handle_signals()


# Importing a tool takes most of a small run, so it is imported behind the setup.


def check() -> int:
    """npu-check."""
    set_up()
    from .check import main

    return main()


def opt() -> int:
    """npu-opt."""
    set_up()
    from .opt import main

    return main()


def run() -> int:
    """npu-run."""
    set_up()
    from .run import main

    return main()


def report() -> int:
    """npu-report."""
    set_up()
    from .report.main import main

    return main()


def gui() -> int:
    """npu-gui."""
    set_up()
    from .gui import main

    return main()


def reduce() -> int:
    """npu-reduce."""
    set_up()
    from .reduce.main import main

    return main()
