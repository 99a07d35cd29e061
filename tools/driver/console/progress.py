"""Progress bars of long steps, which disappear when the step is done."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, TextIO

from ....compat.terminal import one_line, with_orders

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

PATIENCE = 0.7
"""A step is shown after this many seconds."""


class Progress:
    """Shows long steps of a run if the stream is a terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_shown = self._stream.isatty()

    @contextmanager
    def step(self, name: str) -> Generator[Step]:
        """Run a step, which may be updated with its progress."""
        step = Step(name, self._stream)
        if not self._is_shown:
            yield step
            return
        timer = Timer(PATIENCE, step.show)
        timer.daemon = True
        timer.start()
        try:
            yield step
        finally:
            timer.cancel()
            step.hide()


class Step:
    """A step and its progress bar."""

    def __init__(self, name: str, stream: TextIO | None = None) -> None:
        self._name = one_line(name)
        self._stream = stream
        self._done, self._total = 0, 0
        self._lock = Lock()
        self._is_over = False
        self._bars: Bars | None = None
        self._task: TaskID | None = None

    def update(self, done: int, total: int) -> None:
        """Set the progress."""
        with self._lock:
            self._done, self._total = done, total
            self._refresh()

    def show(self) -> None:
        # Imported late: loading rich takes longer than most runs.
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._is_over:
                return
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            file = None if self._stream is None else with_orders(self._stream)
            self._bars = Progress(*columns, console=Console(file=file), transient=True)
            self._task = self._bars.add_task(self._name, total=None)
            self._refresh()
            self._bars.start()

    def hide(self) -> None:
        with self._lock:
            self._is_over = True
            if self._bars is not None:
                self._bars.stop()

    def _refresh(self) -> None:
        if self._bars is not None and self._task is not None and self._total:
            self._bars.update(self._task, completed=self._done, total=self._total)
