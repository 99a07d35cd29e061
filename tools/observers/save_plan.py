"""`--save-plan`: the choices of `layout-optimal` as a file that can be edited and obeyed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.layout_optimal import LayoutOptimal
from ...text.diagnostics import Report, ReportedError
from ..driver.console.output import write_file
from ..driver.pipeline.plan_text import plan_text
from .base import Observer


class SavePlan(Observer):
    """Writes the plan of the first `layout-optimal`, whose pins `--plan` sets."""

    def __init__(self, file: str, input_name: str) -> None:
        self._file = file
        self._input_name = input_name
        self._texts: list[str] = []
        """The plan of each piece of a split file."""
        self._is_done = False

    def check(self, passes: Sequence[ModulePass]) -> None:
        if not any(isinstance(each, LayoutOptimal) for each in passes):
            raise _error("no pass in the pipeline solves layouts (--layout-optimal)")

    def before_passes(self, module: ModuleOp, source: object) -> None:
        self._is_done = False

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if isinstance(module_pass, LayoutOptimal) and not self._is_done:
            self._is_done = True
            self._texts.append(plan_text(module_pass, module, self._input_name))

    def at_end(self) -> None:
        if len(self._texts) != 1:
            raise _error(f"expected one program, found {len(self._texts)} in '{self._input_name}'")
        try:
            write_file(self._file, self._texts[0])
        except OSError as error:
            raise ReportedError(Report(f"cannot write '{self._file}': {error.strerror}")) from error


def _error(message: str) -> ReportedError:
    return ReportedError(Report(f"argument --save-plan: {message}"))
