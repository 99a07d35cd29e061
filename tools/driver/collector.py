"""Python's garbage collector during a run."""

import gc
from collections.abc import Generator
from contextlib import contextmanager

NEW_OBJECTS = 100_000
"""The number of new objects after which the collector runs; Python's default is 700."""


@contextmanager
def rare_collections() -> Generator[None]:
    """Inside this, the garbage collector runs rarely.

    The ops of a program are live until the end, so that each collection walks all of them and frees nothing.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], NEW_OBJECTS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
