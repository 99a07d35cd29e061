"""Errors of importing and exporting programs of PyTorch."""

import os
import re
from collections.abc import Sequence
from traceback import walk_tb
from types import TracebackType

from xdsl.utils.exceptions import DiagnosticException

_PYTHON = os.path.dirname(os.__file__)
FRAME = re.compile(r'File "([^"]+)", line (\d+)')


class FxError(Exception):
    """An error in a program or in the options for it; the message is for the user."""


class NotExportable(DiagnosticException):
    """A program or op has no equivalent in PyTorch; the message is for the user."""


def placed(message: str, stack_trace: str | None) -> str:
    """A message with the line of the user's module at which a node was called."""
    place = line_of(stack_trace)
    return f"{place}: {message}" if place else message


def line_of(stack_trace: str | None) -> str:
    """`file:line` of the user's code that made a node: the innermost that is not PyTorch's own; empty if unknown."""
    frames = [(file, int(line)) for file, line in FRAME.findall(stack_trace or "")]
    return _innermost([each for each in frames if not _is_of_torch(each[0])] or frames)


def line_of_error(traceback: TracebackType | None) -> str:
    """`file:line` of the user's code, called by PyTorch, that an error is from; empty if it is from nothing such."""
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(traceback)]
    first = next((place for place, (file, _) in enumerate(frames) if _is_of_torch(file)), len(frames))
    return _innermost([each for each in frames[first:] if not _is_of_torch(each[0]) and os.path.isfile(each[0])])


def brief(error: BaseException) -> str:
    """The message of an error of PyTorch in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    first, _, advice = lines[0].partition(" For more information, run with")
    # Such as the sizes that a program has not for any number.
    more = lines[1].removeprefix("- ") if advice and len(lines) > 1 and lines[1].startswith("- ") else ""
    return f"{first} {more}".strip()


def _innermost(frames: Sequence[tuple[str, int]]) -> str:
    return f"{frames[-1][0]}:{frames[-1][1]}" if frames else ""


def _is_of_torch(file: str) -> bool:
    """True for a file of PyTorch, or of Python, which PyTorch calls."""
    return f"{os.sep}torch{os.sep}" in file or os.path.dirname(file) == _PYTHON
