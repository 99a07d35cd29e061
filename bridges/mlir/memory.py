"""Memref descriptors of numpy arrays for compiled programs."""

import ctypes
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ...interpreter.bits import bits_of_bf16, from_bits_of_bf16
from ...interpreter.elements import Array
from .exporting.elements import Element


class Descriptor:
    """The memref descriptor of an array, which it keeps alive."""

    def __init__(self, array: Array):
        self._array = array
        address, rank = array.ctypes.data, array.ndim
        numbers = ctypes.c_int64 * rank

        class MemrefStruct(ctypes.Structure):
            _fields_ = [  # Required by ctypes.
                ("allocated", ctypes.c_void_p),
                ("aligned", ctypes.c_void_p),
                ("offset", ctypes.c_int64),
                ("sizes", numbers),
                ("strides", numbers),
            ]

        strides = (stride // array.itemsize for stride in array.strides)
        self.struct = MemrefStruct(address, address, 0, numbers(*array.shape), numbers(*strides))


def stored_dtype(element: Element) -> np.dtype[Any]:
    """The dtype of elements in memory: bf16 as its bits, integers in whole bytes."""
    return np.dtype(np.uint16) if element.kind == "bf" else element.dtype


def to_memory(array: Array, element: Element) -> Array:
    """Convert an array of the interpreter to the memory format."""
    if element.kind == "bf":
        return bits_of_bf16(array)
    array = np.ascontiguousarray(array)
    if element.kind == "i" and element.width < 8 * array.itemsize:
        # Unused high bits are zero.
        unsigned = array.view(np.dtype(f"u{array.itemsize}"))
        return unsigned & unsigned.dtype.type((1 << element.width) - 1)
    return array


def from_memory(array: Array, element: Element) -> Array:
    """Convert the memory format to an array of the interpreter."""
    if element.kind == "bf":
        return from_bits_of_bf16(array)
    leftover = 8 * array.itemsize - element.width
    if element.kind in "iu" and leftover:
        return (array << leftover) >> leftover
    return array


def result_array(shape: Sequence[int], element: Element) -> Array:
    """Allocate an array for a result."""
    return np.zeros(shape, stored_dtype(element))


@ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
def copy_memory(size: int, source: int, target: int) -> None:
    """`memrefCopy` of MLIR's runtime: copy between unranked descriptors; `size` is that of an element in bytes."""
    read, written = (_unranked(pointer, size) for pointer in (source, target))
    written[...] = read


def _unranked(pointer: int, size: int) -> Array:
    """The bytes of an unranked descriptor, which holds a rank and a pointer to a ranked descriptor."""
    rank, ranked = ctypes.c_int64.from_address(pointer).value, ctypes.c_void_p.from_address(pointer + 8).value
    assert ranked is not None
    words = (ctypes.c_int64 * (3 + 2 * rank)).from_address(ranked)
    sizes, strides = words[3 : 3 + rank], words[3 + rank :]
    if not prod(sizes):
        return np.zeros((0, size), np.uint8)
    reach = 1 + sum((count - 1) * stride for count, stride in zip(sizes, strides, strict=True))
    memory = (ctypes.c_uint8 * (reach * size)).from_address(words[1] + words[2] * size)
    whole = np.ctypeslib.as_array(memory)
    return np.lib.stride_tricks.as_strided(whole, (*sizes, size), (*(stride * size for stride in strides), 1))
