"""Errors of export to MLIR and of compilation."""

from typing import NoReturn

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException


class NotLowerable(DiagnosticException):
    """An op has no equivalent in MLIR; the message is for the user."""


class UnknownSizes(NotLowerable):
    """An op needs sizes that the program does not know."""


class CompileError(Exception):
    """MLIR could not compile a module; the message is for the user."""


def raise_at(op: Operation, message: str) -> NoReturn:
    """Raise `NotLowerable` at an op."""
    op.emit_error(message, NotLowerable(message))
