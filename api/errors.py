"""The error of the Python functions."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from xdsl.utils.exceptions import DiagnosticException

from ..compat.xdsl import failing_op, without_module_dumps
from ..dialects.notes.value_pins import PinError
from ..targets import TargetError
from ..text.diagnostics import Report, ReportedError, summarize
from ..text.locations import file_place


class NpuOptError(ValueError):
    """An error that a caller can cause, with the message that the commands print for it."""


def wrong_argument(name: str, found: object, expected: Iterable[str]) -> NpuOptError:
    """An argument with a value that it does not take."""
    values = list(expected)
    return NpuOptError(f"argument {name}: expected {'one of ' * (len(values) > 1)}{', '.join(values)}; found {found!r}")


@contextmanager
def raised_as_own(name: str = "") -> Generator[None]:
    """Convert the errors that a user can cause to `NpuOptError`. All others are bugs, and stay unchanged.

    `name` is that of the program, for errors without a place.
    """
    try:
        with without_module_dumps():
            yield
    except ReportedError as error:
        raise NpuOptError(_text(error.report)) from error
    except TargetError as error:
        raise NpuOptError(f"argument target: {error}") from error
    except PinError as error:
        raise NpuOptError(_text(Report(str(error), error.place or name or Report.place))) from error
    except DiagnosticException as error:
        op = failing_op(error)
        place = (None if op is None else file_place(op.location)) or name or Report.place
        notes = getattr(error, "__notes__", ())
        raise NpuOptError(_text(Report(summarize(error), place).with_notes(*notes))) from error


def _text(report: Report) -> str:
    """The report; without the name of the tool if the place is not known."""
    return str(report).removeprefix(f"{Report.place}: error: ")
