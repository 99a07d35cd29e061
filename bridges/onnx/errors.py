"""What can go wrong with a model, and on the way to one."""

from re import sub

from xdsl.utils.exceptions import DiagnosticException


class OnnxError(Exception):
    """An error in a model, or in how it is asked for; the message is for the user."""


class UnsupportedNode(Exception):
    """A node, as it stands in its model, has no equivalent in the npu dialect; it becomes an `npu.opaque`."""


class NotExportable(DiagnosticException):
    """A program, or one of its ops, that ONNX has no words for; the message is for the user."""


def brief(error: Exception) -> str:
    """The message of an error of ONNX in one line, without the C++ that some begin with."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return sub(r"^(\[\w+\] )+", "", lines[0]) if lines else type(error).__name__
