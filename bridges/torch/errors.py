"""Errors of importing and exporting programs of PyTorch."""

from xdsl.utils.exceptions import DiagnosticException


class FxError(Exception):
    """An error in a program or in the options for it; the message is for the user."""


class NotExportable(DiagnosticException):
    """A program or op has no equivalent in PyTorch; the message is for the user."""
