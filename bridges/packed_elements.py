"""Elements of a few bits, which lie side by side in files, the first one in the lowest bits."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK = 1 << 20
"""The elements that are packed at once: a multiple of 8, so that they fill their bytes."""


def packed(elements: NDArray[Any], width: int) -> Iterator[bytes]:
    """The bytes of elements of so many bits, each of which takes a byte here, in chunks."""
    codes = elements.reshape(-1, 1).view(np.uint8)
    for start in range(0, len(codes), CHUNK):
        bits = np.unpackbits(codes[start : start + CHUNK], axis=1, count=width, bitorder="little")
        yield np.packbits(bits, bitorder="little").tobytes()


def unpacked(data: bytes | NDArray[np.uint8], width: int, count: int, is_signed: bool) -> NDArray[Any]:
    """The elements, each in a byte."""
    bits = np.unpackbits(np.frombuffer(data, np.uint8), count=count * width, bitorder="little")
    codes = np.packbits(bits.reshape(-1, width), axis=1, bitorder="little").reshape(-1)
    left = 8 - width
    return (codes << left).view(np.int8) >> left if is_signed else codes
