"""Taking the time of one piece of work."""

import gc
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds and result. What earlier work has left is collected before the clock starts."""
    gc.collect()
    start = time.process_time()
    result = work()
    return time.process_time() - start, result
