"""`--print-ir-diff`: the lines that each pass has changed."""

from __future__ import annotations

import argparse
import sys
from difflib import unified_diff

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...compat.terminal import printable, with_orders
from .base import Observer
from .print_ir import printed

COLOURS = {"-": "31", "+": "32", "@": "36"}
"""Colours of a terminal for the first letters of lines, as git has them: red, green and cyan."""


class PrintIrDiff(Observer):
    """Prints a unified diff of the program behind each pass that has changed it, in colours on a terminal."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._old: list[str] = []
        """The lines of the program before the pass."""

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        self._old = printed(module, self._args).splitlines()

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        new = printed(module, self._args).splitlines()
        name = module_pass.name
        for line in unified_diff(self._old, new, f"before {name}", f"after {name}", lineterm=""):
            text = printable(line)
            print(_coloured(text) if sys.stderr.isatty() else text, file=with_orders(sys.stderr))


def _coloured(line: str) -> str:
    code = COLOURS.get(line[:1])
    return line if code is None else f"\x1b[{code}m{line}\x1b[0m"
