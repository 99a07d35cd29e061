"""The bits of elements as they are in memory."""

from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import BFloat16Type
from xdsl.ir import Attribute

from ..dialects.npu.values import bits_in_memory, is_boolean, is_narrow_float
from .elements import Array, numpy_dtype
from .narrow_floats import from_codes, to_codes

Bits = npt.NDArray[np.unsignedinteger[Any]]


def bits_of(numbers: Array, element_type: Attribute) -> Bits:
    """The bits of numbers, as integers without sign."""
    if is_narrow_float(element_type):
        return to_codes(numbers, element_type)
    if isinstance(element_type, BFloat16Type):
        return bits_of_bf16(numbers)
    whole = np.asarray(numbers, order="C")
    bits = whole.view(np.dtype(f"u{whole.itemsize}"))
    return bits & bits.dtype.type((1 << bits_in_memory(element_type)) - 1)


def from_bits(bits: Bits, element_type: Attribute) -> Array:
    """The numbers with these bits."""
    if is_narrow_float(element_type):
        return from_codes(bits.astype(np.uint8), element_type)
    if isinstance(element_type, BFloat16Type):
        return from_bits_of_bf16(bits)
    return bits != 0 if is_boolean(element_type) else bits.view(numpy_dtype(element_type))


def bits_of_bf16(numbers: Array) -> Bits:
    """The upper halves of f32."""
    return (np.asarray(numbers, np.float32, order="C").view(np.uint32) >> 16).astype(np.uint16)


def from_bits_of_bf16(bits: Bits) -> Array:
    """The f32 with these upper halves."""
    return (bits.astype(np.uint32) << 16).view(np.float32)
