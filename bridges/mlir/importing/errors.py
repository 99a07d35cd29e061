"""What can go wrong while a module of upstream MLIR is read."""

from .places import FilePlace


class UnsupportedOp(Exception):
    """No ops of the npu dialect compute what an op does; it stays as it is."""


class ReadError(Exception):
    """A module cannot be read; the message is for the user."""

    def __init__(self, message: str, place: FilePlace | None = None):
        super().__init__(message)
        self.place = place
        """Where in a file; None if that is not known."""
