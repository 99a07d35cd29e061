"""Runs of npu-opt that are not one of its driver on one program."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .assign.command import run_assign
from .several_files import ToolClass, run_together


def run_other(tool: ToolClass, words: Sequence[str], args: argparse.Namespace) -> int:
    """Do what the arguments ask for, and return the exit code."""
    return run_together(tool, words, args) if args.assign is None else run_assign(args)
