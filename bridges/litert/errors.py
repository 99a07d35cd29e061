"""Errors of exporting models."""

from xdsl.utils.exceptions import DiagnosticException


class NotExportable(DiagnosticException):
    """A program or op has no equivalent in LiteRT; the message is for the user."""


class OperandNotExportable(NotExportable):
    """An operand has no equivalent in LiteRT; the name of the op is put in front of the message."""
