"""The command that has to fail, run on a program."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ...compat.process import deleted_at_last

PLACE = "{}"
"""The place of the program's file in a command."""


class EndOfRun(NamedTuple):
    """The end of a run."""

    code: int | None
    """The exit code; None if the command took too long."""
    stderr: str


@dataclass
class Command:
    """A command for a shell, and the file on which it runs."""

    text: str
    file: Path
    seconds: int
    """The time limit of a run."""
    runs: int = field(default=0, init=False)
    """The number of runs so far."""

    def run(self, program: str) -> EndOfRun:
        """Run the command on a program."""
        self.runs += 1
        self.file.write_text(program)
        place = shlex.quote(str(self.file))
        line = self.text.replace(PLACE, place) if PLACE in self.text else f"{self.text} {place}"
        process = subprocess.Popen(
            line,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            # What the shell has started ends with it.
            start_new_session=True,
        )
        try:
            _, stderr = process.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired:
            return EndOfRun(None, "")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return EndOfRun(process.returncode, stderr)


@contextmanager
def candidate_file(near: Path) -> Generator[Path]:
    """A file for candidates, in the folder of the program if possible: the program may refer to files there."""
    folder = near.resolve().parent
    parent = folder if os.access(folder, os.W_OK) else None
    handle, name = tempfile.mkstemp(prefix="npu-reduce-", suffix=".mlir", dir=parent)
    os.close(handle)
    path = Path(name)
    with deleted_at_last(path):
        yield path
