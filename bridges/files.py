"""Writing files: whole or not at all, and never one that belongs to another program than the file beside it.

A program and the file with its weights cannot be replaced at once. So what a file of weights holds never changes:
other numbers get a name of their own, made from what they are, and the program that names them is put in its place
last. A run that is broken off leaves the old program with its old weights, or the new one with the new ones.
"""

import os
import re
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 22
"""How many bytes are looked at a time."""
DIGITS = 12
"""How many digits of what tells contents apart are part of a name."""


def is_special(path: Path) -> bool:
    """Whether something is there that cannot be replaced, only written to: a device or a pipe."""
    return path.exists() and not path.is_file()


class Draft:
    """A file that is written beside its place, and put there when all of it is known to be good."""

    def __init__(self, path: Path) -> None:
        self.path = path
        """Where it is to be."""
        target = Path(os.path.realpath(path))
        self._temporary: Path | None = None
        """The file that is to be renamed, if it has not been yet."""
        if is_special(target):
            self.stream: BinaryIO = target.open("wb")
            return
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        self._temporary = Path(temporary)
        self.stream = os.fdopen(handle, "wb")

    def settle_name(self, program: Path | None) -> str:
        """Choose a name under which the file can take its place before the program that will name it; the name.

        That is its own one if no file has it and the program that is there now does not name it, or if the file of that
        name is the same one.
        """
        self.stream.flush()
        if self._temporary is None or _is_same(self._temporary, self.path):
            return self.path.name
        if self.path.exists() or (program is not None and _names(program, self.path.name)):
            self.path = _named_after_content(self.path, self._temporary)
        return self.path.name

    def put_in_place(self) -> None:
        """Let the file take its place."""
        self.stream.close()
        if self._temporary is None:
            return
        target = Path(os.path.realpath(self.path))
        os.chmod(self._temporary, _mode_for(target))
        os.replace(self._temporary, target)
        self._temporary = None

    def put_beside(self) -> None:
        """Let a file whose name is settled take its place, unless it is there."""
        if self._temporary is not None and _is_same(self._temporary, self.path):
            self.discard()
        else:
            self.put_in_place()

    def discard(self) -> None:
        """Drop what was not put in its place."""
        with suppress(OSError):
            self.stream.close()
        if self._temporary is not None:
            with suppress(OSError):
                os.unlink(self._temporary)
            self._temporary = None


@contextmanager
def drafted(path: Path) -> Generator[Draft]:
    """A draft, which is dropped where it has not been put in place."""
    draft = Draft(path)
    try:
        yield draft
    finally:
        draft.discard()


@contextmanager
def replaced(path: Path) -> Generator[BinaryIO]:
    """A file that takes the place of another one when all of it is written; any failure leaves the old one there."""
    with drafted(path) as draft:
        yield draft.stream
        draft.put_in_place()


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def digest(chunks: Iterable[bytes]) -> str:
    """What tells contents apart."""
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
    """Whether two files hold the same."""
    if not other.is_file() or path.stat().st_size != other.stat().st_size:
        return False
    return all(left == right for left, right in zip(_chunks(path), _chunks(other), strict=True))


def _names(program: Path, name: str) -> bool:
    """Whether a file that is there may name another one."""
    if not program.is_file() or not program.stat().st_size:
        return False
    if re.search(r'[^ -~]|["\\]', name):
        # It is not written there as it is.
        return True
    with program.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(os.fsencode(name)) >= 0


def _mode_for(target: Path) -> int:
    """The mode of the file that is replaced, or that of any new file (mkstemp's own is private)."""
    with suppress(FileNotFoundError):
        return target.stat().st_mode & 0o7777
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
