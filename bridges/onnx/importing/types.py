"""Conversion of element types, tensor types and data between ONNX and MLIR."""

from collections.abc import Iterator
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
    StringAttr,
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

from ....dialects.npu.attrs import UNKNOWN, OpaqueType, StringType
from ....interpreter.ops.source import names_in_files
from ...building import tensor_type
from ..element_types import NARROW_FLOATS, NARROW_INTEGERS
from ..errors import OnnxError

Array = NDArray[Any]

UI8 = IntegerType(8, Signedness.UNSIGNED)

ELEMENT_TYPES: dict[int, Attribute] = {
    TensorProto.BOOL: i1,
    TensorProto.INT2: IntegerType(2),
    TensorProto.INT4: IntegerType(4),
    TensorProto.INT8: i8,
    TensorProto.INT16: i16,
    TensorProto.INT32: i32,
    TensorProto.INT64: i64,
    **{getattr(TensorProto, f"UINT{bits}"): IntegerType(bits, Signedness.UNSIGNED) for bits in (2, 4, 8, 16, 32, 64)},
    **NARROW_FLOATS,
    TensorProto.FLOAT16: f16,
    TensorProto.BFLOAT16: bf16,
    TensorProto.FLOAT: f32,
    TensorProto.DOUBLE: f64,
}
"""The supported element types, by their number in ONNX."""

_OTHER_TYPES = {
    number: OpaqueType(StringAttr(name.lower()))
    for name, number in TensorProto.DataType.items()
    if number not in (*ELEMENT_TYPES, TensorProto.UNDEFINED)
}

VALUE_TYPES: dict[int, Attribute] = {**_OTHER_TYPES, **ELEMENT_TYPES, TensorProto.STRING: StringType()}
"""Element types of values that nodes compute: constants and npu ops have no others than the supported ones."""

ONNX_TYPES = {element: number for number, element in VALUE_TYPES.items()}

SAFETENSORS_NAMES: dict[int, str] = {
    TensorProto.BOOL: "BOOL",
    TensorProto.INT2: "I8",
    TensorProto.UINT2: "U8",
    TensorProto.INT4: "I8",
    TensorProto.UINT4: "U8",
    **{number: names_in_files(element)[0] for number, element in NARROW_FLOATS.items()},
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
"""The names of element types in safetensors; elements of fewer than 8 bits take a byte each."""


@cache
def type_name(number: int) -> str:
    """The name of an element type of ONNX."""
    names = {value: name for name, value in TensorProto.DataType.items()}
    return names.get(number, str(number))


def kind_of(type_: TypeProto) -> str:
    """The kind of a type for messages: `tensor(STRING)`, `sequence`, `optional`..."""
    kind = (type_.WhichOneof("value") or "unknown_type").removesuffix("_type")
    return f"tensor({type_name(type_.tensor_type.elem_type)})" if kind == "tensor" else kind


def whole_type(type_: TypeProto, name: str) -> OpaqueType:
    """The type of a value that is no tensor, or whose rank is not known, as ONNX writes the types of operands."""
    return OpaqueType(StringAttr(_written(type_, name)))


def _written(type_: TypeProto, name: str) -> str:
    match type_.WhichOneof("value"):
        case "tensor_type" if type_.tensor_type.elem_type in VALUE_TYPES:
            return f"tensor({type_name(type_.tensor_type.elem_type).lower()})"
        case "sparse_tensor_type" if type_.sparse_tensor_type.elem_type in VALUE_TYPES:
            return f"sparse_tensor({type_name(type_.sparse_tensor_type.elem_type).lower()})"
        case "sequence_type":
            return f"seq({_written(type_.sequence_type.elem_type, name)})"
        case "optional_type":
            return f"optional({_written(type_.optional_type.elem_type, name)})"
        case "map_type" if type_.map_type.key_type in VALUE_TYPES:
            key = type_name(type_.map_type.key_type).lower()
            return f"map({key},{_written(type_.map_type.value_type, name)})"
        case None:
            return UNKNOWN
        case "tensor_type" if not type_.tensor_type.elem_type:
            return UNKNOWN
        case _:
            raise OnnxError(f"'{name}' is of type {kind_of(type_)}, which the npu dialect does not support")


def tensors_of(type_: TypeProto) -> Iterator[TypeProto.Tensor | TypeProto.SparseTensor]:
    """The types of the tensors in a type."""
    waiting = [type_]
    while waiting:
        found = waiting.pop()
        match found.WhichOneof("value"):
            case "tensor_type" | "sparse_tensor_type" as kind:
                yield getattr(found, kind)
            case "sequence_type" | "optional_type" as kind:
                waiting.append(getattr(found, kind).elem_type)
            case "map_type":
                waiting.append(found.map_type.value_type)
            case _:
                pass


def without_sizes(type_: TypeProto) -> TypeProto:
    """A copy of a type that says nothing of the sizes of the tensors in it."""
    copy = TypeProto()
    copy.CopyFrom(type_)
    for tensor in tensors_of(copy):
        tensor.ClearField("shape")
    return copy


def dense(array: Array, number: int) -> DenseIntOrFPElementsAttr:
    """A dense attribute of an array as `onnx.numpy_helper` makes it; `number` is the ONNX element type."""
    element = ELEMENT_TYPES[number]
    type_ = cast("TensorType[AnyDenseElement]", tensor_type(element, array.shape))
    return DenseIntOrFPElementsAttr(type_, BytesAttr(packed(array, number)))


def packed(array: Array, number: int) -> bytes:
    """The elements as xDSL packs them: little-endian, each in whole bytes, true as 255."""
    if number == TensorProto.BOOL:
        return np.where(array, 0xFF, 0).astype(np.uint8).tobytes()
    if number in NARROW_FLOATS:
        return np.ascontiguousarray(array).view(np.uint8).tobytes()
    if number in NARROW_INTEGERS:
        return array.astype(np.int8).tobytes()
    # The dtype of bf16 has no endianness.
    if number == TensorProto.BFLOAT16:
        return array.tobytes()
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()


def bytes_attribute(data: bytes) -> DenseIntOrFPElementsAttr:
    """A vector of bytes."""
    type_ = cast("TensorType[AnyDenseElement]", TensorType(UI8, [len(data)]))
    return DenseIntOrFPElementsAttr(type_, BytesAttr(data))
