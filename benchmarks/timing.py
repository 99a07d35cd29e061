"""Timing of a function call."""

import gc
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

from npu_opt.tools.entry import collect_seldom

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds and result. Garbage is collected before the clock starts."""
    gc.collect()
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def take_out_of_garbage_search() -> None:
    """Leave modules and caches that exist by now out of the collection before each sample."""
    gc.collect()
    gc.freeze()


@contextmanager
def as_in_npu_opt() -> Generator[None]:
    """Inside this, Python looks for garbage as seldom as in the installed tools."""
    before = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)
