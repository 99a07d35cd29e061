"""`--why`: the chain of reasons for the layout of a value."""

from __future__ import annotations

import sys
from difflib import get_close_matches

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ...passes.placement.layout_pass import LayoutPass, colour
from ...text.diagnostics import Report, ReportedError
from .base import Observer


class Why(Observer):
    """Prints the reasons of each layout pass for the layout of a value.

    The value is looked up by name in the input of the pass. The plan is made for a copy of the program.
    """

    def __init__(self, wanted: str) -> None:
        function, _, name = wanted.rpartition(":")
        self._wanted = wanted
        self._function = function.removeprefix("@")
        self._name = name
        self._has_run = False
        self._found = False
        self._known: set[str] = set()

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if not isinstance(module_pass, LayoutPass):
            return
        self._has_run = True
        copy = module.clone()
        names = colour(copy, module_pass.default_layout())
        values = [value for value in names.named(self._name) if self._function in ("", _function_of(value))]
        if len(values) > 1:
            functions = " or ".join(sorted(f"@{_function_of(value)}:{self._name}" for value in values))
            raise ReportedError(Report(f"argument --why: several functions have a {self._name}: give {functions}"))
        self._known |= names.known()
        if not values:
            return
        self._found = True
        lines = module_pass.explain(copy, values[0], names)
        print("\n".join([f"{module_pass.name}: {lines[0]}", *lines[1:]]), file=sys.stderr)

    def at_end(self) -> None:
        if not self._has_run:
            raise ReportedError(Report("argument --why: no pass in the pipeline decides layouts (--layout-preset)"))
        if not self._found:
            close = get_close_matches(self._name, self._known, n=1)
            hint = f" (did you mean '{close[0]}'?)" if close else " (a name as the program prints it, such as %conv)"
            raise ReportedError(Report(f"argument --why: the program has no value '{self._wanted}'{hint}"))


def _function_of(value: SSAValue) -> str:
    op = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    while op is not None and not isinstance(op, FuncOp):
        op = op.parent_op()
    return op.sym_name.data if op is not None else ""
