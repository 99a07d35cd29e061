"""Timing of a function call."""

import gc
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds and result. Garbage is collected before the clock starts."""
    gc.collect()
    start = time.process_time()
    result = work()
    return time.process_time() - start, result
