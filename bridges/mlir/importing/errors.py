"""Errors of importing MLIR modules."""

from .places import FilePlace


class UnsupportedOp(Exception):
    """An op has no equivalent in the npu dialect; it becomes an `npu.opaque`."""


class ReadError(Exception):
    """A module cannot be read; the message is for the user."""

    def __init__(self, message: str, place: FilePlace | None = None):
        super().__init__(message)
        self.place = place
        """The position in a file, if it is known."""
