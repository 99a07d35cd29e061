"""Text for a terminal: names of files and of values may hold characters that give it orders."""

import re
from io import FileIO, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_ORDERS = r"\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
"""Control characters but for tab and line feed, and what stands for bytes of a name that are no text."""
_NOT_PRINTABLE, _NOT_IN_LINES = re.compile(f"[{_ORDERS}]"), re.compile(rf"[{_ORDERS}\n]")
_REPLACED = "\N{REPLACEMENT CHARACTER}"


def printable(text: str) -> str:
    """A text without characters that a terminal hides or obeys."""
    return _NOT_PRINTABLE.sub(_REPLACED, text)


def one_line(text: str) -> str:
    """A printable text that is one line, such as a name, which could otherwise be another message."""
    return _NOT_IN_LINES.sub(_REPLACED, text)


class _Refusable(FileIO):
    """A stream; what it does not take is dropped."""

    def write(self, b: "ReadableBuffer", /) -> int:
        try:
            return super().write(b)
        except OSError:
            return memoryview(b).nbytes


class Messages(TextIOWrapper):
    """Standard error of a command, which prints everything printable and drops what is refused."""

    def __init__(self, descriptor: int, encoding: str) -> None:
        raw = _Refusable(descriptor, "w", closefd=False)
        super().__init__(raw, encoding, "backslashreplace", write_through=True)
        self.orders = TextIOWrapper(raw, encoding, "backslashreplace", write_through=True)
        """The stream for colours and progress bars."""

    def write(self, text: str, /) -> int:
        return super().write(printable(text))


def with_orders(stream: TextIO) -> TextIO:
    """A stream for text with colours and the like."""
    return stream.orders if isinstance(stream, Messages) else stream
