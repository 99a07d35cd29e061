"""Errors of importing models."""

from xdsl.utils.exceptions import DiagnosticException


class LiteRtError(DiagnosticException):
    """A file is no model of LiteRT, or one that cannot be read; the message is for the user."""


class NotReadable(Exception):
    """An op has no equivalent in the dialect. It is kept unchanged; the message is for developers."""
