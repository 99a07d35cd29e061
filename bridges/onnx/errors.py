"""Errors of importing and exporting models."""

from re import sub
from types import MappingProxyType

from xdsl.utils.exceptions import DiagnosticException

from ..fixed_sizes import Shapes


class OnnxError(Exception):
    """An error in a model or in the options for it; the message is for the user."""


class UnknownRank(OnnxError):
    """The rank of a value is not known, as that of a result that depends on sizes may be."""

    inputs: Shapes = MappingProxyType({})
    """The sizes of the inputs of the model."""


class UnsupportedNode(Exception):
    """A node has no equivalent in the npu dialect; it becomes an `npu.opaque`."""


class NotExportable(DiagnosticException):
    """A program or op has no equivalent in ONNX; the message is for the user."""


def brief(error: Exception) -> str:
    """The first line of an ONNX error message, without the C++ prefix that some have."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return sub(r"^(\[\w+\] )+", "", lines[0]) if lines else type(error).__name__
