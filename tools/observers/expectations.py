"""`--expect-transposes` and `--expect-bytes`: upper bounds on the result."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...passes.common.transpose_cost import Cost
from ...text.diagnostics import Report, ReportedError
from .base import Observer
from .seen_transposes import SeenTranspose, seen_transposes

UNMET_EXIT_CODE = 3
"""The exit code of npu-opt if a result has more transposes than expected."""


class UnmetExpectation(ReportedError):
    """The result is not as expected, although no step has failed."""

    exit_code = UNMET_EXIT_CODE


class Expectations(Observer):
    """Counts the transposes of all pieces of the file, and fails before anything is written."""

    def __init__(self, input_name: str, most_transposes: int | None, most_bytes: int | None) -> None:
        self._input_name = input_name
        self._most_transposes = most_transposes
        self._most_bytes = most_bytes
        self._left: list[SeenTranspose] = []
        self._in_file: Cost | None = None
        """The Transposes of the model that will be written."""

    def after_passes(self, module: ModuleOp) -> None:
        self._left += (seen for seen in seen_transposes(module) if not seen.not_counted)

    def before_model(self, cost: Cost) -> None:
        self._in_file = cost

    def at_end(self) -> None:
        found = sum((seen.cost for seen in self._left), Cost()) if self._in_file is None else self._in_file
        where = "" if self._in_file is None else " in the file"
        problems: list[str] = []
        if self._most_transposes is not None and found.transposes > self._most_transposes:
            problems.append(f"at most {_counted(self._most_transposes, 'transpose')}, found {found.transposes}{where}")
        if self._most_bytes is not None and found.bytes > self._most_bytes:
            problems.append(f"at most {_counted(self._most_bytes, 'byte')} moved, found {found.bytes_text}{where}")
        if problems:
            notes = (Report(f"transpose {seen.text_with_reasons}", seen.place, severity="note") for seen in self._left)
            raise UnmetExpectation(Report(f"expected {', and '.join(problems)}", self._input_name, notes=tuple(notes)))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
