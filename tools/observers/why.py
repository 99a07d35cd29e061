"""`--why`: the chain of reasons for the layout of a value."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

from ...passes.common.plans.interface_choice import Interface
from ...passes.common.words.reasons import Names
from ...passes.common.words.value_names import function_of, legal_name, values_of
from ...passes.layout_preset import LayoutPreset
from ...passes.layout_preset_npu import LayoutPresetNpu
from ...passes.npu_default import NpuDefault
from ...passes.placement.layout_pass import LayoutPass, colour
from ...text.diagnostics import Report, ReportedError
from ..driver.console.suggestions import suggestion
from .base import Observer


class WrongValue(Exception):
    """A name that no value of the program has, or several; the message is for the user."""


class WantedValue:
    """A value that is looked up by name in the inputs of layout passes."""

    def __init__(self, wanted: str) -> None:
        function, _, name = wanted.partition(":") if wanted.startswith("@") else ("", "", wanted)
        self._wanted = wanted
        self._function = function.removeprefix("@")
        self._name = name
        self._known: set[str] = set()

    def reasons(self, layout_pass: LayoutPass, module: ModuleOp) -> list[str]:
        """The reasons of a pass for the layout of the value, none without such a value.

        The plan is made for a copy of the program.
        """
        copy = module.clone()
        names = colour(copy, layout_pass.default_layout())
        interface = layout_pass.chosen_interface(copy, names)
        found = values_of(copy, names, self._name)
        values = [value for value in found if self._function in ("", function_of(value))]
        if len(values) > 1:
            functions = " or ".join(sorted(f"@{function_of(value)}:{self._name}" for value in values))
            raise WrongValue(f"several functions have a {self._name}: give {functions}")
        self._known |= names.known()
        if not values:
            return []
        lines = layout_pass.explain(copy, values[0], names, interface)
        return [f"{layout_pass.name}: {lines[0]}", *lines[1:], *_optimum(layout_pass, copy, names, interface)]

    def missing(self) -> WrongValue:
        """The error if no pass has found the value."""
        name = self._name if self._name.startswith("%") else f"%{legal_name(self._name)}"
        hint = suggestion(name, self._known, "a name as the program prints it, such as %conv, or that of an ONNX node")
        return WrongValue(f"the program has no value '{self._wanted}'{hint}")


class Why(Observer):
    """Prints the reasons of each layout pass for the layout of a value."""

    def __init__(self, wanted: str, as_json: bool = False) -> None:
        self._name = wanted
        self._wanted = WantedValue(wanted)
        self._as_json = as_json
        self._found = False

    def check(self, passes: Sequence[ModulePass]) -> None:
        if not any(map(deciding_pass, passes)):
            raise ReportedError(Report("argument --why: no pass in the pipeline decides layouts (--layout-preset)"))

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        layout_pass = deciding_pass(module_pass)
        if layout_pass is None:
            return
        try:
            lines = self._wanted.reasons(layout_pass, program_for(module_pass, module))
        except WrongValue as error:
            raise ReportedError(Report(f"argument --why: {error}")) from error
        if lines:
            self._found = True
            print(self._json(layout_pass, lines) if self._as_json else "\n".join(lines), file=sys.stderr)

    def _json(self, layout_pass: LayoutPass, lines: Sequence[str]) -> str:
        reasons = [line.strip().removeprefix(f"{layout_pass.name}: ") for line in lines]
        return json.dumps({"pass": layout_pass.name, "value": self._name, "reasons": reasons})

    def at_end(self) -> None:
        if not self._found:
            error = self._wanted.missing()
            raise ReportedError(Report(f"argument --why: {error}")) from error


def _optimum(layout_pass: LayoutPass, module: ModuleOp, names: Names, interface: Interface) -> list[str]:
    """The cost that `layout-optimal` would leave, if it is less than that of the pass behind `canonicalize`.

    Both are in the unit that the target says, for traffic in the best groups. The passes are applied to the module.
    """
    if not isinstance(layout_pass, LayoutPreset | LayoutPresetNpu):
        return []
    # Imported late: SciPy takes long to load.
    from ...passes.layout_optimal import LayoutOptimal

    optimal = LayoutOptimal(target=layout_pass.target)
    best = optimal.choose(module, interface)
    layout_pass.place(module, names, interface)
    CanonicalizePass().apply(Context(), module)
    found = optimal.cost_of(module, best)
    if best.cost.counted(best.table.cost_unit) >= found.counted(best.table.cost_unit):
        return []
    return [f"  with --layout-optimal: {found.reduced_to(best.cost)}"]


def deciding_pass(module_pass: ModulePass) -> LayoutPass | None:
    """The pass itself or the one of a pipeline that decides layouts."""
    steps = module_pass.steps() if isinstance(module_pass, NpuDefault) else (module_pass,)
    return next((each for each in steps if isinstance(each, LayoutPass)), None)


def program_for(module_pass: ModulePass, module: ModuleOp) -> ModuleOp:
    """A copy of the program as the pass that decides layouts is given it."""
    copy = module.clone()
    if isinstance(module_pass, NpuDefault):
        module_pass.steps()[0].apply(Context(), copy)
    return copy
