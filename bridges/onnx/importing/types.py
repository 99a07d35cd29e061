"""Conversion of element types, tensor types and data between ONNX and MLIR."""

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, TypeProto
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    Signedness,
    TensorType,
    bf16,
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

from ....dialects.npu.attrs import StringType
from .sizes import Size, static

Array = NDArray[Any]

UI8 = IntegerType(8, Signedness.UNSIGNED)

ELEMENT_TYPES: dict[int, Attribute] = {
    TensorProto.BOOL: i1,
    TensorProto.INT4: IntegerType(4),
    TensorProto.INT8: i8,
    TensorProto.INT16: i16,
    TensorProto.INT32: i32,
    TensorProto.INT64: i64,
    **{getattr(TensorProto, f"UINT{bits}"): IntegerType(bits, Signedness.UNSIGNED) for bits in (4, 8, 16, 32, 64)},
    TensorProto.FLOAT16: f16,
    TensorProto.BFLOAT16: bf16,
    TensorProto.FLOAT: f32,
    TensorProto.DOUBLE: f64,
}
"""The supported element types, by their number in ONNX."""

VALUE_TYPES: dict[int, Attribute] = {**ELEMENT_TYPES, TensorProto.STRING: StringType()}
"""Those of values that nodes compute: constants and npu ops have no texts."""

ONNX_TYPES = {element: number for number, element in VALUE_TYPES.items()}

SAFETENSORS_NAMES: dict[int, str] = {
    TensorProto.BOOL: "BOOL",
    TensorProto.INT4: "I8",
    TensorProto.UINT4: "U8",
    TensorProto.INT8: "I8",
    TensorProto.INT16: "I16",
    TensorProto.INT32: "I32",
    TensorProto.INT64: "I64",
    TensorProto.UINT8: "U8",
    TensorProto.UINT16: "U16",
    TensorProto.UINT32: "U32",
    TensorProto.UINT64: "U64",
    TensorProto.FLOAT16: "F16",
    TensorProto.BFLOAT16: "BF16",
    TensorProto.FLOAT: "F32",
    TensorProto.DOUBLE: "F64",
}
"""The names of element types in safetensors; elements of 4 bits take a byte each."""


@cache
def type_name(number: int) -> str:
    """The name of an element type of ONNX."""
    names = {value: name for name, value in TensorProto.DataType.items()}
    return names.get(number, str(number))


def kind_of(type_: TypeProto) -> str:
    """The kind of a type for messages: `tensor(STRING)`, `sequence`, `optional`..."""
    kind = (type_.WhichOneof("value") or "unknown_type").removesuffix("_type")
    return f"tensor({type_name(type_.tensor_type.elem_type)})" if kind == "tensor" else kind


def tensor_type(element: Attribute, sizes: Sequence[Size]) -> TensorType:
    """A tensor type without layout."""
    return _type(element, static(sizes))


@cache
def _type(element: Attribute, shape: tuple[int, ...]) -> TensorType:
    # Cached: verifying a type is slow, and a network has few.
    return TensorType(element, shape)


def dense(array: Array, number: int) -> DenseIntOrFPElementsAttr:
    """A dense attribute of an array in the form of `onnx.numpy_helper`; `number` is the ONNX element type."""
    element = ELEMENT_TYPES[number]
    type_ = cast("TensorType[AnyDenseElement]", _type(element, array.shape))
    return DenseIntOrFPElementsAttr(type_, BytesAttr(packed(array, number)))


def packed(array: Array, number: int) -> bytes:
    """The elements as xDSL packs them: little-endian, each in whole bytes, true as 255."""
    if number == TensorProto.BOOL:
        return np.where(array, 0xFF, 0).astype(np.uint8).tobytes()
    if number in (TensorProto.INT4, TensorProto.UINT4):
        return array.astype(np.int8 if number == TensorProto.INT4 else np.uint8).tobytes()
    # The dtype of bf16 has no endianness.
    if number == TensorProto.BFLOAT16:
        return array.tobytes()
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
