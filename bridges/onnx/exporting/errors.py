"""What cannot be written as ONNX."""

from xdsl.utils.exceptions import DiagnosticException


class NotExportable(DiagnosticException):
    """A program, or one of its ops, that ONNX has no words for; the message is for the user."""
