"""Reading a model file without its weights.

protobuf reads a whole file into memory. Here the bytes of long tensors are removed before parsing and replaced by a
reference to external data, which points into the model file itself. Only the wire format is parsed: the number, the
kind and the length of fields.
"""

from collections.abc import Mapping
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TypeAlias

from onnx import TensorProto

from ..errors import OnnxError
from ..wire import Buffer, fields, head

LONG = 1 << 16
"""Data of at least this many bytes stays in the file."""
OWN_FILE = ""
"""The location of data in the model file itself."""
FIELD = "field"
"""The key for the name of the field whose data was removed."""

Nested: TypeAlias = "Mapping[int, Nested] | None"
"""The fields that may contain tensors, with their own such fields; None is a tensor."""
_MODEL: Nested = {7: {5: None, 1: {5: {5: None}}}}
"""graph: initializer, node: attribute: t."""

_FIELDS = {name: field.number for name, field in TensorProto.DESCRIPTOR.fields_by_name.items()}
_DATA = {_FIELDS[name]: name for name in ("raw_data", "float_data", "double_data")}
"""The fields whose bytes are the data itself."""


def read_slim(path: Path) -> bytes:
    """The bytes of a model file without the data of long tensors."""
    with path.open("rb") as file:
        if not file.seek(0, 2):
            raise OnnxError("the file is empty")
        with mmap(file.fileno(), 0, access=ACCESS_READ) as mapped:
            return b"".join(_slim(mapped, 0, len(mapped), _MODEL))


def _slim(data: Buffer, start: int, end: int, nested: Nested) -> list[bytes]:
    if nested is None:
        return _slim_tensor(data, start, end)
    pieces: list[bytes] = []
    kept = start
    for field in fields(data, start, end):
        if field.number not in nested or not field.has_length or field.end - field.content < LONG:
            continue
        pieces.append(data[kept : field.start])
        kept = field.end
        inner = _slim(data, field.content, field.end, nested[field.number])
        pieces += [head(field.number, sum(map(len, inner))), *inner]
    return [*pieces, data[kept:end]]


def _slim_tensor(data: Buffer, start: int, end: int) -> list[bytes]:
    """A tensor with its long data replaced by a reference."""
    pieces: list[bytes] = []
    elsewhere = TensorProto()
    for field in fields(data, start, end):
        if field.number in _DATA and field.has_length and field.end - field.content >= LONG:
            elsewhere.data_location = TensorProto.EXTERNAL
            length = field.end - field.content
            place = {"location": OWN_FILE, "offset": field.content, "length": length, FIELD: _DATA[field.number]}
            for key, value in place.items():
                elsewhere.external_data.add(key=key, value=str(value))
        else:
            pieces.append(data[field.start : field.end])
    # Last, because the last value of a repeated field wins.
    return [*pieces, elsewhere.SerializeToString()]
