"""Atomic writes of files, and of pairs of a program and its weights.

A program and the file with its weights cannot be replaced at once. So the content of a weights file never changes:
other numbers go into a file named after their digest, and the program that refers to it is replaced last. An
interrupted run leaves the old program with its old weights, or the new one with the new ones.
"""

import os
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES
from pathlib import Path
from typing import BinaryIO

from ..compat.process import delete, forget, remember

CHUNK = 1 << 22
"""Number of bytes read at a time."""
DIGITS = 12
"""Number of digits of the digest in a file name."""


def is_special(path: Path) -> bool:
    """True if the path is a device or a pipe, which can only be written to, not replaced."""
    return path.exists() and not path.is_file()


class Draft:
    """A temporary file beside its target, renamed when it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        """The target path."""
        target = Path(os.path.realpath(path))
        self._temporary: Path | None = None
        """The temporary file, until it is renamed."""
        if is_special(target):
            self.stream: BinaryIO = target.open("wb")
            return
        self._temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}")
        # Before it exists, so that no signal leaves it behind.
        remember(self._temporary)
        try:
            # A new file has the mode that the system gives it, another one that of the file that it replaces.
            mode = _mode(target)
            created = os.open(self._temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
            self.stream = os.fdopen(created, "wb")
            if mode is not None:
                os.chmod(self._temporary, mode)
        except BaseException:
            self._forget()
            raise

    def settle_name(self, program: Path | None) -> str:
        """Choose a file name that is safe to write before the program that refers to it, and return it.

        The name is kept if no such file exists and the existing program does not refer to it, or if the existing file
        has the same content.
        """
        self.stream.flush()
        if self._temporary is None or _is_same(self._temporary, self.path):
            return self.path.name
        if self.path.exists() or (program is not None and _names(program, self.path.name)):
            self.path = _named_after_content(self.path, self._temporary)
        return self.path.name

    def put_in_place(self) -> None:
        """Rename the draft to its target."""
        self.stream.close()
        if self._temporary is None:
            return
        target = Path(os.path.realpath(self.path))
        check_writable(target)
        if (mode := _mode(target)) is not None:
            os.chmod(self._temporary, mode)
        os.replace(self._temporary, target)
        self._forget()

    def put_beside(self) -> None:
        """Rename the draft to its settled name, unless that file already has this content."""
        if self._temporary is not None and _is_same(self._temporary, self.path):
            self.discard()
        else:
            self.put_in_place()

    def discard(self) -> None:
        """Delete the draft if it was not renamed."""
        with suppress(OSError):
            self.stream.close()
        self._forget()

    def _forget(self) -> None:
        """Delete the temporary file if it was not renamed."""
        if self._temporary is not None:
            delete(self._temporary)
            forget(self._temporary)
            self._temporary = None


@contextmanager
def drafted(path: Path) -> Generator[Draft]:
    """A draft that is deleted on exit unless it was put in place."""
    draft = Draft(path)
    try:
        yield draft
    finally:
        draft.discard()


@contextmanager
def replaced(path: Path) -> Generator[BinaryIO]:
    """A stream whose content replaces a file on success; a failure leaves the old file."""
    check_writable(path)
    with drafted(path) as draft:
        yield draft.stream
        draft.put_in_place()


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def digest(chunks: Iterable[bytes]) -> str:
    """The SHA-256 digest of the chunks."""
    # Imported late: most runs write no weights.
    from hashlib import sha256

    found = sha256()
    for chunk in chunks:
        found.update(chunk)
    return found.hexdigest()


def _named_after_content(path: Path, draft: Path) -> Path:
    mark = digest(_chunks(draft))
    named = path.with_name(f"{path.stem}-{mark[:DIGITS]}{path.suffix}")
    is_taken = named.exists() and not _is_same(draft, named)
    return path.with_name(f"{path.stem}-{mark}{path.suffix}") if is_taken else named


def _is_same(path: Path, other: Path) -> bool:
    """True if two files have the same content."""
    if not other.is_file() or path.stat().st_size != other.stat().st_size:
        return False
    return all(left == right for left, right in zip(_chunks(path), _chunks(other), strict=True))


def _names(program: Path, name: str) -> bool:
    """True if the program may refer to a file of this name."""
    if not program.is_file() or not program.stat().st_size:
        return False
    if re.search(r'[^ -~]|["\\]', name):
        # The program would contain the name with escapes.
        return True
    # Imported late: most runs write no weights.
    from mmap import ACCESS_READ, mmap

    with program.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(os.fsencode(name)) >= 0


def check_writable(path: Path) -> None:
    """Raise `PermissionError` for a read-only file: renaming another one to its name does not ask for that."""
    mode = _mode(path)
    # The superuser may write to all files.
    if mode is not None and (not mode & 0o222 or not os.access(path, os.W_OK)):
        raise PermissionError(EACCES, os.strerror(EACCES), str(path))


def _mode(path: Path) -> int | None:
    """The mode of a file, or None if there is none."""
    with suppress(FileNotFoundError):
        return path.stat().st_mode & 0o7777
    return None
