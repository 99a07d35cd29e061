"""The error of the interpreter."""

from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError


class InterpreterError(InterpretationError):
    """A program or an op that cannot be computed; the message names it."""

    op: Operation | None = None
    """The op that was being run."""
