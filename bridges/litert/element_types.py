"""The element types of LiteRT, and sets of types that its kernels take."""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


class LiteElement(IntEnum):
    """The element types, with the numbers that the file format has for them."""

    F32 = 0
    F16 = 1
    I32 = 2
    U8 = 3
    I64 = 4
    STRING = 5
    BOOL = 6
    I16 = 7
    C64 = 8
    I8 = 9
    F64 = 10
    C128 = 11
    U64 = 12
    RESOURCE = 13
    VARIANT = 14
    U32 = 15
    U16 = 16
    I4 = 17
    BF16 = 18
    I2 = 19
    U4 = 20
    F8E4M3FN = 21
    F8E5M2 = 22

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type, little-endian as in the file: bytes for elements of a few bits, or that numpy lacks."""
        return np.dtype(_DTYPES.get(self, "u1")).newbyteorder("<")

    @property
    def bits(self) -> int:
        """The bits of an element in the file."""
        return PACKED.get(self, 8 * self.dtype.itemsize)

    def bytes_of(self, count: int) -> int:
        """The bytes of so many elements in the file."""
        return -(-count * self.bits // 8)

    @property
    def is_float(self) -> bool:
        return self in (LiteElement.F16, LiteElement.F32, LiteElement.F64)

    def holds(self, numbers: NDArray[Any]) -> bool:
        """True if the type has all numbers, but for fractions; one of floats rounds them."""
        if self.is_float or self is LiteElement.BOOL:
            return True
        least = -(1 << (self.bits - 1)) if self.dtype.kind == "i" else 0
        whole = np.trunc(numbers.astype(np.float64))
        return bool(((whole >= float(least)) & (whole < float(least + (1 << self.bits)))).all())


_DTYPES = {
    LiteElement.F32: "f4",
    LiteElement.F16: "f2",
    LiteElement.F64: "f8",
    LiteElement.C64: "c8",
    LiteElement.BOOL: "?",
    LiteElement.I8: "i1",
    LiteElement.I16: "i2",
    LiteElement.I32: "i4",
    LiteElement.I64: "i8",
    LiteElement.U8: "u1",
    LiteElement.U16: "u2",
    LiteElement.U32: "u4",
    LiteElement.U64: "u8",
    LiteElement.C128: "c16",
    LiteElement.BF16: "u2",
    LiteElement.I2: "i1",
    LiteElement.I4: "i1",
    LiteElement.U4: "u1",
}
OPAQUE = {
    LiteElement.C64: "complex64",
    LiteElement.C128: "complex128",
    LiteElement.RESOURCE: "resource",
    LiteElement.VARIANT: "variant",
    LiteElement.BF16: "bfloat16",
    LiteElement.F8E4M3FN: "float8e4m3fn",
    LiteElement.F8E5M2: "float8e5m2",
}
"""The elements that only ops of LiteRT take, which the dialect does not have, by their names there."""
KEPT = frozenset({LiteElement.STRING, *OPAQUE})
"""All elements that only ops of LiteRT take, texts too."""
PACKED = {LiteElement.I2: 2, LiteElement.I4: 4, LiteElement.U4: 4}
"""The elements that lie side by side in a byte, with their bits."""

F32, F16, F64 = LiteElement.F32, LiteElement.F16, LiteElement.F64
I32, I64, BOOL = LiteElement.I32, LiteElement.I64, LiteElement.BOOL
NARROW = frozenset({LiteElement.I8, LiteElement.I16, LiteElement.U8})
FLOAT = frozenset({F32})
NUMBERS = frozenset({F32, I32, I64})
MOVABLE = frozenset({F32, I32, I64, BOOL, *NARROW})
ANY = frozenset({F16, *MOVABLE})
