"""Messages about a run of passes: errors, and views that were too large to fold."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.utils.exceptions import DiagnosticException, ParseError

from ....text.diagnostics import Report, definition_notes, report_op_error, report_parse_error, summarize
from ....text.locations import file_place
from ...observers.base import ChangedProgram
from ..console.command_text import changed_command
from .pipeline import pin_report, target_report
from .reproducer import FailedPass

if TYPE_CHECKING:
    from ....dialects.settings.folding import Folding
    from ....text.parser import SourceMap


def report_of(error: Exception, source: SourceMap | None, input_name: str) -> Report:
    """The message for an error of a pass, of the parser or of the program."""
    # Imported late: they load the dialects.
    from ....compat.xdsl import failing_op
    from ....text.parser import BadNumberError

    cause = error.cause if isinstance(error, FailedPass) else error
    if known_error := target_report(cause) or pin_report(cause):
        return known_error
    if isinstance(cause, ParseError):
        report = report_parse_error(cause)
        return report if isinstance(cause, BadNumberError) else _with_hint(report, cause.__cause__)
    message = str(cause) if isinstance(cause, ChangedProgram) else summarize(cause)
    if isinstance(error, FailedPass):
        message = f"pass '{error.failed.name}' {error.problem}: {message}"
    if isinstance(cause, ChangedProgram):
        return Report(message, input_name, notes=cause.notes)
    op, notes = failing_op(cause), getattr(cause, "__notes__", ())
    if op is None:
        return _with_hint(Report(message, input_name).with_notes(*notes), cause)
    report = report_op_error(op, message, source, input_name)
    return _with_hint(report.with_notes(*definition_notes(cause, source), *notes), cause)


def _with_hint(report: Report, cause: BaseException | None) -> Report:
    """Add a hint to --debug for unexpected exceptions."""
    if cause is None or isinstance(cause, ParseError | DiagnosticException | RecursionError | MemoryError):
        return report
    return report.with_notes("--debug shows the Python traceback")


def note_unfolded_views(
    folding: Folding, pass_name: str, source: SourceMap | None, input_name: str, command: Sequence[str]
) -> None:
    """Print a note about views of constants that were too large to fold."""
    left = {op: size for op, size in folding.too_large.items() if op.parent is not None}
    if not left:
        return
    first, largest = next(iter(left)), max(left.values())
    span = source.span_of(first) if source is not None else None
    place = file_place(first.location) or (str(span.get_location()) if span else input_name)
    print(
        f"{place}: note: {pass_name} leaves {len(left)} view{'s' * (len(left) > 1)} of constants of up to"
        f" {largest} bytes unchanged; a larger limit folds them"
        f" (run: {changed_command(command, [f'--fold-limit={largest}'])})",
        file=sys.stderr,
    )
