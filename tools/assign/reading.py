"""Problems of `--assign` in files, with the places of the errors in them."""

from __future__ import annotations

import sys
from pathlib import Path

from ...text.diagnostics import Report, ReportedError
from ..driver.formats.program import decoded
from .fields import FieldError, SyntaxFault, line_and_column, parsed, path_text, position_of
from .problem import AssignProblem, read_problem


def read_problem_file(name: str) -> AssignProblem:
    """The problem of a file, `-` for standard input; raises `ReportedError`."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise ReportedError(Report(f"cannot read '{name}': {error.strerror}")) from error
    name = "<stdin>" if name == "-" else name
    text = decoded(data, name)
    try:
        return read_problem(parsed(text))
    except SyntaxFault as error:
        raise ReportedError(Report(f"not JSON: {error}", _place(name, text, error.position))) from error
    except FieldError as error:
        path = path_text(error.path)
        note = (f"in {path}",) if path else ()
        report = Report(error.message, _place(name, text, position_of(text, error.path)))
        raise ReportedError(report.with_notes(*note)) from error


def _place(name: str, text: str, position: int | None) -> str:
    if position is None:
        return name
    line, column = line_and_column(text, position)
    return f"{name}:{line}:{column}"
