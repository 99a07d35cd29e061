"""Errors of exporting models."""

from xdsl.utils.exceptions import DiagnosticException


class NotExportable(DiagnosticException):
    """A program or op has no equivalent in LiteRT; the message is for the user."""
