"""Tables of a flatbuffer, read with checks of all bounds: a file may be cut off, or written to do harm."""

from collections.abc import Iterator
from mmap import mmap
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import LiteRtError

Bytes = bytes | mmap

OFFSET = Struct("<I")
_BACK = Struct("<i")
_PLACE = Struct("<H")


class DamagedFile(LiteRtError):
    """A place in a file lies outside of it."""

    def __init__(self, what: str):
        super().__init__(f"the file is damaged: {what}")


class Table:
    """A table: a list of fields by their numbers, most of which may be absent."""

    __slots__ = ("_fields", "_width", "data", "position", "size")

    def __init__(self, data: Bytes, position: int):
        self.data = data
        self.position = position
        self._check(position, _BACK.size, "a table")
        self._fields = position - _BACK.unpack_from(data, position)[0]
        self._check(self._fields, 2 * _PLACE.size, "the list of fields of a table")
        self._width, self.size = (_PLACE.unpack_from(data, self._fields + place)[0] for place in (0, _PLACE.size))
        self._check(self._fields, max(self._width, 2 * _PLACE.size), "the list of fields of a table")
        self._check(position, max(self.size, _BACK.size), "a table")
        for field in range((self._width - 2 * _PLACE.size) // _PLACE.size):
            if self._offset(field) >= max(self.size, _BACK.size):
                raise DamagedFile(f"a field lies outside of the table at byte {position}")

    def _check(self, start: int, length: int, what: str) -> None:
        if start < 0 or start + length > len(self.data):
            raise DamagedFile(f"{what} at byte {start} lies outside of its {len(self.data)} bytes")

    def _offset(self, field: int) -> int:
        place = 2 * _PLACE.size + _PLACE.size * field
        return _PLACE.unpack_from(self.data, self._fields + place)[0] if place + _PLACE.size <= self._width else 0

    def number(self, field: int, format: str, default: int = 0) -> int:
        """A number; `format` is that of the package struct."""
        offset, number = self._offset(field), Struct(f"<{format}")
        if not offset:
            return default
        self._check(self.position + offset, number.size, "a number")
        return number.unpack_from(self.data, self.position + offset)[0]

    def table(self, field: int) -> "Table | None":
        place = self._target(self.position, self._offset(field))
        return None if place is None else Table(self.data, place)

    def tables(self, field: int) -> Iterator["Table"]:
        """The tables of a vector."""
        start, count = self.vector(field, OFFSET.size)
        for place in range(start, start + count * OFFSET.size, OFFSET.size):
            found = self._target(place, 0, is_present=True)
            assert found is not None
            yield Table(self.data, found)

    def numbers(self, field: int, kind: str) -> NDArray[Any]:
        """The numbers of a vector; `kind` is their type in numpy."""
        dtype = np.dtype(kind).newbyteorder("<")
        start, count = self.vector(field, dtype.itemsize)
        return np.frombuffer(self.data, dtype, count, start) if count else np.empty(0, dtype)

    def text(self, field: int) -> str:
        start, count = self.vector(field, 1)
        try:
            return bytes(self.data[start : start + count]).decode()
        except UnicodeDecodeError:
            raise DamagedFile(f"the text at byte {start} is not UTF-8") from None

    def vector(self, field: int, width: int) -> tuple[int, int]:
        """The first byte of a vector, and the number of its elements of so many bytes."""
        place = self._target(self.position, self._offset(field))
        if place is None:
            return 0, 0
        self._check(place, OFFSET.size, "a vector")
        count = OFFSET.unpack_from(self.data, place)[0]
        self._check(place + OFFSET.size, count * width, "a vector")
        return place + OFFSET.size, count

    def _target(self, start: int, offset: int, is_present: bool = False) -> int | None:
        """The place that a field or an element refers to."""
        if not offset and not is_present:
            return None
        self._check(start + offset, OFFSET.size, "a reference")
        return start + offset + OFFSET.unpack_from(self.data, start + offset)[0]


def root(data: Bytes, identifier: bytes) -> Table:
    """The first table of a file with this identifier."""
    if not data:
        raise LiteRtError("the file is empty")
    if len(data) < 2 * OFFSET.size or bytes(data[OFFSET.size : 2 * OFFSET.size]) != identifier:
        raise LiteRtError("not a LiteRT model: the identifier TFL3 is missing")
    return Table(data, OFFSET.unpack_from(data, 0)[0])
