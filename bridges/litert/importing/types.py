"""Element types, tensor types and data of LiteRT in MLIR."""

from functools import cache, partial
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute

from ....dialects.npu.attrs import OpaqueType, StringType
from ....layout import DYNAMIC
from ...packed_elements import unpacked
from ...safetensors import Extract, StoredTensor
from ..element_types import OPAQUE, PACKED, LiteElement

Shape = tuple[int, ...]

ELEMENT_TYPES: dict[LiteElement, Attribute] = {
    LiteElement.F16: f16,
    LiteElement.F32: f32,
    LiteElement.F64: f64,
    LiteElement.STRING: StringType(),
    **{element: OpaqueType(StringAttr(name)) for element, name in OPAQUE.items()},
    LiteElement.BOOL: i1,
    LiteElement.I2: IntegerType(2),
    LiteElement.I4: IntegerType(4),
    LiteElement.U4: IntegerType(4, Signedness.UNSIGNED),
    LiteElement.I8: i8,
    LiteElement.I16: i16,
    LiteElement.I32: i32,
    LiteElement.I64: i64,
    LiteElement.U8: IntegerType(8, Signedness.UNSIGNED),
    LiteElement.U16: IntegerType(16, Signedness.UNSIGNED),
    LiteElement.U32: IntegerType(32, Signedness.UNSIGNED),
    LiteElement.U64: IntegerType(64, Signedness.UNSIGNED),
}


def element_type(element: LiteElement) -> Attribute:
    return ELEMENT_TYPES[element]


@cache
def tensor_type(element: LiteElement, shape: tuple[int, ...]) -> TensorType:
    """A tensor type without layout; unknown sizes are `DYNAMIC`."""
    # Cached: verifying a type is slow, and a network has few.
    return TensorType(ELEMENT_TYPES[element], shape)


def dense(array: NDArray[Any], element: LiteElement) -> DenseIntOrFPElementsAttr:
    """A dense attribute of an array; true is 255."""
    type_ = cast("TensorType[AnyDenseElement]", tensor_type(element, array.shape))
    if element == LiteElement.BOOL:
        return DenseIntOrFPElementsAttr(type_, BytesAttr(np.where(array, 0xFF, 0).astype(np.uint8).tobytes()))
    return DenseIntOrFPElementsAttr(type_, BytesAttr(array.astype(element.dtype).tobytes()))


class LiteWeight:
    """A constant of the file that is not written out in the program."""

    has_data = True

    def __init__(self, element: LiteElement, shape: tuple[int, ...], content: Extract):
        assert DYNAMIC not in shape, "constants have known sizes"
        self.element = element
        self.shape = shape
        self.content = content

    def stored(self) -> StoredTensor:
        """The tensor for a safetensors file."""
        if self.element not in PACKED:
            return StoredTensor(self.element.name, self.shape, self.content.length, self.content)
        name = f"{self.element.dtype.kind.upper()}8"
        return StoredTensor(name, self.shape, prod(self.shape), partial(_bytes_of, self))


def _bytes_of(weight: LiteWeight) -> bytes:
    return elements_of(weight.element, weight.content.read(), weight.shape).tobytes()


def elements_of(element: LiteElement, data: bytes | NDArray[np.uint8], shape: tuple[int, ...]) -> NDArray[Any]:
    """Elements of a few bits, each in a byte."""
    return unpacked(data, element.bits, prod(shape), element.dtype.kind == "i").reshape(shape)
