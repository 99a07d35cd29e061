"""Common entry point of the tools: errors and exit codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ....compat.process import exit_code_of, running_command
from ....text.diagnostics import Report, ReportedError, summarize
from .exit_codes import CLOSED_PIPE, ERROR
from .output import discard_stdout, flush_stdout, open_streams, say

Explain: TypeAlias = Callable[[Exception], Report | None]


def run_tool(name: str, body: Callable[[], int], *, debug: bool, explain: Explain = lambda _: None) -> int:
    """Run a tool and return its exit code.

    An error is one message on stderr, after the traceback if `debug` is set. `explain` reports user errors that are
    not a `ReportedError`; all others are internal errors.
    """
    open_streams()
    failure = ERROR
    try:
        with running_command():
            code = _code_of(body)
            flush_stdout()
            return code
    except KeyboardInterrupt as stop:
        return exit_code_of(stop)
    except BrokenPipeError:
        discard_stdout()
        return CLOSED_PIPE
    except ReportedError as error:
        report, cause = error.report, error.__cause__
        failure = error.exit_code or failure
    except OSError as error:
        report, cause = Report(f"cannot write standard output: {error.strerror}"), error
    except Exception as error:
        report, cause = explain(error) or Report(f"internal error: {summarize(error)}"), error
    if debug and cause is not None:
        import traceback

        traceback.print_exception(cause)
    say(report.from_tool(name))
    return failure


def _code_of(body: Callable[[], int]) -> int:
    """The exit code of a body, or the one with which the parser of its arguments ends it."""
    try:
        return body()
    except SystemExit as end:
        return ERROR if end.code else 0
