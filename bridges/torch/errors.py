"""Errors of importing and exporting programs of PyTorch."""

import re

from xdsl.utils.exceptions import DiagnosticException

FRAME = re.compile(r'File "([^"]+)", line (\d+)')


class FxError(Exception):
    """An error in a program or in the options for it; the message is for the user."""


class NotExportable(DiagnosticException):
    """A program or op has no equivalent in PyTorch; the message is for the user."""


def placed(message: str, stack_trace: str | None) -> str:
    """A message with the line of the user's module at which a node was called."""
    frames = FRAME.findall(stack_trace or "")
    return f"{frames[-1][0]}:{frames[-1][1]}: {message}" if frames else message
