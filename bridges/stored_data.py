"""Data of constants in memory or in a file, read only when a model is written."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..layout import Order, ReadStep, merge_steps, unpermuted
from .packed_elements import packed
from .safetensors import Extract

CHUNK = 1 << 22
"""Approximate size in bytes of a chunk of a large tensor."""
E = TypeVar("E")


@dataclass(frozen=True)
class StoredData(ABC, Generic[E]):
    """The elements of a constant, and the reshapes and transposes to apply."""

    element: E
    source: bytes | Extract
    """The elements, each in whole bytes, little-endian."""
    steps: tuple[ReadStep, ...]

    @property
    @abstractmethod
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements in the source."""

    @property
    @abstractmethod
    def bits(self) -> int | None:
        """The bits of an element if the model packs several into a byte."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.steps[-1].result

    @property
    def size(self) -> int:
        """The size in bytes in the model."""
        return -(-prod(self.shape) * (self.bits or 8 * self.dtype.itemsize) // 8)

    def transposed(self, permutation: Order) -> Self:
        return self.read(merge_steps((*self.steps, ReadStep(self.shape, permutation))))

    def read(self, steps: tuple[ReadStep, ...]) -> Self:
        """Data read by other steps."""
        return replace(self, steps=steps)

    def stored(self) -> NDArray[Any]:
        """The elements after all steps; those in a file are mapped."""
        if not prod(self.shape):
            return np.empty(self.shape, self.dtype)
        if isinstance(self.source, bytes):
            found = np.frombuffer(self.source, self.dtype)
        else:
            count = self.source.length // self.dtype.itemsize
            found = np.memmap(self.source.path, self.dtype, "r", self.source.offset, (count,))
        for step in self.steps:
            found = found.reshape(step.shape).transpose(step.permutation)
        return found

    def chunks(self) -> Iterator[bytes]:
        """The bytes in the order of the model, in chunks."""
        if self.bits is not None:
            yield from packed(self.stored(), self.bits)
        elif all(step == unpermuted(step.shape) for step in self.steps) and prod(self.shape):
            yield from (self.source,) if isinstance(self.source, bytes) else self.source.chunks()
        else:
            yield from (block.tobytes() for block in blocks(self.stored()))


def blocks(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The array in blocks, in row-major order."""
    if array.nbytes <= CHUNK or not array.ndim:
        yield array
        return
    step = max(len(array) * CHUNK // array.nbytes, 1)
    for start in range(0, len(array), step):
        part = array[start : start + step]
        yield from blocks(part[0]) if len(part) == 1 else (part,)
