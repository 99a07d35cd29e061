"""Reading one tensor of a safetensors file.

The format is a length of eight bytes, a JSON header of that length, and the tensors one behind the other. It is read
here and not by the package of that name, which cannot give bf16 to numpy.
"""

import json
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

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
    "F32": "<f4",
    "F64": "<f8",
}


def read_tensor(path: Path, key: str) -> tuple[str, Array]:
    """The element type that the file names, such as `F32`, and the array; bf16 comes as its 16 bits."""
    try:
        with path.open("rb") as file:
            return _read(file, key)
    except OSError as error:
        raise InterpreterError(f"{path}: {error.strerror}") from error
    except KeyError as error:
        raise InterpreterError(f"{path}: there is no tensor '{key}' of a known element type") from error
    except (ValueError, TypeError, MemoryError, OverflowError) as error:
        raise InterpreterError(f"{path}: not a safetensors file") from error


def _read(file: BinaryIO, key: str) -> tuple[str, Array]:
    size = int.from_bytes(file.read(8), "little")
    entry: dict[str, Any] = json.loads(file.read(size))[key]
    begin, end = entry["data_offsets"]
    dtype = _DTYPES[entry["dtype"]]
    shape = entry["shape"]
    length = prod(shape) * np.dtype(dtype).itemsize
    if end - begin != length:
        raise ValueError("bytes and shape do not go together")
    if not length:
        return entry["dtype"], np.frombuffer(b"", dtype).reshape(shape)
    # Mapped, so that no more of a file is in memory than what is computed with.
    mapped: Array = np.memmap(file, dtype, "r", 8 + size + begin, tuple(shape))
    return entry["dtype"], np.asarray(mapped)
