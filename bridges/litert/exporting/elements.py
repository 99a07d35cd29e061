"""LiteElement types of LiteRT for those of MLIR."""

from enum import IntEnum
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, Signedness
from xdsl.ir import Attribute

from ....dialects.npu.attrs import OpaqueType
from ..errors import NotExportable


class LiteElement(IntEnum):
    """The element types, with the numbers that the file format has for them."""

    F32 = 0
    F16 = 1
    I32 = 2
    U8 = 3
    I64 = 4
    BOOL = 6
    I16 = 7
    C64 = 8
    I8 = 9
    F64 = 10
    U64 = 12
    U32 = 15
    U16 = 16

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type, little-endian as in the file."""
        return np.dtype(_DTYPES[self]).newbyteorder("<")

    @property
    def is_float(self) -> bool:
        return self in (LiteElement.F16, LiteElement.F32, LiteElement.F64)

    def holds(self, numbers: NDArray[Any]) -> bool:
        """True if the type has all numbers, but for fractions; one of floats rounds them."""
        if self.is_float or self is LiteElement.BOOL:
            return True
        limits, whole = np.iinfo(self.dtype), np.trunc(numbers.astype(np.float64))
        return bool(((whole >= float(limits.min)) & (whole < float(limits.max + 1))).all())


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
}
_FLOATS: dict[type[Attribute], LiteElement] = {
    Float16Type: LiteElement.F16,
    Float32Type: LiteElement.F32,
    Float64Type: LiteElement.F64,
}
_SIGNED = {1: LiteElement.BOOL, 8: LiteElement.I8, 16: LiteElement.I16, 32: LiteElement.I32, 64: LiteElement.I64}
_UNSIGNED = {1: LiteElement.BOOL, 8: LiteElement.U8, 16: LiteElement.U16, 32: LiteElement.U32, 64: LiteElement.U64}


def element_of(type_: Attribute) -> LiteElement:
    """The element type of LiteRT for one of MLIR."""
    if isinstance(type_, IntegerType):
        found = cast("IntegerType", type_)
        known = _UNSIGNED if found.signedness.data is Signedness.UNSIGNED else _SIGNED
        if found.bitwidth in known:
            return known[found.bitwidth]
    elif not isinstance(type_, BFloat16Type) and type(type_) in _FLOATS:
        return _FLOATS[type(type_)]
    elif isinstance(type_, OpaqueType) and type_.written.data == "complex64":
        return LiteElement.C64
    raise NotExportable(f"LiteRT has no element type {type_}")
