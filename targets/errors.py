"""The error for an invalid target file."""

from pathlib import Path


class TargetError(ValueError):
    """An invalid target. The text is `file:line: message`, as far as file and line are known."""

    def __init__(self, message: str, path: Path | None = None, line: int | None = None):
        message = printable(message)
        place = "".join(f"{part}:" for part in (path, line) if part is not None)
        super().__init__(f"{place} {message}" if place else message)
        self.message = message
        self.path = path
        self.line = line


def printable(text: str) -> str:
    """The text in one line, with escapes for characters that would not be seen."""
    return text if text.isprintable() else "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
