"""Data of constants, read only when the model is written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....interpreter.ops.source import names_in_files
from ....interpreter.safetensors_file import entry
from ....layout import unpermuted
from ...safetensors import Extract
from ...stored_data import StoredData, blocks
from ..element_types import BITS, BOOL, NARROW
from ..errors import NotExportable
from ..importing.types import ELEMENT_TYPES
from .elements import DTYPES


@dataclass(frozen=True)
class ConstantData(StoredData[int]):
    """The data of a constant, whose element type is a number of ONNX; any non-zero truth value is true."""

    @property
    def number(self) -> int:
        """The element type."""
        return self.element

    @property
    def dtype(self) -> np.dtype[Any]:
        if self.number in NARROW:
            return np.dtype("u1")
        known = DTYPES.get(self.number)
        return np.dtype("u1") if self.number == BOOL else np.dtype("<u2") if known is None else known.newbyteorder("<")

    @property
    def bits(self) -> int | None:
        return BITS.get(self.number)

    def array(self) -> NDArray[Any]:
        """The data as an array, for element types that numpy has."""
        return self.stored().astype(DTYPES[self.number])

    def chunks(self) -> Iterator[bytes]:
        if self.number == BOOL:
            yield from ((block != 0).tobytes() for block in blocks(self.stored()))
        else:
            yield from super().chunks()

    def data(self) -> bytes:
        """All bytes in ONNX's format."""
        return b"".join(self.chunks())


def in_memory(number: int, shape: tuple[int, ...], data: bytes) -> ConstantData:
    """Data that is written out in the program."""
    return ConstantData(number, data, (unpermuted(shape),))


def from_array(array: NDArray[Any], number: int) -> ConstantData:
    """Data built by the exporter, of an element type that numpy has."""
    dtype = DTYPES[number]
    return in_memory(number, array.shape, array.astype(dtype).astype(dtype.newbyteorder("<")).tobytes())


def in_safetensors(path: Path, key: str, number: int) -> ConstantData:
    """The data of one tensor of a safetensors file."""
    found, names = entry(path, key), _names_in_safetensors(number)
    if found.dtype not in names:
        raise NotExportable(f"{path}: '{key}' has type {found.dtype}, expected {names[0]}")
    return ConstantData(number, Extract(path, found.begin, found.length), (unpermuted(found.shape),))


def _names_in_safetensors(number: int) -> Sequence[str]:
    """The names of an element type in safetensors."""
    return names_in_files(ELEMENT_TYPES[number])
