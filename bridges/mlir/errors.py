"""What can go wrong on the way to MLIR."""


class NotLowerable(Exception):
    """An op has no equivalent in upstream MLIR as it stands; the message is for the user."""


class CompileError(Exception):
    """MLIR could not compile a module; the message is for the user."""
