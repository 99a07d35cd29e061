"""The wire format of protobuf: fields with a number, a kind, and a length or a value."""

from collections.abc import Iterator
from mmap import mmap
from typing import NamedTuple, TypeAlias

from google.protobuf.message import Message

from .errors import OnnxError

UNREADABLE = "not an ONNX model, or the file is cut off"

Buffer: TypeAlias = "bytes | mmap"


class Field(NamedTuple):
    """A field in a buffer."""

    number: int
    start: int
    content: int
    """The start of the content, after number and length."""
    end: int
    has_length: bool


def fields(data: Buffer, start: int, end: int) -> Iterator[Field]:
    """The fields of a message in a part of a buffer."""
    position = start
    while position < end:
        key, content = _read_varint(data, position, end)
        number, kind = key >> 3, key & 7
        match kind:
            case 0:
                _, stop = _read_varint(data, content, end)
            case 1:
                stop = content + 8
            case 2:
                length, content = _read_varint(data, content, end)
                stop = content + length
            case 5:
                stop = content + 4
            case _:
                raise OnnxError(UNREADABLE)
        if stop > end:
            raise OnnxError(UNREADABLE)
        yield Field(number, position, content, stop, kind == 2)
        position = stop


def head(number: int, length: int) -> bytes:
    """The number and the length of a field, which precede its content."""
    return _varint(number << 3 | 2) + _varint(length)


def around(message: Message, number: int) -> tuple[bytes, bytes]:
    """The serialized fields before and behind those of this number; protobuf writes fields by number."""
    before, behind = type(message)(), type(message)()
    before.CopyFrom(message)
    behind.CopyFrom(message)
    for field, _ in message.ListFields():
        if field.number >= number:
            before.ClearField(field.name)
        if field.number <= number:
            behind.ClearField(field.name)
    return before.SerializeToString(), behind.SerializeToString()


def _read_varint(data: Buffer, position: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while position < end and shift < 70:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    raise OnnxError(UNREADABLE)


def _varint(value: int) -> bytes:
    written = bytearray()
    while value >= 0x80:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*written, value))
