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


class WrongValue(Exception):
    """A name that no value of the program has, or several; the message is for the user."""


class WantedValue:
    """A value that is looked up by name in the inputs of layout passes."""

    def __init__(self, wanted: str) -> None:
        function, _, name = wanted.rpartition(":")
        self._wanted = wanted
        self._function = function.removeprefix("@")
        self._name = name
        self._known: set[str] = set()

    def reasons(self, module_pass: LayoutPass, module: ModuleOp) -> list[str]:
        """The reasons of a pass for the layout of the value, none without such a value.

        The plan is made for a copy of the program.
        """
        copy = module.clone()
        names = colour(copy, module_pass.default_layout())
        values = [value for value in names.named(self._name) if self._function in ("", _function_of(value))]
        if len(values) > 1:
            functions = " or ".join(sorted(f"@{_function_of(value)}:{self._name}" for value in values))
            raise WrongValue(f"several functions have a {self._name}: give {functions}")
        self._known |= names.known()
        if not values:
            return []
        lines = module_pass.explain(copy, values[0], names)
        return [f"{module_pass.name}: {lines[0]}", *lines[1:]]

    def missing(self) -> WrongValue:
        """The error if no pass has found the value."""
        close = get_close_matches(self._name, self._known, n=1)
        hint = f" (did you mean '{close[0]}'?)" if close else " (a name as the program prints it, such as %conv)"
        return WrongValue(f"the program has no value '{self._wanted}'{hint}")


class Why(Observer):
    """Prints the reasons of each layout pass for the layout of a value."""

    def __init__(self, wanted: str) -> None:
        self._wanted = WantedValue(wanted)
        self._has_run = False
        self._found = False

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if not isinstance(module_pass, LayoutPass):
            return
        self._has_run = True
        try:
            lines = self._wanted.reasons(module_pass, module)
        except WrongValue as error:
            raise ReportedError(Report(f"argument --why: {error}")) from error
        if lines:
            self._found = True
            print("\n".join(lines), file=sys.stderr)

    def at_end(self) -> None:
        if not self._has_run:
            raise ReportedError(Report("argument --why: no pass in the pipeline decides layouts (--layout-preset)"))
        if not self._found:
            error = self._wanted.missing()
            raise ReportedError(Report(f"argument --why: {error}")) from error


def _function_of(value: SSAValue) -> str:
    op = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    while op is not None and not isinstance(op, FuncOp):
        op = op.parent_op()
    return op.sym_name.data if op is not None else ""
