"""What can go wrong on the way to MLIR."""

from typing import NoReturn

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException


class NotLowerable(DiagnosticException):
    """An op has no equivalent in upstream MLIR as it stands; the message is for the user."""


class CompileError(Exception):
    """MLIR could not compile a module; the message is for the user."""


def refuse(op: Operation, message: str) -> NoReturn:
    """Say that an op cannot be lowered, and where it stands."""
    op.emit_error(message, NotLowerable(message))
