"""Data of constants, read only when the model is written."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...layout import DYNAMIC, merge_steps, unpermuted
from ..stored_data import StoredData
from .element_types import PACKED, LiteElement


@dataclass(frozen=True)
class LiteData(StoredData[LiteElement]):
    """The elements of a constant, in memory or in a file, and the reshapes and transposes to apply."""

    is_half: bool = False
    """True for numbers that are f16 in the file, behind a DEQUANTIZE."""

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.element.dtype

    @property
    def bits(self) -> int | None:
        return PACKED.get(self.element)

    def reshaped(self, shape: tuple[int, ...]) -> "LiteData":
        """Data in another shape, one size of which may be unknown: that is the rest."""
        rest = prod(self.shape) // max(prod(size for size in shape if size != DYNAMIC), 1)
        whole = tuple(rest if size == DYNAMIC else size for size in shape)
        if self.steps == (unpermuted(self.shape),):
            return self.read((unpermuted(whole),))
        return self.read(merge_steps((*self.steps, unpermuted(whole))))

    def array(self) -> NDArray[Any]:
        """The elements after all steps."""
        return self.stored()

    @cached_property
    def digest(self) -> bytes:
        """Equal for data of the same bytes."""
        found = sha256()
        for chunk in self.chunks():
            found.update(chunk)
        return found.digest()


def in_memory(element: LiteElement, shape: tuple[int, ...], data: bytes) -> LiteData:
    """Data that is written out in the program, or that the exporter made."""
    return LiteData(element, data, (unpermuted(shape),))


def from_array(array: NDArray[Any], element: LiteElement) -> LiteData:
    """Data of another type; a number beyond the range of a float type is infinite there."""
    with np.errstate(over="ignore"):
        return in_memory(element, array.shape, array.astype(element.dtype).tobytes())
