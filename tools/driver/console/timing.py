"""Times of the steps of a run."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager


class Timings:
    """Seconds per step, summed over the pieces of a split file."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[name] = self._seconds.get(name, 0.0) + time.perf_counter() - start

    def table(self) -> str:
        total = sum(self._seconds.values())
        rows = [*self._seconds.items(), ("total", total)]
        width = max(len(name) for name, _ in rows)
        lines = (f"  {name:<{width}}  {seconds:10.4f} s  {_share(seconds, total)}" for name, seconds in rows)
        return "\n".join(("time by step:", *lines))


def _share(seconds: float, total: float) -> str:
    return f"{seconds / total:6.1%}" if total else "     -"
