"""What cannot be computed."""

from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError


class InterpreterError(InterpretationError):
    """A program, or one of its ops, that has no meaning in numbers; the message names it."""

    op: Operation | None = None
    """The op that was being run."""
