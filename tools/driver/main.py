"""Common entry point of the tools: errors and exit codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...text.diagnostics import Report, ReportedError, summarize
from .output import CLOSED_PIPE_EXIT_CODE, discard_stdout, flush_stdout, open_streams, say

INTERRUPTED_EXIT_CODE = 130

Explain: TypeAlias = Callable[[Exception], Report | None]


def run_tool(
    name: str, body: Callable[[], int], *, debug: bool, failure: int = 1, explain: Explain = lambda _: None
) -> int:
    """Run a tool and return its exit code, which is `failure` after an error.

    An error is one message on stderr, after the traceback if `debug` is set. `explain` reports user errors that are
    not a `ReportedError`; all others are internal errors.
    """
    open_streams()
    try:
        code = _code_of(body, failure)
        flush_stdout()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT_CODE
    except BrokenPipeError:
        discard_stdout()
        return CLOSED_PIPE_EXIT_CODE
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


def _code_of(body: Callable[[], int], failure: int) -> int:
    """The exit code of a body, or the one with which the parser of its arguments ends it."""
    try:
        return body()
    except SystemExit as end:
        return failure if end.code else 0
