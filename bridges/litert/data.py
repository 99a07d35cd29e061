"""Data of constants, read only when the model is written."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...layout import DYNAMIC, Order, ReadStep, merge_steps, unpermuted
from ..packed_elements import packed
from ..safetensors import Extract
from .element_types import PACKED, LiteElement

CHUNK = 1 << 22
"""Approximate size in bytes of a chunk of a large tensor."""


@dataclass(frozen=True)
class LiteData:
    """The elements of a constant, in memory or in a file, and the reshapes and transposes to apply."""

    element: LiteElement
    source: bytes | Extract
    steps: tuple[ReadStep, ...]
    is_half: bool = False
    """True for numbers that are f16 in the file, behind a DEQUANTIZE."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.steps[-1].result

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.element.bytes_of(prod(self.shape))

    def transposed(self, permutation: Order) -> "LiteData":
        return self.read(merge_steps((*self.steps, ReadStep(self.shape, permutation))))

    def reshaped(self, shape: tuple[int, ...]) -> "LiteData":
        """Data in another shape, one size of which may be unknown: that is the rest."""
        rest = prod(self.shape) // max(prod(size for size in shape if size != DYNAMIC), 1)
        whole = tuple(rest if size == DYNAMIC else size for size in shape)
        if self.steps == (unpermuted(self.shape),):
            return self.read((unpermuted(whole),))
        return self.read(merge_steps((*self.steps, unpermuted(whole))))

    def read(self, steps: tuple[ReadStep, ...]) -> "LiteData":
        """Data read by other steps."""
        return replace(self, steps=steps)

    def array(self) -> NDArray[Any]:
        """The elements after all steps; those in a file are mapped."""
        dtype = self.element.dtype
        if not prod(self.shape):
            return np.empty(self.shape, dtype)
        if isinstance(self.source, bytes):
            found = np.frombuffer(self.source, dtype)
        else:
            count = self.source.length // dtype.itemsize
            found = np.memmap(self.source.path, dtype, "r", self.source.offset, (count,))
        for step in self.steps:
            found = found.reshape(step.shape).transpose(step.permutation)
        return found

    @cached_property
    def digest(self) -> bytes:
        """Equal for data of the same bytes."""
        found = sha256()
        for chunk in self.chunks():
            found.update(chunk)
        return found.digest()

    def chunks(self) -> Iterator[bytes]:
        """The bytes in the order of the file, in chunks."""
        if self.element in PACKED:
            yield from packed(self.array(), self.element.bits)
            return
        if all(step == unpermuted(step.shape) for step in self.steps) and prod(self.shape):
            yield from (self.source,) if isinstance(self.source, bytes) else self.source.chunks()
            return
        for block in _blocks(self.array()):
            yield block.tobytes()


def _blocks(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The array in blocks, in row-major order."""
    if array.nbytes <= CHUNK or not array.ndim:
        yield array
        return
    step = max(len(array) * CHUNK // array.nbytes, 1)
    for start in range(0, len(array), step):
        part = array[start : start + step]
        yield from _blocks(part[0]) if len(part) == 1 else (part,)


def in_memory(element: LiteElement, shape: tuple[int, ...], data: bytes) -> LiteData:
    """Data that is written out in the program, or that the exporter made."""
    return LiteData(element, data, (unpermuted(shape),))


def from_array(array: NDArray[Any], element: LiteElement) -> LiteData:
    """Data of another type; a number beyond the range of a float type is infinite there."""
    with np.errstate(over="ignore"):
        return in_memory(element, array.shape, array.astype(element.dtype).tobytes())
