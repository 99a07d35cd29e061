"""Errors of importing and exporting models."""

from re import sub

from xdsl.utils.exceptions import DiagnosticException

from ..building import UnsupportedNode


class OnnxError(Exception):
    """An error in a model or in the options for it; the message is for the user."""


UNEXPECTED = (UnsupportedNode, ArithmeticError, IndexError, TypeError, ValueError)
"""The errors of functions that read a node, whose ranks and numbers nothing has checked, or not all of them."""


class NotExportable(DiagnosticException):
    """A program or op has no equivalent in ONNX; the message is for the user."""


def brief(error: Exception) -> str:
    """The first line of an ONNX error message, without the C++ prefix that some have."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return sub(r"^(\[\w+\] )+", "", lines[0]) if lines else type(error).__name__
