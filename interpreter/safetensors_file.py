"""Reading safetensors files; the only place that parses their headers.

The format is a length of eight bytes, a JSON header of that length, and the data of the tensors. The package
safetensors is not used, because it cannot pass bf16 to numpy. Like that package, a header is accepted only if it
assigns every byte of the file to exactly one tensor, so that reading a tensor reads no other bytes.
"""

import json
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np

from .elements import Array
from .errors import InterpreterError

_DTYPES = {
    "BOOL": "?",
    "I8": "<i1",
    "U8": "<u1",
    "I16": "<i2",
    "U16": "<u2",
    "I32": "<i4",
    "U32": "<u4",
    "I64": "<i8",
    "U64": "<u8",
    "F16": "<f2",
    "BF16": "<u2",
    "F8_E4M3": "<u1",
    "F8_E5M2": "<u1",
    "F8_E8M0": "<u1",
    "F32": "<f4",
    "F64": "<f8",
}

METADATA = "__metadata__"
"""The header key for metadata, which is not a tensor."""
LENGTH_BYTES = 8
"""The number of bytes for the length of the header."""
LONGEST_HEADER = 100_000_000
"""The maximum length of a header in bytes, as in the package safetensors."""
LARGEST = (1 << 63) - 1
"""The maximum of sizes and offsets."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tensor of a file."""

    dtype: str
    """The element type in the file's notation, such as `F32`."""
    shape: tuple[int, ...]
    begin: int
    """The offset of its bytes in the file."""
    length: int
    """The number of its bytes."""


class _Wrong(Exception):
    """A violation of the format; the text is the message."""


def entries(path: Path) -> Mapping[str, Entry]:
    """The tensors of a file by key; raises `InterpreterError` for an invalid file."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _Wrong("not a regular file")
        return _entries(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise InterpreterError(f"{path}: {error.strerror}") from error
    except _Wrong as error:
        raise InterpreterError(f"{path}: not a safetensors file: {error}") from error


def entry(path: Path, key: str) -> Entry:
    """One tensor of a file."""
    found = entries(path).get(key)
    if found is None:
        raise InterpreterError(f"{path}: there is no tensor '{key}'")
    return found


def read_tensor(path: Path, key: str) -> tuple[str, Array]:
    """The element type in the file's notation, such as `F32`, and the array; bf16 and floats of 8 bits as integers."""
    found = entry(path, key)
    dtype = _DTYPES.get(found.dtype)
    if dtype is None:
        raise InterpreterError(f"{path}: '{key}' is of the unknown element type {found.dtype}")
    try:
        if not found.length:
            return found.dtype, np.frombuffer(b"", dtype).reshape(found.shape)
        # Mapped, so that only the parts in use are in memory.
        mapped: Array = np.memmap(path, dtype, "r", found.begin, found.shape)
    except OSError as error:
        raise InterpreterError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        # numpy limits the number of axes.
        raise InterpreterError(f"{path}: '{key}' cannot be read: {error}") from error
    return found.dtype, np.asarray(mapped)


@lru_cache(maxsize=16)
def _entries(path: Path, size: int, changed: int) -> Mapping[str, Entry]:
    """The tensors of a file; its size and time of change are part of the cache key."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(LENGTH_BYTES), "little")
        data_bytes = size - LENGTH_BYTES - length
        if length > LONGEST_HEADER:
            raise _Wrong(f"expected a header of at most {LONGEST_HEADER} bytes, found {length}")
        if data_bytes < 0:
            raise _Wrong(f"expected a header of {length} bytes, and the file has {size}")
        header = _parsed(file.read(length))
    _check_metadata(header.pop(METADATA, {}))
    found = {key: _entry(key, value, LENGTH_BYTES + length) for key, value in header.items()}
    _check_places(found, LENGTH_BYTES + length, size)
    return found


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text.decode(), object_pairs_hook=_object, parse_constant=_reject_constant)
    except RecursionError as error:
        raise _Wrong("the header is nested too deeply") from error
    except ValueError as error:
        raise _Wrong(f"the header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise _Wrong("expected an object as the header")
    return cast("dict[str, Any]", header)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Wrong(f"the key '{key}' occurs twice")
        found[key] = value
    return found


def _reject_constant(name: str) -> NoReturn:
    raise _Wrong(f"{name} is not a number in JSON")


def _check_metadata(value: Any) -> None:
    if not isinstance(value, dict) or any(not isinstance(each, str) for each in cast("dict[str, Any]", value).values()):
        raise _Wrong(f"{METADATA}: expected an object of strings, found {_brief(value)}")


def _entry(key: str, value: Any, start: int) -> Entry:
    if not isinstance(value, dict):
        raise _Wrong(f"'{key}': expected an object, found {_brief(value)}")
    fields = cast("dict[str, Any]", value)
    dtype = fields.get("dtype")
    if not isinstance(dtype, str):
        raise _Wrong(f"'{key}' dtype: expected the name of an element type, found {_brief(dtype)}")
    shape = _sizes(key, "shape", fields.get("shape"))
    offsets = _sizes(key, "data_offsets", fields.get("data_offsets"))
    if len(offsets) != 2 or offsets[0] > offsets[1]:
        raise _Wrong(f"'{key}' data_offsets: expected a begin and an end after it, found {_brief(list(offsets))}")
    begin, end = offsets
    if dtype in _DTYPES:
        expected = _count(key, shape) * np.dtype(_DTYPES[dtype]).itemsize
        if end - begin != expected:
            raise _Wrong(f"'{key}' data_offsets: expected {expected} bytes for its shape, found {end - begin}")
    return Entry(dtype, shape, start + begin, end - begin)


def _sizes(key: str, name: str, value: Any) -> tuple[int, ...]:
    # A bool is an int in Python.
    if not isinstance(value, list) or any(type(each) is not int or each < 0 for each in cast("list[Any]", value)):
        raise _Wrong(f"'{key}' {name}: expected a list of numbers that are not negative, found {_brief(value)}")
    sizes = cast("list[int]", value)
    if any(size > LARGEST for size in sizes):
        raise _Wrong(f"'{key}' {name}: expected numbers of at most {LARGEST}")
    return tuple(sizes)


def _count(key: str, shape: Sequence[int]) -> int:
    count = 1
    for size in shape:
        count *= size
        # Checked at each step: the product of a long list of large numbers would take forever.
        if count > LARGEST:
            raise _Wrong(f"'{key}' shape: more than {LARGEST} elements")
    return count


def _check_places(found: Mapping[str, Entry], start: int, size: int) -> None:
    """Check that each tensor begins at the end of the one before it, and that the last one ends with the file."""
    position = start
    for key, each in sorted(found.items(), key=lambda item: (item[1].begin, item[1].length)):
        if each.begin != position:
            problem = "overlaps the tensor before it" if each.begin < position else "leaves a gap before it"
            raise _Wrong(f"'{key}' {problem}: expected it to begin at {position - start}, found {each.begin - start}")
        position += each.length
    if position != size:
        raise _Wrong(f"expected {position - start} bytes of tensors, found {size - start}")


def _brief(value: Any) -> str:
    """A value as JSON, truncated."""
    try:
        text = json.dumps(value)
    except RecursionError:
        return "a value nested too deeply"
    return text if len(text) <= 60 else f"{text[:60]}..."
