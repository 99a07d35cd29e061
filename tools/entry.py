"""Entry points of the installed commands: the process is set up, then the tool is imported and run."""

import gc

ALLOCATIONS = 200_000
"""New objects between two collections. A program lives until the end of the run, and so do most objects."""


def collect_seldom() -> None:
    """Let Python look for garbage less often than at its default of 700 new objects.

    Reference counts free most objects. What is left are cycles, as between an op and its results; a collection walks
    all objects that are alive in order to find them, and takes up to a third of the time of a pass.
    """
    gc.set_threshold(ALLOCATIONS, 10, 10)


# Importing a tool takes most of a small run, so it is imported behind the setup.


def check() -> int:
    """npu-check."""
    collect_seldom()
    from .check import main

    return main()


def opt() -> int:
    """npu-opt."""
    collect_seldom()
    from .opt import main

    return main()


def run() -> int:
    """npu-run."""
    collect_seldom()
    from .run import main

    return main()


def report() -> int:
    """npu-report."""
    collect_seldom()
    from .report.main import main

    return main()


def gui() -> int:
    """npu-gui."""
    collect_seldom()
    from .gui import main

    return main()


def reduce() -> int:
    """npu-reduce."""
    collect_seldom()
    from .reduce.main import main

    return main()
