"""Reproducer files for failures of passes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ....text.diagnostics import elide, summarize
from ...observers.base import ChangedProgram
from ..console.output import write_file
from .pipeline import target_report

DEFAULT_NAME = "npu-opt-reproducer"

_REPEATED_FLAGS = ("allow_unregistered_dialect", "no_implicit_module", "disable_verify")
"""Flags that affect the input of a pass."""


class FailedPass(Exception):
    """A failed pass, with the passes before it."""

    def __init__(self, passes: Sequence[ModulePass], index: int, problem: str, cause: Exception) -> None:
        super().__init__(str(cause))
        self.before = passes[:index]
        self.failed = passes[index]
        self.problem = problem
        self.cause = cause

    @property
    def is_user_error(self) -> bool:
        """True if the pass rejected the program or its options on purpose, so that there is nothing to debug."""
        return isinstance(self.cause, PassFailedException) or target_report(self.cause) is not None


def write_reproducer(failure: FailedPass, program: str, args: argparse.Namespace) -> str:
    """Write the program before the failing pass with the command that reproduces it; returns the note about it."""
    path = args.reproducer or _free_name()
    flags = [f"--{name.replace('_', '-')}" for name in _REPEATED_FLAGS if getattr(args, name)]
    if isinstance(failure.cause, ChangedProgram):
        flags.append("--verify-layouts")
    import shlex

    command = shlex.join(["npu-opt", path, *flags, "-p", str(failure.failed)])
    before = ",".join(map(str, failure.before)) or "none"
    header = (f"RUN: {command}", f"Passes before it: {before}", f"Failure: {elide(summarize(failure.cause))}")
    write_file(path, "".join(f"// {line}\n" for line in header) + program)
    return f"the program before the pass is in {path}; to reproduce the failure:\n  {command}"


def _free_name() -> str:
    """An unused file name in the current directory."""
    number = 1
    path = Path(f"{DEFAULT_NAME}.mlir")
    while path.exists():
        number += 1
        path = Path(f"{DEFAULT_NAME}-{number}.mlir")
    return str(path)
