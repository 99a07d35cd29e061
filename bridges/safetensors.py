"""Writing and listing safetensors files without holding a whole tensor in memory.

The format is an eight-byte length, a JSON header of that length, and the data of the tensors, concatenated.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..interpreter.safetensors_file import entries

CHUNK = 1 << 22
"""Number of bytes copied at a time."""
ALIGNMENT = 8
"""Tensors begin at multiples of this, so that they can be mapped."""


@dataclass(frozen=True, slots=True)
class Extract:
    """A range of bytes in a file."""

    path: Path
    offset: int
    length: int

    def chunks(self) -> Iterable[bytes]:
        """The bytes, one chunk at a time."""
        with self.path.open("rb", buffering=0) as file:
            file.seek(self.offset)
            left = self.length
            while left:
                chunk = file.read(min(left, CHUNK))
                if not chunk:
                    raise OSError(None, f"ends {left} bytes too early", str(self.path))
                left -= len(chunk)
                yield chunk

    def read(self) -> bytes:
        """All of the bytes."""
        return b"".join(self.chunks())


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A tensor to write: the element type in safetensors' spelling, the shape, and the bytes or a function for them."""

    element_type: str
    shape: Sequence[int]
    length: int
    content: Extract | Callable[[], bytes]

    def chunks(self) -> Iterable[bytes]:
        """The bytes, one chunk at a time if they are in a file."""
        return self.content.chunks() if isinstance(self.content, Extract) else (self.content(),)


def write_tensors(file: BinaryIO, tensors: dict[str, StoredTensor]) -> None:
    """Write tensors under their keys."""
    entries: dict[str, object] = {}
    position = 0
    for key, tensor in tensors.items():
        end = position + tensor.length
        entries[key] = {
            "dtype": tensor.element_type,
            "shape": list(tensor.shape),
            "data_offsets": [position, end],
        }
        position = end
    header = json.dumps(entries, separators=(",", ":")).encode()
    header += b" " * (-len(header) % ALIGNMENT)
    file.write(len(header).to_bytes(8, "little") + header)
    for tensor in tensors.values():
        for chunk in tensor.chunks():
            file.write(chunk)


def stored_tensors(path: Path) -> dict[str, StoredTensor]:
    """The tensors of a file, by their keys."""
    return {
        key: StoredTensor(entry.dtype, entry.shape, entry.length, Extract(path, entry.begin, entry.length))
        for key, entry in entries(path).items()
    }
