"""Data of constants, read only when the model is written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....interpreter.ops.source import names_in_files
from ....interpreter.safetensors_file import entry
from ....layout import Order, ReadStep, merge_steps, unpermuted
from ...packed_elements import packed
from ...safetensors import Extract
from ..element_types import BITS, BOOL, NARROW
from ..errors import NotExportable
from ..importing.types import ELEMENT_TYPES
from .elements import DTYPES

CHUNK = 1 << 22
"""Approximate size in bytes of a chunk of a large tensor."""


@dataclass(frozen=True)
class ConstantData:
    """The data of a constant: bytes in memory or in a file, and the reshapes and transposes to apply."""

    number: int
    """The element type, as ONNX's number."""
    source: bytes | Extract
    """The elements, each in whole bytes, little-endian; any non-zero truth value is true."""
    steps: tuple[ReadStep, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.steps[-1].result

    @property
    def size(self) -> int:
        """The size in bytes in ONNX."""
        count = prod(self.shape)
        return -(-count * BITS.get(self.number, 8 * self._dtype.itemsize) // 8)

    def transposed(self, permutation: Order) -> "ConstantData":
        return self.read(merge_steps((*self.steps, ReadStep(self.shape, permutation))))

    def read(self, steps: tuple[ReadStep, ...]) -> "ConstantData":
        """Data read by other steps."""
        return replace(self, steps=steps)

    @cached_property
    def _dtype(self) -> np.dtype[Any]:
        if self.number in NARROW:
            return np.dtype("u1")
        known = DTYPES.get(self.number)
        return np.dtype("u1") if self.number == BOOL else np.dtype("<u2") if known is None else known.newbyteorder("<")

    @property
    def _is_unchanged(self) -> bool:
        """True if the bytes in ONNX's format are those of the source."""
        return self.number not in (*BITS, BOOL) and all(step == unpermuted(step.shape) for step in self.steps)

    def _array(self) -> NDArray[Any]:
        """The data after all steps; data in a file is mapped."""
        if not prod(self.shape):
            return np.empty(self.shape, self._dtype)
        if isinstance(self.source, bytes):
            flat = np.frombuffer(self.source, self._dtype)
        else:
            count = self.source.length // self._dtype.itemsize
            flat = np.memmap(self.source.path, self._dtype, "r", self.source.offset, (count,))
        for step in self.steps:
            flat = flat.reshape(step.shape).transpose(step.permutation)
        return flat

    def array(self) -> NDArray[Any]:
        """The data as an array, for element types that numpy has."""
        return self._array().astype(DTYPES[self.number])

    def chunks(self) -> Iterator[bytes]:
        """The bytes in ONNX's format, in chunks."""
        if self._is_unchanged:
            yield from (self.source,) if isinstance(self.source, bytes) else self.source.chunks()
            return
        array = self._array()
        if self.number in BITS:
            yield from packed(array, BITS[self.number])
            return
        for block in _blocks(array):
            yield (block != 0).tobytes() if self.number == BOOL else block.tobytes()

    def data(self) -> bytes:
        """All bytes in ONNX's format."""
        return b"".join(self.chunks())


def _blocks(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The array in blocks, in row-major order."""
    if array.nbytes <= CHUNK or not array.ndim:
        yield array
        return
    step = max(len(array) * CHUNK // array.nbytes, 1)
    for start in range(0, len(array), step):
        part = array[start : start + step]
        yield from _blocks(part[0]) if len(part) == 1 else (part,)


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
