"""Constant numbers, read from where they lie only when the model is written."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....interpreter.safetensors_file import entry
from ....layout import Order, ReadStep, as_it_is, joined
from ...safetensors import Extract
from ..errors import NotExportable
from .elements import BOOL, DTYPES, I4, I8, U4, U8

CHUNK = 1 << 22
"""About how many bytes are held at a time while large tensors are written."""


@dataclass(frozen=True)
class ConstantData:
    """The numbers of a constant: bytes in memory or in a file, and how they are wanted."""

    number: int
    """The element type, as ONNX counts them."""
    source: bytes | Extract
    """Each element in whole bytes, little-endian, a truth value is true unless it is 0."""
    steps: tuple[ReadStep, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.steps[-1].result

    @property
    def size(self) -> int:
        """How many bytes ONNX needs."""
        count = prod(self.shape)
        return (count + 1) // 2 if self.number in (I4, U4) else count * self._dtype.itemsize

    def transposed(self, permutation: Order) -> "ConstantData":
        return self.read(joined((*self.steps, ReadStep(self.shape, permutation))))

    def read(self, steps: tuple[ReadStep, ...]) -> "ConstantData":
        """The same numbers, wanted in another way."""
        return replace(self, steps=steps)

    @cached_property
    def _dtype(self) -> np.dtype[Any]:
        if self.number in (I4, U4):
            return np.dtype("u1")
        known = DTYPES.get(self.number)
        return np.dtype("u1") if self.number == BOOL else np.dtype("<u2") if known is None else known.newbyteorder("<")

    def _array(self) -> NDArray[Any]:
        """The numbers as they are wanted; those of a file stay there, unless no one shape says how."""
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
        """The numbers, of element types that numpy has."""
        return self._array().astype(DTYPES[self.number])

    def chunks(self) -> Iterator[bytes]:
        """The bytes as ONNX wants them, a few at a time."""
        array = self._array()
        if self.number in (I4, U4):
            yield _packed(array)
            return
        for block in _blocks(array):
            yield (block != 0).tobytes() if self.number == BOOL else block.tobytes()

    def data(self) -> bytes:
        """All the bytes as ONNX wants them."""
        return b"".join(self.chunks())


def _blocks(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The array in pieces, one behind the other in row-major sequence."""
    if array.nbytes <= CHUNK or not array.ndim:
        yield array
        return
    step = max(len(array) * CHUNK // array.nbytes, 1)
    for start in range(0, len(array), step):
        part = array[start : start + step]
        yield from _blocks(part[0]) if len(part) == 1 else (part,)


def _packed(array: NDArray[Any]) -> bytes:
    """Two elements of 4 bits per byte, the first one in the lower half."""
    nibbles = array.ravel() & 0xF
    if nibbles.size % 2:
        nibbles = np.append(nibbles, np.uint8(0))
    return (nibbles[::2] | (nibbles[1::2] << 4)).tobytes()


def in_memory(number: int, shape: tuple[int, ...], data: bytes) -> ConstantData:
    """Numbers that are written out in the program."""
    return ConstantData(number, data, (as_it_is(shape),))


def from_array(array: NDArray[Any], number: int) -> ConstantData:
    """Numbers that the exporter worked out, of an element type that numpy has."""
    dtype = DTYPES[number]
    return in_memory(number, array.shape, array.astype(dtype).astype(dtype.newbyteorder("<")).tobytes())


def in_safetensors(path: Path, key: str, number: int) -> ConstantData:
    """The numbers of one tensor of a safetensors file."""
    found = entry(path, key)
    if found.dtype != _name_in_safetensors(number):
        raise NotExportable(f"{path}: '{key}' is of type {found.dtype} and not {_name_in_safetensors(number)}")
    return ConstantData(number, Extract(path, found.begin, found.length), (as_it_is(found.shape),))


def _name_in_safetensors(number: int) -> str:
    """What a safetensors file calls an element type; elements of 4 bits take a byte each there."""
    dtype = DTYPES.get(I8 if number == I4 else U8 if number == U4 else number)
    if number == BOOL:
        return "BOOL"
    return "BF16" if dtype is None else f"{dtype.kind.upper()}{8 * dtype.itemsize}"
