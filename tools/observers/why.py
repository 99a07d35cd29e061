"""`--why`: the chain of reasons for the layout of a value."""

from __future__ import annotations

import sys

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.npu_default import NpuDefault
from ...passes.placement.layout_pass import LayoutPass, colour
from ...text.diagnostics import Report, ReportedError
from ..driver.suggestions import suggestion
from .base import Observer
from .value_names import function_of, legal_name, values_of


class Why(Observer):
    """Prints the reasons of each layout pass for the layout of a value.

    The value is looked up by name in the input of the pass. The plan is made for a copy of the program.
    """

    def __init__(self, wanted: str) -> None:
        function, _, name = wanted.partition(":") if wanted.startswith("@") else ("", "", wanted)
        self._wanted = wanted
        self._function = function.removeprefix("@")
        self._name = name
        self._has_run = False
        self._found = False
        self._known: set[str] = set()

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        # The pipeline begins with the one pass of it that decides layouts.
        layout_pass = module_pass.steps()[0] if isinstance(module_pass, NpuDefault) else module_pass
        if not isinstance(layout_pass, LayoutPass):
            return
        self._has_run = True
        copy = module.clone()
        names = colour(copy, layout_pass.default_layout())
        found = values_of(copy, names, self._name)
        values = [value for value in found if self._function in ("", function_of(value))]
        if len(values) > 1:
            functions = " or ".join(sorted(f"@{function_of(value)}:{self._name}" for value in values))
            raise ReportedError(Report(f"argument --why: several functions have a {self._name}: give {functions}"))
        self._known |= names.known()
        if not values:
            return
        self._found = True
        lines = layout_pass.explain(copy, values[0], names)
        print("\n".join([f"{layout_pass.name}: {lines[0]}", *lines[1:]]), file=sys.stderr)

    def at_end(self) -> None:
        if not self._has_run:
            raise ReportedError(Report("argument --why: no pass in the pipeline decides layouts (--layout-preset)"))
        if not self._found:
            name = self._name if self._name.startswith("%") else f"%{legal_name(self._name)}"
            hint = suggestion(
                name, self._known, "a name as the program prints it, such as %conv, or that of an ONNX node"
            )
            raise ReportedError(Report(f"argument --why: the program has no value '{self._wanted}'{hint}"))
