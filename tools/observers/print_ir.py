"""`--print-ir-before-all`, `--print-ir-after-all` and `--print-ir-after-change`, as in mlir-opt."""

from __future__ import annotations

import argparse
import sys
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...text.printer import NpuPrinter
from .base import Observer


class PrintIr(Observer):
    """Prints the program with mlir-opt's header lines."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._before = args.print_ir_before_all
        self._after = args.print_ir_after_all
        self._after_change = args.print_ir_after_change
        self._old = ""
        """The program before the pass."""

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if self._before or self._after_change:
            self._old = printed(module, self._args)
        if self._before:
            _print("Before", module_pass, self._old)

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if not (self._after or self._after_change):
            return
        text = printed(module, self._args)
        if self._after or text != self._old:
            _print("After", module_pass, text)


def printed(module: ModuleOp, args: argparse.Namespace) -> str:
    """The text of a program, in the format that the arguments choose."""
    buffer = StringIO()
    printer = NpuPrinter(
        stream=buffer, print_generic_format=args.print_op_generic, print_debuginfo=args.print_debuginfo
    )
    printer.print_op(module)
    return buffer.getvalue()


def _print(when: str, module_pass: ModulePass, text: str) -> None:
    print(f"// -----// IR Dump {when} {module_pass.name} //----- //\n{text}\n\n", file=sys.stderr)
